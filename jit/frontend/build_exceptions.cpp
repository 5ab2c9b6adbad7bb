// Exceptions that are handled in the region: from the operation that fails on to the handler, and the handler's own instructions.
//
// The exception gets this frame into its traceback, as in the interpreter. Where the handler does no more than to look at the class
// and drop it (`except KeyError: pass`) nobody could see that: the exception has no traceback then (unseen_exceptions.h).
#include "jit/frontend/build_exceptions.h"

#include <opcode.h>

#include <algorithm>

#include "jit/frontend/build_control_flow.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/callee_results.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/unseen_exceptions.h"
#include "jit/frontend/values.h"
#include "jit/native_interface.h"

namespace kiln {
namespace {

enum class FailurePath { kLeaves, kIsHandled, kUnwinds };

// An exception that has no handler in a function often ends it: the region does that itself.
FailurePath failureHere(RegionBuilder& b) {
    if (handlerHere(b) != nullptr) {
        return FailurePath::kIsHandled;
    }
    bool isLeft = b.isRootFrame() && b.request().isFunction && b.bytecode().handlerOf(b.unit()) == nullptr;
    bool raises = isLeft && (b.bytecode().at(b.unit())->opcode == RAISE_VARARGS ||
                             b.environment().profileOf(b.state().frame().code).site(b.unit()).raises);
    return raises ? FailurePath::kUnwinds : FailurePath::kLeaves;
}

// Gives up the operand stack down to the handler's, from its top, as CPython does where an exception leaves an expression. While the
// activation waits.
void dropDownTo(RegionBuilder& b, int depth) {
    while (b.state().frame().depth() > depth) {
        release(b, b.pop());
    }
}

// Whoever called is waiting, and asks what still holds when the exception is there.
void unwindRoot(RegionBuilder& b) {
    realizeChangeable(b);
    suspend(b, b.bytecode().at(b.unit())->next);
    b.emit(ir::Op::k_unwind, {}, 1);
    dropDownTo(b, 0);
    dropAll(b);
    b.endBlock(ir::Op::k_return_raised, {}, {});
}

// Is there more on the operand stack than numbers and what somebody else holds, too?
bool dropsObjects(RegionBuilder& b, int depth) {
    const AbstractFrame& frame = b.state().frame();
    auto first = frame.slots.begin() + frame.localCount + depth;
    return std::any_of(first, frame.slots.end(), [](const AbstractValue& value) { return value.isVirtual() || (value.owned && !value.isNumber()); });
}

void enterHandler(RegionBuilder& b, const ExceptionHandler& handler) {
    Id exception = ir::kNoId;
    bool drops = dropsObjects(b, handler.depth);
    asCallee(b, b.bytecode().at(b.unit())->next, [&] {
        b.emit(ir::Op::k_add_traceback, {});
        exception = b.emitList(ir::Op::k_pure_object, {}, static_cast<int64_t>(Helper::k_take_exception));
        dropDownTo(b, handler.depth);
    });
    if (handler.keepsPlace) {
        b.push(AbstractValue::number(Kind::kInt, b.constInt(b.unit())));
    }
    b.push(AbstractValue::object(exception, nullptr, true));
    b.state().frame().unit = handler.target;
    if (drops) {
        afterOpaque(b, namesVersion(b));
    }
    b.goTo(handler.target);
}

// Goes on aside where the exception was dropped, or is only held by what is being handled.
void goToUnseen(RegionBuilder& b, int unit) {
    b.state().frame().unit = unit;
    afterOpaque(b, namesVersion(b));
    b.goTo(unit);
}

// The clause's statements go on as in the interpreter, but for the traceback.
void handleUnseen(RegionBuilder& b, const ExceptionHandler& handler, const DroppingClause& clause, std::vector<Id> classes) {
    int next = b.bytecode().at(b.unit())->next;
    Id exception = ir::kNoId;
    asCallee(b, next, [&] {
        exception = b.emitList(ir::Op::k_attempt_object, std::move(classes), static_cast<int64_t>(Helper::k_take_unseen_exception));
    });
    b.branchAside(b.emit(ir::Op::k_is_null, {exception}), false, [&] {
        Id handled = ir::kNoId;
        asCallee(b, next, [&] {
            dropDownTo(b, handler.depth);
            handled = b.emitList(ir::Op::k_pure_object, {exception}, static_cast<int64_t>(Helper::k_push_handled));
            b.emit(ir::Op::k_drop, {exception});  // what is being handled holds it
        });
        b.push(AbstractValue::object(handled, nullptr, true));
        goToUnseen(b, clause.body);
    });
}

void discardUnseen(RegionBuilder& b, const ExceptionHandler& handler, const DroppingClause& clause, std::vector<Id> classes) {
    int next = b.bytecode().at(b.unit())->next;
    Id discarded = ir::kNoId;
    asCallee(b, next, [&] {
        discarded = b.emitList(ir::Op::k_attempt_int, std::move(classes), static_cast<int64_t>(Helper::k_discard_exception));
    });
    b.branchAside(b.emit(ir::Op::k_int_ne, {discarded, b.constInt(0)}), true, [&] {
        asCallee(b, next, [&] { dropDownTo(b, handler.depth); });
        goToUnseen(b, clause.end);
    });
}

void dropUnseen(RegionBuilder& b, const ExceptionHandler& handler) {
    DroppingClause clause = droppingClause(b, handler);
    if (!clause.drops()) {
        return;
    }
    std::vector<Id> classes;
    for (PyObject* cls : clause.classes) {
        classes.push_back(b.constObject(cls));
    }
    (clause.hasBody() ? handleUnseen : discardUnseen)(b, handler, clause, std::move(classes));
}

// `place`: the unit that raised it, where the frame ends.
void unwindAgain(RegionBuilder& b, Id exception, Id place) {
    realizeChangeable(b);
    suspend(b, b.bytecode().at(b.unit())->next);
    b.emitList(ir::Op::k_attempt_int, {exception, place}, static_cast<int64_t>(Helper::k_set_exception));
    b.emit(ir::Op::k_unwind, {});
    dropDownTo(b, 0);
    dropAll(b);
    b.endBlock(ir::Op::k_return_raised, {}, {});
}

}  // namespace

void tellFailure(RegionBuilder& b, ir::Snapshot& waiting) {
    if (b.stopped() || !b.isRootFrame()) {
        return;
    }
    if (b.bytecode().handlerOf(b.unit()) == nullptr) {
        waiting.failure = b.request().isFunction ? Failure::kPasses : Failure::kSeen;
        return;
    }
    const ExceptionHandler* handler = handlerHere(b);
    DroppingClause clause = handler != nullptr ? droppingClause(b, *handler) : DroppingClause{};
    if (clause.drops()) {
        waiting.failure = Failure::kDiscarded;
        waiting.discarded = b.objectIndex(clause.classes.front(), "class");
    }
}

const ExceptionHandler* handlerHere(RegionBuilder& b) {
    const ExceptionHandler* handler = b.isRootFrame() ? b.bytecode().handlerOf(b.unit()) : nullptr;
    return handler != nullptr && b.environment().profileOf(b.state().frame().code).reached(handler->target) ? handler
                                                                                                            : nullptr;
}

Id emitFailing(RegionBuilder& b, ir::Op op, ir::Operands operands, ir::SnapshotId raise, int64_t immediate,
               ir::Type type) {
    if (failureHere(b) == FailurePath::kLeaves) {
        return b.emitExitingAt(op, std::move(operands), raise, immediate, type);
    }
    ir::Op attempt = op == ir::Op::k_call_native     ? ir::Op::k_attempt_native
                     : op == ir::Op::k_opaque_object ? ir::Op::k_attempt_object
                                                     : ir::Op::k_attempt_int;
    return b.emitList(attempt, std::move(operands), immediate, type);
}

void handleFailure(RegionBuilder& b, ir::Op op, Id result, int popped, Id version) {
    FailurePath failure = failureHere(b);
    if (failure == FailurePath::kLeaves || b.stopped()) {
        return;
    }
    Id failed = op == ir::Op::k_opaque_object ? b.emit(ir::Op::k_is_null, {result})
                : op == ir::Op::k_opaque_int  ? b.emit(ir::Op::k_int_lt, {result, b.constInt(0)})
                                              : b.emit(ir::Op::k_int_eq, {result, b.constInt(kRaised)});
    b.branchAside(failed, true, [&] {
        if (failure == FailurePath::kUnwinds) {
            unwindRoot(b);
            return;
        }
        AbstractState raised = b.state();
        raised.frame().unit = b.unit();
        raised.frame().slots.resize(raised.frame().slots.size() + static_cast<size_t>(popped), AbstractValue::none());
        ir::SnapshotId exit = b.snapshot(raised, ExitReason::k_exception, true);
        b.emitExitingAt(ir::Op::k_safepoint, {}, exit);
        if (version != ir::kNoId) {
            b.emitExitingAt(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {version, namesVersion(b)})}, exit);
        }
        const ExceptionHandler& handler = *handlerHere(b);
        dropUnseen(b, handler);
        enterHandler(b, handler);
    });
}

