// Python's builtin functions in kernels.
#include <algorithm>
#include <cstdint>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_math.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {
namespace {

// min(tuple) is min(*tuple).
void unpackOne(std::vector<Value>& arguments) {
    if (arguments.size() == 1 && arguments[0].kind == ValueKind::kTuple) {
        std::vector<Value> items = arguments[0].items;
        arguments = std::move(items);
    }
}

// round(x, n): through powers of ten, in float64. Beyond the range of floats: x itself.
Value roundDigits(FunctionBuilder& build, const Value& given, const Value& digits) {
    const Type* wide = scalarType(Scalar::kFloat64);
    constexpr int64_t kMostExact = 22;  // 10 ** 22 is a float64
    auto number = [&](double value) { return Value::constant(wide, bitsOf(value, wide)); };
    auto power = [&](const Value& n) {
        return mathCall(build, MathFunction::kPower, {number(10.0), convert(build, n, wide)});
    };
    Value x = convert(build, given, wide);
    Value n = convert(build, digits, scalarType(Scalar::kInt64));
    Value isUp = compared(build, Op::kGreaterEqual, n, Value::integer(0));
    Value away = build.emit(Op::kAbsolute, n.type, {build.use(n)});
    Value near = select(build, isUp, arithmetic(build, Op::kMinimum, away, Value::integer(kMostExact)), away);
    Value far = arithmetic(build, Op::kSubtract, away, near);
    Value first = power(near);
    Value second = power(far);
    Value scaled = arithmetic(build, Op::kMultiply, arithmetic(build, Op::kMultiply, x, first), second);
    Value y = select(build, isUp, scaled, arithmetic(build, Op::kDivide, x, first));
    Value z = mathCall(build, MathFunction::kRint, {y});
    Value up = arithmetic(build, Op::kDivide, arithmetic(build, Op::kDivide, z, second), first);
    Value isZero = compared(build, Op::kEqual, z, number(0));
    Value down = select(build, isZero, z, arithmetic(build, Op::kMultiply, z, first));
    Value isFinite = mathCall(build, MathFunction::kIsFinite, {y});
    return convert(build, select(build, isFinite, select(build, isUp, up, down), x), given.type);
}

}  // namespace

Value callAbs(FunctionBuilder& build, Call& call) {
    if (call.size() == 1 && call[0].isScalar() && call[0].type->isComplex()) {
        return magnitude(build, call[0]);
    }
    if (!requireScalars(build, call)) {
        return {};
    }
    const Value& value = call[0];
    if (value.type->isUnsigned() || value.type->isBool()) {
        return value;
    }
    if (value.type->isFloat() || value.type->isBrain()) {
        return convert(build, mathCall(build, MathFunction::kFabs, {widened(build, value)}), value.type);
    }
    if (value.type->isTime()) {
        Value isNegative = timeCompare(build, call.node, Op::kLess, value, Value::constant(value.type, 0));
        Value negative =
            isNegative.isPoison() ? isNegative : timeUnary(build, call.node, UnaryOperator::kNegative, value);
        return negative.isPoison() ? negative : select(build, isNegative, negative, value);
    }
    return build.emit(Op::kAbsolute, value.type, {build.use(value)});
}

Value callBool(FunctionBuilder& build, Call& call) {
    return truth(build, call[0], call.node);
}

Value callInt(FunctionBuilder& build, Call& call) {
    if (Ref<> text = constantText(call[0])) {
        Ref<> base = call.size() > 1 ? constantObject(call[1]) : Ref<>::steal(PyLong_FromLong(10));
        auto* type = reinterpret_cast<PyObject*>(&PyLong_Type);
        Ref<> number = base ? Ref<>::steal(PyObject_CallFunctionObjArgs(type, text.get(), base.get(), nullptr)) : Ref<>();
        return number ? valueOfObject(build, std::move(number), call.node)
                      : build.fail(call.node, base ? takeMessage() : "the base of int must be a constant");
    }
    if (call.size() > 1) {
        return build.fail(call.node, "int takes a base with constant strings only");
    }
    if (!requireScalars(build, call)) {
        return {};
    }
    if (call[0].type->kind == Kind::kDuration) {
        return timeBits(build, call[0]);
    }
    return call[0].type->isInteger() ? call[0] : convert(build, call[0], scalarType(Scalar::kInt64));
}

