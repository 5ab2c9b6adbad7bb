// `with`: entered and left by inlined methods of the program's classes, or by CPython, without leaving the region.
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

// [manager] becomes [its bound __exit__, what __enter__ gave].
bool enterWith(RegionBuilder& b, const BytecodeInstruction& in) {
    if (enterCall(b, in)) {
        return true;
    }
    Id version = beforeOpaque(b, "BEFORE_WITH");
    if (b.stopped()) {
        return true;
    }
    Id manager = boxEntry(b, 0);
    ir::SnapshotId raise = b.raising();
    asCallee(b, b.unit() + 1, [&] {
        Id entered =
            b.emitExitingAt(ir::Op::k_opaque_object, {manager}, raise, static_cast<int64_t>(Helper::k_enter_with));
        releaseTop(b, 1);
        pushItems(b, entered, 2, false);
        b.emit(ir::Op::k_drop, {entered});
    });
    b.state().frame().unit = in.next;
    afterOpaque(b, version);
    return true;
}

// [__exit__, the raising instruction, what was handled, exception], and then what __exit__ says of the exception.
bool leaveWithException(RegionBuilder& b, const BytecodeInstruction& in) {
    Id version = beforeOpaque(b, "WITH_EXCEPT_START");
    if (b.stopped()) {
        return true;
    }
    Id leave = boxEntry(b, 3);
    finishOpaque(b, in, Helper::k_leave_with, {leave, boxEntry(b, 0)}, 0, OpaqueResult::kObject, version);
    return true;
}

}  // namespace kiln
