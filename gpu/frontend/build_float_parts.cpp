// frexp, ldexp and modf: exact, by the bits of the number, and alike on both backends.
#include <algorithm>

#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/typing_rules.h"

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

// What frexp and ldexp compute in.
const Type* partsType(const Value& value) {
    const Type* type = atLeastSingle(value.type);
    return mathType(&type, 1);
}

// The exponent's bits, shifted down.
Value exponentBits(FunctionBuilder& build, const Value& bits, const Type* type) {
    ExponentLayout layout = layoutOf(type);
    Value shifted = arithmetic(build, Op::kShiftRight, bits, Value::constant(bits.type, layout.mantissa));
    return arithmetic(build, Op::kAnd, shifted, Value::constant(bits.type, layout.mask));
}

}  // namespace

// A subnormal number is made a normal one first. Zeros, infinities and nans are their own mantissa, with exponent 0.
Value callFrexp(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    const Type* type = partsType(call[0]);
    const Type* whole = intType(type->bits, true);
    ExponentLayout layout = layoutOf(type);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = convert(build, call[0], type);
    Value isSmall = compared(build, Op::kEqual,
                             exponentBits(build, build.emit(Op::kBitcast, whole, {build.use(x)}), type), integer(0));
    int shift = layout.mantissa + 2;
    Value larger = arithmetic(build, Op::kMultiply, x, number(type, static_cast<double>(int64_t(1) << shift)));
    Value normal = select(build, isSmall, larger, x);
    Value bits = build.emit(Op::kBitcast, whole, {build.use(normal)});
    Value exponent = exponentBits(build, bits, type);
    Value rest = arithmetic(build, Op::kAnd, bits, integer(~(layout.mask << layout.mantissa)));
    Value halved = arithmetic(build, Op::kOr, rest, integer((layout.bias - 1) << layout.mantissa));
    Value mantissa = build.emit(Op::kBitcast, type, {build.use(halved)});
    Value isZero = compared(build, Op::kEqual, normal, number(type, 0));
    Value isEndless = compared(build, Op::kEqual, exponent, integer(layout.mask));
    Value isOdd = build.emit(Op::kOr, isZero.type, {isZero.id, isEndless.id});
    Value away = select(build, isSmall, integer(layout.bias - 1 + shift), integer(layout.bias - 1));
    Value power = select(build, isOdd, integer(0), arithmetic(build, Op::kSubtract, exponent, away));
    return Value::tuple({select(build, isOdd, x, mantissa), convert(build, power, scalarType(Scalar::kInt32))});
}

Value callModf(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    const Type* type = floatType(std::max(mathType(&call[0].type, 1)->bits, 32));
    const Type* boolean = scalarType(Scalar::kBool);
    Value x = convert(build, call[0], type);
    Value whole = build.emit(Op::kMath, type, {build.use(x)}, static_cast<uint32_t>(MathFunction::kTrunc));
    Value isInfinite = build.emit(Op::kMath, boolean, {build.use(x)}, static_cast<uint32_t>(MathFunction::kIsInf));
    Value rest = select(build, isInfinite, number(type, 0), arithmetic(build, Op::kSubtract, x, whole));
    Value signedRest =
        build.emit(Op::kMath, type, {build.use(rest), build.use(x)}, static_cast<uint32_t>(MathFunction::kCopysign));
    return Value::tuple({signedRest, whole});
}

// x times 2 to the power of n, rounded once: by factors that are powers of two, of which only the last can give a subnormal
// number. What needs more of them is zero or infinite.
Value callLdexp(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    if (!call[1].type->isInteger()) {
        return build.fail(call.node,
                          call.name() + " takes an integer as its second argument, and this is " + describe(call[1]));
    }
    const Type* type = partsType(call[0]);
    const Type* wide = floatType(64);  // all that a float32 becomes on the way is one
    const Type* whole = intType(64, true);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = convert(build, convert(build, call[0], type), wide);
    Value n = convert(build, call[1], whole);
    for (int i = 0; i < 2; i++) {
        Value isLarge = compared(build, Op::kGreater, n, integer(1023));
        x = select(build, isLarge, arithmetic(build, Op::kMultiply, x, number(wide, 0x1p1023)), x);
        n = select(build, isLarge, arithmetic(build, Op::kSubtract, n, integer(1023)), n);
    }
    for (int i = 0; i < 2; i++) {
        Value isSmall = compared(build, Op::kLess, n, integer(-1022));
        x = select(build, isSmall, arithmetic(build, Op::kMultiply, x, number(wide, 0x1p-969)), x);
        n = select(build, isSmall, arithmetic(build, Op::kAdd, n, integer(969)), n);
    }
    n = arithmetic(build, Op::kMaximum, arithmetic(build, Op::kMinimum, n, integer(1023)), integer(-1022));
    Value bits = arithmetic(build, Op::kShiftLeft, arithmetic(build, Op::kAdd, n, integer(1023)), integer(52));
    Value factor = build.emit(Op::kBitcast, wide, {build.use(bits)});
    return convert(build, arithmetic(build, Op::kMultiply, x, factor), type);
}

}  // namespace kiln::gpu
