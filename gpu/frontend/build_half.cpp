// cuda.fp16: functions of float16, computed in more bits and rounded once.
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_math.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

const Type* half() {
    return floatType(16);
}

// The arguments as float16.
bool halves(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return false;
    }
    for (Value& argument : call.arguments) {
        argument = convert(build, argument, half());
    }
    return true;
}

}  // namespace

Value callHalfBinary(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? binary(build, call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfComparison(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? compare(build, call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfMath(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? mathCall(build, call.payload<MathFunction>(), call.arguments) : Value();
}

Value callHalfNegative(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? unary(build, call.node, UnaryOperator::kNegative, call[0]) : Value();
}

// The product of two float16 is a float64, and so, but for its last bits, is the sum.
Value callHalfFma(FunctionBuilder& build, Call& call) {
    if (!halves(build, call)) {
        return {};
    }
    const Type* wide = floatType(64);
    Value product = arithmetic(build, Op::kMultiply, convert(build, call[0], wide), convert(build, call[1], wide));
    return convert(build, arithmetic(build, Op::kAdd, product, convert(build, call[2], wide)), half());
}

Value callHalfExtremum(FunctionBuilder& build, Call& call) {
    return halves(build, call) ? minimumOrMaximum(build, call.node, call.payload<Op>(), call[0], call[1]) : Value();
}

Value callHalfPower(FunctionBuilder& build, Call& call) {
    const Type* wide = floatType(32);
    Value base = Value::constant(wide, bitsOf(call.payload<int>(), wide));
    return halves(build, call)
               ? convert(build, mathCall(build, MathFunction::kPower, {base, convert(build, call[0], wide)}), half())
               : Value();
}

// 1 / f(x)
Value callHalfInverse(FunctionBuilder& build, Call& call) {
    if (!halves(build, call)) {
        return {};
    }
    const Type* wide = floatType(32);
    Value x = convert(build, call[0], wide);
    Value below = call.payload<MathFunction>() == MathFunction::kSqrt ? mathCall(build, MathFunction::kSqrt, {x}) : x;
    return convert(build, arithmetic(build, Op::kDivide, Value::constant(wide, bitsOf(1.0, wide)), below), half());
}

}  // namespace kiln::gpu
