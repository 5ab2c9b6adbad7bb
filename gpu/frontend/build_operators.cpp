// Operators.
#include "gpu/frontend/build_operators.h"

#include <algorithm>

#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {
namespace {

// By the names of ast's nodes.
const std::map<std::string, Op> kBinary = {
    {"Add", Op::kAdd},    {"Sub", Op::kSubtract},         {"Mult", Op::kMultiply},
    {"Div", Op::kDivide}, {"FloorDiv", Op::kFloorDivide}, {"Mod", Op::kModulo},
    {"Pow", Op::kPower},  {"BitAnd", Op::kAnd},           {"BitOr", Op::kOr},
    {"BitXor", Op::kXor}, {"LShift", Op::kShiftLeft},     {"RShift", Op::kShiftRight}};

const std::map<std::string, Op> kComparisons = {
    {"Eq", Op::kEqual},   {"NotEq", Op::kNotEqual},   {"Lt", Op::kLess},  {"LtE", Op::kLessEqual},
    {"Gt", Op::kGreater}, {"GtE", Op::kGreaterEqual}, {"Is", Op::kEqual}, {"IsNot", Op::kNotEqual}};

const std::map<std::string, UnaryOperator> kUnary = {{"USub", UnaryOperator::kNegative},
                                                     {"UAdd", UnaryOperator::kPositive},
                                                     {"Invert", UnaryOperator::kInverse},
                                                     {"Not", UnaryOperator::kNot}};

const char* symbolOf(UnaryOperator op) {
    static constexpr const char* kSymbols[] = {"-", "+", "~", "not"};
    return kSymbols[static_cast<int>(op)];
}

// As Python spells it.
std::string symbolOf(Op op) {
    static const std::map<Op, const char*> kSymbols = {
        {Op::kAdd, "+"},          {Op::kSubtract, "-"},   {Op::kMultiply, "*"},   {Op::kDivide, "/"},
        {Op::kFloorDivide, "//"}, {Op::kModulo, "%"},     {Op::kPower, "**"},     {Op::kAnd, "&"},
        {Op::kOr, "|"},           {Op::kXor, "^"},        {Op::kShiftLeft, "<<"}, {Op::kShiftRight, ">>"},
        {Op::kLess, "<"},         {Op::kLessEqual, "<="}, {Op::kGreater, ">"},    {Op::kGreaterEqual, ">="},
        {Op::kEqual, "=="},       {Op::kNotEqual, "!="}};
    return kSymbols.at(op);
}

// Its name in Python's module `operator`.
const char* nameOf(Op op) {
    static const std::map<Op, const char*> kNames = {
        {Op::kAdd, "add"},           {Op::kSubtract, "sub"},   {Op::kMultiply, "mul"},    {Op::kDivide, "truediv"},
        {Op::kFloorDivide, "floordiv"}, {Op::kModulo, "mod"},  {Op::kPower, "pow"},       {Op::kAnd, "and_"},
        {Op::kOr, "or_"},            {Op::kXor, "xor"},        {Op::kShiftLeft, "lshift"}, {Op::kShiftRight, "rshift"},
        {Op::kLess, "lt"},           {Op::kLessEqual, "le"},   {Op::kGreater, "gt"},      {Op::kGreaterEqual, "ge"},
        {Op::kEqual, "eq"},          {Op::kNotEqual, "ne"}};
    return kNames.at(op);
}

// The value with the user's name for it: operand 0 or 1 of an operator, as its node has it.
std::string told(const Node& node, int operand, const Value& value) {
    const Node* at = nullptr;
    switch (node.kind) {
    case NodeKind::kBinOp:
    case NodeKind::kAugAssign: at = node.child(operand == 0 ? 0 : 2); break;
    case NodeKind::kUnaryOp: at = node.child(1); break;
    case NodeKind::kCompare:
        at = operand == 0 ? node.child(0) : node.list(2).size() == 1 ? node.list(2)[0].get() : nullptr;
        break;
    default: break;
    }
    bool isNamed = at != nullptr && at->kind == NodeKind::kName;
    return isNamed ? "'" + at->text + "' (" + describe(value) + ")" : describe(value);
}

constexpr int kMostMultiplies = 64;  // of a power with a constant exponent

// Python's // and % of 64-bit integers, where a divisor of 0 gives 0.
int64_t floorDivide(int64_t a, int64_t b, bool modulo) {
    if (b == 0 || (b == -1 && modulo)) {
        return 0;
    }
    if (b == -1) {
        return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
    }
    int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return modulo ? a - quotient * b : quotient;
}

bool foldIntegers(Op op, int64_t a, int64_t b, int64_t& out) {
    uint64_t x = static_cast<uint64_t>(a);
    uint64_t y = static_cast<uint64_t>(b);
    switch (op) {
    case Op::kAdd: out = static_cast<int64_t>(x + y); return true;
    case Op::kSubtract: out = static_cast<int64_t>(x - y); return true;
    case Op::kMultiply: out = static_cast<int64_t>(x * y); return true;
    case Op::kFloorDivide:
    case Op::kModulo: out = floorDivide(a, b, op == Op::kModulo); return true;
    case Op::kAnd: out = a & b; return true;
    case Op::kOr: out = a | b; return true;
    case Op::kXor: out = a ^ b; return true;
    case Op::kShiftLeft: out = static_cast<int64_t>(x << (y & 63)); return true;
    case Op::kShiftRight: out = a >> (y & 63); return true;
    default: return false;
    }
}

bool foldFloats(Op op, double a, double b, double& out) {
    switch (op) {
    case Op::kAdd: out = a + b; return true;
    case Op::kSubtract: out = a - b; return true;
    case Op::kMultiply: out = a * b; return true;
    case Op::kDivide: out = a / b; return b != 0;
    default: return false;
    }
}

// Small constant exponents become multiplications, as in numba; float to an integer power is repeated squaring there too.
Value buildPower(FunctionBuilder& build, const Node& node, const Value& left, const Value& right) {
    const Type* type = binaryRule(Op::kPower, left.type, right.type).result;
    Value base = convert(build, left, type);
    int64_t exponent = right.bits;
    auto multiply = [&](Op op, const Value& first, const Value& second) {
        return type->isComplex() ? complexBinary(build, op, first, second) : arithmetic(build, op, first, second);
    };
    if (!right.isConstant || !right.type->isInteger() || exponent < -kMostMultiplies || exponent > kMostMultiplies ||
        (exponent < 0 && !type->isFloat() && !type->isComplex())) {
        if (type->isComplex()) {
            return complexPower(build, base, convert(build, right, type));
        }
        if (type->isFloat() && !right.type->isFloat()) {
            const Type* wide = right.type->isUnsigned() ? scalarType(Scalar::kUInt64) : scalarType(Scalar::kInt64);
            Value power = convert(build, convert(build, right, wide), type);
            ValueId first = build.use(base);
            return build.emit(Op::kMath, type, {first, build.use(power)}, static_cast<uint32_t>(MathFunction::kPower));
        }
        if (type->isFloat()) {
            ValueId first = build.use(base);
            return build.emit(Op::kMath, type, {first, build.use(convert(build, right, type))},
                              static_cast<uint32_t>(MathFunction::kPower));
        }
        return arithmetic(build, Op::kPower, base, convert(build, right, type));
    }
    Value result;
    for (uint64_t rest = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent); rest != 0; rest >>= 1) {
        if ((rest & 1) != 0) {
            result = result.isPoison() ? base : multiply(Op::kMultiply, result, base);
        }
        if (rest > 1) {
            base = multiply(Op::kMultiply, base, base);
        }
    }
    Value one = convert(build, Value::integer(1), type);
    if (result.isPoison()) {
        return one;
    }
    return exponent < 0 ? multiply(Op::kDivide, one, result) : result;
}

