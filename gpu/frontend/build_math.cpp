// math, the functions of NumPy that do the same, and operators that are called by their names.
#include "gpu/frontend/build_math.h"

#include <algorithm>

#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {

Value mathCall(FunctionBuilder& build, MathFunction function, const std::vector<Value>& arguments) {
    std::vector<const Type*> types;
    for (const Value& argument : arguments) {
        types.push_back(argument.type);
    }
    const Type* type = mathType(types.data(), types.size());
    if (type == floatType(16)) {
        std::vector<Value> wide;
        for (const Value& argument : arguments) {
            wide.push_back(convert(build, argument, floatType(32)));
        }
        Value result = mathCall(build, function, wide);
        return result.type->isBool() ? result : convert(build, result, type);
    }
    std::vector<ValueId> operands;
    for (const Value& argument : arguments) {
        operands.push_back(build.use(convert(build, argument, type)));
    }
    const Type* result = mathInfo(function).isPredicate ? scalarType(Scalar::kBool) : type;
    return build.emit(Op::kMath, result, operands, static_cast<uint32_t>(function));
}

void besideFloats(FunctionBuilder& build, Call& call) {
    const Type* most = nullptr;
    for (const Value& argument : call.arguments) {
        if (argument.isScalar() && (argument.type->isFloat() || argument.type->isComplex())) {
            const Type* type = argument.type->isComplex() ? partType(argument.type) : argument.type;
            most = most == nullptr || type->bits > most->bits ? type : most;
        }
    }
    for (Value& argument : call.arguments) {
        bool isNumber = argument.isScalar() && (argument.type->isInteger() || argument.type->isBool());
        if (isNumber && most != nullptr && most->bits > 16) {
            argument = convert(build, argument, most);
        }
    }
}

static bool isNarrowInteger(const Value& value) {
    return value.isScalar() && (value.type->isInteger() || value.type->isBool()) && value.type->bits <= 16;
}

// NumPy's promotion of narrow integers, without its float16.
static void singleWhereNarrow(FunctionBuilder& build, Call& call) {
    for (Value& argument : call.arguments) {
        argument = isNarrowInteger(argument) ? convert(build, argument, floatType(32)) : argument;
    }
}

Value callMath(FunctionBuilder& build, Call& call) {
    return requireScalars(build, call) ? mathCall(build, call.payload<MathFunction>(), call.arguments) : Value();
}

// Of functions that numba has by their signatures alone: where a float32 holds all arguments, it is what they are.
Value callSingleMath(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    bool isWhole = call.size() == 2 && (call[1].type == int32Type() || (call[1].type->isInteger() && call[1].type->bits <= 16));
    bool isWholePower = call.payload<MathFunction>() == MathFunction::kPower && isWhole &&
                        atLeastSingle(call[0].type) == floatType(32);  // (float32, int32) is one of them
    for (Value& argument : call.arguments) {
        argument = convert(build, argument, isWholePower ? floatType(32) : atLeastSingle(argument.type));
    }
    return mathCall(build, call.payload<MathFunction>(), call.arguments);
}

// Of functions that are not there for float16, and have a float64 for integers alone.
Value callFloatMath(FunctionBuilder& build, Call& call) {
    auto isFloat = [](const Value& argument) { return argument.isScalar() && argument.type->isFloat(); };
    bool isAny = std::any_of(call.arguments.begin(), call.arguments.end(), isFloat);
    return isAny ? callSingleMath(build, call) : callMath(build, call);
}

// NumPy's functions: integers take the type of a float beside them, and are float32s if they are narrow.
Value callUfuncMath(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    besideFloats(build, call);
    singleWhereNarrow(build, call);
    return mathCall(build, call.payload<MathFunction>(), call.arguments);
}

Value callDivide(FunctionBuilder& build, Call& call) {
    besideFloats(build, call);
    if (std::all_of(call.arguments.begin(), call.arguments.end(), isNarrowInteger)) {
        singleWhereNarrow(build, call);
    }
    return binary(build, call.node, Op::kDivide, call[0], call[1]);
}

