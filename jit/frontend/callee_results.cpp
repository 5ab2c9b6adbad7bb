#include "jit/frontend/callee_results.h"

#include <utility>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_instantiation.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// NotImplemented is for the interpreter.
bool guardImplemented(RegionBuilder& b) {
    const AbstractValue& result = b.top();
    if (result.kind == Kind::kConstant) {
        return result.constant != Py_NotImplemented;
    }
    if (result.kind == Kind::kObject && result.cls == nullptr) {
        Id refused = b.emit(ir::Op::k_object_is, {result.value, b.constObject(Py_NotImplemented)});
        b.emitExiting(ir::Op::k_guard_false, {refused}, ExitReason::k_unsupported);
    }
    return true;
}

// The operation makes a number of the result. Where that takes CPython, it takes the whole operation.
bool replaceResult(RegionBuilder& b, Kind kind, Id number) {
    if (number == ir::kNoId) {
        b.knowledge().notInlined.insert(b.state().frame().code);
        b.doom();
        return false;
    }
    release(b, b.pop());
    b.push(AbstractValue::number(kind, number));
    return true;
}

bool takeTruth(RegionBuilder& b) {
    Id isTrue = truth(b, b.top());
    bool inverts = b.state().frame().detail == 1;
    return replaceResult(b, Kind::kBool, isTrue != ir::kNoId && inverts ? b.emit(ir::Op::k_bool_not, {isTrue}) : isTrue);
}

bool takeLength(RegionBuilder& b) {
    if (!b.top().isIntLike()) {
        return replaceResult(b, Kind::kInt, ir::kNoId);
    }
    Id length = asInt(b, b.top());
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {length, b.constInt(0)})}, ExitReason::k_unsupported);
    return replaceResult(b, Kind::kInt, length);
}

// What __bool__ gives must be a bool.
bool takeBool(RegionBuilder& b) {
    if ((b.state().frame().detail & 1) == 0) {
        return b.top().isBool() || replaceResult(b, Kind::kBool, ir::kNoId);
    }
    return takeLength(b) && replaceResult(b, Kind::kBool, b.emit(ir::Op::k_int_ne, {b.top().value, b.constInt(0)}));
}

// A class without __next__ is for the interpreter.
bool takeIterator(RegionBuilder& b) {
    PyTypeObject* cls = b.top().knownClass();
    if (isVirtualIterator(b.top()) || (cls != nullptr && PyType_HasFeature(cls, Py_TPFLAGS_READY) && cls->tp_iternext != nullptr)) {
        return true;
    }
    return replaceResult(b, Kind::kInt, ir::kNoId);
}

// The top entry becomes what the operation makes of it.
bool takeResult(RegionBuilder& b) {
    switch (b.state().frame().use) {
        case ResultUse::k_created: return takeCreated(b);
        case ResultUse::k_instance: return b.top().kind == Kind::kNone;  // else a TypeError, unless it is a None that is not known to be one
        case ResultUse::k_operator: case ResultUse::k_comparison: return guardImplemented(b);
        case ResultUse::k_containment: return takeTruth(b);
        case ResultUse::k_length: return takeLength(b);
        case ResultUse::k_truth: return takeBool(b);
        case ResultUse::k_iterator: return takeIterator(b);
        default: return true;
    }
}

}  // namespace

void dropFrameSlots(RegionBuilder& b) {
    std::vector<AbstractValue> slots = std::move(b.state().frame().slots);
    b.state().frame().slots.clear();
    for (AbstractValue& slot : slots) {
        release(b, std::move(slot));
    }
    release(b, std::exchange(b.state().frame().callee, {}));
}

bool endIteration(RegionBuilder& b) {
    const AbstractFrame& frame = b.state().frame();
    bool isEnd = b.top().kind == Kind::kConstant && b.top().constant == PyExc_StopIteration;
    if (frame.use != ResultUse::k_item || !isEnd || b.bytecodeOf(frame.code).handlerOf(b.unit()) != nullptr) {
        return false;
    }
    release(b, b.pop());
    dropFrameSlots(b);
    b.state().frames.pop_back();
    release(b, b.pop());
    AbstractFrame& caller = b.state().frame();
    caller.unit = (b.bytecodeOf(caller.code).at(caller.unit) - 1)->target;
    return true;
}

bool returnToCaller(RegionBuilder& b) {
    if (!takeResult(b)) {
        return false;
    }
    b.top() = heldConstant(b, b.top());
    ownTop(b);
    AbstractValue value = b.pop();
    dropFrameSlots(b);
    ResultUse use = b.state().frame().use;
    int detail = b.state().frame().detail;
    b.state().frames.pop_back();
    int operands = operandsOf(use, detail);
    if (use == ResultUse::k_instance) {
        return true;
    }
    if (use == ResultUse::k_nothing || use == ResultUse::k_stored) {
        release(b, std::move(value));
        releaseTop(b, operands);
        return true;
    }
    replaceTop(b, operands, std::move(value));
    return true;
}

}  // namespace kiln
