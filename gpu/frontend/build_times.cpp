// datetime64 and timedelta64: int64s that count units. The least one is NaT, which what is computed with it is, too, and which
// equals nothing. Operators are NumPy's; where units differ, the finer one counts.
#include <cstdint>

#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_math.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kNotATime = INT64_MIN;

// The value, or where the condition is true, another one.
Value unless(FunctionBuilder& build, const Value& condition, int64_t otherwise, const Value& value) {
    return select(build, condition, Value::integer(otherwise), value);
}

Value either(FunctionBuilder& build, const Value& first, const Value& second) {
    return arithmetic(build, Op::kOr, first, second);
}

// Rounded towards zero, as C does it, which NumPy does.
Value quotient(FunctionBuilder& build, const Value& left, const Value& right) {
    Value zero = Value::integer(0);
    Value whole = arithmetic(build, Op::kFloorDivide, left, right);
    Value rest = arithmetic(build, Op::kSubtract, left, arithmetic(build, Op::kMultiply, whole, right));
    Value areUnlike =
        arithmetic(build, Op::kXor, compared(build, Op::kLess, left, zero), compared(build, Op::kLess, right, zero));
    Value isBelow = arithmetic(build, Op::kAnd, areUnlike, compared(build, Op::kNotEqual, rest, zero));
    return arithmetic(build, Op::kAdd, whole, convert(build, isBelow, int64Type()));
}

// Of a duration and a number, which is what the finite float is cut to.
Value scaled(FunctionBuilder& build, Op op, const Value& time, const Value& number) {
    Value bits = timeBits(build, time);
    Value isMissing = isNotATime(build, time);
    if (number.type->isFloat()) {
        Value wide = arithmetic(build, op == Op::kMultiply ? op : Op::kDivide, convert(build, bits, float64Type()),
                                convert(build, number, float64Type()));
        Value isFinite = mathCall(build, MathFunction::kIsFinite, {wide});
        Value isLost = build.emit(Op::kNot, isFinite.type, {build.use(isFinite)});
        return timeOf(build,
                      unless(build, either(build, isMissing, isLost), kNotATime, convert(build, wide, int64Type())),
                      time.type);
    }
    Value count = convert(build, number, int64Type());
    if (op == Op::kMultiply) {
        return timeOf(build, unless(build, isMissing, kNotATime, arithmetic(build, op, bits, count)), time.type);
    }
    Value isLost = either(build, isMissing, compared(build, Op::kEqual, count, Value::integer(0)));
    return timeOf(build, unless(build, isLost, kNotATime, quotient(build, bits, count)), time.type);
}

// Of two durations of one type: how often one is in the other, or what is left.
Value ratio(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    Value first = timeBits(build, left);
    Value second = timeBits(build, right);
    Value isMissing = either(build, isNotATime(build, left), isNotATime(build, right));
    if (op == Op::kDivide) {
        Value number =
            arithmetic(build, op, convert(build, first, float64Type()), convert(build, second, float64Type()));
        return select(build, isMissing, Value::constant(float64Type(), bitsOf(__builtin_nan(""), float64Type())),
                      number);
    }
    Value isLost = either(build, isMissing, compared(build, Op::kEqual, second, Value::integer(0)));
    Value number = arithmetic(build, op, first, second);
    return op == Op::kModulo ? timeOf(build, unless(build, isLost, kNotATime, number), left.type)
                             : unless(build, isLost, 0, number);
}

// In sums and comparisons, integers are durations of what they are added to or compared with.
Value orDuration(FunctionBuilder& build, const Value& value, const Value& other) {
    bool isCount = value.type->isInteger() || value.type->isBool();
    return isCount ? timeOf(build, convert(build, value, int64Type()), durationOf(other.type)) : value;
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
    return convert(build, value, value.type->kind == Kind::kDate ? dateOf(unit) : durationOf(unit));
}

Value sum(FunctionBuilder& build, Op op, const Value& left, const Value& right, const Type* type) {
    Value first = inUnit(build, left, type);
    Value second = inUnit(build, right, type);
    Value isMissing = either(build, isNotATime(build, first), isNotATime(build, second));
    Value bits = arithmetic(build, op, timeBits(build, first), timeBits(build, second));
    return timeOf(build, unless(build, isMissing, kNotATime, bits), type);
}

bool isNumber(const Type* type) {
    return type->isInteger() || type->isBool() || type->isFloat();
}

}  // namespace

Value timeBits(FunctionBuilder& build, const Value& time) {
    return time.isConstant ? Value::integer(time.bits) : build.emit(Op::kConvert, int64Type(), {build.use(time)});
}

Value timeOf(FunctionBuilder& build, const Value& bits, const Type* type) {
    return bits.isConstant ? Value::constant(type, bits.bits) : build.emit(Op::kConvert, type, {build.use(bits)});
}

Value isNotATime(FunctionBuilder& build, const Value& time) {
    Value bits = timeBits(build, time);
    return bits.isConstant ? Value::constant(scalarType(Scalar::kBool), bits.bits == kNotATime)
                           : compared(build, Op::kEqual, bits, Value::integer(kNotATime));
}

