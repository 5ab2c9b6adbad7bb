// Iteration over the hash tables of dicts and sets: CPython's iterator moves on by a helper.
#include "jit/frontend/class_tables.h"

#include "jit/frontend/build_plain.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

void pushTableIterator(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* iterator) {
    Id made = makePlain(b, Helper::k_plain_iterator, {boxEntry(b, 0)});
    releaseTop(b, 1);
    b.push(AbstractValue::object(made, iterator, true));
    b.state().frame().unit = in.next;
}

Id nextEntry(RegionBuilder& b, const BytecodeInstruction& in) {
    ir::SnapshotId exit = b.snapshotBefore(ExitReason::k_plain);
    auto helper = static_cast<int64_t>(Helper::k_plain_next_entry);
    Id entry = b.emitExitingAt(ir::Op::k_opaque_int, {b.top().value}, exit, helper);
    b.branchAside(b.emit(ir::Op::k_int_eq, {entry, b.constInt(0)}), true, [&] {
        startHere(b);  // not in each round
        release(b, b.pop());
        b.goTo(in.target);
    });
    return entry;
}

AbstractValue loadFromEntry(RegionBuilder& b, Id entry, int64_t offset) {
    return AbstractValue::object(b.emit(ir::Op::k_load_attribute, {entry}, offset), nullptr, false);
}

}  // namespace kiln
