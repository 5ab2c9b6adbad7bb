// Complex numbers: the front end computes with their parts; IR only makes them, stores them and takes them apart.
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

// CPython's way, which divides by the larger part first; by zero: nan.
Value complexDivide(FunctionBuilder& build, const Value& left, const Value& right) {
    const Type* part = partType(left.type);
    Value a = realPart(build, left);
    Value b = imaginaryPart(build, left);
    Value c = realPart(build, right);
    Value d = imaginaryPart(build, right);
    ValueId first = build.emit(Op::kAbsolute, part, {build.use(c)}).id;
    Value isRealLarger = build.emit(Op::kGreaterEqual, scalarType(Scalar::kBool),
                                    {first, build.emit(Op::kAbsolute, part, {build.use(d)}).id});
    Value large = select(build, isRealLarger, c, d);
    Value small = select(build, isRealLarger, d, c);
    Value ratio = arithmetic(build, Op::kDivide, small, large);
    Value below = arithmetic(build, Op::kAdd, large, arithmetic(build, Op::kMultiply, small, ratio));
    Value aRatio = arithmetic(build, Op::kMultiply, a, ratio);
    Value bRatio = arithmetic(build, Op::kMultiply, b, ratio);
    Value real =
        select(build, isRealLarger, arithmetic(build, Op::kAdd, a, bRatio), arithmetic(build, Op::kAdd, aRatio, b));
    Value imaginary = select(build, isRealLarger, arithmetic(build, Op::kSubtract, b, aRatio),
                             arithmetic(build, Op::kSubtract, bRatio, a));
    return makeComplex(build, arithmetic(build, Op::kDivide, real, below),
                       arithmetic(build, Op::kDivide, imaginary, below), left.type);
}

}  // namespace

Value makeComplex(FunctionBuilder& build, const Value& real, const Value& imaginary, const Type* type) {
    ValueId first = build.use(convert(build, real, partType(type)));
    return build.emit(Op::kMakeComplex, type, {first, build.use(convert(build, imaginary, partType(type)))});
}

Value realPart(FunctionBuilder& build, const Value& value) {
    return value.type->isComplex() ? build.emit(Op::kReal, partType(value.type), {build.use(value)}) : value;
}

Value imaginaryPart(FunctionBuilder& build, const Value& value) {
    return value.type->isComplex() ? build.emit(Op::kImaginary, partType(value.type), {build.use(value)})
                                   : Value::constant(value.type, 0);
}

Value toComplex(FunctionBuilder& build, const Value& value, const Type* type) {
    return value.type == type ? value : makeComplex(build, realPart(build, value), imaginaryPart(build, value), type);
}

Value select(FunctionBuilder& build, const Value& condition, const Value& then, const Value& otherwise) {
    ValueId operand = build.use(condition);
    ValueId first = build.use(then);
    return build.emit(Op::kSelect, then.type, {operand, first, build.use(otherwise)});
}

Value complexPower(FunctionBuilder& build, const Value& base, const Value& exponent) {
    const Type* part = partType(base.type);
    const Type* boolean = scalarType(Scalar::kBool);
    Value zero = convert(build, Value::integer(0), part);
    Value one = convert(build, Value::integer(1), part);
    auto math = [&](MathFunction function, const Value& x, const Value* y) {
        std::vector<ValueId> operands = {build.use(x)};
        if (y != nullptr) {
            operands.push_back(build.use(*y));
        }
        return build.emit(Op::kMath, part, operands, static_cast<uint32_t>(function));
    };
    auto isZero = [&](const Value& x) {
        ValueId operand = build.use(x);
        return build.emit(Op::kEqual, boolean, {operand, build.use(zero)});
    };
    Value a = realPart(build, base);
    Value b = imaginaryPart(build, base);
    Value c = realPart(build, exponent);
    Value d = imaginaryPart(build, exponent);
    Value size = math(MathFunction::kHypot, a, &b);
    Value angle = math(MathFunction::kAtan2, b, &a);
    Value isReal = isZero(d);
    Value shrink = math(MathFunction::kExp, arithmetic(build, Op::kMultiply, angle, d), nullptr);
    Value length =
        arithmetic(build, Op::kDivide, math(MathFunction::kPower, size, &c), select(build, isReal, one, shrink));
    Value turn = arithmetic(build, Op::kMultiply, d, math(MathFunction::kLog, size, nullptr));
    Value phase =
        arithmetic(build, Op::kAdd, arithmetic(build, Op::kMultiply, angle, c), select(build, isReal, zero, turn));
    Value real = arithmetic(build, Op::kMultiply, length, math(MathFunction::kCos, phase, nullptr));
    Value imaginary = arithmetic(build, Op::kMultiply, length, math(MathFunction::kSin, phase, nullptr));
    Value isNothing = isZero(size);
    Value isOne = arithmetic(build, Op::kAnd, isZero(c), isReal);
    real = select(build, isOne, one, select(build, isNothing, zero, real));
    return makeComplex(build, real, select(build, arithmetic(build, Op::kOr, isOne, isNothing), zero, imaginary),
                       base.type);
}

