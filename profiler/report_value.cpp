// The JSON writer. The parser is report_parser.cpp.
#include "profiler/report_value.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace kiln {
namespace {

constexpr size_t kLineWidth = 110;

void printText(std::string& out, const std::string& text) {
    out += '"';
    for (char c : text) {
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                char escape[8];
                std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
                out += escape;
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

}  // namespace

JsonValue JsonValue::boolean(bool value) {
    JsonValue result;
    result.kind_ = Kind::kBool;
    result.integer_ = value;
    return result;
}

JsonValue JsonValue::integer(int64_t value) {
    JsonValue result;
    result.kind_ = Kind::kInteger;
    result.integer_ = value;
    return result;
}

JsonValue JsonValue::number(double value) {
    JsonValue result;
    result.kind_ = Kind::kNumber;
    result.number_ = std::isfinite(value) ? value : 0;
    return result;
}

JsonValue JsonValue::text(std::string value) {
    JsonValue result;
    result.kind_ = Kind::kText;
    result.text_ = std::move(value);
    return result;
}

JsonValue JsonValue::array() {
    JsonValue result;
    result.kind_ = Kind::kArray;
    return result;
}

JsonValue JsonValue::object() {
    JsonValue result;
    result.kind_ = Kind::kObject;
    return result;
}

int64_t JsonValue::asInteger() const {
    if (kind_ == Kind::kNumber) {
        return std::fabs(number_) < 9e18 ? static_cast<int64_t>(number_) : 0;
    }
    return kind_ == Kind::kInteger || kind_ == Kind::kBool ? integer_ : 0;
}

double JsonValue::asNumber() const {
    if (kind_ == Kind::kInteger) {
        return static_cast<double>(integer_);
    }
    return kind_ == Kind::kNumber ? number_ : 0;
}

const JsonValue& JsonValue::operator[](std::string_view name) const {
    static const JsonValue none;
    for (size_t i = 0; i < names_.size(); i++) {
        if (names_[i] == name) {
            return items_[i];
        }
    }
    return none;
}

JsonValue& JsonValue::append(JsonValue item) {
    items_.push_back(std::move(item));
    return *this;
}

JsonValue& JsonValue::set(std::string name, JsonValue value) {
    names_.push_back(std::move(name));
    items_.push_back(std::move(value));
    return *this;
}

void JsonValue::print(std::string& out, int indent) const {
    char buffer[40];
    switch (kind_) {
    case Kind::kNull: out += "null"; break;
    case Kind::kBool: out += integer_ != 0 ? "true" : "false"; break;
    case Kind::kInteger:
        std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(integer_));
        out += buffer;
        break;
    case Kind::kNumber: {
        // Six decimals: microseconds of a second. to_chars, since printf follows the program's locale.
        double shown = std::fabs(number_) < 1e9 ? std::round(number_ * 1e6) / 1e6 : number_;
        auto end = std::to_chars(buffer, buffer + sizeof buffer, shown);
        out.append(buffer, end.ptr);
        break;
    }
    case Kind::kText: printText(out, text_); break;
    case Kind::kArray:
    case Kind::kObject: printItems(out, indent); break;
    }
}

void JsonValue::printItems(std::string& out, int indent) const {
    bool isObject = kind_ == Kind::kObject;
    std::vector<std::string> parts;
    size_t width = 0;
    bool nested = false;
    for (size_t i = 0; i < items_.size(); i++) {
        std::string part;
        if (isObject) {
            printText(part, names_[i]);
            part += ": ";
        }
        items_[i].print(part, indent + 2);
        width += part.size() + 2;
        nested = nested || part.find('\n') != std::string::npos;
        parts.push_back(std::move(part));
    }
    bool oneLine = !nested && width + static_cast<size_t>(indent) < kLineWidth;
    std::string margin(static_cast<size_t>(indent), ' ');
    std::string separator = " ";
    if (!oneLine) {
        separator = '\n';
        separator += margin + "  ";
    }
    out += isObject ? '{' : '[';
    for (size_t i = 0; i < parts.size(); i++) {
        if (i > 0) {
            out += ',';
        }
        if (i > 0 || !oneLine) {
            out += separator;
        }
        out += parts[i];
    }
    if (!oneLine) {
        out += '\n';
        out += margin;
    }
    out += isObject ? '}' : ']';
}

void JsonValue::printCompact(std::string& out) const {
    bool isObject = kind_ == Kind::kObject;
    if (!isObject && kind_ != Kind::kArray) {
        print(out, 0);
        return;
    }
    out += isObject ? '{' : '[';
    for (size_t i = 0; i < items_.size(); i++) {
        out += i > 0 ? "," : "";
        if (isObject) {
            printText(out, names_[i]);
            out += ':';
        }
        items_[i].printCompact(out);
    }
    out += isObject ? '}' : ']';
}

std::string JsonValue::toCompactText() const {
    std::string out;
    printCompact(out);
    return out;
}

std::string JsonValue::toText() const {
    std::string out;
    print(out, 0);
    out += '\n';
    return out;
}

}  // namespace kiln
