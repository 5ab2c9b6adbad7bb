// Exceptions that are handled in the region: from the operation that fails on to the handler, and the handler's own instructions.
//
// The exception gets this frame into its traceback, as in the interpreter. Where the handler does no more than to look at the class
// and drop it (`except KeyError: pass`) nobody could see that: the exception has no traceback then (unseen_exceptions.h).
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Of the instruction being built, if it was seen at work: the root frame's, the only one that others may look at.
const ExceptionHandler* handlerHere(RegionBuilder& b);
// Says in the snapshot that waits for a callee in the instruction being built what becomes of an exception of the callee's.
void tellFailure(RegionBuilder& b, ir::Snapshot& waiting);
// The instruction raised often where that is handled: CPython does it.
inline bool oftenRaises(RegionBuilder& b, const BytecodeInstruction& in) {
    return b.siteOf(in).generic && handlerHere(b) != nullptr;
}
// The operation, which leaves with its exception unless the region goes on with that. While the activation waits.
Id emitFailing(RegionBuilder& b, ir::Op op, ir::Operands operands, ir::SnapshotId raise, int64_t immediate,
               ir::Type type = ir::Type::kNone);
// After emitFailing() and once nobody waits any more: on a side path, goes on with the handler where `result` tells of an exception.
// The instruction's operands, `popped` entries, are gone. The rest is as before the instruction.
void handleFailure(RegionBuilder& b, ir::Op op, Id result, int popped, Id version);

}  // namespace kiln