Value compareBySyntax(FunctionBuilder& build, const Node& node, const std::string& op, const Value& left,
                      const Value& right) {
    if (op == "In" || op == "NotIn") {
        Value found = contains(build, node, left, right);
        return op == "In" ? found : unary(build, node, UnaryOperator::kNot, found);
    }
    if ((op == "Is" || op == "IsNot") && areNeverIdentical(left, right)) {
        return Value::constant(scalarType(Scalar::kBool), op == "IsNot");
    }
    if (Value same = op == "Is" || op == "IsNot" ? isSameArray(build, left, right) : Value(); !same.isPoison()) {
        return op == "Is" ? same : unary(build, node, UnaryOperator::kNot, same);
    }
    bool areKnown = left.isConstant && right.isConstant && left.isScalar() && left.type == right.type && !left.type->isFloat();
    if (areKnown && (op == "Is" || op == "IsNot" || op == "Eq" || op == "NotEq")) {
        return Value::constant(scalarType(Scalar::kBool), (left.bits == right.bits) == (op == "Is" || op == "Eq"));
    }
    return compare(build, node, kComparisons.at(op), left, right);
}

// The first items that differ decide; where none does, the lengths.
Value orderTuples(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    auto length = [](const Value& tuple) { return Value::integer(static_cast<int64_t>(tuple.items.size())); };
    Op strictly = op == Op::kLess || op == Op::kLessEqual ? Op::kLess : Op::kGreater;
    Value holds = compare(build, node, op, length(left), length(right));
    for (size_t i = std::min(left.items.size(), right.items.size()); i-- > 0 && !build.failed();) {
        Value decides = compare(build, node, strictly, left.items[i], right.items[i]);
        Value same = compare(build, node, Op::kEqual, left.items[i], right.items[i]);
        holds = arithmetic(build, Op::kOr, decides, arithmetic(build, Op::kAnd, same, holds));
    }
    return holds;
}

