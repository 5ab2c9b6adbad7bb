// Python's builtin functions in kernels.
#include <algorithm>
#include <cstdint>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value FunctionBuilder::callAbs(const Node& node, std::vector<Value>& arguments) {
    if (arguments.size() == 1 && arguments[0].isScalar() && arguments[0].type->isComplex()) {
        return magnitude(arguments[0]);
    }
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    const Value& value = arguments[0];
    if (value.type->isUnsigned() || value.type->isBool()) {
        return value;
    }
    return emit(Op::kAbsolute, value.type, {use(value)});
}

Value FunctionBuilder::callBool(const Node& node, std::vector<Value>& arguments) {
    return expect(node, arguments, 1, 1) ? truth(arguments[0], node) : Value();
}

Value FunctionBuilder::callInt(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    return arguments[0].type->isInteger() ? arguments[0] : convert(arguments[0], scalarType(Scalar::kInt64));
}

Value FunctionBuilder::callFloat(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    return arguments[0].type->isFloat() ? arguments[0] : convert(arguments[0], scalarType(Scalar::kFloat64));
}

Value FunctionBuilder::callDivmod(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 2, 2)) {
        return {};
    }
    Value quotient = buildBinary(node, "FloorDiv", arguments[0], arguments[1]);
    return Value::tuple({quotient, buildBinary(node, "Mod", arguments[0], arguments[1])});
}

Value FunctionBuilder::callLen(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1)) {
        return {};
    }
    Value length = lengthOf(arguments[0]);
    return length.isPoison() ? fail(node, describe(arguments[0]) + " has no length") : length;
}

namespace {

// min(tuple) is min(*tuple).
void unpackOne(std::vector<Value>& arguments) {
    if (arguments.size() == 1 && arguments[0].kind == ValueKind::kTuple) {
        std::vector<Value> items = arguments[0].items;
        arguments = std::move(items);
    }
}

}  // namespace

Value FunctionBuilder::callMax(const Node& node, std::vector<Value>& arguments) {
    unpackOne(arguments);
    if (!expect(node, arguments, 1, 64)) {
        return {};
    }
    Value result = arguments[0];
    for (size_t i = 1; i < arguments.size(); i++) {
        result = minimumOrMaximum(node, Op::kMaximum, result, arguments[i]);
    }
    return result;
}

Value FunctionBuilder::callMin(const Node& node, std::vector<Value>& arguments) {
    unpackOne(arguments);
    if (!expect(node, arguments, 1, 64)) {
        return {};
    }
    Value result = arguments[0];
    for (size_t i = 1; i < arguments.size(); i++) {
        result = minimumOrMaximum(node, Op::kMinimum, result, arguments[i]);
    }
    return result;
}

Value FunctionBuilder::callPow(const Node& node, std::vector<Value>& arguments) {
    return expect(node, arguments, 2, 2) ? buildBinary(node, "Pow", arguments[0], arguments[1]) : Value();
}

// round(x): to even, an int64. round(x, n): a float, through a power of ten, as numba does it.
Value FunctionBuilder::callRound(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 2) || !scalars(node, arguments)) {
        return {};
    }
    const Value& value = arguments[0];
    if (!value.type->isFloat()) {
        return arguments.size() == 1 ? value : fail(node, "round with digits works on floats, and this is " + describe(value));
    }
    auto rint = static_cast<uint32_t>(MathFunction::kRint);
    if (arguments.size() == 1) {
        return convert(emit(Op::kMath, value.type, {use(value)}, rint), scalarType(Scalar::kInt64));
    }
    Value ten = Value::constant(scalarType(Scalar::kFloat64), bitsOf(10.0, scalarType(Scalar::kFloat64)));
    Value scale = convert(buildPower(node, ten, arguments[1]), value.type);
    Value scaled = arithmetic(Op::kMultiply, value, scale);
    return arithmetic(Op::kDivide, emit(Op::kMath, value.type, {use(scaled)}, rint), scale);
}

