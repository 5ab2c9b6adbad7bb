// The text form of a region in parts, for printer.cpp and parser.cpp. The grammar stands in printer.cpp.
#pragma once

#include <string>
#include <string_view>

#include "jit/ir/region.h"

namespace kiln::ir {

// How slot sources with parts are written.
struct CompositeKind {
    const char* name;
    SlotKind kind;
};

inline constexpr CompositeKind kCompositeKinds[] = {
    {"scalar", SlotKind::kScalar},
    {"view", SlotKind::kView},
    {"complex", SlotKind::kComplex},
    {"tuple", SlotKind::kTuple},
    {"slice", SlotKind::kSlice},
    {"method", SlotKind::kMethod},
    {"instance", SlotKind::kInstance},
    {"list", SlotKind::kList},
    {"keywords", SlotKind::kKeywords},
    {"range", SlotKind::kRange},
    {"range_iterator", SlotKind::kRangeIterator},
    {"list_iterator", SlotKind::kListIterator},
    {"enumerate", SlotKind::kEnumerate},
    {"zip", SlotKind::kZip},
    {"generator", SlotKind::kGenerator},
    {"number", SlotKind::kNumber},
    {"any", SlotKind::kAny},
};

// A number behind a word: v7, block3.
std::string numbered(std::string_view word, int64_t number);
// In double quotes; quotes, backslashes and control bytes escaped.
void appendQuoted(std::string& text, std::string_view content);
// The shortest decimal text that reads back as the same double; a nan by its bits.
void appendFloat(std::string& text, int64_t bits);
// The immediate in brackets, or nothing when the op has none.
void appendImmediate(std::string& text, const Instruction& instruction);
// One line without its newline.
void appendSnapshot(std::string& text, const Region& region, const Snapshot& snapshot);

}  // namespace kiln::ir