Value compareTuples(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    const Type* boolean = scalarType(Scalar::kBool);
    if (op != Op::kEqual && op != Op::kNotEqual) {
        return orderTuples(build, node, op, left, right);
    }
    Value same = Value::constant(boolean, left.items.size() == right.items.size());
    for (size_t i = 0; same.isConstant && same.bits != 0 && i < left.items.size(); i++) {
        same = compare(build, node, Op::kEqual, left.items[i], right.items[i]);
        for (i++; !same.isPoison() && i < left.items.size(); i++) {
            Value item = compare(build, node, Op::kEqual, left.items[i], right.items[i]);
            same = arithmetic(build, Op::kAnd, same, item);
        }
    }
    return op == Op::kEqual ? same : unary(build, node, UnaryOperator::kNot, same);
}

}  // namespace

Value arithmetic(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    if (left.isPoison() || right.isPoison()) {
        return {};
    }
    const Type* type = left.type;
    if (type->isBrain()) {
        return convert(build, arithmetic(build, op, widened(build, left), widened(build, right)), type);
    }
    if (type->isTime()) {
        return build.fail(build.statement(), "this does not work on values of type " + type->name);
    }
    if (type == floatType(16)) {
        const Type* wide = floatType(32);
        return convert(build, arithmetic(build, op, convert(build, left, wide), convert(build, right, wide)), type);
    }
    if (left.isConstant && right.isConstant && type == right.type) {
        int64_t bits = 0;
        double number = 0;
        if (type->isSigned() && type->bits == 64 && foldIntegers(op, left.bits, right.bits, bits)) {
            return Value::constant(type, bits);
        }
        if (type->isFloat() && type->bits == 64 &&
            foldFloats(op, floatOf(left.bits, type), floatOf(right.bits, type), number)) {
            return Value::constant(type, bitsOf(number, type));
        }
    }
    bool isIdentity =
        right.isConstant && type->isInteger() &&
        ((right.bits == 0 && (op == Op::kAdd || op == Op::kSubtract)) || (right.bits == 1 && op == Op::kMultiply));
    if (isIdentity) {
        return left;
    }
    if (left.isConstant && left.bits == 1 && type->isInteger() && op == Op::kMultiply) {
        return right;
    }
    ValueId first = build.use(left);
    return build.emit(op, type, {first, build.use(right)});
}

Value buildBinary(FunctionBuilder& build, const Node& node, const std::string& name, const Value& left,
                  const Value& right) {
    auto found = kBinary.find(name);
    if (found == kBinary.end()) {
        return build.fail(node, "operator @ does not work in kernels; write a loop");
    }
    return binary(build, node, found->second, left, right);
}

