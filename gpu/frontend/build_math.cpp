// math, the functions of NumPy that do the same, and operator.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const std::map<std::string, MathFunction>& mathNames() {
    static const std::map<std::string, MathFunction> kNames = [] {
        std::map<std::string, MathFunction> names = {
            {"arcsin", MathFunction::kAsin}, {"arccos", MathFunction::kAcos}, {"arctan", MathFunction::kAtan},
            {"arctan2", MathFunction::kAtan2}, {"arcsinh", MathFunction::kAsinh}, {"arccosh", MathFunction::kAcosh},
            {"arctanh", MathFunction::kAtanh}, {"gamma", MathFunction::kGamma}};
        for (int i = 0; i < static_cast<int>(MathFunction::kCount); i++) {
            names.emplace(mathInfo(static_cast<MathFunction>(i)).name64, static_cast<MathFunction>(i));
        }
        return names;
    }();
    return kNames;
}

std::string lastPart(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

}  // namespace

Value FunctionBuilder::mathCall(const Node& node, MathFunction function, std::vector<Value>& arguments) {
    const MathInfo& info = mathInfo(function);
    size_t count = static_cast<size_t>(info.operands);
    if (!expect(node, arguments, count, count) || !scalars(node, arguments)) {
        return {};
    }
    std::vector<const Type*> types;
    for (const Value& argument : arguments) {
        types.push_back(argument.type);
    }
    const Type* type = mathType(types.data(), types.size());
    std::vector<ValueId> operands;
    for (const Value& argument : arguments) {
        operands.push_back(use(convert(argument, type)));
    }
    return emit(Op::kMath, info.isPredicate ? scalarType(Scalar::kBool) : type, operands, static_cast<uint32_t>(function));
}

Value FunctionBuilder::callMath(const Node& node, std::vector<Value>& arguments) {
    auto found = mathNames().find(lastPart(callee_));
    bool isLogBase = callee_ == "math.log" && arguments.size() == 2;
    if (isLogBase) {
        std::vector<Value> number = {arguments[0]};
        std::vector<Value> base = {arguments[1]};
        Value above = mathCall(node, MathFunction::kLog, number);
        Value below = mathCall(node, MathFunction::kLog, base);
        return buildBinary(node, "Div", above, below);
    }
    return mathCall(node, found->second, arguments);
}

// degrees and radians: one multiplication.
Value FunctionBuilder::callDegrees(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    constexpr double kPi = 3.14159265358979323846;
    const Type* type = mathType(&arguments[0].type, 1);
    bool toDegrees = lastPart(callee_) == "degrees" || lastPart(callee_) == "rad2deg";
    double factor = toDegrees ? 180.0 / kPi : kPi / 180.0;
    return arithmetic(Op::kMultiply, convert(arguments[0], type), Value::constant(type, bitsOf(factor, type)));
}

Value FunctionBuilder::callOperator(const Node& node, std::vector<Value>& arguments) {
    static const std::map<std::string, const char*> kBinary = {
        {"add", "Add"}, {"sub", "Sub"}, {"mul", "Mult"}, {"truediv", "Div"}, {"floordiv", "FloorDiv"}, {"mod", "Mod"},
        {"pow", "Pow"}, {"and_", "BitAnd"}, {"or_", "BitOr"}, {"xor", "BitXor"}, {"lshift", "LShift"}, {"rshift", "RShift"},
        {"iadd", "Add"}, {"isub", "Sub"}, {"imul", "Mult"}, {"itruediv", "Div"}, {"ifloordiv", "FloorDiv"}, {"imod", "Mod"},
        {"ipow", "Pow"}, {"iand", "BitAnd"}, {"ior", "BitOr"}, {"ixor", "BitXor"}, {"ilshift", "LShift"}, {"irshift", "RShift"},
        {"subtract", "Sub"}, {"multiply", "Mult"}, {"divide", "Div"}, {"floor_divide", "FloorDiv"}, {"remainder", "Mod"},
        {"power", "Pow"}, {"bitwise_and", "BitAnd"}, {"bitwise_or", "BitOr"}, {"bitwise_xor", "BitXor"},
        {"left_shift", "LShift"}, {"right_shift", "RShift"}};
    static const std::map<std::string, const char*> kComparisons = {
        {"eq", "Eq"}, {"ne", "NotEq"}, {"lt", "Lt"}, {"le", "LtE"}, {"gt", "Gt"}, {"ge", "GtE"}, {"equal", "Eq"},
        {"not_equal", "NotEq"}, {"less", "Lt"}, {"less_equal", "LtE"}, {"greater", "Gt"}, {"greater_equal", "GtE"}};
    static const std::map<std::string, const char*> kUnary = {
        {"neg", "USub"}, {"pos", "UAdd"}, {"invert", "Invert"}, {"not_", "Not"}, {"negative", "USub"}, {"positive", "UAdd"},
        {"logical_not", "Not"}};
    std::string name = lastPart(callee_);
    auto one = kUnary.find(name);
    if (!expect(node, arguments, one != kUnary.end() ? 1 : 2, one != kUnary.end() ? 1 : 2)) {
        return {};
    }
    if (one != kUnary.end()) {
        return unary(node, one->second, arguments[0]);
    }
    auto comparison = kComparisons.find(name);
    if (comparison != kComparisons.end()) {
        return compare(node, comparison->second, arguments[0], arguments[1]);
    }
    return buildBinary(node, kBinary.at(name), arguments[0], arguments[1]);
}

}  // namespace kiln::gpu
