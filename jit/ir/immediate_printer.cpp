// Immediates, literals and numbered words as text.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "jit/ir/names.h"
#include "jit/ir/text.h"

namespace kiln::ir {

std::string numbered(std::string_view word, int64_t number) {
    std::string text(word);
    text += std::to_string(number);
    return text;
}

void appendQuoted(std::string& text, std::string_view content) {
    text += '"';
    for (const char c : content) {
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c));
            text += escape;
        } else {
            text += c;
        }
    }
    text += '"';
}

void appendFloat(std::string& text, int64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    char buffer[40];
    if (std::isnan(value)) {
        std::snprintf(buffer, sizeof buffer, "nan:%016llx", static_cast<unsigned long long>(bits));
        text += buffer;
        return;
    }
    const std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
    text.append(buffer, result.ptr);
}

void appendImmediate(std::string& text, const Instruction& instruction) {
    const Immediate kind = info(instruction.op).immediate;
    if (kind == Immediate::kNone || (kind == Immediate::kSeen && instruction.immediate == 0)) {
        return;
    }
    text += '[';
    const int64_t value = instruction.immediate;
    if (kind == Immediate::kFloat) {
        appendFloat(text, value);
    } else if (value >= 0 && value < namedImmediateCount(kind)) {
        text += immediateName(kind, static_cast<int>(value));
    } else {
        text += std::to_string(value);
    }
    text += ']';
}

}  // namespace kiln::ir