Value convertTime(FunctionBuilder& build, const Value& value, const Type* type) {
    if (type->isBool()) {
        return convert(build, timeBits(build, value), type);
    }
    int64_t count = value.type->kind == type->kind ? unitsOf(value.type, type) : 0;
    if (count == 0) {
        const char* advice = value.type->kind == type->kind ? "; convert arrays to one unit with astype() before the launch" : "";
        return build.fail(build.statement(), value.type->name + " cannot become " + type->name + advice);
    }
    Value bits = timeBits(build, value);
    if (count == 1) {
        return timeOf(build, bits, type);
    }
    return timeOf(build,
                  unless(build, isNotATime(build, value), kNotATime,
                         arithmetic(build, Op::kMultiply, bits, Value::integer(count))),
                  type);
}

Value makeTime(FunctionBuilder& build, const Node& node, const Type* type, const std::vector<Value>& arguments) {
    bool isMissing = !arguments.empty() && arguments[0].kind == ValueKind::kText && arguments[0].text == "NaT";
    bool hasUnit = arguments.size() == 2 && arguments[1].kind == ValueKind::kText;
    std::string name = type->name.substr(0, type->name.find('['));
    const Type* given = hasUnit ? timeNamed(name + "[" + arguments[1].text + "]") : type;
    bool isSound = !arguments.empty() && (isMissing || arguments[0].isScalar()) && (arguments.size() == 1 || hasUnit) && node.list(2).empty();
    if (!isSound || given == nullptr) {
        return build.fail(node,
                          name + " takes an integer or 'NaT', and a unit, in kernels; name others above the kernel");
    }
    if (isMissing) {
        return Value::constant(given, kNotATime);
    }
    const Value& value = arguments[0];
    if (value.type->isTime()) {
        return convert(build, value, hasUnit || given->name != name ? given : value.type);
    }
    return value.type->isInteger() ? timeOf(build, convert(build, value, int64Type()), given)
                                   : build.fail(node, name + " takes an integer, and this is " + describe(value));
}

Value timeBinary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    bool areTimes = left.type->isTime() && right.type->isTime();
    if (op == Op::kAdd || op == Op::kSubtract) {
        Value first = left.type->isTime() ? left : orDuration(build, left, right);
        Value second = right.type->isTime() ? right : orDuration(build, right, left);
        const Type* type = first.type->isTime() && second.type->isTime() ? sumType(op, first.type, second.type) : nullptr;
        if (type != nullptr) {
            return sum(build, op, first, second, type);
        }
    }
    bool divides = op == Op::kDivide || op == Op::kFloorDivide;
    if (areTimes && (divides || op == Op::kModulo) && left.type->kind == Kind::kDuration) {
        if (const Type* type = commonTime(left.type, right.type)) {
            return ratio(build, op, convert(build, left, type), convert(build, right, type));
        }
    }
    if (left.type->kind == Kind::kDuration && isNumber(right.type) && (divides || op == Op::kMultiply)) {
        return scaled(build, op, left, right);
    }
    if (right.type->kind == Kind::kDuration && isNumber(left.type) && op == Op::kMultiply) {
        return scaled(build, op, right, left);
    }
    return build.fail(node, std::string("operator ") + opInfo(op).name + " does not work on " + describe(left) +
                                " and " + describe(right));
}

Value timeCompare(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    bool takesCounts = (left.type->isTime() ? left : right).type->kind == Kind::kDuration;
    Value first = left.type->isTime() || !takesCounts ? left : orDuration(build, left, right);
    Value second = right.type->isTime() || !takesCounts ? right : orDuration(build, right, left);
    const Type* type = first.type->isTime() && second.type->isTime() ? commonTime(first.type, second.type) : nullptr;
    if (type == nullptr) {
        return build.fail(node, describe(left) + " and " + describe(right) + " cannot be compared");
    }
    first = convert(build, first, type);
    second = convert(build, second, type);
    Value result = compared(build, op, timeBits(build, first), timeBits(build, second));
    Value isMissing = either(build, isNotATime(build, first), isNotATime(build, second));
    return select(build, isMissing, Value::constant(result.type, op == Op::kNotEqual), result);
}

Value timeUnary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand) {
    if (operand.type->kind != Kind::kDuration || op == UnaryOperator::kInverse) {
        return build.fail(node, "this operator does not work on " + describe(operand));
    }
    if (op == UnaryOperator::kPositive) {
        return operand;
    }
    Value zero = Value::integer(0);  // less NaT is NaT again
    return timeOf(build, arithmetic(build, Op::kSubtract, zero, timeBits(build, operand)), operand.type);
}

Value callIsNotATime(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    return call[0].type->isTime()
               ? isNotATime(build, call[0])
               : build.fail(call.node, "isnat takes a date or a duration, and this is " + describe(call[0]));
}

}  // namespace kiln::gpu
