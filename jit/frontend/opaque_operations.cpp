// Opaque operations: what the region hands to CPython without leaving, as any Python code may run inside.
#include "jit/frontend/opaque_operations.h"

#include <opcode.h>

#include <set>

#include "interp/c_functions.h"
#include "interp/foreign_code.h"
#include "interp/python_text.h"
#include "jit/frontend/array_views.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "jit/native_interface.h"

namespace kiln {
namespace {

void writeName(RegionBuilder& b, const AbstractName& name) {
    bool isNumber = name.value.isInt() || name.value.isFloat();
    bool fresh = false;
    AbstractValue value = isNumber ? copyOf(name.value) : name.value;
    Id object = isNumber ? objectOf(b, value) : boxed(b, value, fresh);
    b.emitExitingAt(ir::Op::k_store_name, {object}, b.raising(), name.name);
    if (fresh) {
        b.emit(ir::Op::k_decref_number, {object});
    }
}

// The namespace was changed by what ran: its dict is right, the region's copies are not written back.
ir::SnapshotId namesUnchangedExit(RegionBuilder& b) {
    AbstractState state = b.state();
    for (AbstractName& name : state.names) {
        name.dirty = false;
    }
    return b.snapshot(state, ExitReason::k_invalid);
}

}  // namespace

void noteOpaque(RegionBuilder& b, const std::string& operation) {
    b.result().opaque.push_back({b.before().frame().code, b.before().frame().unit, operation});
}

void callWhatRaises(RegionBuilder& b) {
    const AbstractFrame& frame = b.before().frame();
    if (b.isRootFrame() || !b.environment().profileOf(frame.code).site(frame.unit).raises) {
        return;
    }
    const AbstractFrames& frames = b.state().frames;
    for (size_t inlined = 1; inlined < frames.size(); inlined++) {
        b.knowledge().notInlined.insert(frames[inlined].code);
    }
    b.doom();
}

void needsRealFrame(RegionBuilder& b, int position) {
    callWhatRaises(b);
    if (b.request().isFunction && !b.knowledge().needsFrame) {
        b.knowledge().needsFrame = true;
        b.progress().isDoomed = b.progress().isDoomed || b.progress().reliesOnNoFrame;
    }
    if (b.isRootFrame()) {
        b.emit(ir::Op::k_set_position, {}, position);
    }
}

void flushNames(RegionBuilder& b) {
    realizeChangeable(b);
    for (size_t index = 0; index < b.state().names.size(); index++) {
        AbstractName& name = b.state().names[index];
        if (name.lent) {
            continue;
        }
        if (name.dirty && name.value.kind != Kind::kNull) {
            realize(b, b.state(), name.value);
            writeName(b, name);
            name.dirty = false;
            b.before().names[index].dirty = false;
        }
        AbstractValue& earlier = b.before().names[index].value;
        bool same = earlier.isReference() && earlier.value == name.value.value;
        leaveToDict(b, name.value, false);
        if (same) {
            earlier.owned = false;
            earlier.held = true;
        }
    }
    startHere(b);
}

// Locals only: nobody sees the operand stack, and the names' dicts are up to date.
void suspend(RegionBuilder& b, int next) {
    AbstractState waiting = b.state();
    waiting.names.clear();
    for (size_t index = 0; index < waiting.frames.size(); index++) {
        if (std::as_const(waiting).frames[index].depth() > 0) {
            waiting.frames.change(index).slots.resize(static_cast<size_t>(std::as_const(waiting).frames[index].localCount));
        }
    }
    waiting.frame().unit = next;
    ir::SnapshotId snapshot = b.snapshot(waiting, ExitReason::k_exception);
    tellFailure(b, b.result().region.snapshots[static_cast<size_t>(snapshot)]);
    b.emitExitingAt(ir::Op::k_suspend, {}, snapshot);
}

Id emitOpaque(RegionBuilder& b, ir::Op op, ir::Operands operands, ir::SnapshotId raise, Helper helper, int popped,
              Id version) {
    Id value = ir::kNoId;
    asCallee(b, b.unit() + 1, [&] {
        value = emitFailing(b, op, std::move(operands), raise, static_cast<int64_t>(helper));
        releaseTop(b, popped);
    });
    handleFailure(b, op, value, popped, version);
    return value;
}

Id beforeOpaque(RegionBuilder& b, const std::string& operation) {
    noteOpaque(b, operation);
    needsRealFrame(b, b.unit());
    flushNames(b);
    return namesVersion(b);
}

Id namesVersion(RegionBuilder& b) {
    Id sum = ir::kNoId;
    std::set<const void*> dicts;
    for (const AbstractName& name : b.state().names) {
        if (dicts.insert(b.result().region.nameDicts[name.name]).second) {
            Id version = b.emit(ir::Op::k_names_version, {}, name.name);
            sum = sum == ir::kNoId ? version : b.emit(ir::Op::k_int_add_index, {sum, version});
        }
    }
    return sum;
}

void afterOpaque(RegionBuilder& b, Id versionBefore, bool called) {
    b.emitExitingAt(ir::Op::k_safepoint, {}, b.snapshotHere(called ? ExitReason::k_called : ExitReason::k_attended));
    if (versionBefore != ir::kNoId) {
        Id same = b.emit(ir::Op::k_int_eq, {versionBefore, namesVersion(b)});
        ir::SnapshotId exit = namesUnchangedExit(b);
        b.emitExitingAt(ir::Op::k_guard_true, {same}, exit);
    }
}

// CPython looks behind it whether something waits for the interpreter.
static bool isOfCall(Helper helper) {
    return helper == Helper::k_call || helper == Helper::k_call_c || helper == Helper::k_make_str || helper == Helper::k_make_tuple;
}

void finishOpaque(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, ir::Operands operands, int popped,
                  OpaqueResult kind, Id version) {
    if (b.stopped()) {
        return;
    }
    bool isObject = kind == OpaqueResult::kObject || kind == OpaqueResult::kCallable;
    ir::SnapshotId raise = b.raising();
    Id value = emitOpaque(b, isObject ? ir::Op::k_opaque_object : ir::Op::k_opaque_int, std::move(operands), raise,
                          helper, popped, version);
    pushOpaque(b, in, value, kind, version, isOfCall(helper));
}

void pushOpaque(RegionBuilder& b, const BytecodeInstruction& in, Id value, OpaqueResult kind, Id version, bool called) {
    b.state().frame().unit = in.next;
    if (kind == OpaqueResult::kCallable) {
        b.push(AbstractValue::null());
    }
    bool isObject = kind == OpaqueResult::kObject || kind == OpaqueResult::kCallable;
    if (isObject) {
        b.push(AbstractValue::object(value, nullptr, true));
    } else if (kind == OpaqueResult::kBool) {
        b.push(AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_int_ne, {value, b.constInt(0)})));
    }
    afterOpaque(b, version, called);
    if (isObject) {
        refineTop(b, b.siteOf(in), in.next);
    }
}