// [exception] becomes [what was being handled, exception].
bool pushHandled(RegionBuilder& b, const BytecodeInstruction& in) {
    Id exception = boxEntry(b, 0);
    Id handled = b.emitList(ir::Op::k_pure_object, {exception}, static_cast<int64_t>(Helper::k_push_handled));
    AbstractValue value = b.pop();
    b.push(AbstractValue::object(handled, nullptr, true));
    b.push(std::move(value));
    b.state().frame().unit = in.next;
    return true;
}

bool matchException(RegionBuilder& b, const BytecodeInstruction& in) {
    std::vector<AbstractValue> classes = b.top().kind == Kind::kTuple ? b.top().parts : std::vector{b.top()};
    bool known = std::ranges::all_of(classes, [](const AbstractValue& cls) { return cls.kind == Kind::kConstant && isExceptionClass(cls.constant); });
    if (!known || classes.empty()) {
        return false;
    }
    Id exception = boxEntry(b, 1);
    Id matches = ir::kNoId;
    for (const AbstractValue& cls : classes) {
        Id answer = b.emitList(ir::Op::k_pure_int, {exception, b.constObject(cls.constant)},
                               static_cast<int64_t>(Helper::k_exception_matches));
        Id isOne = b.emit(ir::Op::k_int_ne, {answer, b.constInt(0)});
        matches = matches == ir::kNoId ? isOne : b.emit(ir::Op::k_bool_or, {matches, isOne});
    }
    release(b, b.pop());
    b.push(AbstractValue::number(Kind::kBool, matches));
    b.state().frame().unit = in.next;
    return true;
}

