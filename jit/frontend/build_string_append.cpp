// `s += t` and `s = s + t` of a local string. As in CPython the string grows in place where nobody else has it: built piece by piece
// it would be copied each time.
#include <opcode.h>

#include <utility>

#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

// True when the left operand was loaded from the local before the right one was computed, whatever that took.
bool isLoadedFrom(int slot, const Bytecode& bytecode, const BytecodeInstruction& operation) {
    const BytecodeInstruction* first = bytecode.instructions().data();
    const BytecodeInstruction* load = &operation;
    while (load != first && load->depth > operation.depth - 2) {
        load--;
    }
    bool loads = load->opcode == LOAD_FAST || load->opcode == LOAD_FAST_CHECK;
    return loads && load->oparg == slot && load->depth == operation.depth - 2;
}

}  // namespace

// The local that the result is stored to at once, if its reference can be taken; nullptr when the left operand is known to be another
// object, or known to have other names.
AbstractValue* RegionBuilder::appendedLocal(const BytecodeInstruction& in) {
    const BytecodeInstruction* next = bytecode().at(in.next);
    bool adds = in.oparg == NB_ADD || in.oparg == NB_INPLACE_ADD;
    if (!adds || next == nullptr || next->opcode != STORE_FAST || top(1).kind != Kind::kObject) {
        return nullptr;
    }
    AbstractValue& local = state_.frame().slots[static_cast<size_t>(next->oparg)];
    if (local.kind != Kind::kObject) {
        return nullptr;
    }
    int names = 0;
    forEachEntry(state_, [&](const AbstractValue& entry) { names += entry.isReference() && entry.value == local.value ? 1 : 0; });
    bool isSame = local.value == top(1).value;
    bool isTaken = local.owned || local.isInFrame() || (isSame && top(1).owned);
    bool mayBeSame = isSame || isLoadedFrom(next->oparg, bytecode(), in);
    return isTaken && mayBeSame && names == (isSame ? 2 : 1) ? &local : nullptr;
}

bool RegionBuilder::becomeString(AbstractValue& entry) {
    if (entry.kind == Kind::kConstant) {
        return PyUnicode_CheckExact(entry.constant);
    }
    if (entry.kind == Kind::kObject && entry.cls == nullptr) {
        guardClass(entry.value, &PyUnicode_Type, ExitReason::k_type);
        markClass(entry.value, &PyUnicode_Type);
    }
    return entry.kind == Kind::kObject && entry.cls == &PyUnicode_Type;
}

// The local's reference goes into the result. Until the STORE_FAST the local has none: nobody can look in between.
bool RegionBuilder::appendToLocal(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    AbstractValue* local = appendedLocal(in);
    if (local == nullptr || site.results.only() != &PyUnicode_Type || !site.receivers.programs().empty() || !becomeString(top(0)) ||
        !becomeString(top(1)) || !becomeString(*local)) {
        return false;
    }
    AbstractValue right = pop();
    AbstractValue left = pop();
    AbstractValue held = std::exchange(*local, AbstractValue::null());
    if (held.isInFrame()) {
        emit(ir::Op::k_take_slot, {}, held.slot);
    }
    bool hasHeld = held.owned || held.isInFrame();
    bool isSame = held.value == left.value;
    if (isSame && left.owned && hasHeld) {
        emit(ir::Op::k_decref_held, {left.value});
    } else if (!isSame) {
        own(left);
    }
    bool fresh = false;
    Id piece = boxed(right, fresh);
    AbstractState raised = state_;
    raised.frame().unit = unit_;
    raised.frame().slots.push_back(right);
    ir::SnapshotId raise = snapshot(raised, ExitReason::k_exception, true);
    std::vector<Id> operands = {left.value, piece, isSame ? constInt(0) : held.value};
    Id result = emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(Helper::k_append_string));
    release(std::move(right));
    pushResult(result, true, &PyUnicode_Type, in, in.next);
    return true;
}

}  // namespace kiln
