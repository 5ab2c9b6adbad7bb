// Complex numbers: the front end computes with their parts; IR only makes them, stores them and takes them apart.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

Value FunctionBuilder::makeComplex(const Value& real, const Value& imaginary, const Type* type) {
    ValueId first = use(convert(real, partType(type)));
    return emit(Op::kMakeComplex, type, {first, use(convert(imaginary, partType(type)))});
}

Value FunctionBuilder::realPart(const Value& value) {
    return value.type->isComplex() ? emit(Op::kReal, partType(value.type), {use(value)}) : value;
}

Value FunctionBuilder::imaginaryPart(const Value& value) {
    return value.type->isComplex() ? emit(Op::kImaginary, partType(value.type), {use(value)})
                                   : Value::constant(value.type, 0);
}

// From any scalar.
Value FunctionBuilder::toComplex(const Value& value, const Type* type) {
    return value.type == type ? value : makeComplex(realPart(value), imaginaryPart(value), type);
}

Value FunctionBuilder::select(const Value& condition, const Value& then, const Value& otherwise) {
    ValueId operand = use(condition);
    ValueId first = use(then);
    return emit(Op::kSelect, then.type, {operand, first, use(otherwise)});
}

// CPython's way, which divides by the larger part first; by zero: nan.
Value FunctionBuilder::complexDivide(const Value& left, const Value& right) {
    const Type* part = partType(left.type);
    Value a = realPart(left);
    Value b = imaginaryPart(left);
    Value c = realPart(right);
    Value d = imaginaryPart(right);
    ValueId first = emit(Op::kAbsolute, part, {use(c)}).id;
    Value isRealLarger =
        emit(Op::kGreaterEqual, scalarType(Scalar::kBool), {first, emit(Op::kAbsolute, part, {use(d)}).id});
    Value large = select(isRealLarger, c, d);
    Value small = select(isRealLarger, d, c);
    Value ratio = arithmetic(Op::kDivide, small, large);
    Value below = arithmetic(Op::kAdd, large, arithmetic(Op::kMultiply, small, ratio));
    Value aRatio = arithmetic(Op::kMultiply, a, ratio);
    Value bRatio = arithmetic(Op::kMultiply, b, ratio);
    Value real = select(isRealLarger, arithmetic(Op::kAdd, a, bRatio), arithmetic(Op::kAdd, aRatio, b));
    Value imaginary = select(isRealLarger, arithmetic(Op::kSubtract, b, aRatio), arithmetic(Op::kSubtract, bRatio, a));
    return makeComplex(arithmetic(Op::kDivide, real, below), arithmetic(Op::kDivide, imaginary, below), left.type);
}

// Through the polar form, as CPython computes it; of zero: zero.
Value FunctionBuilder::complexPower(const Value& base, const Value& exponent) {
    const Type* part = partType(base.type);
    const Type* boolean = scalarType(Scalar::kBool);
    Value zero = convert(Value::integer(0), part);
    Value one = convert(Value::integer(1), part);
    auto math = [&](MathFunction function, const Value& x, const Value* y) {
        std::vector<ValueId> operands = {use(x)};
        if (y != nullptr) {
            operands.push_back(use(*y));
        }
        return emit(Op::kMath, part, operands, static_cast<uint32_t>(function));
    };
    auto isZero = [&](const Value& x) {
        ValueId operand = use(x);
        return emit(Op::kEqual, boolean, {operand, use(zero)});
    };
    Value a = realPart(base);
    Value b = imaginaryPart(base);
    Value c = realPart(exponent);
    Value d = imaginaryPart(exponent);
    Value size = math(MathFunction::kHypot, a, &b);
    Value angle = math(MathFunction::kAtan2, b, &a);
    Value isReal = isZero(d);
    Value shrink = math(MathFunction::kExp, arithmetic(Op::kMultiply, angle, d), nullptr);
    Value length = arithmetic(Op::kDivide, math(MathFunction::kPower, size, &c), select(isReal, one, shrink));
    Value turn = arithmetic(Op::kMultiply, d, math(MathFunction::kLog, size, nullptr));
    Value phase = arithmetic(Op::kAdd, arithmetic(Op::kMultiply, angle, c), select(isReal, zero, turn));
    Value real = arithmetic(Op::kMultiply, length, math(MathFunction::kCos, phase, nullptr));
    Value imaginary = arithmetic(Op::kMultiply, length, math(MathFunction::kSin, phase, nullptr));
    Value isNothing = isZero(size);
    Value isOne = arithmetic(Op::kAnd, isZero(c), isReal);
    real = select(isOne, one, select(isNothing, zero, real));
    return makeComplex(real, select(arithmetic(Op::kOr, isOne, isNothing), zero, imaginary), base.type);
}

// Both operands are of one complex type.
Value FunctionBuilder::complexBinary(Op op, const Value& left, const Value& right) {
    if (op == Op::kDivide) {
        return complexDivide(left, right);
    }
    if (op == Op::kPower) {
        return complexPower(left, right);
    }
    Value a = realPart(left);
    Value b = imaginaryPart(left);
    Value c = realPart(right);
    Value d = imaginaryPart(right);
    if (op == Op::kEqual || op == Op::kNotEqual) {
        const Type* boolean = scalarType(Scalar::kBool);
        ValueId first = use(a);
        Value reals = emit(op, boolean, {first, use(c)});
        first = use(b);
        Value imaginaries = emit(op, boolean, {first, use(d)});
        return arithmetic(op == Op::kEqual ? Op::kAnd : Op::kOr, reals, imaginaries);
    }
    if (op == Op::kMultiply) {
        Value real = arithmetic(Op::kSubtract, arithmetic(Op::kMultiply, a, c), arithmetic(Op::kMultiply, b, d));
        Value imaginary = arithmetic(Op::kAdd, arithmetic(Op::kMultiply, a, d), arithmetic(Op::kMultiply, b, c));
        return makeComplex(real, imaginary, left.type);
    }
    return makeComplex(arithmetic(op, a, c), arithmetic(op, b, d), left.type);
}

Value FunctionBuilder::negated(const Value& value) {
    Value real = realPart(value);
    ValueId first = emit(Op::kNegate, real.type, {use(real)}).id;
    Value imaginary = imaginaryPart(value);
    return emit(Op::kMakeComplex, value.type, {first, emit(Op::kNegate, imaginary.type, {use(imaginary)}).id});
}

Value FunctionBuilder::conjugate(const Value& value) {
    if (!value.type->isComplex()) {
        return value;
    }
    Value imaginary = imaginaryPart(value);
    return makeComplex(realPart(value), emit(Op::kNegate, imaginary.type, {use(imaginary)}), value.type);
}

Value FunctionBuilder::magnitude(const Value& value) {
    ValueId first = use(realPart(value));
    return emit(Op::kMath, partType(value.type), {first, use(imaginaryPart(value))},
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
    return call.size() == 1 ? build.toComplex(call[0], type) : build.makeComplex(call[0], call[1], type);
}

}  // namespace kiln::gpu
