// bfloat16: the upper half of a float32, in which its arithmetic is done and rounded once: a float32 has so many more bits that the
// first rounding does not matter.
#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_math.h"
#include "gpu/frontend/build_operators.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kQuietNan = 0x7fff;

Value wordOf(int64_t bits) {
    return Value::constant(uint32Type(), bits);
}

// To the nearest, a tie to the even one.
Value narrowed(FunctionBuilder& build, const Value& number) {
    Value bits = build.emit(Op::kBitcast, uint32Type(), {build.use(number)});
    Value last = arithmetic(build, Op::kAnd, arithmetic(build, Op::kShiftRight, bits, wordOf(16)), wordOf(1));
    Value sum = arithmetic(build, Op::kAdd, arithmetic(build, Op::kAdd, bits, wordOf(0x7fff)), last);
    Value rounded = arithmetic(build, Op::kShiftRight, sum, wordOf(16));
    Value result = select(build, compared(build, Op::kNotEqual, number, number), wordOf(kQuietNan), rounded);
    return build.emit(Op::kConvert, brainType(), {build.use(result)});
}

// A float64 as a float32 that is rounded to odd: it tells on which side of a tie the number was.
Value oddOf(FunctionBuilder& build, const Value& number) {
    const Type* narrow = floatType(32);
    Value near = convert(build, number, narrow);
    Value back = convert(build, near, number.type);
    Value bits = build.emit(Op::kBitcast, uint32Type(), {build.use(near)});
    Value isEven = compared(build, Op::kEqual, arithmetic(build, Op::kAnd, bits, wordOf(1)), wordOf(0));
    Value isLess = compared(build, Op::kLess, mathCall(build, MathFunction::kFabs, {back}),
                            mathCall(build, MathFunction::kFabs, {number}));
    Value isMore = compared(build, Op::kGreater, mathCall(build, MathFunction::kFabs, {back}),
                            mathCall(build, MathFunction::kFabs, {number}));
    Value up =
        select(build, arithmetic(build, Op::kAnd, isEven, isLess), arithmetic(build, Op::kAdd, bits, wordOf(1)), bits);
    Value odd = select(build, arithmetic(build, Op::kAnd, isEven, isMore),
                       arithmetic(build, Op::kSubtract, bits, wordOf(1)), up);
    return build.emit(Op::kBitcast, narrow, {build.use(odd)});
}

// An integer as a float64 that is rounded to odd.
Value oddOfInteger(FunctionBuilder& build, const Value& number) {
    const Type* wide = floatType(64);
    if (number.type->bits < 64) {
        return convert(build, number, wide);
    }
    constexpr int64_t kExact = int64_t(1) << 53;
    constexpr int64_t kLost = 2047;
    auto constant = [&](int64_t bits) { return Value::constant(number.type, bits); };
    Value hasMore = compared(build, Op::kNotEqual, arithmetic(build, Op::kAnd, number, constant(kLost)), constant(0));
    Value sticky = select(build, hasMore, constant(kLost + 1), constant(0));
    Value odd = arithmetic(build, Op::kOr, arithmetic(build, Op::kAnd, number, constant(~kLost)), sticky);
    Value fits = compared(build, Op::kLess, number, constant(kExact));
    if (number.type->isSigned()) {
        fits = arithmetic(build, Op::kAnd, fits, compared(build, Op::kGreater, number, constant(-kExact)));
    }
    return convert(build, select(build, fits, number, odd), wide);
}

}  // namespace

Value widened(FunctionBuilder& build, const Value& value) {
    if (!value.isScalar() || !value.type->isBrain()) {
        return value;
    }
    Value bits = build.emit(Op::kConvert, uint32Type(), {build.use(value)});
    return build.emit(Op::kBitcast, floatType(32), {build.use(arithmetic(build, Op::kShiftLeft, bits, wordOf(16)))});
}

Value convertBrain(FunctionBuilder& build, const Value& value, const Type* type) {
    if (!type->isBrain()) {
        return convert(build, widened(build, value), type);
    }
    if (value.type->isComplex() || value.type->isTime()) {
        return build.fail(build.statement(), value.type->name + " cannot become bfloat16" +
                                                 (value.type->isComplex() ? "; take its .real, or abs()" : ""));
    }
    if (value.type->isFloat() && value.type->bits <= 32) {
        return narrowed(build, convert(build, value, floatType(32)));
    }
    return narrowed(build, oddOf(build, value.type->isFloat() ? value : oddOfInteger(build, value)));
}

}  // namespace kiln::gpu
