// JSON text as a tree of values: enough for the report's files, without Python, so that it works while Python ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln {

class JsonValue {
public:
    enum class Kind : uint8_t { kNull, kBool, kInteger, kNumber, kText, kArray, kObject };

    JsonValue() = default;
    static JsonValue boolean(bool value);
    static JsonValue integer(int64_t value);
    static JsonValue number(double value);  // not finite: 0, since JSON has no such numbers
    static JsonValue text(std::string value);
    static JsonValue array();
    static JsonValue object();

    Kind kind() const { return kind_; }
    bool isNull() const { return kind_ == Kind::kNull; }
    // Value of the kind asked for, else the neutral one (0, "", empty).
    int64_t asInteger() const;
    double asNumber() const;
    const std::string& asText() const { return text_; }
    const std::vector<JsonValue>& items() const { return items_; }
    // Member of an object; a null value when there is none.
    const JsonValue& operator[](std::string_view name) const;

    // Both return *this, which must be an array or an object.
    JsonValue& append(JsonValue item);
    JsonValue& set(std::string name, JsonValue value);

    // Two spaces an indent; small values stay on one line.
    std::string toText() const;
    // All on one line.
    std::string toCompactText() const;

private:
    void print(std::string& out, int indent) const;
    void printItems(std::string& out, int indent) const;
    void printCompact(std::string& out) const;

    Kind kind_ = Kind::kNull;
    int64_t integer_ = 0;
    double number_ = 0;
    std::string text_;
    std::vector<JsonValue> items_;
    std::vector<std::string> names_;  // of items_, in an object
};

// False with a message ("line 3: expected ':'") when the text is no JSON. Nesting deeper than 64 is refused.
bool parseJson(std::string_view text, JsonValue& value, std::string& error);

}  // namespace kiln