Value callFloat(FunctionBuilder& build, Call& call) {
    if (Ref<> text = constantText(call[0])) {
        Ref<> number = Ref<>::steal(PyFloat_FromString(text.get()));
        return number ? valueOfObject(build, std::move(number), call.node) : build.fail(call.node, takeMessage());
    }
    if (!requireScalars(build, call)) {
        return {};
    }
    return call[0].type->isFloat() ? call[0] : convert(build, call[0], scalarType(Scalar::kFloat64));
}

Value callDivmod(FunctionBuilder& build, Call& call) {
    Value quotient = binary(build, call.node, Op::kFloorDivide, call[0], call[1]);
    return Value::tuple({quotient, binary(build, call.node, Op::kModulo, call[0], call[1])});
}

Value callLen(FunctionBuilder& build, Call& call) {
    Value length = isText(call[0]) ? textLength(build, call.node, call[0]) : lengthOf(build, call[0]);
    return length.isPoison() ? build.fail(call.node, describe(call[0]) + " has no length") : length;
}

// max and min; of floats a nan is less than any number for both.
Value callExtremum(FunctionBuilder& build, Call& call) {
    unpackOne(call.arguments);
    if (call.arguments.empty()) {
        return build.fail(call.node, call.name() + " takes at least one value");
    }
    if (call.size() == 1 && call[0].isArray()) {
        return callExtremumOfArray(build, call);
    }
    Value result = call[0];
    for (size_t i = 1; i < call.size(); i++) {
        result = minimumOrMaximum(build, call.node, call.payload<Op>(), result, call[i]);
    }
    return result;
}

// Of complex numbers; poison, and no failure, for others.
static Value ofComplex(FunctionBuilder& build, Call& call, bool avoidsNan) {
    bool isAny = call[0].isScalar() && call[1].isScalar() && (call[0].type->isComplex() || call[1].type->isComplex());
    const Type* type = isAny ? unifyScalars(call[0].type, call[1].type) : nullptr;
    return isAny ? complexExtremum(build, call.payload<Op>(), convert(build, call[0], type), convert(build, call[1], type), avoidsNan) : Value();
}

// numpy.fmax and numpy.fmin: what is no nan is the result.
Value callNumberExtremum(FunctionBuilder& build, Call& call) {
    besideFloats(build, call);
    Value result = ofComplex(build, call, true);
    return result.isPoison() && !build.failed() ? callExtremum(build, call) : result;
}

// numpy.maximum and numpy.minimum: a nan is the result.
Value callNanExtremum(FunctionBuilder& build, Call& call) {
    besideFloats(build, call);
    if (Value result = ofComplex(build, call, false); !result.isPoison() || build.failed()) {
        return result;
    }
    Value usual = minimumOrMaximum(build, call.node, call.payload<Op>(), call[0], call[1]);
    if (!usual.isPoison() && usual.type->isTime()) {
        Value nat = Value::constant(usual.type, INT64_MIN);
        Value isThere = arithmetic(build, Op::kOr, isNotATime(build, call[0]), isNotATime(build, call[1]));
        return select(build, isThere, nat, usual);
    }
    if (usual.isPoison() || !usual.type->isFloat()) {
        return usual;
    }
    Value left = convert(build, call[0], usual.type);
    Value right = convert(build, call[1], usual.type);
    Value other = select(build, compared(build, Op::kNotEqual, right, right), right, usual);
    return select(build, compared(build, Op::kNotEqual, left, left), left, other);
}

// round(x): to even, an int64. round(x, n): a float.
Value callRound(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    Value value = call[0];
    if (call.size() == 1 && !value.type->isFloat()) {
        return convert(build, value, scalarType(Scalar::kInt64));
    }
    if (call.size() == 2 && build.module().isLoop && !value.type->isFloat()) {  // Python's rounded integer is one
        return build.fail(call.node, "round with digits works on floats, and this is " + describe(value));
    }
    if (call.size() == 2) {
        const Type* type = atLeastSingle(value.type);
        value = convert(build, value, mathType(&type, 1));
    }
    if (call.size() == 1) {
        return convert(build, mathCall(build, MathFunction::kRint, {value}), scalarType(Scalar::kInt64));
    }
    bool isWhole = call[1].type->isInteger() || call[1].type->isBool();
    return isWhole ? roundDigits(build, value, call[1])
                   : build.fail(call.node, "round takes an integer number of digits, and this is " + describe(call[1]));
}

