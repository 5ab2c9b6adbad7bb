#include "jit/runtime/strip_buffer.h"

#include <cstring>

#include "jit/strips.h"

namespace kiln {
namespace {

char buffers[kMostSavedPlaces][kStripRounds * kWidestElement];
int32_t marks[kMostSavedPlaces][kStripRounds];
static_assert(sizeof(marks[0][0]) == kMarkBytes);

// Their size is known: each is a load and a store.
template <size_t bytes>
void copyEach(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count) {
    for (int64_t index = 0; index < count; index++) {
        std::memcpy(to + index * toStride, from + index * fromStride, bytes);
    }
}

void copyElements(char* to, int64_t toStride, const char* from, int64_t fromStride, int64_t count, int64_t bytes) {
    if (toStride == fromStride) {  // both are without gaps, as the buffer is
        std::memcpy(to, from, static_cast<size_t>(count * bytes));
        return;
    }
    switch (bytes) {
    case 1: copyEach<1>(to, toStride, from, fromStride, count); break;
    case 2: copyEach<2>(to, toStride, from, fromStride, count); break;
    case 4: copyEach<4>(to, toStride, from, fromStride, count); break;
    case 8: copyEach<8>(to, toStride, from, fromStride, count); break;
    default: copyEach<kWidestElement>(to, toStride, from, fromStride, count); break;
    }
}

}  // namespace

void saveElements(const char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    if (place >= kMarkedPlaces) {
        place -= kMarkedPlaces;
        std::memset(marks[place], 0, static_cast<size_t>(count * kMarkBytes));
    }
    copyElements(buffers[place], bytes, first, stride, count, bytes);
}

void restoreElements(char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place) {
    if (place < kMarkedPlaces) {
        copyElements(first, stride, buffers[place], bytes, count, bytes);
        return;
    }
    place -= kMarkedPlaces;
    for (int64_t index = 0; index < count; index++) {
        if (marks[place][index] != 0) {
            copyElements(first + index * stride, bytes, buffers[place] + index * bytes, bytes, 1, bytes);
        }
    }
}

const void* stripMarks() {
    return marks;
}

int64_t stressStrip() {
    static uint64_t state = 1;
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's numbers
    return static_cast<int64_t>(state >> 63);
}

}  // namespace kiln