Value binary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    if (left.isPoison() || right.isPoison()) {
        return {};
    }
    if (isStructure(left) || isStructure(right)) {
        return registeredOperator(build, node, nameOf(op), {left, right});
    }
    if (Value found = memberBinary(build, node, op, left, right); !found.isPoison() || build.failed()) {
        return found;
    }
    Value known = isText(left) || isText(right) ? textBinary(build, node, nameOf(op), left, right) : Value();
    if (!known.isPoison() || build.failed()) {
        return known;
    }
    if (left.kind == ValueKind::kTuple && right.kind == ValueKind::kTuple && op == Op::kAdd) {
        Value tuple = left;
        tuple.items.insert(tuple.items.end(), right.items.begin(), right.items.end());
        return tuple;
    }
    if ((left.kind == ValueKind::kTuple || right.kind == ValueKind::kTuple) && op == Op::kMultiply) {
        return repeatedTuple(build, node, left.kind == ValueKind::kTuple ? left : right, left.kind == ValueKind::kTuple ? right : left);
    }
    if (left.isScalar() && right.isScalar() && (left.type->isTime() || right.type->isTime())) {
        return timeBinary(build, node, op, left, right);
    }
    if (left.isScalar() && right.isScalar() && (left.type->isBrain() || right.type->isBrain())) {
        Value wide = binary(build, node, op, widened(build, left), widened(build, right));
        return left.type == right.type ? convert(build, wide, left.type) : wide;
    }
    BinaryRule rule = left.isScalar() && right.isScalar() ? binaryRule(op, left.type, right.type) : BinaryRule();
    if (rule.result == nullptr) {
        const char* advice =
            left.isArray() || right.isArray() ? "; kernels work on elements, such as a[i], not on whole arrays" : "";
        return build.fail(node, "operator " + symbolOf(op) + " does not work on " + told(node, 0, left) + " and " +
                                    told(node, 1, right) + advice);
    }
    if (op == Op::kDivide || op == Op::kFloorDivide || op == Op::kModulo) {
        bool isInteger = rule.result->isInteger();
        checkDivisor(build, node, right,
                     op == Op::kModulo          ? (isInteger ? "integer modulo by zero" : "modulo by zero")
                     : rule.result->isComplex() ? "complex division by zero"
                     : isInteger                ? "integer division by zero"
                                                : "division by zero");
    }
    if (op == Op::kPower) {
        return buildPower(build, node, left, right);
    }
    if (rule.result->isComplex()) {
        Value first = convert(build, left, rule.left);
        return complexBinary(build, op, first, convert(build, right, rule.right));
    }
    return arithmetic(build, op, convert(build, left, rule.left), convert(build, right, rule.right));
}

Value buildUnary(FunctionBuilder& build, const Node& node) {
    return unary(build, node, kUnary.at(node.child(0)->text), buildMaybe(build, *node.child(1)));
}

Value unary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand) {
    if (operand.isPoison()) {
        return operand;
    }
    if (op == UnaryOperator::kNot) {
        Value condition = truth(build, operand, node);
        if (condition.isConstant) {
            return Value::constant(condition.type, condition.bits == 0);
        }
        return condition.isPoison() ? condition : build.emit(Op::kNot, condition.type, {build.use(condition)});
    }
    if (operand.kind == ValueKind::kOptional) {
        return unary(build, node, op, present(build, node, operand));
    }
    bool isNegative = op == UnaryOperator::kNegative;
    if (isStructure(operand)) {
        return registeredOperator(build, node,
                                  isNegative                       ? "neg"
                                  : op == UnaryOperator::kPositive ? "pos"
                                                                   : "invert",
                                  {operand});
    }
    if (Value found = memberUnary(build, node, op, operand); !found.isPoison() || build.failed()) {
        return found;
    }
    if (!operand.isScalar() ||
        (op == UnaryOperator::kInverse && (operand.type->isFloat() || operand.type->isComplex()))) {
        return build.fail(node,
                          std::string("operator ") + symbolOf(op) + " does not work on " + told(node, 0, operand));
    }
    if (operand.type->isBrain()) {
        return convert(build, unary(build, node, op, widened(build, operand)), operand.type);
    }
    if (operand.type->isTime()) {
        return timeUnary(build, node, op, operand);
    }
    if (op == UnaryOperator::kInverse && operand.type->isBool()) {  // unlike Python's, which numba does not follow here
        return operand.isConstant ? Value::constant(operand.type, operand.bits == 0)
                                  : build.emit(Op::kNot, operand.type, {build.use(operand)});
    }
    Value value = convert(build, operand, unaryType(operand.type));
    if (op == UnaryOperator::kPositive) {
        return value;
    }
    if (value.type->isComplex()) {
        return negated(build, value);
    }
    if (value.isConstant && isNegative && value.type->isFloat()) {
        return Value::constant(value.type, bitsOf(-floatOf(value.bits, value.type), value.type));
    }
    if (value.isConstant && value.type->isSigned() && value.type->bits == 64) {
        uint64_t bits = static_cast<uint64_t>(value.bits);
        return Value::integer(static_cast<int64_t>(isNegative ? 0 - bits : ~bits));
    }
    if (value.type == floatType(16)) {
        return convert(build, build.emit(Op::kNegate, floatType(32), {build.use(convert(build, value, floatType(32)))}),
                       value.type);
    }
    return build.emit(isNegative ? Op::kNegate : Op::kInvert, value.type, {build.use(value)});
}

Value buildCompare(FunctionBuilder& build, const Node& node) {
    Value left = buildMaybe(build, *node.child(0));
    std::function<Value(Value, size_t)> chain = [&](Value first, size_t i) -> Value {
        Value second = buildMaybe(build, *node.list(2)[i]);
        Value result = compareBySyntax(build, node, node.list(1)[i]->text, first, second);
        if (i + 1 == node.list(1).size()) {
            return result;
        }
        return choose(
            build, result, node, [&] { return chain(second, i + 1); },
            [&] { return Value::constant(scalarType(Scalar::kBool), 0); });
    };
    return chain(left, 0);
}

