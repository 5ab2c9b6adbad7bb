// `with`: entered and left by CPython, without leaving the region.
#include "jit/frontend/region_builder.h"

namespace kiln {

// [manager] becomes [its bound __exit__, what __enter__ gave].
bool RegionBuilder::enterWith(const BytecodeInstruction& in) {
    Id version = beforeOpaque("BEFORE_WITH");
    if (stopped()) {
        return true;
    }
    Id manager = boxEntry(0);
    ir::SnapshotId raise = raising();
    asCallee(unit_ + 1, [&] {
        Id entered = emitExitingAt(ir::Op::k_opaque_object, {manager}, raise, static_cast<int64_t>(Helper::k_enter_with));
        releaseTop(1);
        pushItems(entered, 2, false);
        emit(ir::Op::k_drop, {entered});
    });
    state_.frame().unit = in.next;
    afterOpaque(version);
    return true;
}

// [__exit__, the raising instruction, what was handled, exception], and then what __exit__ says of the exception.
bool RegionBuilder::leaveWithException(const BytecodeInstruction& in) {
    Id version = beforeOpaque("WITH_EXCEPT_START");
    if (stopped()) {
        return true;
    }
    Id leave = boxEntry(3);
    finishOpaque(in, Helper::k_leave_with, {leave, boxEntry(0)}, 0, OpaqueResult::kObject, version);
    return true;
}

}  // namespace kiln