void opaqueInstruction(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int operandCount,
                       OpaqueResult kind, const std::string& name, std::initializer_list<int64_t> numbers) {
    Id version = beforeOpaque(b, name);
    if (b.stopped()) {
        return;
    }
    ir::Operands operands;
    for (int64_t number : numbers) {
        operands.push_back(b.constInt(number));
    }
    boxTop(b, operandCount, operands);
    finishOpaque(b, in, helper, std::move(operands), operandCount, kind, version);
}

void opaqueAttributeLoad(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name, bool method) {
    Id version = beforeOpaque(b, "LOAD_ATTR " + textOf(name));
    if (b.stopped()) {
        return;
    }
    OpaqueResult kind = method ? OpaqueResult::kCallable : OpaqueResult::kObject;
    finishOpaque(b, in, Helper::k_get_attribute, {boxEntry(b, 0), b.constObject(name)}, 1, kind, version);
}

void opaqueAdd(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int below, int items) {
    Id version = beforeOpaque(b, helper == Helper::k_set_add ? "SET_ADD" : "MAP_ADD");
    if (b.stopped()) {
        return;
    }
    ir::Operands operands = {boxEntry(b, below)};
    boxTop(b, items, operands);
    finishOpaque(b, in, helper, std::move(operands), items, OpaqueResult::kNone, version);
}

void opaqueAttributeStore(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    Id version = beforeOpaque(b, "STORE_ATTR " + textOf(name));
    if (b.stopped()) {
        return;
    }
    Id value = boxEntry(b, 1);
    finishOpaque(b, in, Helper::k_set_attribute, {boxEntry(b, 0), b.constObject(name), value}, 2, OpaqueResult::kNone,
                 version);
}

