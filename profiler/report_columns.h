// Text of a given width: numbers made short, names cut, in terminal columns rather than bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

// Columns a terminal gives UTF-8 text: wide characters take two, combining marks none.
int columnsOf(std::string_view text);
// Control characters as '?', so that a name cannot break the table or drive the terminal.
std::string printable(std::string_view text);
// The text itself when it fits, else its begin (or its end) with an ellipsis.
std::string cutEnd(std::string_view text, int columns);
std::string cutBegin(std::string_view text, int columns);
std::string padLeft(std::string text, int columns);
std::string padRight(std::string text, int columns);

// "999", "12.3k", "4.56M": at most 5 columns.
std::string shortCount(uint64_t count);
// "0.4 ms", "128 ms", "12.3 s": at most 7 columns.
std::string shortMilliseconds(double ms);

}  // namespace kiln
