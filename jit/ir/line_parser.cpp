// Tokens, numbers and ids of region text.
#include "jit/ir/line_parser.h"

#include <charconv>

#include "jit/ir/names.h"
#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

// Far more values than a region ever has; keeps a mistyped id from asking for all memory.
constexpr ValueId kGreatestValue = 1 << 24;

template <typename Number>
bool toNumber(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
}

std::string inQuotes(std::string_view text) {
    std::string quoted;
    quoted += '\'';
    quoted += text;
    quoted += '\'';
    return quoted;
}

}  // namespace

bool LineParser::fail(std::string what) {
    if (error_.empty()) {
        error_ = std::move(what);
    }
    return false;
}

bool LineParser::failExpected(std::string_view what) {
    const std::string found = atEnd() ? "the end of the line" : inQuotes(tokens_[position_].text);
    return fail("expected " + std::string(what) + ", found " + found);
}

bool LineParser::take(std::string_view text) {
    const bool found = peek() == text;
    position_ += found ? 1 : 0;
    return found;
}

bool LineParser::expect(std::string_view text) {
    return take(text) || failExpected(inQuotes(text));
}

bool LineParser::expectEnd() {
    return atEnd() || failExpected("the end of the line");
}

bool LineParser::readString(std::string& text) {
    if (tokens_[position_].kind != TokenKind::kString) {
        return failExpected("a string");
    }
    text = tokens_[position_++].text;
    return true;
}

bool LineParser::readInteger(int64_t& value) {
    if (!toNumber(peek(), value)) {
        return failExpected("an integer");
    }
    ++position_;
    return true;
}

bool LineParser::readIndex(int32_t& value) {
    int64_t wide = 0;
    if (!readInteger(wide)) {
        return false;
    }
    value = static_cast<int32_t>(wide);
    return value == wide || fail(numbered("the number ", wide) + " is too large");
}

bool LineParser::readType(Type& type) {
    if (!findType(peek(), type)) {
        return failExpected("a type");
    }
    ++position_;
    return true;
}

bool LineParser::readNumbered(std::string_view prefix, int32_t& number) {
    const std::string_view word = peek();
    if (!word.starts_with(prefix) || !toNumber(word.substr(prefix.size()), number) || number < 0) {
        return failExpected(std::string(prefix) + "NUMBER");
    }
    ++position_;
    return true;
}

bool LineParser::readTypedValue(ValueId& value, Type& type) {
    if (!readValue(value) || !expect(":") || !readType(type)) {
        return false;
    }
    if (value > kGreatestValue) {
        return fail(numbered("value number ", value) + " is too large");
    }
    if (static_cast<size_t>(value) >= region_.valueTypes.size()) {
        region_.valueTypes.resize(static_cast<size_t>(value) + 1, Type::kNone);
    }
    region_.valueTypes[value] = type;
    return true;
}

}  // namespace kiln::ir