void wantCallees(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    PyObject* only = site.observedCallee();
    if (only != nullptr && PyFunction_Check(only)) {
        b.environment().wantCode(reinterpret_cast<PyCodeObject*>(reinterpret_cast<PyFunctionObject*>(only)->func_code));
    }
    for (int index = 0; index < site.calleeCodes.size(); index++) {
        if (PyCodeObject* code = site.calleeCodes[index]) {
            b.environment().wantCode(code);
        }
    }
}

void callAnything(RegionBuilder& b, const BytecodeInstruction& in, NativeFunction* any, const std::vector<CallOperand>& operands, int popped, Id version) {
    wantCallees(b, in);
    const std::vector<AbstractValue>& slots = b.state().frame().slots;
    std::vector<AbstractValue> entries(slots.end() - popped, slots.end());
    AbstractState raised = leaveToCallee(b, popped);
    std::vector<Id> values;
    for (const CallOperand& operand : operands) {
        values.push_back(operand.value);
        if (operand.below >= 0) {
            giveArgument(b, entries[entries.size() - 1 - static_cast<size_t>(operand.below)], operand.value, popped, raised);
        }
    }
    ir::SnapshotId raise = b.snapshot(raised, ExitReason::k_exception, true);
    int index = b.objectIndex(any, "anything");
    Id status = ir::kNoId;
    asCallee(b, in.next, [&] {
        status = emitFailing(b, ir::Op::k_call_native, std::move(values), raise, index, ir::Type::kObject);
        for (AbstractValue& entry : entries) {
            release(b, std::move(entry));
        }
    });
    handleFailure(b, ir::Op::k_call_native, status, popped, version);
    Id result = b.emit(ir::Op::k_native_boxed, {status});
    pushOpaque(b, in, result, OpaqueResult::kObject, version);
}

// False where the place called no Python function.
bool pythonCall(RegionBuilder& b, const BytecodeInstruction& in, int callables, int arguments) {
    int taken = callables + arguments;
    NativeFunction* any = b.siteOf(in).callsPython ? b.environment().anyCallable(Called::kAnything, static_cast<size_t>(taken)) : nullptr;
    if (any == nullptr) {
        return false;
    }
    Id version = beforeNativeCall(b, in);
    if (b.stopped()) {
        return true;
    }
    std::vector<CallOperand> operands;
    for (int below = taken - 1; below >= 0; below--) {
        operands.push_back({boxEntry(b, below), below});
    }
    operands.insert(operands.begin() + 1, {b.constObject(b.keywordNames() != nullptr ? b.keywordNames() : Py_None)});
    callAnything(b, in, any, operands, arguments + 2, version);
    return true;
}

namespace {

// How to call what is on the stack, where that is one object: without looking at it again.
Helper constantCall(RegionBuilder& b, int callables, int arguments) {
    const AbstractValue& entry = b.top(arguments + callables - 1);
    if (entry.kind != Kind::kConstant || b.keywordNames() != nullptr) {
        return Helper::k_call;
    }
    PyObject* callee = entry.constant;
    bool isClass = callables == 1 && arguments == 1 && PyType_Check(callee);
    if (isClass && callee == reinterpret_cast<PyObject*>(&PyUnicode_Type)) {
        return Helper::k_make_str;
    }
    if (isClass && callee == reinterpret_cast<PyObject*>(&PyTuple_Type)) {
        return Helper::k_make_tuple;
    }
    return takesPlainly(callee, arguments + callables - 1) && !entersForeignCode(callee) ? Helper::k_call_c : Helper::k_call;
}

}  // namespace

void opaqueCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    int callables = b.top(arguments + 1).kind != Kind::kNull ? 2 : 1;  // a method and its instance
    if (pythonCall(b, in, callables, arguments)) {
        return;
    }
    PyObject* callee = b.siteOf(in).observedCallee();
    std::string name = "CALL";
    if (callee != nullptr && PyCFunction_Check(callee)) {
        name += std::string(" ") + reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name;
    }
    Id version = beforeOpaque(b, name);
    if (b.stopped()) {
        return;
    }
    ir::Operands operands;
    Helper helper = constantCall(b, callables, arguments);
    if (helper == Helper::k_call) {
        operands.push_back(b.keywordNames() != nullptr ? b.constObject(b.keywordNames()) : b.constInt(0));
    }
    bool isClass = helper == Helper::k_make_str || helper == Helper::k_make_tuple;
    boxTop(b, arguments + (isClass ? 0 : callables), operands);
    finishOpaque(b, in, helper, std::move(operands), arguments + 2, OpaqueResult::kObject, version);
}

}  // namespace kiln
