// Strings: constants, which Python computes with, and elements of NumPy's types S and U, whose codes kernels go through.
#include "gpu/frontend/build_text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_records.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

bool isElement(const Value& value) {
    return value.isRecord() && value.type->element->isText;
}

// Of bytes, 8; of characters, 32; of anything else, 0.
int codeBits(const Value& value) {
    if (isElement(value)) {
        return value.type->element->fields[0].type->bits;
    }
    Ref<> object = constantText(value);
    return !object ? 0 : PyBytes_Check(object.get()) ? 8 : 32;
}

bool areOfOneKind(const Value& first, const Value& second) {
    return isText(first) && codeBits(first) == codeBits(second);
}

// How many codes it has room for.
int64_t capacityOf(const Value& text) {
    if (isElement(text)) {
        return text.type->element->fields[0].shape[0];
    }
    Ref<> object = constantText(text);
    Py_ssize_t size = object ? PyObject_Size(object.get()) : 0;
    return size > 0 ? size : 1;
}

// The codes of a constant in so many places, the last of which are zeros.
std::string codesIn(const Value& constant, int64_t places) {
    Ref<> object = constantText(constant);
    auto size = static_cast<size_t>(PyObject_Size(object.get()));
    auto bytes = static_cast<size_t>(codeBits(constant) / 8);
    std::string codes(static_cast<size_t>(places) * bytes, '\0');
    for (size_t i = 0; i < size && i < static_cast<size_t>(places); i++) {
        auto at = static_cast<Py_ssize_t>(i);
        Py_UCS4 code = bytes == 1 ? static_cast<uint8_t>(PyBytes_AS_STRING(object.get())[i])
                                  : PyUnicode_READ_CHAR(object.get(), at);
        std::memcpy(&codes[i * bytes], &code, bytes);
    }
    return codes;
}

Value codesOf(FunctionBuilder& build, const Value& text) {
    if (isElement(text)) {
        return viewOfField(build, text, text.type->element->fields[0]);
    }
    StaticArray array;
    int64_t places = capacityOf(text);
    array.type = arrayType(intType(codeBits(text), false), 1, Layout::kC, Space::kGlobal, true);
    array.shape = {places};
    array.bytes = codesIn(text, places);
    return constantOf(build, std::move(array), build.statement());
}

// One of the functions of numba.cuda.charseq.
Value callWritten(FunctionBuilder& build, const Node& node, const std::string& name,
                  const std::vector<Value>& arguments) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.cuda.charseq"));
    Ref<> functions = Ref<>::steal(module ? PyObject_GetAttrString(module.get(), "FUNCTIONS") : nullptr);
    Ref<> dispatcher = Ref<>::steal(functions ? PyMapping_GetItemString(functions.get(), name.c_str()) : nullptr);
    Ref<> function = Ref<>::steal(dispatcher ? PyObject_GetAttrString(dispatcher.get(), "py_func") : nullptr);
    if (!function) {
        return build.fail(node, takeMessage());
    }
    build.module().kept.push_back(function);
    return callDevice(build, node, function.get(), arguments);
}

// What Python makes of constants; poison where they are none, or it raises.
Value ofOperator(FunctionBuilder& build, const Node& node, const char* name, const Value& left, const Value& right) {
    Ref<> first = constantObject(left);
    Ref<> second = first ? constantObject(right) : Ref<>();
    Ref<> module = Ref<>::steal(second ? PyImport_ImportModule("operator") : nullptr);
    Ref<> result =
        Ref<>::steal(module ? PyObject_CallMethod(module.get(), name, "OO", first.get(), second.get()) : nullptr);
    PyErr_Clear();
    return result ? valueOfObject(build, std::move(result), node) : Value();
}

const char* nameOf(Op op) {
    switch (op) {
    case Op::kEqual: return "eq";
    case Op::kNotEqual: return "ne";
    case Op::kLess: return "lt";
    case Op::kLessEqual: return "le";
    case Op::kGreater: return "gt";
    default: return "ge";
    }
}

// The place of a character; negative ones count from the string's end.
Value positionIn(FunctionBuilder& build, const Node& node, const Value& codes, const Value& index) {
    Value at = convert(build, index, int64Type());
    bool isPlain = index.type->isUnsigned() || index.type->isBool() || (index.isConstant && index.bits >= 0);
    return isPlain ? at : callWritten(build, node, "position", {codes, at});
}

// 98 for b"abc"[1], and "b" for "abc"[1].
Value characterAt(FunctionBuilder& build, const Node& node, const Value& text, const Value& index) {
    Value codes = codesOf(build, text);
    Value at = build.failed() ? Value() : positionIn(build, node, codes, index);
    if (at.isPoison()) {
        return at;
    }
    if (codeBits(text) == 8) {
        return convert(build, loadAt(build, codes, {at}), int64Type());
    }
    return makeView(build, codes, arrayType(textType(32, 1), 0, Layout::kC, codes.type->space, codes.type->readonly),
                    {{at}, {}, {}});
}

