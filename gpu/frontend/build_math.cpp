// math, the functions of NumPy that do the same, and operators that are called by their names.
#include "gpu/frontend/build_math.h"
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

Value callMath(FunctionBuilder& build, Call& call) {
    return requireScalars(build, call) ? mathCall(build, call.payload<MathFunction>(), call.arguments) : Value();
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
    const Type* type = mathType(&call[0].type, 1);
    double factor = call.payload<AnglePayload>() == kToDegrees ? 180.0 / kPi : kPi / 180.0;
    return arithmetic(build, Op::kMultiply, convert(build, call[0], type), Value::constant(type, bitsOf(factor, type)));
}

Value callBinary(FunctionBuilder& build, Call& call) {
    return binary(build, call.node, call.payload<Op>(), call[0], call[1]);
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
