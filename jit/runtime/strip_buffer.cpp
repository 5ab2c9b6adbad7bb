#include "jit/runtime/strip_buffer.h"

#include <cstring>

#include "jit/strips.h"

namespace kiln {
namespace {

char buffers[kMostSavedPlaces][kStripRounds * kWidestElement];

}  // namespace

void saveElements(const char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    char* buffer = buffers[place];
    if (stride == bytes) {
        std::memcpy(buffer, first, static_cast<size_t>(count * bytes));
        return;
    }
    for (int64_t index = 0; index < count; index++) {
        std::memcpy(buffer + index * bytes, first + index * stride, static_cast<size_t>(bytes));
    }
}

void restoreElements(char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    const char* buffer = buffers[place];
    if (stride == bytes) {
        std::memcpy(first, buffer, static_cast<size_t>(count * bytes));
        return;
    }
    for (int64_t index = 0; index < count; index++) {
        std::memcpy(first + index * stride, buffer + index * bytes, static_cast<size_t>(bytes));
    }
}

int64_t stressStrip() {
    static uint64_t state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's numbers
    return static_cast<int64_t>(state >> 63);
}

}  // namespace kiln
