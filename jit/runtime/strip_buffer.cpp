#include "jit/runtime/strip_buffer.h"

#include <cstring>

#include "jit/strips.h"

namespace kiln {
namespace {

char buffers[kMostSavedPlaces][kStripRounds * kWidestElement];

void copyElements(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count, int64_t bytes) {
    if (toStride == fromStride) {  // both are without gaps, as the buffer is
        std::memcpy(to, from, static_cast<size_t>(count * bytes));
        return;
    }
    for (int64_t index = 0; index < count; index++) {
        std::memcpy(to + index * toStride, from + index * fromStride, static_cast<size_t>(bytes));
    }
}

}  // namespace

void saveElements(const char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    copyElements(buffers[place], bytes, first, stride, count, bytes);
}

void restoreElements(char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    copyElements(first, stride, buffers[place], bytes, count, bytes);
}

int64_t stressStrip() {
    static uint64_t state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's numbers
    return static_cast<int64_t>(state >> 63);
}

}  // namespace kiln
