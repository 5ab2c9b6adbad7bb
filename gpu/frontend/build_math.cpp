// math, the functions of NumPy that do the same, and operators that are called by their names.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// In float32 if all numbers are, else in float64.
Value FunctionBuilder::mathCall(MathFunction function, const std::vector<Value>& arguments) {
    std::vector<const Type*> types;
    for (const Value& argument : arguments) {
        types.push_back(argument.type);
    }
    const Type* type = mathType(types.data(), types.size());
    if (type == floatType(16)) {
        std::vector<Value> wide;
        for (const Value& argument : arguments) {
            wide.push_back(convert(argument, floatType(32)));
        }
        Value result = mathCall(function, wide);
        return result.type->isBool() ? result : convert(result, type);
    }
    std::vector<ValueId> operands;
    for (const Value& argument : arguments) {
        operands.push_back(use(convert(argument, type)));
    }
    const Type* result = mathInfo(function).isPredicate ? scalarType(Scalar::kBool) : type;
    return emit(Op::kMath, result, operands, static_cast<uint32_t>(function));
}

Value callMath(FunctionBuilder& build, Call& call) {
    return build.scalars(call) ? build.mathCall(call.payload<MathFunction>(), call.arguments) : Value();
}

Value callLog(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    Value above = build.mathCall(MathFunction::kLog, {call[0]});
    return call.has(1) ? build.binary(call.node, Op::kDivide, above, build.mathCall(MathFunction::kLog, {call[1]}))
                       : above;
}

// degrees and radians: one multiplication.
Value callScaled(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    constexpr double kPi = 3.14159265358979323846;
    const Type* type = mathType(&call[0].type, 1);
    double factor = call.payload<AnglePayload>() == kToDegrees ? 180.0 / kPi : kPi / 180.0;
    return build.arithmetic(Op::kMultiply, build.convert(call[0], type), Value::constant(type, bitsOf(factor, type)));
}

Value callBinary(FunctionBuilder& build, Call& call) {
    return build.binary(call.node, call.payload<Op>(), call[0], call[1]);
}

Value callComparison(FunctionBuilder& build, Call& call) {
    return build.compare(call.node, call.payload<Op>(), call[0], call[1]);
}

Value callUnary(FunctionBuilder& build, Call& call) {
    return build.unary(call.node, call.payload<UnaryOperator>(), call[0]);
}

// numpy.logical_and and its kin: of the truth of both.
Value callLogical(FunctionBuilder& build, Call& call) {
    Value left = build.truth(call[0], call.node);
    return build.arithmetic(call.payload<Op>(), left, build.truth(call[1], call.node));
}

Value callContains(FunctionBuilder& build, Call& call) {
    return build.contains(call.node, call[1], call[0]);
}

Value callGetItem(FunctionBuilder& build, Call& call) {
    return build.item(call.node, call[0], call[1]);
}

}  // namespace kiln::gpu