namespace {

// An exception that was being handled goes on to a handler, with its traceback as it is. `place`: the unit that raised it. Both are owned.
void goToHandler(RegionBuilder& b, const BytecodeInstruction& in, const ExceptionHandler& handler, AbstractValue raised, AbstractValue place, Id version) {
    asCallee(b, in.next, [&] { dropDownTo(b, handler.depth); });
    if (handler.keepsPlace) {
        b.push(std::move(place));
    } else {
        release(b, std::move(place));
    }
    b.push(std::move(raised));
    b.state().frame().unit = handler.target;
    afterOpaque(b, version);
    b.goTo(handler.target);
}

// What takes a handler's exception off when the handler raises: so there is one. The handler of a `with` keeps the place, too.
bool isAroundHandler(RegionBuilder& b, const ExceptionHandler& handler) {
    HandlerReader reader(b.bytecode(), handler.target);
    bool unbindsName = reader.take(LOAD_CONST) != nullptr && (reader.take(STORE_FAST) != nullptr || reader.take(STORE_NAME) != nullptr ||
                                                              reader.take(STORE_GLOBAL) != nullptr || reader.take(STORE_DEREF) != nullptr);
    return handler.keepsPlace && (unbindsName || HandlerReader(b.bytecode(), handler.target).take(COPY) != nullptr);
}

// `raise` alone: in a handler, with another one around it.
bool raiseHandled(RegionBuilder& b, const BytecodeInstruction& in) {
    const ExceptionHandler* handler = handlerHere(b);
    if (handler == nullptr || !isAroundHandler(b, *handler)) {
        return false;
    }
    Id version = beforeOpaque(b, "RAISE_VARARGS");
    if (b.stopped()) {
        return true;
    }
    Id exception = b.emitList(ir::Op::k_pure_object, {}, static_cast<int64_t>(Helper::k_handled_exception));
    goToHandler(b, in, *handler, AbstractValue::object(exception, nullptr, true), AbstractValue::number(Kind::kInt, b.constInt(b.unit())), version);
    return true;
}

// An exception that has a handler which was not seen at work.
bool isColdRaise(RegionBuilder& b) {
    return b.isRootFrame() && handlerHere(b) == nullptr && b.bytecode().handlerOf(b.unit()) != nullptr;
}

}  // namespace

