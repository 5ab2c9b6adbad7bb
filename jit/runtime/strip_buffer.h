// What a strip of a loop's rounds overwrites in arrays, to be put back when one of its deferred guards has failed.
#pragma once

#include <cstdint>

namespace kiln {

// Copies `count` (at most kStripRounds) elements of `bytes` each, `stride` bytes apart from `first` on, into the buffer of `place`
// (less than kMostSavedPlaces). There is one buffer: the GIL is held from here to the strip's end.
void saveElements(const char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place);
// For a place from kMarkedPlaces on, also clears its marks.
// Copies them back: those that are marked, where the place has marks.
void restoreElements(char* first, int64_t stride, int64_t count, int64_t bytes, int64_t place);
// kStripRounds marks of the first place that has any; then those of the next.
const void* stripMarks();
// Under KILN_STRESS=deopt: 1 for half of the strips, which do not begin, or are done again in exact code.
int64_t stressStrip();

}  // namespace kiln
