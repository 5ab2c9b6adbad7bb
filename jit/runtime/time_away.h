// The time that the interpreter takes inside a stay in compiled code, where a called function has no code or left it.
#pragma once

#include "interp/support/monotonic_clock.h"
#include "jit/native_interface.h"

namespace kiln {

// Adds the time it lives to the context's `awayTicks`. The interpreter enters compiled code with contexts of its own, so
// that those of one context do not nest.
class TimeAway {
   public:
    explicit TimeAway(NativeContext* context) : context_(context), leftAt_(processorTicks()) {}
    ~TimeAway() { context_->awayTicks += processorTicks() - leftAt_; }
    TimeAway(const TimeAway&) = delete;
    TimeAway& operator=(const TimeAway&) = delete;

   private:
    NativeContext* context_;
    uint64_t leftAt_;
};

}  // namespace kiln
