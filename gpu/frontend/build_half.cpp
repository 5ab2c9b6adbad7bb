// cuda.fp16: functions of float16, computed in more bits and rounded once.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* half() {
    return floatType(16);
}

// The arguments as float16.
bool halves(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return false;
    }
    for (Value& argument : call.arguments) {
        argument = build.convert(argument, half());
    }
    return true;
}

}  // namespace

Value callHalfBinary(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? build.binary(call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfComparison(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? build.compare(call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfMath(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? build.mathCall(call.payload<MathFunction>(), call.arguments) : Value();
}

Value callHalfNegative(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? build.unary(call.node, UnaryOperator::kNegative, call[0]) : Value();
}

// The product of two float16 is a float64, and so, but for its last bits, is the sum.
Value callHalfFma(FunctionBuilder& build, Call& call) {
    if (!halves(build, call)) {
        return {};
    }
    const Type* wide = floatType(64);
    Value product = build.arithmetic(Op::kMultiply, build.convert(call[0], wide), build.convert(call[1], wide));
    return build.convert(build.arithmetic(Op::kAdd, product, build.convert(call[2], wide)), half());
}

Value callHalfExtremum(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? build.minimumOrMaximum(call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfPower(FunctionBuilder& build, Call& call) {
    const Type* wide = floatType(32);
    Value base = Value::constant(wide, bitsOf(call.payload<int>(), wide));
    return halves(build, call) ? build.convert(build.mathCall(MathFunction::kPower, {base, build.convert(call[0], wide)}), half()) : Value();
}

// 1 / f(x)
Value callHalfInverse(FunctionBuilder& build, Call& call) {
    if (!halves(build, call)) {
        return {};
    }
    const Type* wide = floatType(32);
    Value x = build.convert(call[0], wide);
    Value below = call.payload<MathFunction>() == MathFunction::kSqrt ? build.mathCall(MathFunction::kSqrt, {x}) : x;
    return build.convert(build.arithmetic(Op::kDivide, Value::constant(wide, bitsOf(1.0, wide)), below), half());
}

}  // namespace kiln::gpu
