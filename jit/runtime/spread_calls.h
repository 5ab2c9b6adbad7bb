// Calls with `*items` and `**names`, as CPython makes them.
#pragma once

#include <cstdint>

namespace kiln {

// words: callable, items, dict or 0, all borrowed. A new reference, or 0 with an exception.
int64_t callSequence(const int64_t* words, int64_t count);

}  // namespace kiln
