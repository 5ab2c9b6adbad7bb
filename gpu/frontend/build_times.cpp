// datetime64 and timedelta64: int64s that count units. The least one is NaT, which what is computed with it is, too, and which
// equals nothing. Operators are NumPy's; where units differ, the finer one counts.
#include <cstdint>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kNotATime = INT64_MIN;

const Type* int64() {
    return scalarType(Scalar::kInt64);
}

const Type* float64() {
    return scalarType(Scalar::kFloat64);
}

// The value, or where the condition is true, another one.
Value unless(FunctionBuilder& build, const Value& condition, int64_t otherwise, const Value& value) {
    return build.select(condition, Value::integer(otherwise), value);
}

Value either(FunctionBuilder& build, const Value& first, const Value& second) {
    return build.arithmetic(Op::kOr, first, second);
}

// Rounded towards zero, as C does it, which NumPy does.
Value quotient(FunctionBuilder& build, const Value& left, const Value& right) {
    Value zero = Value::integer(0);
    Value whole = build.arithmetic(Op::kFloorDivide, left, right);
    Value rest = build.arithmetic(Op::kSubtract, left, build.arithmetic(Op::kMultiply, whole, right));
    Value areUnlike = build.arithmetic(Op::kXor, build.compared(Op::kLess, left, zero), build.compared(Op::kLess, right, zero));
    Value isBelow = build.arithmetic(Op::kAnd, areUnlike, build.compared(Op::kNotEqual, rest, zero));
    return build.arithmetic(Op::kAdd, whole, build.convert(isBelow, int64()));
}

// Of a duration and a number, which is what the finite float is cut to.
Value scaled(FunctionBuilder& build, Op op, const Value& time, const Value& number) {
    Value bits = build.timeBits(time);
    Value isMissing = build.isNotATime(time);
    if (number.type->isFloat()) {
        Value wide = build.arithmetic(op == Op::kMultiply ? op : Op::kDivide, build.convert(bits, float64()), build.convert(number, float64()));
        Value isFinite = build.mathCall(MathFunction::kIsFinite, {wide});
        Value isLost = build.emit(Op::kNot, isFinite.type, {build.use(isFinite)});
        return build.timeOf(unless(build, either(build, isMissing, isLost), kNotATime, build.convert(wide, int64())), time.type);
    }
    Value count = build.convert(number, int64());
    if (op == Op::kMultiply) {
        return build.timeOf(unless(build, isMissing, kNotATime, build.arithmetic(op, bits, count)), time.type);
    }
    Value isLost = either(build, isMissing, build.compared(Op::kEqual, count, Value::integer(0)));
    return build.timeOf(unless(build, isLost, kNotATime, quotient(build, bits, count)), time.type);
}

// Of two durations of one type: how often one is in the other, or what is left.
Value ratio(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    Value first = build.timeBits(left);
    Value second = build.timeBits(right);
    Value isMissing = either(build, build.isNotATime(left), build.isNotATime(right));
    if (op == Op::kDivide) {
        Value number = build.arithmetic(op, build.convert(first, float64()), build.convert(second, float64()));
        return build.select(isMissing, Value::constant(float64(), bitsOf(__builtin_nan(""), float64())), number);
    }
    Value isLost = either(build, isMissing, build.compared(Op::kEqual, second, Value::integer(0)));
    Value number = build.arithmetic(op, first, second);
    return op == Op::kModulo ? build.timeOf(unless(build, isLost, kNotATime, number), left.type) : unless(build, isLost, 0, number);
}

// In sums and comparisons, integers are durations of what they are added to or compared with.
Value orDuration(FunctionBuilder& build, const Value& value, const Value& other) {
    bool isCount = value.type->isInteger() || value.type->isBool();
    return isCount ? build.timeOf(build.convert(value, int64()), durationOf(other.type)) : value;
}

// What a sum or a difference of two such types is; nullptr where there is none.
const Type* sumType(Op op, const Type* left, const Type* right) {
    const Type* common = commonTime(durationOf(left), durationOf(right));
    bool areDates = left->kind == Kind::kDate && right->kind == Kind::kDate;
    if (common == nullptr || (areDates && op == Op::kAdd) ||
        (left->kind == Kind::kDuration && right->kind == Kind::kDate && op == Op::kSubtract)) {
        return nullptr;
    }
    return !areDates && (left->kind == Kind::kDate || right->kind == Kind::kDate) ? dateOf(common) : common;
}

// The value in the unit of another type, of its own kind.
Value inUnit(FunctionBuilder& build, const Value& value, const Type* unit) {
    return build.convert(value, value.type->kind == Kind::kDate ? dateOf(unit) : durationOf(unit));
}

Value sum(FunctionBuilder& build, Op op, const Value& left, const Value& right, const Type* type) {
    Value first = inUnit(build, left, type);
    Value second = inUnit(build, right, type);
    Value isMissing = either(build, build.isNotATime(first), build.isNotATime(second));
    Value bits = build.arithmetic(op, build.timeBits(first), build.timeBits(second));
    return build.timeOf(unless(build, isMissing, kNotATime, bits), type);
}

bool isNumber(const Type* type) {
    return type->isInteger() || type->isBool() || type->isFloat();
}

}  // namespace

Value FunctionBuilder::timeBits(const Value& time) {
    return time.isConstant ? Value::integer(time.bits) : emit(Op::kConvert, int64(), {use(time)});
}

