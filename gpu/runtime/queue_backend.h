// The order of what devices do: streams and events.
#pragma once

#include <cstdint>

#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// Thread-safe; no call needs the GIL, and those that may wait should be made without it. Streams and events belong to the device in use.
class QueueBackend {
public:
    virtual ~QueueBackend() = default;
    virtual Failure synchronize(uintptr_t stream) = 0;
    // Streams and events: numbers; 0 is the default stream. On the CPU all is done when a call returns.
    virtual Failure makeStream(uintptr_t& stream) { return stream = 0, Failure(); }
    virtual void releaseStream(uintptr_t stream) {}
    // Whether the default stream waits for this one by itself; not so for other libraries' streams.
    virtual bool waitsForDefault(uintptr_t stream) { return true; }
    virtual Failure makeEvent(uintptr_t& event) { return event = 0, Failure(); }
    virtual void releaseEvent(uintptr_t event) {}
    virtual Failure recordEvent(uintptr_t event, uintptr_t stream) { return {}; }
    // The host, or a stream, waits.
    virtual Failure waitForEvent(uintptr_t event, uintptr_t stream, bool onHost) { return {}; }
    virtual Failure queryEvent(uintptr_t event, bool& done) { return done = true, Failure(); }
    virtual Failure elapsed(uintptr_t start, uintptr_t end, double& milliseconds) {
        return milliseconds = 0, Failure();
    }
};

}  // namespace kiln::gpu
