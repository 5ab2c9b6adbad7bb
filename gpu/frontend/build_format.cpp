// f-strings: Python makes those of constants, printf shows numbers in those that are printed.
#include "gpu/frontend/build_format.h"

#include <optional>

#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/compile_kernel.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// format(object, spec), after what "!r", "!s" or "!a" asks for. Null with an exception.
Ref<> formatted(PyObject* object, PyObject* conversion, PyObject* spec) {
    long kind = PyLong_AsLong(conversion);
    auto* convert = kind == 'r' ? PyObject_Repr : kind == 's' ? PyObject_Str : kind == 'a' ? PyObject_ASCII : nullptr;
    Ref<> shown = convert != nullptr ? Ref<>::steal(convert(object)) : Ref<>::borrow(object);
    return Ref<>::steal(shown ? PyObject_Format(shown.get(), spec) : nullptr);
}

// Python's specification as printf's format, where both show the same: [<>][+ ][0][width][.precision][type]. Nothing for another one.
// `isFloat` becomes true where it shows an integer as a float.
std::optional<std::string> printfFormat(const std::string& spec, const Type* type, bool& isFloat) {
    constexpr const char* kDigits = "0123456789";
    size_t at = 0;
    std::string format = "%";
    bool isAligned = at < spec.size() && (spec[at] == '<' || spec[at] == '>');
    if (isAligned) {
        format += spec[at++] == '<' ? "-" : "";
    }
    bool hasSign = at < spec.size() && (spec[at] == '+' || spec[at] == ' ');
    if (hasSign) {
        format += spec[at++];
    }
    if (isAligned && at < spec.size() && spec[at] == '0') {
        return std::nullopt;
    }
    size_t end = std::min(spec.find_first_not_of(kDigits, at), spec.size());
    format += spec.substr(at, end - at);
    bool isPrecise = end < spec.size() && spec[end] == '.';
    if (isPrecise) {
        at = end;
        end = std::min(spec.find_first_not_of(kDigits, at + 1), spec.size());
        format += spec.substr(at, end - at);
        isPrecise = end > at + 1;
    }
    std::string kind = spec.substr(end);
    bool showsFloat = kind.size() == 1 && std::string("fFeEgG").find(kind) != std::string::npos;
    bool isPlain = kind.empty() && !isPrecise;
    isFloat = type->isFloat() || showsFloat;
    if (isFloat) {
        bool fits = showsFloat || isPlain;
        return fits ? std::optional(format + (kind.empty() ? "f" : kind)) : std::nullopt;
    }
    bool isHex = (kind == "x" || kind == "X" || kind == "o") && type->isUnsigned();
    if (isPrecise || (kind != "d" && !kind.empty() && !isHex) || (hasSign && type->isUnsigned())) {
        return std::nullopt;
    }
    return format + "ll" + (isHex ? kind : type->isUnsigned() ? "u" : "d");
}

// One part that is no constant.
Value formattedNumber(FunctionBuilder& build, const Node& node, const Value& given, const std::string& spec) {
    Value value = widened(build, given);
    bool isNumber = value.isScalar() && (value.type->isInteger() || value.type->isFloat() || value.type->isBool());
    if (spec.empty()) {
        return Value::tuple({value, Value::ofText("")});
    }
    bool isFloat = false;
    std::optional<std::string> format =
        isNumber && !value.type->isBool() ? printfFormat(spec, value.type, isFloat) : std::nullopt;
    if (!format) {
        return build.fail(node, "kernels cannot show " + describe(value) + " as '" + spec + "'", "UnsupportedError");
    }
    return Value::tuple(
        {isFloat ? convert(build, value, scalarType(Scalar::kFloat64)) : value, Value::ofText(*format)});
}

Value buildPart(FunctionBuilder& build, const Node& node) {
    if (node.kind != NodeKind::kFormattedValue) {
        return buildExpression(build, node);
    }
    Value value = buildMaybe(build, *node.child(0));
    Value spec = node.child(1) != nullptr ? buildExpression(build, *node.child(1)) : Value::ofText("");
    Ref<> how = build.failed() ? Ref<>() : constantText(spec);
    if (!how || value.isPoison()) {
        return build.failed() || value.isPoison() || spec.isPoison()
                   ? Value()
                   : build.fail(node, "the format must be a constant");
    }
    if (Ref<> known = constantObject(value)) {
        Ref<> text = formatted(known.get(), node.constant.get(), how.get());
        return text ? valueOfObject(build, std::move(text), node) : build.fail(node, takeMessage());
    }
    return formattedNumber(build, node, plain(value), textOrEmpty(how.get()));
}

}  // namespace

Value buildJoined(FunctionBuilder& build, const Node& node) {
    Value joined = Value::ofKind(ValueKind::kJoined);
    Ref<> known = Ref<>::steal(PyUnicode_FromString(""));
    for (const auto& part : node.list(0)) {
        Value value = buildPart(build, *part);
        if (value.isPoison()) {
            return value;
        }
        Ref<> text = known ? constantText(value) : Ref<>();
        known = text ? Ref<>::steal(PyUnicode_Concat(known.get(), text.get())) : Ref<>();
        joined.items.push_back(std::move(value));
    }
    return known ? valueOfObject(build, std::move(known), node) : joined;
}

}  // namespace kiln::gpu
