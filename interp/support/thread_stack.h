// The native stack of the running thread.
#pragma once

#include <cstddef>

namespace kiln {

struct ThreadStack {
    char* lowest;
    size_t size;
};

// As far down as it may grow; {nullptr, 0} when the system does not tell.
ThreadStack threadStack();

}  // namespace kiln
