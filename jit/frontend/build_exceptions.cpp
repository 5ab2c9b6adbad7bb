// Exceptions that are handled in the region: from the operation that fails on to the handler, and the handler's own instructions.
//
// The exception gets this frame into its traceback, as in the interpreter. Where the handler does no more than to look at the class
// and drop it (`except KeyError: pass`) nobody could see that: the exception is discarded where it was raised.
#include <opcode.h>

#include <algorithm>

#include "jit/frontend/region_builder.h"
#include "jit/native_interface.h"

namespace kiln {
namespace {

bool isExceptionClass(PyObject* object) {
    return object != nullptr && PyExceptionClass_Check(object);
}

// The instructions of a handler, as far as they follow each other.
class HandlerReader {
   public:
    HandlerReader(const Bytecode& bytecode, int unit) : bytecode_(bytecode), next_(bytecode.at(unit)) {}
    // The next one, if it is of this opcode: it is read. Else nullptr.
    const BytecodeInstruction* take(int opcode) {
        const BytecodeInstruction* in = next_ != nullptr && next_->opcode == opcode ? next_ : nullptr;
        next_ = in != nullptr ? bytecode_.at(in->next) : next_;
        return in;
    }
    // Unit of what was not read.
    int unit() const { return next_ != nullptr ? next_->firstUnit : -1; }