// The object of a slice too.
Ref<> indexObject(const Value& index) {
    if (index.kind != ValueKind::kSlice) {
        return constantObject(index);
    }
    Ref<> parts = constantObject(Value::tuple(index.items));
    return Ref<>::steal(parts ? PySlice_New(PyTuple_GET_ITEM(parts.get(), 0), PyTuple_GET_ITEM(parts.get(), 1),
                                            PyTuple_GET_ITEM(parts.get(), 2))
                              : nullptr);
}

}  // namespace

Ref<> constantObject(const Value& value) {
    switch (value.kind) {
    case ValueKind::kNone: return Ref<>::borrow(Py_None);
    case ValueKind::kText: return exactString(value.text);
    case ValueKind::kObject: return value.object;
    case ValueKind::kTuple: {
        Ref<> tuple = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(value.items.size())));
        for (size_t i = 0; tuple && i < value.items.size(); i++) {
            Ref<> item = constantObject(value.items[i]);
            if (!item) {
                return {};
            }
            PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item.release());
        }
        return tuple;
    }
    case ValueKind::kMember: {
        Ref<> known = constantObject(value.items[0]);
        return Ref<>::steal(known ? PyObject_CallOneArg(value.object.get(), known.get()) : nullptr);
    }
    case ValueKind::kScalar: break;
    default: return {};
    }
    if (!value.isConstant) {
        return {};
    }
    if (value.type->isFloat()) {
        return Ref<>::steal(PyFloat_FromDouble(floatOf(value.bits, value.type)));
    }
    if (value.type->isBool()) {
        return Ref<>::borrow(value.bits != 0 ? Py_True : Py_False);
    }
    return Ref<>::steal(value.type->isUnsigned() ? PyLong_FromUnsignedLongLong(static_cast<uint64_t>(value.bits))
                                                 : PyLong_FromLongLong(value.bits));
}

bool isText(const Value& value) {
    return value.kind == ValueKind::kText || isElement(value) ||
           (value.kind == ValueKind::kObject && PyBytes_Check(value.object.get()));
}

Ref<> constantText(const Value& value) {
    return isText(value) ? constantObject(value) : Ref<>();
}

const Type* commonText(const Value& first, const Value& second) {
    if (!areOfOneKind(first, second)) {
        return nullptr;
    }
    constexpr uint64_t kUsual = 64;  // so that one type has room for most constants
    int64_t most = std::max(capacityOf(first), capacityOf(second));
    bool areConstants = !isElement(first) && !isElement(second);
    int64_t places =
        areConstants ? static_cast<int64_t>(std::max(kUsual, std::bit_ceil(static_cast<uint64_t>(most)))) : most;
    bool fit =
        (!isElement(first) || capacityOf(first) == places) && (!isElement(second) || capacityOf(second) == places);
    return fit ? arrayType(textType(codeBits(first), places), 0, Layout::kC, Space::kGlobal, true) : nullptr;
}

Value textRecord(FunctionBuilder& build, const Value& constant, const Type* type) {
    StaticArray array;
    array.type = arrayType(type->element, 1, Layout::kC, Space::kGlobal, true);
    array.shape = {1};
    array.bytes = codesIn(constant, type->element->fields[0].shape[0]);
    Value one = constantOf(build, std::move(array), build.statement());
    return build.failed() ? Value() : makeView(build, one, type, {{Value::integer(0)}, {}, {}});
}

Value textBinary(FunctionBuilder& build, const Node& node, const char* name, const Value& left, const Value& right) {
    return ofOperator(build, node, name, left, right);
}

Value compareTexts(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    for (const auto& [text, object] : {std::pair(left, right), std::pair(right, left)}) {  // an array's dtype beside a type
        const Type* type = text.kind == ValueKind::kText && object.kind == ValueKind::kObject ? typeNamedBy(object) : nullptr;
        if (type != nullptr && (op == Op::kEqual || op == Op::kNotEqual)) {
            return Value::constant(scalarType(Scalar::kBool), (type->name == text.text) == (op == Op::kEqual));
        }
    }
    Value known = ofOperator(build, node, nameOf(op), left, right);
    if (!known.isPoison() || build.failed()) {
        return known;
    }
    for (const Value& made : {left, right}) {
        if (made.kind == ValueKind::kJoined) {
            return build.fail(node, describe(made) + " cannot be compared in kernels, which print it only", "UnsupportedError");
        }
    }
    if (!isText(left) || !isText(right)) {
        bool isEquality = op == Op::kEqual || op == Op::kNotEqual;
        return isEquality ? Value::constant(scalarType(Scalar::kBool), op == Op::kNotEqual) : Value();
    }
    if (!areOfOneKind(left, right)) {
        return build.fail(node, describe(left) + " and " + describe(right) +
                                    " cannot be compared: one is of characters, the other of bytes");
    }
    Value a = codesOf(build, left);
    Value b = codesOf(build, right);
    if (build.failed()) {
        return {};
    }
    bool isTurned = op == Op::kGreater || op == Op::kLessEqual;
    bool isOpposite = op == Op::kNotEqual || op == Op::kLessEqual || op == Op::kGreaterEqual;
    const char* function = op == Op::kEqual || op == Op::kNotEqual ? "equal" : "less";
    Value result = callWritten(build, node, function, {isTurned ? b : a, isTurned ? a : b});
    return isOpposite ? unary(build, node, UnaryOperator::kNot, result) : result;
}

