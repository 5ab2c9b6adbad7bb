// frexp, ldexp and modf: exact, by the bits of the number, and alike on both backends.
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
    ValueId first = use(left);
    return emit(op, scalarType(Scalar::kBool), {first, use(right)});
}

// The exponent's bits, shifted down.
Value FunctionBuilder::exponentBits(const Value& bits, const Type* type) {
    ExponentLayout layout = layoutOf(type);
    Value shifted = arithmetic(Op::kShiftRight, bits, Value::constant(bits.type, layout.mantissa));
    return arithmetic(Op::kAnd, shifted, Value::constant(bits.type, layout.mask));
}

// A subnormal number is made a normal one first. Zeros, infinities and nans are their own mantissa, with exponent 0.
Value FunctionBuilder::callFrexp(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    const Type* type = mathType(&arguments[0].type, 1);
    const Type* whole = intType(type->bits, true);
    ExponentLayout layout = layoutOf(type);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = convert(arguments[0], type);
    Value isSmall = compared(Op::kEqual, exponentBits(emit(Op::kBitcast, whole, {use(x)}), type), integer(0));
    int shift = layout.mantissa + 2;
    Value larger = arithmetic(Op::kMultiply, x, number(type, static_cast<double>(int64_t(1) << shift)));
    Value normal = select(isSmall, larger, x);
    Value bits = emit(Op::kBitcast, whole, {use(normal)});
    Value exponent = exponentBits(bits, type);
    Value rest = arithmetic(Op::kAnd, bits, integer(~(layout.mask << layout.mantissa)));
    Value halved = arithmetic(Op::kOr, rest, integer((layout.bias - 1) << layout.mantissa));
    Value mantissa = emit(Op::kBitcast, type, {use(halved)});
    Value isZero = compared(Op::kEqual, normal, number(type, 0));
    Value isEndless = compared(Op::kEqual, exponent, integer(layout.mask));
    Value isOdd = emit(Op::kOr, isZero.type, {isZero.id, isEndless.id});
    Value away = select(isSmall, integer(layout.bias - 1 + shift), integer(layout.bias - 1));
    Value power = select(isOdd, integer(0), arithmetic(Op::kSubtract, exponent, away));
    return Value::tuple({select(isOdd, x, mantissa), convert(power, scalarType(Scalar::kInt32))});
}

Value FunctionBuilder::callModf(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    const Type* type = mathType(&arguments[0].type, 1);
    const Type* boolean = scalarType(Scalar::kBool);
    Value x = convert(arguments[0], type);
    Value whole = emit(Op::kMath, type, {use(x)}, static_cast<uint32_t>(MathFunction::kTrunc));
    Value isInfinite = emit(Op::kMath, boolean, {use(x)}, static_cast<uint32_t>(MathFunction::kIsInf));
    Value rest = select(isInfinite, number(type, 0), arithmetic(Op::kSubtract, x, whole));
    Value signedRest = emit(Op::kMath, type, {use(rest), use(x)}, static_cast<uint32_t>(MathFunction::kCopysign));
    return Value::tuple({signedRest, whole});
}

// x times 2 to the power of n, rounded once: by factors that are powers of two, of which only the last can give a subnormal
// number. What needs more of them is zero or infinite.
Value FunctionBuilder::callLdexp(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 2, 2) || !scalars(node, arguments)) {
        return {};
    }
    if (!arguments[1].type->isInteger()) {
        return fail(node, callee_ + " takes an integer as its second argument, and this is " + describe(arguments[1]));
    }
    const Type* type = mathType(&arguments[0].type, 1);
    const Type* wide = floatType(64);  // all that a float32 becomes on the way is one
    const Type* whole = intType(64, true);
    auto integer = [&](int64_t bits) { return Value::constant(whole, bits); };
    Value x = convert(convert(arguments[0], type), wide);
    Value n = convert(arguments[1], whole);
    for (int i = 0; i < 2; i++) {
        Value isLarge = compared(Op::kGreater, n, integer(1023));
        x = select(isLarge, arithmetic(Op::kMultiply, x, number(wide, 0x1p1023)), x);
        n = select(isLarge, arithmetic(Op::kSubtract, n, integer(1023)), n);
    }
    for (int i = 0; i < 2; i++) {
        Value isSmall = compared(Op::kLess, n, integer(-1022));
        x = select(isSmall, arithmetic(Op::kMultiply, x, number(wide, 0x1p-969)), x);
        n = select(isSmall, arithmetic(Op::kAdd, n, integer(969)), n);
    }
    n = arithmetic(Op::kMaximum, arithmetic(Op::kMinimum, n, integer(1023)), integer(-1022));
    Value bits = arithmetic(Op::kShiftLeft, arithmetic(Op::kAdd, n, integer(1023)), integer(52));
    Value factor = emit(Op::kBitcast, wide, {use(bits)});
    return convert(arithmetic(Op::kMultiply, x, factor), type);
}

}  // namespace kiln::gpu
