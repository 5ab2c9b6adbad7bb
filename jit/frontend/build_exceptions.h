// Exceptions that are handled in the region: from the operation that fails on to the handler, and the handler's own instructions.
//
// The exception gets this frame into its traceback, as in the interpreter. Where the handler does no more than to look at the class
// and drop it (`except KeyError: pass`) nobody could see that: the exception is discarded where it was raised.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

const ExceptionHandler* handlerHere(RegionBuilder& b);
inline bool oftenRaises(RegionBuilder& b, const BytecodeInstruction& in) {
    return b.siteOf(in).generic && handlerHere(b) != nullptr;
}
Id emitFailing(RegionBuilder& b, ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, int64_t immediate,
               ir::Type type = ir::Type::kNone);
void handleFailure(RegionBuilder& b, ir::Op op, Id result, int popped, Id version);

}  // namespace kiln