   private:
    const Bytecode& bytecode_;
    const BytecodeInstruction* next_;
};

}  // namespace

// Of the instruction being built, if it was seen at work: the root frame's, the only one that others may look at.
const ExceptionHandler* RegionBuilder::handlerHere() {
    const ExceptionHandler* handler = isRootFrame() ? bytecode().handlerOf(unit_) : nullptr;
    return handler != nullptr && environment_.profileOf(state_.frame().code).reached(handler->target) ? handler : nullptr;
}

// An exception that has no handler in a function often ends it: the region does that itself.
RegionBuilder::Failure RegionBuilder::failureHere() {
    if (handlerHere() != nullptr) {
        return Failure::kIsHandled;
    }
    bool isLeft = isRootFrame() && request_.isFunction && bytecode().handlerOf(unit_) == nullptr;
    bool raises = isLeft && (bytecode().at(unit_)->opcode == RAISE_VARARGS || environment_.profileOf(state_.frame().code).site(unit_).raises);
    return raises ? Failure::kUnwinds : Failure::kLeaves;
}

// The operation, which leaves with its exception unless the region goes on with that. While the activation waits.
RegionBuilder::Id RegionBuilder::emitFailing(ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, int64_t immediate, ir::Type type) {
    if (failureHere() == Failure::kLeaves) {
        return emitExitingAt(op, std::move(operands), raise, immediate, type);
    }
    ir::Op attempt = op == ir::Op::k_call_native     ? ir::Op::k_attempt_native
                     : op == ir::Op::k_opaque_object ? ir::Op::k_attempt_object
                                                     : ir::Op::k_attempt_int;
    return emitList(attempt, std::move(operands), immediate, type);
}

// After emitFailing() and once nobody waits any more: on a side path, goes on with the handler where `result` tells of an exception.
// The instruction's operands, `popped` entries, are gone. The rest is as before the instruction.
void RegionBuilder::handleFailure(ir::Op op, Id result, int popped, Id version) {
    Failure failure = failureHere();
    if (failure == Failure::kLeaves || stopped()) {
        return;
    }
    Id failed = op == ir::Op::k_opaque_object ? emit(ir::Op::k_is_null, {result})
                : op == ir::Op::k_opaque_int  ? emit(ir::Op::k_int_lt, {result, constInt(0)})
                                              : emit(ir::Op::k_int_eq, {result, constInt(kRaised)});
    branchAside(failed, true, [&] {
        if (failure == Failure::kUnwinds) {
            unwindRoot();
            return;
        }
        AbstractState raised = state_;
        raised.frame().unit = unit_;
        raised.frame().slots.resize(raised.frame().slots.size() + static_cast<size_t>(popped), AbstractValue::none());
        ir::SnapshotId exit = snapshot(raised, ExitReason::k_exception, true);
        emitExitingAt(ir::Op::k_safepoint, {}, exit);
        if (version != ir::kNoId) {
            emitExitingAt(ir::Op::k_guard_true, {emit(ir::Op::k_int_eq, {version, namesVersion()})}, exit);
        }
        const ExceptionHandler& handler = *handlerHere();
        discardUnseen(handler);
        enterHandler(handler);
    });
}

// Whoever called is waiting, and asks what still holds when the exception is there.
void RegionBuilder::unwindRoot() {
    suspend(bytecode().at(unit_)->next);
    emit(ir::Op::k_unwind, {}, 1);
    dropAll();
    endBlock(ir::Op::k_return_raised, {}, {});
}

// Gives up the operand stack down to the handler's. While the activation waits.
void RegionBuilder::dropDownTo(int depth) {
    releaseTop(state_.frame().depth() - depth);
}

void RegionBuilder::enterHandler(const ExceptionHandler& handler) {
    Id exception = ir::kNoId;
    bool drops = state_.frame().depth() > handler.depth;
    asCallee(bytecode().at(unit_)->next, [&] {
        emit(ir::Op::k_add_traceback, {});
        exception = emitList(ir::Op::k_pure_object, {}, static_cast<int64_t>(Helper::k_take_exception));
        dropDownTo(handler.depth);
    });
    if (handler.keepsPlace) {
        push(AbstractValue::number(Kind::kInt, constInt(unit_)));
    }
    push(AbstractValue::object(exception, nullptr, true));
    state_.frame().unit = handler.target;
    if (drops) {
        afterOpaque(namesVersion());
    }
    goTo(handler.target);
}

// Classes that the handler's first clause names, when it does nothing with the exception. `end`: the unit behind the clause.
std::vector<PyObject*> RegionBuilder::classesDiscarded(const ExceptionHandler& handler, int& end) {
    HandlerReader reader(bytecode(), handler.target);
    std::vector<PyObject*> classes;
    if (handler.keepsPlace || reader.take(PUSH_EXC_INFO) == nullptr) {
        return {};
    }
    const AbstractFrame& frame = state_.frame();
    for (bool more = true; more;) {
        const BytecodeInstruction* global = reader.take(LOAD_GLOBAL);
        const BytecodeInstruction* name = global == nullptr && request_.locals == frame.globals ? reader.take(LOAD_NAME) : nullptr;
        more = global != nullptr || name != nullptr;
        if (more) {
            PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, global != nullptr ? global->oparg >> 1 : name->oparg);
            classes.push_back(constantName(frame.globals, key));
        }
    }
    const BytecodeInstruction* tuple = reader.take(BUILD_TUPLE);
    bool isWhole = classes.size() == (tuple != nullptr ? static_cast<size_t>(tuple->oparg) : 1);
    for (int opcode : {CHECK_EXC_MATCH, POP_JUMP_IF_FALSE, POP_TOP, POP_EXCEPT}) {
        isWhole = isWhole && reader.take(opcode) != nullptr;
    }
    end = reader.unit();
    bool known = isWhole && end >= 0 && std::ranges::all_of(classes, isExceptionClass);
    return known && environment_.profileOf(frame.code).reached(end) ? classes : std::vector<PyObject*>();
}

void RegionBuilder::discardUnseen(const ExceptionHandler& handler) {
    int end = 0;
    std::vector<PyObject*> classes = classesDiscarded(handler, end);
    if (classes.empty()) {
        return;
    }
    std::vector<Id> operands;
    for (PyObject* cls : classes) {
        operands.push_back(constObject(cls));
    }
    Id discarded = ir::kNoId;
    asCallee(bytecode().at(unit_)->next, [&] {
        discarded = emitList(ir::Op::k_attempt_int, std::move(operands), static_cast<int64_t>(Helper::k_discard_exception));
    });
    branchAside(emit(ir::Op::k_int_ne, {discarded, constInt(0)}), true, [&] {
        asCallee(bytecode().at(unit_)->next, [&] { dropDownTo(handler.depth); });
        state_.frame().unit = end;
        afterOpaque(namesVersion());
        goTo(end);
    });
}