// numpy.isnan and its kin, of complex numbers too: nan and infinite is what has a part that is, finite what has no other.
Value callFloatTest(FunctionBuilder& build, Call& call) {
    if (!call[0].isScalar() || !call[0].type->isComplex()) {
        return callMath(build, call);
    }
    Value tests[2];
    for (int part = 0; part < 2; part++) {
        Value value = part == 0 ? realPart(build, call[0]) : imaginaryPart(build, call[0]);
        tests[part] = mathCall(build, call.payload<MathFunction>(), {value});
    }
    bool isFinite = call.payload<MathFunction>() == MathFunction::kIsFinite;
    return arithmetic(build, isFinite ? Op::kAnd : Op::kOr, tests[0], tests[1]);
}

Value callLog(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    Value above = mathCall(build, MathFunction::kLog, {call[0]});
    return call.has(1) ? binary(build, call.node, Op::kDivide, above, mathCall(build, MathFunction::kLog, {call[1]}))
                       : above;
}

// degrees and radians: one multiplication.
Value callScaled(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    constexpr double kPi = 3.14159265358979323846;
    const Type* type = call[0].type == floatType(16) ? floatType(32) : mathType(&call[0].type, 1);
    double factor = call.payload<AnglePayload>() == kToDegrees ? 180.0 / kPi : kPi / 180.0;
    return arithmetic(build, Op::kMultiply, convert(build, call[0], type), Value::constant(type, bitsOf(factor, type)));
}

Value callUfuncScaled(FunctionBuilder& build, Call& call) {
    singleWhereNarrow(build, call);
    return callScaled(build, call);
}

Value callBinary(FunctionBuilder& build, Call& call) {
    return binary(build, call.node, call.payload<Op>(), call[0], call[1]);
}

// NumPy's functions of bits: the result is as wide as the operands.
Value callBitwise(FunctionBuilder& build, Call& call) {
    Value value = binary(build, call.node, call.payload<Op>(), call[0], call[1]);
    if (value.isPoison() || !value.isScalar() || !call[0].isScalar() || !call[1].isScalar()) {
        return value;
    }
    const Type* type = unifyScalars(call[0].type, call[1].type);
    bool isShift = call.payload<Op>() == Op::kShiftLeft || call.payload<Op>() == Op::kShiftRight;
    return type->isBool() ? convert(build, value, isShift ? intType(8, true) : type)
           : type->isInteger() ? convert(build, value, type)
                               : value;
}

Value callConjugate(FunctionBuilder& build, Call& call) {
    if (call[0].isScalar() && call[0].type->isComplex()) {
        return conjugate(build, call[0]);
    }
    bool isBool = call[0].isScalar() && call[0].type->isBool();
    return !requireScalars(build, call) ? Value() : isBool ? convert(build, call[0], intType(8, true)) : call[0];
}

Value callInvert(FunctionBuilder& build, Call& call) {
    Value value = unary(build, call.node, UnaryOperator::kInverse, call[0]);
    return value.isScalar() && call[0].isScalar() && call[0].type->isInteger() ? convert(build, value, call[0].type) : value;
}

Value callComparison(FunctionBuilder& build, Call& call) {
    auto op = call.payload<Op>();
    bool isOrder = op != Op::kEqual && op != Op::kNotEqual && call[0].isScalar() && call[1].isScalar();
    if (isOrder && (call[0].type->isComplex() || call[1].type->isComplex())) {  // which operators of Python's do not know
        const Type* type = unifyScalars(call[0].type, call[1].type);
        return complexOrder(build, op, convert(build, call[0], type), convert(build, call[1], type));
    }
    return compare(build, call.node, call.payload<Op>(), call[0], call[1]);
}

Value callUnary(FunctionBuilder& build, Call& call) {
    return unary(build, call.node, call.payload<UnaryOperator>(), call[0]);
}

// numpy.logical_and and its kin: of the truth of both.
Value callLogical(FunctionBuilder& build, Call& call) {
    Value left = truth(build, call[0], call.node);
    return arithmetic(build, call.payload<Op>(), left, truth(build, call[1], call.node));
}

Value callContains(FunctionBuilder& build, Call& call) {
    return contains(build, call.node, call[1], call[0]);
}

Value callGetItem(FunctionBuilder& build, Call& call) {
    return subscript(build, call.node, call[0], call[1]);
}

}  // namespace kiln::gpu