Value callRange(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    std::vector<const Type*> types;
    for (const Value& argument : call.arguments) {
        // As in numba floats are cut off, to the type that the others have: int32 where there is none. A loop of the program's own
        // raises Python's error.
        if (!argument.type->isFloat()) {
            types.push_back(argument.type);
        } else if (build.module().isLoop) {
            return build.fail(call.node, "range needs integers, and this is " + describe(argument));
        }
    }
    const Type* type = rangeType(types.data(), types.size());
    Value start = call.size() > 1 ? call[0] : Value::integer(0);
    Value step = call.size() > 2 ? call[2] : Value::integer(1);
    Value range = Value::ofKind(ValueKind::kRange);
    for (const Value& part : {start, call.size() > 1 ? call[1] : call[0], step}) {
        bool isKept = part.isConstant && !part.type->isFloat();
        range.items.push_back(isKept ? Value::constant(type, part.bits) : convert(build, part, type));
    }
    return range;
}

Value callEnumerate(FunctionBuilder& build, Call& call) {
    Value start = call.size() > 1 ? convert(build, call[1], scalarType(Scalar::kInt64)) : Value::integer(0);
    if (call[0].kind == ValueKind::kTuple) {
        Value pairs = Value::tuple({});
        for (size_t i = 0; i < call[0].items.size(); i++) {
            Value position = arithmetic(build, Op::kAdd, start, Value::integer(static_cast<int64_t>(i)));
            pairs.items.push_back(Value::tuple({position, call[0].items[i]}));
        }
        return pairs;
    }
    Value result = Value::ofKind(ValueKind::kEnumerate);
    result.items = {call[0], start};
    return result;
}

Value callZip(FunctionBuilder& build, Call& call) {
    size_t shortest = SIZE_MAX;
    bool allTuples = true;
    for (const Value& argument : call.arguments) {
        allTuples = allTuples && argument.kind == ValueKind::kTuple;
        shortest = std::min(shortest, argument.items.size());
    }
    if (allTuples) {
        Value rows = Value::tuple({});
        for (size_t i = 0; i < shortest; i++) {
            rows.items.push_back(Value::tuple({}));
            for (const Value& argument : call.arguments) {
                rows.items.back().items.push_back(argument.items[i]);
            }
        }
        return rows;
    }
    Value result = Value::ofKind(ValueKind::kZip);
    result.items = call.arguments;
    return result;
}

Value callTuple(FunctionBuilder& build, Call& call) {
    bool isTuple = call[0].kind == ValueKind::kTuple;
    return isTuple ? call[0]
                   : build.fail(call.node, describe(call[0]) + " cannot become a tuple: its length is not known");
}

Value callSlice(FunctionBuilder& build, Call& call) {
    Value slice = Value::ofKind(ValueKind::kSlice);
    Value none = Value::none();
    slice.items = {call.size() > 1 ? call[0] : none, call.size() > 1 ? call[1] : call[0],
                   call.size() > 2 ? call[2] : none};
    return slice;
}

// What can be called to make another value of the type.
Value callTypeOf(FunctionBuilder& build, Call& call) {
    const Value& value = call[0];
    if ((value.kind == ValueKind::kTuple && value.object) || value.isMember()) {
        Value type = Value::ofKind(ValueKind::kObject);
        type.object = value.object;
        return type;
    }
    bool isPlain = value.kind == ValueKind::kTuple || value.isNone() || isText(value);
    Value type = value.isScalar() ? typeObject(value.type) : isPlain ? Value::ofKind(ValueKind::kObject) : Value();
    if (isPlain) {
        PyTypeObject* known = value.isNone() ? Py_TYPE(Py_None) : isText(value) ? &PyUnicode_Type : &PyTuple_Type;
        type.object = Ref<>::borrow(reinterpret_cast<PyObject*>(known));
    }
    return type.isPoison() ? build.fail(call.node, "kernels have no object for the type of " + describe(value), "UnsupportedError") : type;
}

}  // namespace kiln::gpu