Value FunctionBuilder::timeOf(const Value& bits, const Type* type) {
    return bits.isConstant ? Value::constant(type, bits.bits) : emit(Op::kConvert, type, {use(bits)});
}

Value FunctionBuilder::isNotATime(const Value& time) {
    Value bits = timeBits(time);
    return bits.isConstant ? Value::constant(scalarType(Scalar::kBool), bits.bits == kNotATime)
                           : compared(Op::kEqual, bits, Value::integer(kNotATime));
}

// To a finer unit of the same kind; to a bool.
Value FunctionBuilder::convertTime(const Value& value, const Type* type) {
    if (type->isBool()) {
        return convert(timeBits(value), type);
    }
    int64_t count = value.type->kind == type->kind ? unitsOf(value.type, type) : 0;
    if (count == 0) {
        const char* advice = value.type->kind == type->kind ? "; convert arrays to one unit with astype() before the launch" : "";
        return fail(*statement_, value.type->name + " cannot become " + type->name + advice);
    }
    Value bits = timeBits(value);
    if (count == 1) {
        return timeOf(bits, type);
    }
    return timeOf(unless(*this, isNotATime(value), kNotATime, arithmetic(Op::kMultiply, bits, Value::integer(count))), type);
}

// np.timedelta64(3, 's'), np.datetime64('NaT', 's'), np.timedelta64(another)
Value FunctionBuilder::makeTime(const Node& node, const Type* type, const std::vector<Value>& arguments) {
    bool isMissing = !arguments.empty() && arguments[0].kind == ValueKind::kText && arguments[0].text == "NaT";
    bool hasUnit = arguments.size() == 2 && arguments[1].kind == ValueKind::kText;
    std::string name = type->name.substr(0, type->name.find('['));
    const Type* given = hasUnit ? timeNamed(name + "[" + arguments[1].text + "]") : type;
    bool isSound = !arguments.empty() && (isMissing || arguments[0].isScalar()) && (arguments.size() == 1 || hasUnit) && node.list(2).empty();
    if (!isSound || given == nullptr) {
        return fail(node, name + " takes an integer or 'NaT', and a unit, in kernels; name others above the kernel");
    }
    if (isMissing) {
        return Value::constant(given, kNotATime);
    }
    const Value& value = arguments[0];
    if (value.type->isTime()) {
        return convert(value, hasUnit || given->name != name ? given : value.type);
    }
    return value.type->isInteger() ? timeOf(convert(value, int64()), given) : fail(node, name + " takes an integer, and this is " + describe(value));
}

Value FunctionBuilder::timeBinary(const Node& node, Op op, const Value& left, const Value& right) {
    bool areTimes = left.type->isTime() && right.type->isTime();
    if (op == Op::kAdd || op == Op::kSubtract) {
        Value first = left.type->isTime() ? left : orDuration(*this, left, right);
        Value second = right.type->isTime() ? right : orDuration(*this, right, left);
        const Type* type = first.type->isTime() && second.type->isTime() ? sumType(op, first.type, second.type) : nullptr;
        if (type != nullptr) {
            return sum(*this, op, first, second, type);
        }
    }
    bool divides = op == Op::kDivide || op == Op::kFloorDivide;
    if (areTimes && (divides || op == Op::kModulo) && left.type->kind == Kind::kDuration) {
        if (const Type* type = commonTime(left.type, right.type)) {
            return ratio(*this, op, convert(left, type), convert(right, type));
        }
    }
    if (left.type->kind == Kind::kDuration && isNumber(right.type) && (divides || op == Op::kMultiply)) {
        return scaled(*this, op, left, right);
    }
    if (right.type->kind == Kind::kDuration && isNumber(left.type) && op == Op::kMultiply) {
        return scaled(*this, op, right, left);
    }
    return fail(node, std::string("operator ") + opInfo(op).name + " does not work on " + describe(left) + " and " + describe(right));
}

Value FunctionBuilder::timeCompare(const Node& node, Op op, const Value& left, const Value& right) {
    bool takesCounts = (left.type->isTime() ? left : right).type->kind == Kind::kDuration;
    Value first = left.type->isTime() || !takesCounts ? left : orDuration(*this, left, right);
    Value second = right.type->isTime() || !takesCounts ? right : orDuration(*this, right, left);
    const Type* type = first.type->isTime() && second.type->isTime() ? commonTime(first.type, second.type) : nullptr;
    if (type == nullptr) {
        return fail(node, describe(left) + " and " + describe(right) + " cannot be compared");
    }
    first = convert(first, type);
    second = convert(second, type);
    Value result = compared(op, timeBits(first), timeBits(second));
    Value isMissing = either(*this, isNotATime(first), isNotATime(second));
    return select(isMissing, Value::constant(result.type, op == Op::kNotEqual), result);
}

Value FunctionBuilder::timeUnary(const Node& node, UnaryOperator op, const Value& operand) {
    if (operand.type->kind != Kind::kDuration || op == UnaryOperator::kInverse) {
        return fail(node, "this operator does not work on " + describe(operand));
    }
    if (op == UnaryOperator::kPositive) {
        return operand;
    }
    Value zero = Value::integer(0);  // less NaT is NaT again
    return timeOf(arithmetic(Op::kSubtract, zero, timeBits(operand)), operand.type);
}

Value callIsNotATime(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    return call[0].type->isTime() ? build.isNotATime(call[0])
                                  : build.fail(call.node, "isnat takes a date or a duration, and this is " + describe(call[0]));
}

}  // namespace kiln::gpu
