// Widths, cutting and short numbers.
#include "profiler/report_columns.h"

#include <cmath>
#include <cstdio>

namespace kiln {
namespace {

struct Range {
    uint32_t first;
    uint32_t last;
};

// East Asian wide and fullwidth characters and emoji, coarsely.
constexpr Range kWide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
                           {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
constexpr Range kCombining[] = {
    {0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

template <size_t N>
bool inRanges(uint32_t point, const Range (&ranges)[N]) {
    for (const Range& range : ranges) {
        if (point >= range.first && point <= range.last) {
            return true;
        }
    }
    return false;
}

size_t sequenceLength(unsigned char lead) {
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

// Decodes the sequence at `at` and steps over it; a broken one counts byte by byte.
uint32_t nextPoint(std::string_view text, size_t& at) {
    unsigned char lead = static_cast<unsigned char>(text[at]);
    size_t length = sequenceLength(lead);
    if (at + length > text.size()) {
        at++;
        return '?';
    }
    uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
    }
    at += length;
    return point;
}

int widthOf(uint32_t point) {
    return inRanges(point, kWide) ? 2 : inRanges(point, kCombining) ? 0 : 1;
}

std::string format(const char* pattern, double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, pattern, value);
    return buffer;
}

}  // namespace

int columnsOf(std::string_view text) {
    int columns = 0;
    for (size_t at = 0; at < text.size();) {
        columns += widthOf(nextPoint(text, at));
    }
    return columns;
}

std::string printable(std::string_view text) {
    std::string result(text);
    for (size_t at = 0; at < result.size();) {
        size_t start = at;
        uint32_t point = nextPoint(result, at);
        bool isControl = point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x202a && point <= 0x202e) ||
                         (point >= 0x2066 && point <= 0x2069);
        if (isControl) {
            result.replace(start, at - start, "?");
            at = start + 1;
        }
    }
    return result;
}

std::string cutEnd(std::string_view text, int columns) {
    if (columnsOf(text) <= columns) {
        return std::string(text);
    }
    size_t end = 0;
    int used = 1;
    while (end < text.size()) {
        size_t next = end;
        used += widthOf(nextPoint(text, next));
        if (used > columns) {
            break;
        }
        end = next;
    }
    std::string cut(text.substr(0, end));
    cut += "…";
    return cut;
}

std::string cutBegin(std::string_view text, int columns) {
    int width = columnsOf(text);
    if (width <= columns) {
        return std::string(text);
    }
    size_t begin = 0;
    while (begin < text.size() && width > columns - 1) {
        width -= widthOf(nextPoint(text, begin));
    }
    std::string cut = "…";
    cut += text.substr(begin);
    return cut;
}

std::string padLeft(std::string text, int columns) {
    int missing = columns - columnsOf(text);
    std::string padded(static_cast<size_t>(missing > 0 ? missing : 0), ' ');
    padded += text;
    return padded;
}

std::string padRight(std::string text, int columns) {
    int missing = columns - columnsOf(text);
    text.append(static_cast<size_t>(missing > 0 ? missing : 0), ' ');
    return text;
}

std::string shortCount(uint64_t count) {
    if (count < 10000) {
        return std::to_string(count);
    }
    static constexpr const char* kUnits[] = {"k", "M", "G", "T", "P", "E"};
    double value = static_cast<double>(count) / 1000;
    size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
        value /= 1000;
        unit++;
    }
    return format(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value) + kUnits[unit];
}

std::string shortMilliseconds(double ms) {
    if (ms < 9999.5) {
        return format(ms < 9.95 ? "%.1f ms" : "%.0f ms", ms);
    }
    return format(ms < 99950 ? "%.1f s" : "%.0f s", ms / 1000);
}

}  // namespace kiln
