// Jumps, loops' back-edges, and returns.
#include <opcode.h>

#include <utility>

#include "jit/frontend/region_builder.h"

namespace kiln {

// Ends the block with a branch; each side goes on in a block of its own, so that what a side needs is done on it alone.
void RegionBuilder::branchTo(Id condition, int whenTrue, int whenFalse) {
    branchAside(condition, true, [&] { goTo(whenTrue); });
    goTo(whenFalse);
}

bool RegionBuilder::conditionalJump(const BytecodeInstruction& in) {
    bool onNone = in.opcode == POP_JUMP_IF_NONE || in.opcode == POP_JUMP_IF_NOT_NONE;
    if (!onNone) {
        knowBuiltin(in, 0, siteOf(in).receivers);
    }
    AbstractValue value = top();
    bool jumpsWhenTrue = in.opcode == POP_JUMP_IF_TRUE || in.opcode == POP_JUMP_IF_NONE;
    if (onNone) {
        if (value.kind != Kind::kObject || value.cls != nullptr) {
            bool isNone = value.kind == Kind::kNone;
            release(pop());
            goTo(isNone == jumpsWhenTrue ? in.target : in.next);
            return true;
        }
        Id isNone = emit(ir::Op::k_object_is, {value.value, constObject(Py_None)});
        branchAside(isNone, true, [&] {
            pop();  // immortal
            goTo(jumpsWhenTrue ? in.target : in.next);
        });
        release(pop());
        goTo(jumpsWhenTrue ? in.next : in.target);
        return true;
    }
    Id condition = truth(value);
    if (condition == ir::kNoId) {
        opaqueTruth();
        if (stopped()) {
            return true;
        }
        condition = top().value;
        pop();
    } else if (value.kind == Kind::kNone) {
        pop();
        goTo(jumpsWhenTrue ? in.next : in.target);
        return true;
    } else {
        // In its stead its truth: were the jump left here, it would jump alike.
        release(std::exchange(top(), AbstractValue::number(Kind::kBool, condition)));
        giveUp();
        pop();
    }
    branchTo(condition, jumpsWhenTrue ? in.target : in.next, jumpsWhenTrue ? in.next : in.target);
    return true;
}

// Replaces the top entry by its truth, told by CPython. The instruction is not repeated when it raises.
void RegionBuilder::opaqueTruth() {
    Id version = beforeOpaque("truth of an object");
    if (stopped()) {
        return;
    }
    Id object = boxEntry(0);
    ir::SnapshotId raise = raising();
    Id value = emitOpaque(ir::Op::k_opaque_int, {constInt(0), object}, raise, Helper::k_is_true, 1, version);
    push(AbstractValue::number(Kind::kBool, emit(ir::Op::k_int_ne, {value, constInt(0)})));
    afterOpaque(version);  // an exit here resumes at the jump, with the bool on the stack
}

bool RegionBuilder::jumpForward(const BytecodeInstruction& in) {
    goTo(in.target);
    return true;
}

bool RegionBuilder::jumpBackward(const BytecodeInstruction& in) {
    if (int counter = environment_.counterFor(state_.frame().code, in.target); counter >= 0) {
        emit(ir::Op::k_count, {}, counter);
    }
    if (in.opcode == JUMP_BACKWARD) {
        emitExiting(ir::Op::k_poll, {}, ExitReason::k_poll);
    }
    goTo(in.target);
    return true;
}

// A returning frame gives up its locals in order.
void RegionBuilder::dropFrameSlots() {
    std::vector<AbstractValue> slots = std::move(state_.frame().slots);
    state_.frame().slots.clear();
    for (AbstractValue& slot : slots) {
        release(std::move(slot));
    }
    release(std::exchange(state_.frame().callee, {}));
}

bool RegionBuilder::returnFrom(const BytecodeInstruction& in) {
    if (isRootFrame() && !request_.isFunction) {
        sideExit(ExitReason::k_loop_done);
        return true;
    }
    if (in.opcode == RETURN_CONST) {
        push(constantValue(PyTuple_GET_ITEM(state_.frame().code->co_consts, in.oparg)));
    }
    if (isRootFrame()) {
        returnFromRoot();
        return true;
    }
    bool constructs = state_.frame().constructs;
    if (constructs && top().kind != Kind::kNone) {
        return false;  // a TypeError, unless it is a None that is not known to be one
    }
    if (state_.frame().unsupported != nullptr && !guardImplemented()) {
        return false;
    }
    top() = heldConstant(top());
    ownTop();
    AbstractValue value = pop();
    dropFrameSlots();
    state_.frames.pop_back();
    if (!constructs) {
        push(std::move(value));
    }
    return true;
}

void RegionBuilder::returnFromRoot() {
    flushNames();
    ir::Type type = typeOfKind(top().kind);
    if (type == ir::Type::kNone) {
        type = ir::Type::kObject;
    }
    if (knowledge_.returnType == ir::Type::kNone) {
        knowledge_.returnType = type;
    } else if (knowledge_.returnType != type && knowledge_.returnType != ir::Type::kObject) {
        knowledge_.returnType = ir::Type::kObject;
        restart();
        return;
    }
    if (knowledge_.returnType != ir::Type::kObject) {
        AbstractValue value = pop();
        bool isObject = value.box != ir::kNoId || value.constant != nullptr;
        endWith(value.value, isObject ? takeBox(std::move(value)) : ir::kNoId);
        return;
    }
    boxTopOwned();
    endWith(pop().value);
}

// The frame goes before what it holds. Whoever called is waiting, and asks what still holds when the result is there.
void RegionBuilder::endWith(Id result, Id box) {
    emit(ir::Op::k_leave_frame, {});
    dropAll();
    endBlock(ir::Op::k_return_value, box != ir::kNoId ? std::vector<Id>{result, box} : std::vector<Id>{result}, {});
}

// Everything that the root function still holds, after its frame.
void RegionBuilder::dropAll() {
    dropFrameSlots();
    for (AbstractName& name : state_.names) {
        release(std::exchange(name.value, {}));  // the dict has its own reference
    }
    std::vector<GivenUp> references = std::exchange(givenUp_, {});
    for (const GivenUp& given : references) {
        emit(ir::Op::k_drop, {referenceIn(given)});
    }
    if (!references.empty() && !knowledge_.dropsAtReturn) {
        knowledge_.dropsAtReturn = true;
        isDoomed_ = isDoomed_ || reliesOnQuietReturn_;
    }
}

// The top entry becomes an object with a reference of its own.
void RegionBuilder::boxTopOwned() {
    if (top().isVirtualObject()) {
        boxEntry(0);
    }
    AbstractValue value = pop();
    push(AbstractValue::object(takeReference(value), nullptr, true));
    if (value.kind != Kind::kObject) {
        for (AbstractValue& part : value.parts) {
            releaseHeld(part);
        }
    }
}

}  // namespace kiln
