// `s += t` and `s = s + t` of a local string. As in CPython the string grows in place where nobody else has it: built piece by piece
// it would be copied each time.
#include "jit/frontend/build_string_append.h"

#include <opcode.h>

#include <utility>

#include "jit/frontend/build_attributes.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

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

// The local that the result is stored to at once, if its reference can be taken; nullptr when the left operand is known to be another
// object, or known to have other names.
AbstractValue* appendedLocal(RegionBuilder& b, const BytecodeInstruction& in) {
    const BytecodeInstruction* next = b.bytecode().at(in.next);
    bool adds = in.oparg == NB_ADD || in.oparg == NB_INPLACE_ADD;
    if (!adds || next == nullptr || next->opcode != STORE_FAST || b.top(1).kind != Kind::kObject) {
        return nullptr;
    }
    AbstractValue& local = b.state().frame().slots[static_cast<size_t>(next->oparg)];
    if (local.kind != Kind::kObject) {
        return nullptr;
    }
    int names = 0;
    forEachEntry(b.state(), [&](const AbstractValue& entry) {
        names += entry.isReference() && entry.value == local.value ? 1 : 0;
    });
    bool isSame = local.value == b.top(1).value;
    bool isTaken = local.owned || local.isInFrame() || (isSame && b.top(1).owned);
    bool mayBeSame = isSame || isLoadedFrom(next->oparg, b.bytecode(), in);
    return isTaken && mayBeSame && names == (isSame ? 2 : 1) ? &local : nullptr;
}

bool becomeString(RegionBuilder& b, AbstractValue& entry) {
    if (entry.kind == Kind::kConstant) {
        return PyUnicode_CheckExact(entry.constant);
    }
    if (entry.kind == Kind::kObject && entry.cls == nullptr) {
        b.guardClass(entry.value, &PyUnicode_Type, ExitReason::k_type);
        markClass(b, entry.value, &PyUnicode_Type);
    }
    return entry.kind == Kind::kObject && entry.cls == &PyUnicode_Type;
}

}  // namespace

bool appendToLocal(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    AbstractValue* local = appendedLocal(b, in);
    if (local == nullptr || site.results.only() != &PyUnicode_Type || !site.receivers.programs().empty() ||
        !becomeString(b, b.top(0)) || !becomeString(b, b.top(1)) || !becomeString(b, *local)) {
        return false;
    }
    AbstractValue right = b.pop();
    AbstractValue left = b.pop();
    AbstractValue held = std::exchange(*local, AbstractValue::null());
    if (held.isInFrame()) {
        b.emit(ir::Op::k_take_slot, {}, held.slot);
    }
    bool hasHeld = held.owned || held.isInFrame();
    bool isSame = held.value == left.value;
    if (isSame && left.owned && hasHeld) {
        b.emit(ir::Op::k_decref_held, {left.value});
    } else if (!isSame) {
        own(b, left);
    }
    bool fresh = false;
    Id piece = boxed(b, right, fresh);
    AbstractState raised = b.state();
    raised.frame().unit = b.unit();
    raised.frame().slots.push_back(right);
    ir::SnapshotId raise = b.snapshot(raised, ExitReason::k_exception, true);
    ir::Operands operands = {left.value, piece, isSame ? b.constInt(0) : held.value};
    Id result = b.emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise,
                                static_cast<int64_t>(Helper::k_append_string));
    release(b, std::move(right));
    pushResult(b, result, true, &PyUnicode_Type, in, in.next);
    return true;
}

}  // namespace kiln