Value compare(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    const Type* boolean = scalarType(Scalar::kBool);
    if (left.isPoison() || right.isPoison()) {
        return {};
    }
    if (left.kind == ValueKind::kOptional || right.kind == ValueKind::kOptional) {
        return compareOptionals(build, node, op, left, right);
    }
    if (isStructure(left) || isStructure(right)) {
        return registeredOperator(build, node, nameOf(op), {left, right});
    }
    if (Value found = compareMembers(build, node, op, left, right); !found.isPoison() || build.failed()) {
        return found;
    }
    if (isText(left) || isText(right)) {
        Value result = compareTexts(build, node, op, left, right);
        return result.isPoison() && !build.failed()
                   ? build.fail(node, told(node, 0, left) + " and " + told(node, 1, right) + " have no order")
                   : result;
    }
    if (left.isNone() || right.isNone()) {
        if (op != Op::kEqual && op != Op::kNotEqual) {
            return build.fail(node, told(node, 0, left) + " and " + told(node, 1, right) + " have no order");
        }
        return Value::constant(boolean, (left.kind == right.kind) == (op == Op::kEqual));
    }
    if (left.kind == ValueKind::kTuple && right.kind == ValueKind::kTuple) {
        return compareTuples(build, node, op, left, right);
    }
    if (left.kind == ValueKind::kObject && right.kind == ValueKind::kObject && (op == Op::kEqual || op == Op::kNotEqual)) {
        return Value::constant(boolean, isSameObject(left, right) == (op == Op::kEqual));
    }
    if (!left.isScalar() || !right.isScalar()) {
        return build.fail(
            node, told(node, 0, left) + " and " + told(node, 1, right) + " cannot be compared with " + symbolOf(op));
    }
    if (left.type->isTime() || right.type->isTime()) {
        return timeCompare(build, node, op, left, right);
    }
    if (left.type->isBrain() || right.type->isBrain()) {
        return compare(build, node, op, widened(build, left), widened(build, right));
    }
    BinaryRule rule = binaryRule(op, left.type, right.type);
    if (rule.result == nullptr) {
        return build.fail(node, told(node, 0, left) + " and " + told(node, 1, right) + " have no order");
    }
    const Type* wide = floatType(32);
    Value first = convert(build, left, rule.left == floatType(16) ? wide : rule.left);
    Value second = convert(build, right, rule.right == floatType(16) ? wide : rule.right);
    if (first.type->isComplex()) {
        return complexBinary(build, op, first, second);
    }
    if (first.isConstant && second.isConstant && first.type == second.type && first.type->isSigned()) {
        int64_t a = first.bits;
        int64_t b = second.bits;
        bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        return Value::constant(boolean, results[static_cast<int>(op) - static_cast<int>(Op::kEqual)]);
    }
    return compared(build, op, first, second);
}

Value minimumOrMaximum(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    if (!left.isScalar() || !right.isScalar()) {
        return left.isPoison() || right.isPoison()
                   ? Value()
                   : build.fail(node, "min and max do not work on " + describe(left.isScalar() ? right : left));
    }
    if (left.type->isComplex() || right.type->isComplex()) {
        return build.fail(node, "complex numbers have no order");
    }
    if (left.type->isTime() || right.type->isTime()) {
        Value isOther = compare(build, node, op == Op::kMaximum ? Op::kGreater : Op::kLess, right, left);
        const Type* time = unifyScalars(left.type, right.type);
        return isOther.isPoison() ? isOther
                                  : select(build, isOther, convert(build, right, time), convert(build, left, time));
    }
    if (left.type->isBrain() || right.type->isBrain()) {
        Value wide = minimumOrMaximum(build, node, op, widened(build, left), widened(build, right));
        return left.type == right.type ? convert(build, wide, left.type) : wide;
    }
    const Type* type = unifyScalars(left.type, right.type);
    return arithmetic(build, op, convert(build, left, type), convert(build, right, type));
}

Value compared(FunctionBuilder& build, Op op, const Value& left, const Value& right) {
    if (left.type == floatType(16)) {
        return compared(build, op, convert(build, left, floatType(32)), convert(build, right, floatType(32)));
    }
    ValueId first = build.use(left);
    return build.emit(op, scalarType(Scalar::kBool), {first, build.use(right)});
}

}  // namespace kiln::gpu