Value FunctionBuilder::callRange(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 3) || !scalars(node, arguments)) {
        return {};
    }
    std::vector<const Type*> types;
    for (const Value& argument : arguments) {
        if (argument.type->isFloat()) {
            return fail(node, "range needs integers, and this is " + describe(argument));
        }
        types.push_back(argument.type);
    }
    const Type* type = rangeType(types.data(), types.size());
    Value start = arguments.size() > 1 ? arguments[0] : Value::integer(0);
    Value step = arguments.size() > 2 ? arguments[2] : Value::integer(1);
    Value range = Value::ofKind(ValueKind::kRange);
    for (const Value& part : {start, arguments.size() > 1 ? arguments[1] : arguments[0], step}) {
        range.items.push_back(part.isConstant ? Value::constant(type, part.bits) : convert(part, type));
    }
    return range;
}

Value FunctionBuilder::callEnumerate(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 2)) {
        return {};
    }
    Value start = arguments.size() > 1 ? convert(arguments[1], scalarType(Scalar::kInt64)) : Value::integer(0);
    if (arguments[0].kind == ValueKind::kTuple) {
        Value pairs = Value::tuple({});
        for (size_t i = 0; i < arguments[0].items.size(); i++) {
            Value position = arithmetic(Op::kAdd, start, Value::integer(static_cast<int64_t>(i)));
            pairs.items.push_back(Value::tuple({position, arguments[0].items[i]}));
        }
        return pairs;
    }
    Value result = Value::ofKind(ValueKind::kEnumerate);
    result.items = {arguments[0], start};
    return result;
}

Value FunctionBuilder::callZip(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 16)) {
        return {};
    }
    size_t shortest = SIZE_MAX;
    bool allTuples = true;
    for (const Value& argument : arguments) {
        allTuples = allTuples && argument.kind == ValueKind::kTuple;
        shortest = std::min(shortest, argument.items.size());
    }
    if (allTuples) {
        Value rows = Value::tuple({});
        for (size_t i = 0; i < shortest; i++) {
            rows.items.push_back(Value::tuple({}));
            for (const Value& argument : arguments) {
                rows.items.back().items.push_back(argument.items[i]);
            }
        }
        return rows;
    }
    Value result = Value::ofKind(ValueKind::kZip);
    result.items = arguments;
    return result;
}

Value FunctionBuilder::callTuple(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1)) {
        return {};
    }
    bool isTuple = arguments[0].kind == ValueKind::kTuple;
    return isTuple ? arguments[0] : fail(node, describe(arguments[0]) + " cannot become a tuple: its length is not known");
}

Value FunctionBuilder::callSlice(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 3)) {
        return {};
    }
    Value slice = Value::ofKind(ValueKind::kSlice);
    Value none = Value::none();
    slice.items = {arguments.size() > 1 ? arguments[0] : none, arguments.size() > 1 ? arguments[1] : arguments[0],
                   arguments.size() > 2 ? arguments[2] : none};
    return slice;
}

// The parts are separated by spaces and end with a newline.
Value FunctionBuilder::callPrint(const Node& node, std::vector<Value>& arguments) {
    std::vector<PrintPart> parts;
    std::vector<ValueId> operands;
    std::function<bool(const Value&)> add = [&](const Value& value) {
        if (value.isScalar() && value.type->isComplex()) {
            return false;
        }
        if (value.isScalar()) {
            parts.push_back({"", true});
            operands.push_back(use(value));
            return true;
        }
        if (value.kind == ValueKind::kTuple) {
            parts.push_back({"(", false});
            for (size_t i = 0; i < value.items.size(); i++) {
                parts.push_back({i > 0 ? ", " : "", false});
                if (!add(value.items[i])) {
                    return false;
                }
            }
            parts.push_back({value.items.size() == 1 ? ",)" : ")", false});
            return true;
        }
        if (isGeometry(value)) {
            return add(Value::tuple({geometryPart(value, 0), geometryPart(value, 1), geometryPart(value, 2)}));
        }
        parts.push_back({value.isNone() ? "None" : value.text, false});
        return value.isNone() || value.kind == ValueKind::kText;
    };
    for (size_t i = 0; i < arguments.size(); i++) {
        parts.push_back({i > 0 ? " " : "", false});
        if (!add(arguments[i])) {
            return fail(node, "print cannot show " + describe(arguments[i]));
        }
    }
    parts.push_back({"\n", false});
    emitRaw(Op::kPrint, nullptr, operands, static_cast<uint32_t>(function().prints.size()));
    function().prints.push_back(parts);
    return Value::none();
}

}  // namespace kiln::gpu