// [exception] becomes [what was being handled, exception].
bool RegionBuilder::pushHandled(const BytecodeInstruction& in) {
    Id exception = boxEntry(0);
    Id handled = emitList(ir::Op::k_pure_object, {exception}, static_cast<int64_t>(Helper::k_push_handled));
    AbstractValue value = pop();
    push(AbstractValue::object(handled, nullptr, true));
    push(std::move(value));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::matchException(const BytecodeInstruction& in) {
    std::vector<AbstractValue> classes = top().kind == Kind::kTuple ? top().parts : std::vector{top()};
    bool known = std::ranges::all_of(classes, [](const AbstractValue& cls) { return cls.kind == Kind::kConstant && isExceptionClass(cls.constant); });
    if (!known || classes.empty()) {
        return false;
    }
    Id exception = boxEntry(1);
    Id matches = ir::kNoId;
    for (const AbstractValue& cls : classes) {
        Id answer = emitList(ir::Op::k_pure_int, {exception, constObject(cls.constant)}, static_cast<int64_t>(Helper::k_exception_matches));
        Id isOne = emit(ir::Op::k_int_ne, {answer, constInt(0)});
        matches = matches == ir::kNoId ? isOne : emit(ir::Op::k_bool_or, {matches, isOne});
    }
    release(pop());
    push(AbstractValue::number(Kind::kBool, matches));
    state_.frame().unit = in.next;
    return true;
}

// `raise a`. In an inlined callee it ends the region, unless it does so often: then the callee is called.
bool RegionBuilder::raiseStatement(const BytecodeInstruction& in) {
    if (in.oparg != 1) {
        return false;
    }
    if (!isRootFrame() && !environment_.profileOf(state_.frame().code).site(unit_).raises) {
        sideExit(ExitReason::k_raised);
        return true;
    }
    if (isRootFrame() && failureHere() == Failure::kLeaves) {
        return false;
    }
    Id version = beforeOpaque("RAISE_VARARGS");
    if (stopped()) {
        return true;
    }
    Id raised = boxEntry(0);
    emitOpaque(ir::Op::k_opaque_object, {raised}, raising(), Helper::k_raise, 1, version);
    exitHere(ExitReason::k_unsupported);  // never
    return true;
}

// What no clause of a handler took goes on to the handler around that, or out of the function. Its traceback has the frame.
bool RegionBuilder::raiseAgain(const BytecodeInstruction& in) {
    const ExceptionHandler* handler = handlerHere();
    bool leaves = request_.isFunction && bytecode().handlerOf(unit_) == nullptr;
    if (!isRootFrame() || top().kind != Kind::kObject || (handler == nullptr && !leaves)) {
        return false;
    }
    Id version = beforeOpaque("RERAISE");
    if (stopped()) {
        return true;
    }
    Id exception = boxEntry(0);
    if (handler == nullptr) {
        unwindAgain(exception);
        return true;
    }
    AbstractValue raised = pop();
    AbstractValue place = in.oparg == 1 ? pop() : AbstractValue::number(Kind::kInt, constInt(unit_));
    asCallee(in.next, [&] { dropDownTo(handler->depth); });
    if (handler->keepsPlace) {
        push(std::move(place));
    } else {
        release(std::move(place));
    }
    push(std::move(raised));
    state_.frame().unit = handler->target;
    afterOpaque(version);
    goTo(handler->target);
    return true;
}

void RegionBuilder::unwindAgain(Id exception) {
    suspend(bytecode().at(unit_)->next);
    emitList(ir::Op::k_attempt_int, {exception}, static_cast<int64_t>(Helper::k_set_exception));
    emit(ir::Op::k_unwind, {});
    dropAll();
    endBlock(ir::Op::k_return_raised, {}, {});
}

// Whatever the exception was the last to hold may run Python code as it ends.
bool RegionBuilder::popHandled(const BytecodeInstruction& in) {
    Id version = beforeOpaque("POP_EXCEPT");
    if (stopped()) {
        return true;
    }
    Id handled = boxEntry(0);
    asCallee(unit_ + 1, [&] {
        Id exception = emitList(ir::Op::k_pure_object, {handled}, static_cast<int64_t>(Helper::k_pop_handled));
        releaseTop(1);
        emit(ir::Op::k_drop, {exception});
    });
    state_.frame().unit = in.next;
    afterOpaque(version);
    return true;
}

}  // namespace kiln
