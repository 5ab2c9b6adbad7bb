// How the items of a list lie in the buffer that it is read into: agreed on by the pass that has it read and the runtime.
#pragma once

#include <cstdint>

namespace kiln {

// What the items are to be, all of them.
enum class ListedKind : int64_t { kFloats, kRows };

inline constexpr int kMostListsRead = 8;       // at a time
inline constexpr int64_t kListedBytes = 8;     // of a number, or of the address of a row's items
inline constexpr int64_t kFewestReadings = 4;  // rounds of the loop around for which it is read

}  // namespace kiln
