// What the strips of a loop are like: agreed on by the pass that forms them and the runtime that keeps what they overwrite.
#pragma once

#include <cstdint>

namespace kiln {

inline constexpr int64_t kStripRounds = 1024;    // at most, between two polls
inline constexpr int64_t kFewestStripRounds = 16;   // two vectors of numbers
inline constexpr int kMostSavedPlaces = 8;       // of a loop's stores
inline constexpr int64_t kWidestElement = 16;
// Of stores that not every round makes, marks say in which rounds they were: an int32 each. Their places are numbered from here on.
inline constexpr int kMarkedPlaces = kMostSavedPlaces;
inline constexpr int64_t kMarkBytes = 4;

}  // namespace kiln
