// Signals that come while a thread waits for a kernel, without the GIL: their handlers are Python functions of the main thread.
#pragma once

#include <functional>

#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// An int32 that is not 0 while the handler of some signal has yet to be run.
const void* signalWord();
// Runs the handlers that have yet to be run, if the calling thread is the one that does so and does not hold the GIL: one that does, as
// when an object is freed, is in no place for them. It must have a thread state. True when a handler raised: the exception is the thread's then, as after a failed call.
bool signalHandlerRaised();

// Calls `attempt`, without the GIL, which the caller holds; if it fails, again after a collection: what has memory may hang in cycles.
Failure allocateOrCollect(const std::function<Failure()>& attempt);

// What a wait returns that ended for a handler's exception; raise() leaves that exception as it is.
Failure interruption();
bool isInterruption(const Failure& failure);

}  // namespace kiln::gpu
