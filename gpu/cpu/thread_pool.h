// The threads that run blocks on the CPU: started at the first launch that is worth it, kept for ever.
#pragma once

#include <cstdint>
#include <functional>

namespace kiln::gpu {

// Runs body(first, end) over [0, count) in chunks, on the calling thread and the pool's; returns when all are done. One call
// at a time: others wait; what a body itself calls is run on its thread. A forked child gets a pool of its own. `threads` 0: as many as
// the process may use; the first call decides. Of these `most` take part, with 0 all.
//
// While the caller waits it calls goesOn() now and then, which may do anything. When that gives false before the caller's turn came,
// nothing is run. False when the process was forked from within, so that in the child some of the work is not done.
bool parallelFor(int64_t count, int threads, const std::function<void(int64_t, int64_t)>& body, const std::function<bool()>& goesOn = {},
                 int most = 0);

}  // namespace kiln::gpu