Value complexBinary(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    if (op == Op::kDivide) {
        return complexDivide(build, left, right);
    }
    if (op == Op::kPower) {
        return complexPower(build, left, right);
    }
    Value a = realPart(build, left);
    Value b = imaginaryPart(build, left);
    Value c = realPart(build, right);
    Value d = imaginaryPart(build, right);
    if (op == Op::kEqual || op == Op::kNotEqual) {
        const Type* boolean = scalarType(Scalar::kBool);
        ValueId first = build.use(a);
        Value reals = build.emit(op, boolean, {first, build.use(c)});
        first = build.use(b);
        Value imaginaries = build.emit(op, boolean, {first, build.use(d)});
        return arithmetic(build, op == Op::kEqual ? Op::kAnd : Op::kOr, reals, imaginaries);
    }
    if (op == Op::kMultiply) {
        Value real = arithmetic(build, Op::kSubtract, arithmetic(build, Op::kMultiply, a, c),
                                arithmetic(build, Op::kMultiply, b, d));
        Value imaginary =
            arithmetic(build, Op::kAdd, arithmetic(build, Op::kMultiply, a, d), arithmetic(build, Op::kMultiply, b, c));
        return makeComplex(build, real, imaginary, left.type);
    }
    return makeComplex(build, arithmetic(build, op, a, c), arithmetic(build, op, b, d), left.type);
}

Value complexOrder(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    Value a = realPart(build, left);
    Value b = imaginaryPart(build, left);
    Value c = realPart(build, right);
    Value d = imaginaryPart(build, right);
    bool isLess = op == Op::kLess || op == Op::kLessEqual;
    Value areNumbers = arithmetic(build, Op::kAnd, compared(build, Op::kEqual, b, b), compared(build, Op::kEqual, d, d));
    Value byReal = arithmetic(build, Op::kAnd, compared(build, isLess ? Op::kLess : Op::kGreater, a, c), areNumbers);
    Value byImaginary = arithmetic(build, Op::kAnd, compared(build, Op::kEqual, a, c), compared(build, op, b, d));
    return arithmetic(build, Op::kOr, byReal, byImaginary);
}

Value complexExtremum(FunctionBuilder& build, Op op, const Value& left, const Value& right, bool avoidsNan) {
    auto hasNan = [&](const Value& value) {
        Value real = realPart(build, value);
        Value imaginary = imaginaryPart(build, value);
        return arithmetic(build, Op::kOr, compared(build, Op::kNotEqual, real, real), compared(build, Op::kNotEqual, imaginary, imaginary));
    };
    Value isOrdered = complexOrder(build, op == Op::kMaximum ? Op::kGreaterEqual : Op::kLessEqual, left, right);
    Value leftHasNan = hasNan(left);
    Value rightHasNan = hasNan(right);
    Value takesLeft = select(build, arithmetic(build, Op::kOr, leftHasNan, rightHasNan), avoidsNan ? rightHasNan : leftHasNan, isOrdered);
    return makeComplex(build, select(build, takesLeft, realPart(build, left), realPart(build, right)),
                       select(build, takesLeft, imaginaryPart(build, left), imaginaryPart(build, right)), left.type);
}

Value negated(FunctionBuilder& build, const Value& value) {
    Value real = realPart(build, value);
    ValueId first = build.emit(Op::kNegate, real.type, {build.use(real)}).id;
    Value imaginary = imaginaryPart(build, value);
    return build.emit(Op::kMakeComplex, value.type,
                      {first, build.emit(Op::kNegate, imaginary.type, {build.use(imaginary)}).id});
}

Value conjugate(FunctionBuilder& build, const Value& value) {
    if (!value.type->isComplex()) {
        return value;
    }
    Value imaginary = imaginaryPart(build, value);
    return makeComplex(build, realPart(build, value), build.emit(Op::kNegate, imaginary.type, {build.use(imaginary)}),
                       value.type);
}

Value magnitude(FunctionBuilder& build, const Value& value) {
    ValueId first = build.use(realPart(build, value));
    return build.emit(Op::kMath, partType(value.type), {first, build.use(imaginaryPart(build, value))},
                      static_cast<uint32_t>(MathFunction::kHypot));
}

// complex(x), complex(real, imaginary): complex64 of float32, else complex128.
Value callComplex(FunctionBuilder& build, Call& call) {
    bool narrow = true;
    for (const Value& argument : call.arguments) {
        if (!argument.isScalar() || (call.size() == 2 && argument.type->isComplex())) {
            return build.fail(call.node, call.name() + " takes numbers, and this is " + describe(argument));
        }
        narrow = narrow && argument.type == floatType(32);
    }
    const Type* type = complexType(narrow ? 64 : 128);
    return call.size() == 1 ? toComplex(build, call[0], type) : makeComplex(build, call[0], call[1], type);
}

}  // namespace kiln::gpu