// `raise`, `raise a` and `raise a from b`. In an inlined callee it ends the region, unless it does so often: then the callee is called.
bool raiseStatement(RegionBuilder& b, const BytecodeInstruction& in) {
    if (in.oparg == 1 && endIteration(b)) {
        return true;
    }
    bool isInlined = !b.isRootFrame() && !b.environment().profileOf(b.state().frame().code).site(b.unit()).raises;
    if (isInlined || isColdRaise(b)) {
        b.sideExit(isInlined ? ExitReason::k_raised : ExitReason::k_cold_path);
        return true;
    }
    if (in.oparg == 0) {
        return raiseHandled(b, in);
    }
    bool hasCauseInLoop = in.oparg == 2 && !b.request().isFunction;  // raiseAtInstruction() could not keep the cause
    if (b.isRootFrame() && (failureHere(b) == FailurePath::kLeaves || hasCauseInLoop)) {
        return false;
    }
    Id version = beforeOpaque(b, "RAISE_VARARGS");
    if (b.stopped()) {
        return true;
    }
    ir::Operands operands;
    for (int below = in.oparg; below-- > 0;) {
        operands.push_back(boxEntry(b, below));
    }
    emitOpaque(b, ir::Op::k_opaque_object, std::move(operands), b.raising(), Helper::k_raise, in.oparg, version);
    b.exitHere(ExitReason::k_unsupported);  // never
    return true;
}

// What no clause of a handler took goes on to the handler around that, or out of the function. Its traceback has the frame.
bool raiseAgain(RegionBuilder& b, const BytecodeInstruction& in) {
    const ExceptionHandler* handler = handlerHere(b);
    bool leaves = b.request().isFunction && b.bytecode().handlerOf(b.unit()) == nullptr;
    bool tellsPlace = in.oparg == 0 || b.top(in.oparg).kind == Kind::kInt;
    if (!b.isRootFrame() || b.top().kind != Kind::kObject || !tellsPlace || (handler == nullptr && !leaves)) {
        return false;
    }
    Id version = beforeOpaque(b, "RERAISE");
    if (b.stopped()) {
        return true;
    }
    Id exception = boxEntry(b, 0);
    Id place = in.oparg != 0 ? b.top(in.oparg).value : b.constInt(b.unit());
    if (handler == nullptr) {
        unwindAgain(b, exception, place);
        return true;
    }
    AbstractValue raised = b.pop();
    goToHandler(b, in, *handler, std::move(raised), AbstractValue::number(Kind::kInt, place), version);
    return true;
}

// Whatever the exception was the last to hold may run Python code as it ends.
bool popHandled(RegionBuilder& b, const BytecodeInstruction& in) {
    Id version = beforeOpaque(b, "POP_EXCEPT");
    if (b.stopped()) {
        return true;
    }
    Id handled = boxEntry(b, 0);
    asCallee(b, b.unit() + 1, [&] {
        Id exception = b.emitList(ir::Op::k_pure_object, {handled}, static_cast<int64_t>(Helper::k_pop_handled));
        releaseTop(b, 1);
        b.emit(ir::Op::k_drop, {exception});
    });
    b.state().frame().unit = in.next;
    afterOpaque(b, version);
    return true;
}

}  // namespace kiln
