// Opaque operations: what the region hands to CPython without leaving, as any Python code may run inside.
#include <opcode.h>

#include <set>

#include "jit/frontend/region_builder.h"

namespace kiln {

void RegionBuilder::noteOpaque(const std::string& operation) {
    result_.opaque.push_back({before_.frame().code, before_.frame().unit, operation});
}

// The frame must tell where it is: a callee may look. Frames exist for the root only, so an inlined callee that
// needs one is called instead.
bool RegionBuilder::needsRealFrame(int position) {
    if (!isRootFrame()) {
        for (size_t frame = 1; frame < state_.frames.size(); frame++) {
            knowledge_.notInlined.insert(state_.frames[frame].code);
        }
        doom();
    }
    if (request_.isFunction && !knowledge_.needsFrame) {
        knowledge_.needsFrame = true;
        isDoomed_ = isDoomed_ || reliesOnNoFrame_;
    }
    emit(ir::Op::k_set_position, {}, position);
    return true;
}

// Afterwards the dicts have every value, and no exit of this instruction writes it again; they alone hold the objects.
void RegionBuilder::flushNames() {
    for (size_t index = 0; index < state_.names.size(); index++) {
        AbstractName& name = state_.names[index];
        if (name.lent) {
            continue;
        }
        if (name.dirty && name.value.kind != Kind::kNull) {
            writeName(name);
            name.dirty = false;
            before_.names[index].dirty = false;
        }
        AbstractValue& earlier = before_.names[index].value;
        bool same = earlier.isReference() && earlier.value == name.value.value;
        leaveToDict(name.value, false);
        if (same) {
            earlier.owned = false;
            earlier.held = true;
        }
    }
    startHere();
}

void RegionBuilder::writeName(const AbstractName& name) {
    bool isNumber = name.value.isInt() || name.value.isFloat();
    bool fresh = false;
    AbstractValue value = isNumber ? copyOf(name.value) : name.value;
    Id object = isNumber ? objectOf(value) : boxed(value, fresh);
    emitExitingAt(ir::Op::k_store_name, {object}, raising(), name.name);
    if (fresh) {
        emit(ir::Op::k_decref_number, {object});
    }
}

// Locals only: nobody sees the operand stack, and the names' dicts are up to date.
void RegionBuilder::suspend(int next) {
    AbstractState waiting = state_;
    waiting.names.clear();
    for (AbstractFrame& frame : waiting.frames) {
        frame.slots.resize(static_cast<size_t>(frame.localCount));
    }
    waiting.frame().unit = next;
    emitExitingAt(ir::Op::k_suspend, {}, snapshot(waiting, ExitReason::k_exception));
}

RegionBuilder::Id RegionBuilder::emitOpaque(ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, Helper helper, int popped, Id version) {
    Id value = ir::kNoId;
    asCallee(unit_ + 1, [&] {
        value = emitFailing(op, std::move(operands), raise, static_cast<int64_t>(helper));
        releaseTop(popped);
    });
    handleFailure(op, value, popped, version);
    return value;
}

RegionBuilder::Id RegionBuilder::beforeOpaque(const std::string& operation, int cacheUnits) {
    noteOpaque(operation);
    if (!needsRealFrame(unit_ + cacheUnits)) {
        return ir::kNoId;
    }
    flushNames();
    return namesVersion();
}

// Of the namespaces' dicts of which the region holds variables. A version only grows: the sum of several tells as much.
RegionBuilder::Id RegionBuilder::namesVersion() {
    Id sum = ir::kNoId;
    std::set<const void*> dicts;
    for (const AbstractName& name : state_.names) {
        if (dicts.insert(result_.region.nameDicts[name.name]).second) {
            Id version = emit(ir::Op::k_names_version, {}, name.name);
            sum = sum == ir::kNoId ? version : emit(ir::Op::k_int_add_index, {sum, version});
        }
    }
    return sum;
}

// After the result is pushed: what ran may have changed what the region takes for granted, or asked for what the interpreter does
// when it next looks at the evaluation breaker. `called`: it looks here, as it does after calls of what is no Python function.
void RegionBuilder::afterOpaque(Id versionBefore, bool called) {
    emitExitingAt(ir::Op::k_safepoint, {}, here(called ? ExitReason::k_called : ExitReason::k_attended));
    if (versionBefore != ir::kNoId) {
        Id same = emit(ir::Op::k_int_eq, {versionBefore, namesVersion()});
        ir::SnapshotId exit = namesUnchangedExit();
        emitExitingAt(ir::Op::k_guard_true, {same}, exit);
    }
}

// The namespace was changed by what ran: its dict is right, the region's copies are not written back.
ir::SnapshotId RegionBuilder::namesUnchangedExit() {
    AbstractState state = state_;
    for (AbstractName& name : state.names) {
        name.dirty = false;
    }
    return snapshot(state, ExitReason::k_invalid);
}

// After beforeOpaque(), which gave the version: the operation itself, for which `popped` entries go and the result comes.
void RegionBuilder::finishOpaque(const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped,
                                 OpaqueResult kind, Id version) {
    if (stopped()) {
        return;
    }
    bool isObject = kind == OpaqueResult::kObject || kind == OpaqueResult::kCallable;
    ir::SnapshotId raise = raising();
    Id value = emitOpaque(isObject ? ir::Op::k_opaque_object : ir::Op::k_opaque_int, std::move(operands), raise, helper, popped, version);
    pushOpaque(in, value, kind, version, helper == Helper::k_call);
}

void RegionBuilder::pushOpaque(const BytecodeInstruction& in, Id value, OpaqueResult kind, Id version, bool called) {
    state_.frame().unit = in.next;
    if (kind == OpaqueResult::kCallable) {
        push(AbstractValue::null());
    }
    bool isObject = kind == OpaqueResult::kObject || kind == OpaqueResult::kCallable;
    if (isObject) {
        push(AbstractValue::object(value, nullptr, true));
    } else if (kind == OpaqueResult::kBool) {
        push(AbstractValue::number(Kind::kBool, emit(ir::Op::k_int_ne, {value, constInt(0)})));
    }
    afterOpaque(version, called);
    if (isObject) {
        refineTop(siteOf(in), in.next);
    }
}

void RegionBuilder::opaqueInstruction(const BytecodeInstruction& in, Helper helper, int operandCount, OpaqueResult kind,
                                      const std::string& name, std::initializer_list<int64_t> numbers) {
    Id version = beforeOpaque(name);
    if (stopped()) {
        return;
    }
    std::vector<Id> operands;
    for (int64_t number : numbers) {
        operands.push_back(constInt(number));
    }
    boxTop(operandCount, operands);
    finishOpaque(in, helper, std::move(operands), operandCount, kind, version);
}

void RegionBuilder::opaqueAttributeLoad(const BytecodeInstruction& in, PyObject* name, bool method) {
    Id version = beforeOpaque(std::string("LOAD_ATTR ") + PyUnicode_AsUTF8(name));
    if (stopped()) {
        return;
    }
    OpaqueResult kind = method ? OpaqueResult::kCallable : OpaqueResult::kObject;
    finishOpaque(in, Helper::k_get_attribute, {boxEntry(0), constObject(name)}, 1, kind, version);
}

// The topmost entries go into the container that lies `below` the top.
void RegionBuilder::opaqueAdd(const BytecodeInstruction& in, Helper helper, int below, int items) {
    Id version = beforeOpaque(helper == Helper::k_set_add ? "SET_ADD" : "MAP_ADD");
    if (stopped()) {
        return;
    }
    std::vector<Id> operands = {boxEntry(below)};
    boxTop(items, operands);
    finishOpaque(in, helper, std::move(operands), items, OpaqueResult::kNone, version);
}

void RegionBuilder::opaqueAttributeStore(const BytecodeInstruction& in, PyObject* name) {
    Id version = beforeOpaque(std::string("STORE_ATTR ") + PyUnicode_AsUTF8(name));
    if (stopped()) {
        return;
    }
    Id value = boxEntry(1);
    finishOpaque(in, Helper::k_set_attribute, {boxEntry(0), constObject(name), value}, 2, OpaqueResult::kNone, version);
}

// CALL of anything: [callable, self or NULL] or [method, self], then the arguments.
void RegionBuilder::opaqueCall(const BytecodeInstruction& in, int arguments) {
    const AbstractValue& below = top(arguments + 1);
    PyObject* callee = siteOf(in).observedCallee();
    std::string name = "CALL";
    if (callee != nullptr && PyCFunction_Check(callee)) {
        name += std::string(" ") + reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name;
    }
    bool method = below.kind != Kind::kNull;
    // The interpreter enters Python functions with the caller's position at the end of the CALL.
    Id version = beforeOpaque(name, siteOf(in).callsPython ? in.next - 1 - in.unit : 0);
    if (stopped()) {
        return;
    }
    std::vector<Id> operands = {keywordNames_ != nullptr ? constObject(keywordNames_) : constInt(0)};
    boxTop(arguments + (method ? 2 : 1), operands);
    if (siteOf(in).callsPython) {
        opaquePythonCall(in, std::move(operands), arguments + 2, version);
        return;
    }
    finishOpaque(in, Helper::k_call, std::move(operands), arguments + 2, OpaqueResult::kObject, version);
}

// The callee takes the references to the callable and the arguments: `operands` after the first, the topmost entries.
void RegionBuilder::opaquePythonCall(const BytecodeInstruction& in, std::vector<Id> operands, int popped, Id version) {
    if (stopped()) {
        return;
    }
    const std::vector<AbstractValue>& slots = state_.frame().slots;
    std::vector<AbstractValue> entries(slots.end() - popped, slots.end());
    AbstractState raised = leaveToCallee(popped);
    size_t given = operands.size() - 1;
    for (size_t index = 0; index < given; index++) {
        giveArgument(entries[entries.size() - given + index], operands[1 + index], popped, raised);
    }
    ir::SnapshotId raise = snapshot(raised, ExitReason::k_exception, true);
    Id value = ir::kNoId;
    asCallee(unit_ + 1, [&] {
        value = emitFailing(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(Helper::k_call_python));
        for (AbstractValue& entry : entries) {
            release(std::move(entry));
        }
    });
    handleFailure(ir::Op::k_opaque_object, value, popped, version);
    pushOpaque(in, value, OpaqueResult::kObject, version);
}

}  // namespace kiln
