// The JSON parser: recursive descent over the whole text.
#include <charconv>
#include <cstdlib>

#include "profiler/report_value.h"

namespace kiln {
namespace {

constexpr int kDepthLimit = 64;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    bool run(JsonValue& value, std::string& error) {
        bool ok = parseValue(value, 0);
        skipSpace();
        if (ok && at_ != text_.size()) {
            ok = fail("expected the end");
        }
        error = error_;
        return ok;
    }

private:
    bool fail(const char* message) {
        if (error_.empty()) {
            size_t line = 1;
            for (size_t i = 0; i < at_ && i < text_.size(); i++) {
                line += text_[i] == '\n';
            }
            error_ = "line " + std::to_string(line) + ": " + message;
        }
        return false;
    }

    void skipSpace() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
            at_++;
        }
    }

    bool take(char expected) {
        skipSpace();
        if (at_ < text_.size() && text_[at_] == expected) {
            at_++;
            return true;
        }
        return false;
    }

    bool takeWord(std::string_view word) {
        if (text_.substr(at_, word.size()) == word) {
            at_ += word.size();
            return true;
        }
        return false;
    }

    bool parseValue(JsonValue& value, int depth) {
        skipSpace();
        if (depth > kDepthLimit) {
            return fail("nested too deeply");
        }
        if (at_ == text_.size()) {
            return fail("unexpected end");
        }
        switch (text_[at_]) {
        case '{': return parseObject(value, depth);
        case '[': return parseArray(value, depth);
        case '"': {
            std::string text;
            if (!parseText(text)) {
                return false;
            }
            value = JsonValue::text(std::move(text));
            return true;
        }
        default: return parseScalar(value);
        }
    }

    bool parseScalar(JsonValue& value) {
        if (takeWord("null")) {
            value = JsonValue();
        } else if (takeWord("true")) {
            value = JsonValue::boolean(true);
        } else if (takeWord("false")) {
            value = JsonValue::boolean(false);
        } else {
            return parseNumber(value);
        }
        return true;
    }

    bool parseNumber(JsonValue& value) {
        const char* begin = text_.data() + at_;
        const char* end = text_.data() + text_.size();
        int64_t integer = 0;
        auto whole = std::from_chars(begin, end, integer);
        double number = 0;
        auto real = std::from_chars(begin, end, number);
        if (real.ec != std::errc() || (*begin != '-' && (*begin < '0' || *begin > '9'))) {
            return fail("expected a value");
        }
        bool isInteger = whole.ec == std::errc() && whole.ptr == real.ptr;
        value = isInteger ? JsonValue::integer(integer) : JsonValue::number(number);
        at_ += static_cast<size_t>(real.ptr - begin);
        return true;
    }

    bool parseArray(JsonValue& value, int depth) {
        value = JsonValue::array();
        at_++;
        if (take(']')) {
            return true;
        }
        do {
            JsonValue item;
            if (!parseValue(item, depth + 1)) {
                return false;
            }
            value.append(std::move(item));
        } while (take(','));
        return take(']') || fail("expected ',' or ']'");
    }

    bool parseObject(JsonValue& value, int depth) {
        value = JsonValue::object();
        at_++;
        if (take('}')) {
            return true;
        }
        do {
            skipSpace();
            std::string name;
            if (at_ == text_.size() || text_[at_] != '"') {
                return fail("expected a member name");
            }
            JsonValue item;
            if (!parseText(name) || !(take(':') || fail("expected ':'")) || !parseValue(item, depth + 1)) {
                return false;
            }
            value.set(std::move(name), std::move(item));
        } while (take(','));
        return take('}') || fail("expected ',' or '}'");
    }

    bool parseText(std::string& out) {
        at_++;
        while (at_ < text_.size()) {
            char c = text_[at_++];
            if (c == '"') {
                return true;
            }
            if (c != '\\') {
                out += c;
            } else if (!parseEscape(out)) {
                return false;
            }
        }
        return fail("text without an end");
    }

    bool parseEscape(std::string& out) {
        if (at_ == text_.size()) {
            return fail("text without an end");
        }
        char c = text_[at_++];
        static constexpr std::string_view kNames = "\"\\/bfnrt";
        static constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
        size_t plain = kNames.find(c);
        if (plain != std::string_view::npos) {
            out += kValues[plain];
            return true;
        }
        uint32_t unit = 0;
        if (c != 'u' || !parseHex(unit)) {
            return fail("unknown escape");
        }
        uint32_t low = 0;
        if (unit >= 0xd800 && unit < 0xdc00 && takeWord("\\u") && parseHex(low)) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
        appendUtf8(out, unit);
        return true;
    }

    bool parseHex(uint32_t& unit) {
        if (at_ + 4 > text_.size()) {
            return false;
        }
        const char* begin = text_.data() + at_;
        auto result = std::from_chars(begin, begin + 4, unit, 16);
        at_ += 4;
        return result.ec == std::errc() && result.ptr == begin + 4;
    }

    static void appendUtf8(std::string& out, uint32_t point) {
        if (point < 0x80) {
            out += static_cast<char>(point);
            return;
        }
        int trailing = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        static constexpr uint32_t kLead[] = {0, 0xc0, 0xe0, 0xf0};
        out += static_cast<char>(kLead[trailing] | (point >> (6 * trailing)));
        while (trailing-- > 0) {
            out += static_cast<char>(0x80 | ((point >> (6 * trailing)) & 0x3f));
        }
    }

    std::string_view text_;
    size_t at_ = 0;
    std::string error_;
};

}  // namespace

bool parseJson(std::string_view text, JsonValue& value, std::string& error) {
    return Parser(text).run(value, error);
}

}  // namespace kiln