Value textContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& text) {
    Value known = ofOperator(build, node, "contains", text, item);
    if (!known.isPoison() || build.failed()) {
        return known;
    }
    if (!areOfOneKind(text, item)) {
        return build.fail(node, describe(item) + " cannot be in " + describe(text));
    }
    Value codes = codesOf(build, text);
    Value wanted = codesOf(build, item);
    return build.failed() ? Value() : callWritten(build, node, "contains", {codes, wanted});
}

Value textLength(FunctionBuilder& build, const Node& node, const Value& text) {
    Ref<> known = constantText(text);
    return known ? Value::integer(PyObject_Size(known.get()))
                 : callWritten(build, node, "length", {codesOf(build, text)});
}

Value textItem(FunctionBuilder& build, const Node& node, const Value& text, const Value& index) {
    Ref<> known = constantText(text);
    Ref<> at = known ? indexObject(index) : Ref<>();
    if (at) {
        Ref<> item = Ref<>::steal(PyObject_GetItem(known.get(), at.get()));
        return item ? valueOfObject(build, std::move(item), node) : build.fail(node, takeMessage(), "IndexError");
    }
    bool isIndex = index.isScalar() && (index.type->isInteger() || index.type->isBool());
    return isIndex ? characterAt(build, node, text, index)
                   : build.fail(node, "a part of " + describe(text) + " is a new string, which kernels cannot make",
                                "UnsupportedError");
}

Value textItems(FunctionBuilder& build, const Node& node, const Value& text) {
    Ref<> known = constantText(text);
    Ref<> items = Ref<>::steal(known ? PySequence_Tuple(known.get()) : nullptr);
    PyErr_Clear();
    return items ? valueOfObject(build, std::move(items), node) : Value();
}

Value callTextMethod(FunctionBuilder& build, const Node& node, const Value& text, const std::string& name,
                     const std::vector<Value>& arguments) {
    static const std::map<std::string, size_t> kWritten = {
        {"endswith", 1}, {"find", 1}, {"isascii", 0}, {"rfind", 1}, {"startswith", 1}};
    Ref<> known = constantText(text);
    Ref<> given = known ? constantObject(Value::tuple(arguments)) : Ref<>();
    if (given && node.list(2).empty()) {
        Ref<> method = Ref<>::steal(PyObject_GetAttrString(known.get(), name.c_str()));
        Ref<> result = Ref<>::steal(method ? PyObject_CallObject(method.get(), given.get()) : nullptr);
        return result ? valueOfObject(build, std::move(result), node) : build.fail(node, takeMessage());
    }
    auto row = kWritten.find(name);
    bool fits = row != kWritten.end() && arguments.size() == row->second && node.list(2).empty();
    std::vector<Value> codes = {text};
    codes.insert(codes.end(), arguments.begin(), arguments.end());
    for (Value& part : codes) {
        fits = fits && areOfOneKind(part, text);
        part = fits ? codesOf(build, part) : Value();
    }
    if (!fits) {
        return build.fail(node, describe(text) + " has no method '" + name + "' in kernels with these arguments",
                          "UnsupportedError");
    }
    return build.failed() ? Value() : callWritten(build, node, name, codes);
}

void assignText(FunctionBuilder& build, const Node& node, const Value& to, const Value& from) {
    if (!areOfOneKind(from, to)) {
        build.fail(node, describe(from) + " cannot be assigned to " + describe(to));
        return;
    }
    Value target = codesOf(build, to);
    Value source = codesOf(build, from);
    if (!build.failed()) {
        callWritten(build, node, "assign", {target, source});
    }
}

// ord(c)
Value callOrd(FunctionBuilder& build, Call& call) {
    Ref<> known = constantText(call[0]);
    if (known && PyObject_Size(known.get()) == 1) {
        bool isBytes = PyBytes_Check(known.get());
        return Value::integer(isBytes ? static_cast<uint8_t>(PyBytes_AS_STRING(known.get())[0])
                                      : PyUnicode_READ_CHAR(known.get(), 0));
    }
    if (known || !isText(call[0])) {
        return build.fail(call.node, "ord takes one character, and this is " + describe(call[0]));
    }
    return convert(build, loadAt(build, codesOf(build, call[0]), {Value::integer(0)}), int64Type());
}

// str(x): of strings, and of constants.
Value callStr(FunctionBuilder& build, Call& call) {
    if (codeBits(call[0]) == 32) {
        return call[0];
    }
    Ref<> known = constantObject(call[0]);
    bool isPlain = known && call[0].kind != ValueKind::kObject;
    Ref<> text = Ref<>::steal(isPlain ? PyObject_Str(known.get()) : nullptr);
    PyErr_Clear();
    return text ? valueOfObject(build, std::move(text), call.node)
                : build.fail(call.node, "str makes a new string of " + describe(call[0]) + ", which kernels cannot",
                             "UnsupportedError");
}

}  // namespace kiln::gpu
