// Jumps, loops' back-edges, and returns.
#include "jit/frontend/build_control_flow.h"

#include <opcode.h>

#include <utility>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/callee_results.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/generator_consumers.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// Ends the block with a branch; each side goes on in a block of its own, so that what a side needs is done on it alone.
void branchTo(RegionBuilder& b, Id condition, int whenTrue, int whenFalse) {
    b.branchAside(condition, true, [&] { b.goTo(whenTrue); });
    b.goTo(whenFalse);
}

// Replaces the top entry by its truth, told by CPython. The instruction is not repeated when it raises.
void opaqueTruth(RegionBuilder& b) {
    Id version = beforeOpaque(b, "truth of an object");
    if (b.stopped()) {
        return;
    }
    Id object = boxEntry(b, 0);
    ir::SnapshotId raise = b.raising();
    Id value = emitOpaque(b, ir::Op::k_opaque_int, {b.constInt(0), object}, raise, Helper::k_is_true, 1, version);
    b.push(AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_int_ne, {value, b.constInt(0)})));
    afterOpaque(b, version);  // an exit here resumes at the jump, with the bool on the stack
}

// The frame goes before what it holds. Whoever called is waiting, and asks what still holds when the result is there.
void endWith(RegionBuilder& b, Id result, Id box = ir::kNoId) {
    b.emit(ir::Op::k_leave_frame, {});
    dropAll(b);
    b.endBlock(ir::Op::k_return_value, box != ir::kNoId ? std::vector<Id>{result, box} : std::vector<Id>{result}, {});
}

// The top entry becomes an object with a reference of its own.
void boxTopOwned(RegionBuilder& b) {
    if (b.top().isVirtualObject()) {
        boxEntry(b, 0);
    }
    AbstractValue value = b.pop();
    b.push(AbstractValue::object(takeReference(b, value), nullptr, true));
    if (value.kind != Kind::kObject) {
        for (AbstractValue& part : value.parts) {
            releaseHeld(b, part);
        }
    }
}

// A frame that somebody keeps shows how its function ended: the interpreter ends it.
void returnFromRoot(RegionBuilder& b) {
    b.emitExiting(ir::Op::k_guard_unheld, {}, ExitReason::k_held);
    flushNames(b);
    ir::Type type = typeOfKind(b.top().kind);
    if (type == ir::Type::kNone) {
        type = ir::Type::kObject;
    }
    if (b.knowledge().returnType == ir::Type::kNone) {
        b.knowledge().returnType = type;
    } else if (b.knowledge().returnType != type && b.knowledge().returnType != ir::Type::kObject) {
        b.knowledge().returnType = ir::Type::kObject;
        b.restart();
        return;
    }
    if (b.knowledge().returnType != ir::Type::kObject) {
        AbstractValue value = b.pop();
        bool isObject = value.box != ir::kNoId || value.constant != nullptr;
        endWith(b, value.value, isObject ? takeBox(b, std::move(value)) : ir::kNoId);
        return;
    }
    boxTopOwned(b);
    endWith(b, b.pop().value);
}

}  // namespace

bool conditionalJump(RegionBuilder& b, const BytecodeInstruction& in) {
    bool onNone = in.opcode == POP_JUMP_IF_NONE || in.opcode == POP_JUMP_IF_NOT_NONE;
    if (!onNone) {
        knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    }
    AbstractValue value = b.top();
    bool jumpsWhenTrue = in.opcode == POP_JUMP_IF_TRUE || in.opcode == POP_JUMP_IF_NONE;
    if (onNone) {
        if (value.kind != Kind::kObject || value.cls != nullptr) {
            bool isNone = value.kind == Kind::kNone;
            release(b, b.pop());
            b.goTo(isNone == jumpsWhenTrue ? in.target : in.next);
            return true;
        }
        Id isNone = b.emit(ir::Op::k_object_is, {value.value, b.constObject(Py_None)});
        b.branchAside(isNone, true, [&] {
            b.pop();  // immortal
            b.goTo(jumpsWhenTrue ? in.target : in.next);
        });
        release(b, b.pop());
        b.goTo(jumpsWhenTrue ? in.next : in.target);
        return true;
    }
    Id condition = truth(b, value);
    if (condition == ir::kNoId && truthCall(b, in)) {
        return true;
    }
    if (condition == ir::kNoId && value.kind == Kind::kObject && b.siteOf(in).receivers.has(Py_TYPE(Py_None))) {
        b.branchAside(b.emit(ir::Op::k_object_is, {value.value, b.constObject(Py_None)}), true, [&] {
            b.pop();  // immortal
            b.goTo(jumpsWhenTrue ? in.next : in.target);
        });
    }
    condition = condition == ir::kNoId ? plainTruth(b, in) : condition;
    if (condition == ir::kNoId) {
        opaqueTruth(b);
        if (b.stopped()) {
            return true;
        }
        condition = b.top().value;
        b.pop();
    } else if (value.kind == Kind::kNone) {
        b.pop();
        b.goTo(jumpsWhenTrue ? in.next : in.target);
        return true;
    } else {
        // In its stead its truth: were the jump left here, it would jump alike.
        release(b, std::exchange(b.top(), AbstractValue::number(Kind::kBool, condition)));
        giveUp(b);
        b.pop();
    }
    branchTo(b, condition, jumpsWhenTrue ? in.target : in.next, jumpsWhenTrue ? in.next : in.target);
    return true;
}

bool jumpForward(RegionBuilder& b, const BytecodeInstruction& in) {
    b.goTo(in.target);
    return true;
}

bool jumpBackward(RegionBuilder& b, const BytecodeInstruction& in) {
    if (int counter = b.environment().counterFor(b.state().frame().code, in.target); counter >= 0) {
        b.emit(ir::Op::k_count, {}, counter);
    }
    if (in.opcode == JUMP_BACKWARD) {
        b.emitExiting(ir::Op::k_poll, {}, ExitReason::k_poll);
    }
    b.goTo(in.target);
    return true;
}

bool returnFrom(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.isRootFrame() && !b.request().isFunction) {
        b.sideExit(ExitReason::k_loop_done);
        return true;
    }
    if (in.opcode == RETURN_CONST) {
        b.push(constantValue(b, PyTuple_GET_ITEM(b.state().frame().code->co_consts, in.oparg)));
    }
    if (b.isRootFrame()) {
        returnFromRoot(b);
        return true;
    }
    if (b.state().frame().exhausted >= 0) {
        bool isLoop = b.state().frame().consumer == Consumer::kLoop;
        AbstractValue result = isLoop ? AbstractValue::null() : resultOfConsumer(b);
        if (!isLoop && result.kind == Kind::kNull) {
            b.sideExit(ExitReason::k_unsupported);
            return true;
        }
        release(b, b.pop());
        dropFrameSlots(b);
        endGenerator(b);
        if (!isLoop) {
            replaceTop(b, 2, std::move(result));  // the call's state
        }
        return true;
    }
    return returnToCaller(b);
}

void dropAll(RegionBuilder& b) {
    dropFrameSlots(b);
    for (AbstractName& name : b.state().names) {
        release(b, std::exchange(name.value, {}));  // the dict has its own reference
    }
    std::vector<GivenUp> references = std::exchange(b.releases().givenUp, {});
    for (const GivenUp& given : references) {
        b.emit(ir::Op::k_drop, {referenceIn(b, given)});
    }
    if (!references.empty() && !b.knowledge().dropsAtReturn) {
        b.knowledge().dropsAtReturn = true;
        b.progress().isDoomed = b.progress().isDoomed || b.progress().reliesOnQuietReturn;
    }
}

}  // namespace kiln
