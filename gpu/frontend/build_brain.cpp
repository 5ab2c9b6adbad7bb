// bfloat16: the upper half of a float32, in which its arithmetic is done and rounded once: a float32 has so many more bits that the
// first rounding does not matter.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kQuietNan = 0x7fff;

const Type* word() {
    return scalarType(Scalar::kUInt32);
}

Value wordOf(int64_t bits) {
    return Value::constant(word(), bits);
}

// To the nearest, a tie to the even one.
Value narrowed(FunctionBuilder& build, const Value& number) {
    Value bits = build.emit(Op::kBitcast, word(), {build.use(number)});
    Value last = build.arithmetic(Op::kAnd, build.arithmetic(Op::kShiftRight, bits, wordOf(16)), wordOf(1));
    Value sum = build.arithmetic(Op::kAdd, build.arithmetic(Op::kAdd, bits, wordOf(0x7fff)), last);
    Value rounded = build.arithmetic(Op::kShiftRight, sum, wordOf(16));
    Value result = build.select(build.compared(Op::kNotEqual, number, number), wordOf(kQuietNan), rounded);
    return build.emit(Op::kConvert, brainType(), {build.use(result)});
}

// A float64 as a float32 that is rounded to odd: it tells on which side of a tie the number was.
Value oddOf(FunctionBuilder& build, const Value& number) {
    const Type* narrow = floatType(32);
    Value near = build.convert(number, narrow);
    Value back = build.convert(near, number.type);
    Value bits = build.emit(Op::kBitcast, word(), {build.use(near)});
    Value isEven = build.compared(Op::kEqual, build.arithmetic(Op::kAnd, bits, wordOf(1)), wordOf(0));
    Value isLess = build.compared(Op::kLess, build.mathCall(MathFunction::kFabs, {back}), build.mathCall(MathFunction::kFabs, {number}));
    Value isMore = build.compared(Op::kGreater, build.mathCall(MathFunction::kFabs, {back}), build.mathCall(MathFunction::kFabs, {number}));
    Value up = build.select(build.arithmetic(Op::kAnd, isEven, isLess), build.arithmetic(Op::kAdd, bits, wordOf(1)), bits);
    Value odd = build.select(build.arithmetic(Op::kAnd, isEven, isMore), build.arithmetic(Op::kSubtract, bits, wordOf(1)), up);
    return build.emit(Op::kBitcast, narrow, {build.use(odd)});
}

// An integer as a float64 that is rounded to odd.
Value oddOfInteger(FunctionBuilder& build, const Value& number) {
    const Type* wide = floatType(64);
    if (number.type->bits < 64) {
        return build.convert(number, wide);
    }
    constexpr int64_t kExact = int64_t(1) << 53;
    constexpr int64_t kLost = 2047;
    auto constant = [&](int64_t bits) { return Value::constant(number.type, bits); };
    Value hasMore = build.compared(Op::kNotEqual, build.arithmetic(Op::kAnd, number, constant(kLost)), constant(0));
    Value sticky = build.select(hasMore, constant(kLost + 1), constant(0));
    Value odd = build.arithmetic(Op::kOr, build.arithmetic(Op::kAnd, number, constant(~kLost)), sticky);
    Value fits = build.compared(Op::kLess, number, constant(kExact));
    if (number.type->isSigned()) {
        fits = build.arithmetic(Op::kAnd, fits, build.compared(Op::kGreater, number, constant(-kExact)));
    }
    return build.convert(build.select(fits, number, odd), wide);
}

}  // namespace

// As a float32; another value as it is.
Value FunctionBuilder::widened(const Value& value) {
    if (!value.isScalar() || !value.type->isBrain()) {
        return value;
    }
    Value bits = emit(Op::kConvert, word(), {use(value)});
    return emit(Op::kBitcast, floatType(32), {use(arithmetic(Op::kShiftLeft, bits, wordOf(16)))});
}

Value FunctionBuilder::convertBrain(const Value& value, const Type* type) {
    if (!type->isBrain()) {
        return convert(widened(value), type);
    }
    if (value.type->isComplex() || value.type->isTime()) {
        return fail(*statement_, value.type->name + " cannot become bfloat16" + (value.type->isComplex() ? "; take its .real, or abs()" : ""));
    }
    if (value.type->isFloat() && value.type->bits <= 32) {
        return narrowed(*this, convert(value, floatType(32)));
    }
    return narrowed(*this, oddOf(*this, value.type->isFloat() ? value : oddOfInteger(*this, value)));
}

}  // namespace kiln::gpu
