// frexp, ldexp and modf: exact, by the bits of the number, and alike on both backends.
#include <algorithm>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

// How floats of a type keep their exponent.
struct ExponentLayout {
    int mantissa;  // bits
    int64_t mask;  // of the exponent, shifted down
    int64_t bias;
};

ExponentLayout layoutOf(const Type* type) {
    return type->bits == 32 ? ExponentLayout{23, 0xff, 127} : ExponentLayout{52, 0x7ff, 1023};
}

Value number(const Type* type, double value) {
    return Value::constant(type, bitsOf(value, type));
}

}  // namespace

Value FunctionBuilder::compared(Op op, const Value& left, const Value& right) {
    if (left.type == floatType(16)) {
        return compared(op, convert(left, floatType(32)), convert(right, floatType(32)));
    }
    ValueId first = use(left);
    return emit(op, scalarType(Scalar::kBool), {first, use(right)});
}

// The exponent's bits, shifted down.
static Value exponentBits(FunctionBuilder& build, const Value& bits, const Type* type) {
    ExponentLayout layout = layoutOf(type);
    Value shifted = build.arithmetic(Op::kShiftRight, bits, Value::constant(bits.type, layout.mantissa));
    return build.arithmetic(Op::kAnd, shifted, Value::constant(bits.type, layout.mask));
}

// A subnormal number is made a normal one first. Zeros, infinities and nans are their own mantissa, with exponent 0.
Value callFrexp(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    const Type* type = floatType(std::max(mathType(&call[0].type, 1)->bits, 32));
    const Type* whole = intType(type->bits, true);
    ExponentLayout layout = layoutOf(type);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = build.convert(call[0], type);
    Value isSmall = build.compared(
        Op::kEqual, exponentBits(build, build.emit(Op::kBitcast, whole, {build.use(x)}), type), integer(0));
    int shift = layout.mantissa + 2;
    Value larger = build.arithmetic(Op::kMultiply, x, number(type, static_cast<double>(int64_t(1) << shift)));
    Value normal = build.select(isSmall, larger, x);
    Value bits = build.emit(Op::kBitcast, whole, {build.use(normal)});
    Value exponent = exponentBits(build, bits, type);
    Value rest = build.arithmetic(Op::kAnd, bits, integer(~(layout.mask << layout.mantissa)));
    Value halved = build.arithmetic(Op::kOr, rest, integer((layout.bias - 1) << layout.mantissa));
    Value mantissa = build.emit(Op::kBitcast, type, {build.use(halved)});
    Value isZero = build.compared(Op::kEqual, normal, number(type, 0));
    Value isEndless = build.compared(Op::kEqual, exponent, integer(layout.mask));
    Value isOdd = build.emit(Op::kOr, isZero.type, {isZero.id, isEndless.id});
    Value away = build.select(isSmall, integer(layout.bias - 1 + shift), integer(layout.bias - 1));
    Value power = build.select(isOdd, integer(0), build.arithmetic(Op::kSubtract, exponent, away));
    return Value::tuple({build.select(isOdd, x, mantissa), build.convert(power, scalarType(Scalar::kInt32))});
}

Value callModf(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    const Type* type = floatType(std::max(mathType(&call[0].type, 1)->bits, 32));
    const Type* boolean = scalarType(Scalar::kBool);
    Value x = build.convert(call[0], type);
    Value whole = build.emit(Op::kMath, type, {build.use(x)}, static_cast<uint32_t>(MathFunction::kTrunc));
    Value isInfinite = build.emit(Op::kMath, boolean, {build.use(x)}, static_cast<uint32_t>(MathFunction::kIsInf));
    Value rest = build.select(isInfinite, number(type, 0), build.arithmetic(Op::kSubtract, x, whole));
    Value signedRest =
        build.emit(Op::kMath, type, {build.use(rest), build.use(x)}, static_cast<uint32_t>(MathFunction::kCopysign));
    return Value::tuple({signedRest, whole});
}

// x times 2 to the power of n, rounded once: by factors that are powers of two, of which only the last can give a subnormal
// number. What needs more of them is zero or infinite.
Value callLdexp(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    if (!call[1].type->isInteger()) {
        return build.fail(call.node,
                          call.name() + " takes an integer as its second argument, and this is " + describe(call[1]));
    }
    const Type* type = floatType(std::max(mathType(&call[0].type, 1)->bits, 32));
    const Type* wide = floatType(64);  // all that a float32 becomes on the way is one
    const Type* whole = intType(64, true);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = build.convert(build.convert(call[0], type), wide);
    Value n = build.convert(call[1], whole);
    for (int i = 0; i < 2; i++) {
        Value isLarge = build.compared(Op::kGreater, n, integer(1023));
        x = build.select(isLarge, build.arithmetic(Op::kMultiply, x, number(wide, 0x1p1023)), x);
        n = build.select(isLarge, build.arithmetic(Op::kSubtract, n, integer(1023)), n);
    }
    for (int i = 0; i < 2; i++) {
        Value isSmall = build.compared(Op::kLess, n, integer(-1022));
        x = build.select(isSmall, build.arithmetic(Op::kMultiply, x, number(wide, 0x1p-969)), x);
        n = build.select(isSmall, build.arithmetic(Op::kAdd, n, integer(969)), n);
    }
    n = build.arithmetic(Op::kMaximum, build.arithmetic(Op::kMinimum, n, integer(1023)), integer(-1022));
    Value bits = build.arithmetic(Op::kShiftLeft, build.arithmetic(Op::kAdd, n, integer(1023)), integer(52));
    Value factor = build.emit(Op::kBitcast, wide, {build.use(bits)});
    return build.convert(build.arithmetic(Op::kMultiply, x, factor), type);
}

}  // namespace kiln::gpu
