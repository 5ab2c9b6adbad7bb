// Cells: variables that closures share, and the functions that are made with them.
#include <opcode.h>

#include "jit/frontend/region_builder.h"

namespace kiln {

// What a function does before its RESUME: makes its own cells, with the arguments that are among them, and takes the cells
// of its closure, which lives as long as the function.
void RegionBuilder::enterCells(Id function) {
    AbstractFrame& frame = state_.frame();
    for (const BytecodeInstruction& in : bytecode().instructions()) {
        if (in.unit >= frame.unit) {
            return;
        }
        if (in.opcode == MAKE_CELL) {
            AbstractValue content = std::move(frame.slots[in.oparg]);
            bool isNumber = content.isInt() || content.isFloat();
            bool fresh = false;
            Id object = content.kind == Kind::kNull ? constInt(0) : isNumber ? objectOf(content) : boxed(content, fresh);
            Id cell = emitList(ir::Op::k_pure_object, {object}, static_cast<int64_t>(Helper::k_make_cell));
            frame.slots[in.oparg] = AbstractValue::object(cell, nullptr, true);
            if (fresh) {
                emit(ir::Op::k_decref_held, {object});
            }
            releaseHeld(std::move(content));
        } else if (in.opcode == COPY_FREE_VARS) {
            Id closure = emit(ir::Op::k_load_reference, {function}, static_cast<int64_t>(Field::k_function_closure));
            for (int variable = 0; variable < in.oparg; variable++) {
                Id cell = emit(ir::Op::k_tuple_item, {closure, constInt(variable)});
                frame.slots[frame.localCount - in.oparg + variable] = AbstractValue::object(cell, nullptr, false);
            }
        }
    }
}

bool RegionBuilder::cells(const BytecodeInstruction& in) {
    AbstractValue& cell = state_.frame().slots[in.oparg];
    if (cell.kind != Kind::kObject) {
        return false;
    }
    if (in.opcode == LOAD_CLOSURE) {
        push(copyOf(cell));
        state_.frame().unit = in.next;
        return true;
    }
    if (in.opcode == LOAD_DEREF) {
        Id value = emit(ir::Op::k_load_reference, {cell.value}, static_cast<int64_t>(Field::k_cell_value));
        emitExiting(ir::Op::k_guard_set, {value}, ExitReason::k_object);
        pushResult(value, false, nullptr, in, in.next);
        return true;
    }
    Id cellValue = cell.value;
    Id object = boxEntry(0);
    guardDisplaced(emit(ir::Op::k_load_reference, {cellValue}, static_cast<int64_t>(Field::k_cell_value)));
    emit(ir::Op::k_cell_store, {cellValue, object});
    releaseHeld(pop());
    state_.frame().unit = in.next;
    return true;
}

// Of the code on top, and below it what the flags name: closure, annotations, keyword defaults, defaults.
bool RegionBuilder::makeFunction(const BytecodeInstruction& in) {
    // What CPython gives a new function for builtins stands in its globals; else it takes the running frame's.
    static PyObject* key = PyUnicode_InternFromString("__builtins__");
    PyObject* globals = state_.frame().globals;
    PyObject* builtins = PyDict_GetItemWithError(globals, key);
    if (builtins == nullptr || !environment_.isStableName(globals, key)) {
        return false;
    }
    result_.dependencies.push_back({globals, key, builtins});
    int popped = 1 + __builtin_popcount(static_cast<unsigned>(in.oparg));
    std::vector<Id> operands = {constInt(in.oparg), constObject(globals)};
    for (int entry = 0; entry < popped; entry++) {
        operands.push_back(boxEntry(entry));
    }
    if (!stopped()) {
        leafOperation(in, Helper::k_make_function, std::move(operands), popped);
    }
    return true;
}

}  // namespace kiln
