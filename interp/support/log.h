// Log lines on stderr, by channel: KILN_LOG=compile,deopt,… asks for them.
#pragma once

#include <cstdint>

namespace kiln {

enum class LogChannel : uint32_t {
    kCompile = 1 << 0,
    kDeopt = 1 << 1,
    kRecord = 1 << 2,
    kInvalidate = 1 << 3,
    kOffload = 1 << 4,
};

// Parses a comma-separated channel list; "1" and "all" mean every channel. Returns the first unknown name's position, or
// nullptr when every name is known.
const char* enableLogChannels(const char* list);
bool logEnabled(LogChannel channel);
// Writes "kiln: <channel>: <message>\n". Callers test logEnabled() first when the arguments cost something.
void logMessage(LogChannel channel, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace kiln
