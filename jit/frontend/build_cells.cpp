// Cells: variables that closures share, and the functions that are made with them.
#include "jit/frontend/build_cells.h"

#include <opcode.h>

#include <utility>

#include "jit/frontend/build_leaf.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

void enterCells(RegionBuilder& b, Id function) {
    AbstractFrame& frame = b.state().frame();
    for (const BytecodeInstruction& in : b.bytecode().instructions()) {
        if (in.unit >= frame.unit) {
            return;
        }
        if (in.opcode == MAKE_CELL) {
            if (frame.slots[in.oparg].isVirtualObject()) {
                realize(b, b.state(), frame.slots[in.oparg]);
                startHere(b);
            }
            // What is left in the slot would count as another name of it.
            AbstractValue content = std::exchange(frame.slots[in.oparg], AbstractValue::null());
            bool isNumber = content.isInt() || content.isFloat();
            bool fresh = false;
            Id object = content.kind == Kind::kNull ? b.constInt(0)
                        : isNumber                  ? objectOf(b, content)
                                                    : boxed(b, content, fresh);
            Id cell = b.emitList(ir::Op::k_pure_object, {object}, static_cast<int64_t>(Helper::k_make_cell));
            frame.slots[in.oparg] = AbstractValue::object(cell, nullptr, true);
            if (fresh) {
                b.emit(ir::Op::k_decref_held, {object});
            }
            releaseHeld(b, std::move(content));
        } else if (in.opcode == COPY_FREE_VARS) {
            Id closure = b.emit(ir::Op::k_load_reference, {function}, static_cast<int64_t>(Field::k_function_closure));
            for (int variable = 0; variable < in.oparg; variable++) {
                Id cell = b.emit(ir::Op::k_tuple_item, {closure, b.constInt(variable)});
                frame.slots[frame.localCount - in.oparg + variable] = AbstractValue::object(cell, nullptr, false);
            }
        }
    }
}

bool accessCell(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractValue& cell = b.state().frame().slots[in.oparg];
    if (cell.kind != Kind::kObject) {
        return false;
    }
    if (in.opcode == LOAD_CLOSURE) {
        b.push(copyOf(cell));
        b.state().frame().unit = in.next;
        return true;
    }
    if (in.opcode == LOAD_DEREF) {
        Id value = b.emit(ir::Op::k_load_reference, {cell.value}, static_cast<int64_t>(Field::k_cell_value));
        b.emitExiting(ir::Op::k_guard_set, {value}, ExitReason::k_object);
        pushResult(b, value, false, nullptr, in, in.next);
        return true;
    }
    Id cellValue = cell.value;
    Id object = boxEntry(b, 0);
    guardDisplaced(b, b.emit(ir::Op::k_load_reference, {cellValue}, static_cast<int64_t>(Field::k_cell_value)));
    b.emit(ir::Op::k_cell_store, {cellValue, object});
    releaseHeld(b, b.pop());
    b.state().frame().unit = in.next;
    return true;
}

// Of the code on top, and below it what the flags name: closure, annotations, keyword defaults, defaults.
bool makeFunction(RegionBuilder& b, const BytecodeInstruction& in) {
    // What CPython gives a new function for builtins stands in its globals; else it takes the running frame's.
    static PyObject* key = PyUnicode_InternFromString("__builtins__");
    PyObject* globals = b.state().frame().globals;
    PyObject* builtins = PyDict_GetItemWithError(globals, key);
    if (builtins == nullptr || !b.environment().isStableName(globals, key)) {
        return false;
    }
    b.result().dependencies.push_back({globals, key, builtins});
    int popped = 1 + __builtin_popcount(static_cast<unsigned>(in.oparg));
    ir::Operands operands = {b.constInt(in.oparg), b.constObject(globals)};
    for (int entry = 0; entry < popped; entry++) {
        operands.push_back(boxEntry(b, entry));
    }
    if (!b.stopped()) {
        leafOperation(b, in, Helper::k_make_function, std::move(operands), popped);
    }
    return true;
}

}  // namespace kiln
