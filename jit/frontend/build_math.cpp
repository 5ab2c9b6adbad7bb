// Functions of the math module.
#include <cmath>
#include <cstring>

#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kMostArguments = 3;

}  // namespace

bool RegionBuilder::callMath(const BytecodeInstruction& in, PyObject* callee, const char* name, int arguments) {
    for (int argument = 0; argument < arguments; argument++) {
        if (!top(argument).isNumber()) {
            return false;
        }
    }
    AbstractValue result;
    if (mathTest(name, arguments, result) || mathRounding(in, name, arguments, result) || libmCall(name, arguments, result) ||
        mathCall(in, callee, arguments, result)) {
        finishCall(in, arguments + 2, result);
        return true;
    }
    return false;
}

// The functions of math_functions.def: libm computes what the module does.
bool RegionBuilder::libmCall(const char* name, int arguments, AbstractValue& result) {
    for (int function = 0; function < static_cast<int>(MathFunction::kCount); function++) {
        if (std::strcmp(kMathNames[function], name) != 0 || kMathArities[function] != arguments) {
            continue;
        }
        Id value = arguments == 1
                       ? emitExiting(ir::Op::k_math_unary, {asFloat(top())}, ExitReason::k_domain, function)
                       : emitExiting(ir::Op::k_math_binary, {asFloat(top(1)), asFloat(top(0))}, ExitReason::k_domain, function);
        result = AbstractValue::number(Kind::kFloat, value);
        return true;
    }
    return false;
}

// isnan, isinf, isfinite; degrees and radians are a product as in CPython.
bool RegionBuilder::mathTest(const char* name, int arguments, AbstractValue& result) {
    auto named = [&](const char* wanted) { return arguments == 1 && std::strcmp(name, wanted) == 0; };
    auto infinity = [&] { return constFloat(HUGE_VAL); };
    auto magnitude = [&] { return emit(ir::Op::k_float_abs, {asFloat(top())}); };
    auto answer = [&](Id value) { result = AbstractValue::number(Kind::kBool, value); };
    auto product = [&](double factor) {
        result = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_float_mul, {asFloat(top()), constFloat(factor)}));
    };
    if (named("isnan")) {
        Id x = asFloat(top());
        answer(emit(ir::Op::k_float_ne, {x, x}));
    } else if (named("isinf")) {
        answer(emit(ir::Op::k_float_eq, {magnitude(), infinity()}));
    } else if (named("isfinite")) {
        answer(emit(ir::Op::k_float_lt, {magnitude(), infinity()}));
    } else if (named("degrees")) {
        product(180.0 / kPi);
    } else if (named("radians")) {
        product(kPi / 180.0);
    } else {
        return false;
    }
    return true;
}

// floor, ceil, trunc: to an int.
bool RegionBuilder::mathRounding(const BytecodeInstruction& in, const char* name, int arguments, AbstractValue& result) {
    bool floor = std::strcmp(name, "floor") == 0;
    bool ceil = std::strcmp(name, "ceil") == 0;
    if (arguments != 1 || (!floor && !ceil && std::strcmp(name, "trunc") != 0) || siteOf(in).bigInt) {
        return false;
    }
    if (top().isIntLike()) {
        result = asInteger(top());
        return true;
    }
    Id value = top().value;
    if (floor || ceil) {
        value = emit(ir::Op::k_pure_float, {value}, static_cast<int64_t>(floor ? Helper::k_floor : Helper::k_ceil));
    }
    result = AbstractValue::number(Kind::kInt, emitExiting(ir::Op::k_float_to_int, {value}, ExitReason::k_overflow));
    return true;
}

// Any other function of numbers, by the class of what it returned: the module's own code, called with no frame.
bool RegionBuilder::mathCall(const BytecodeInstruction& in, PyObject* callee, int arguments, AbstractValue& result) {
    PyTypeObject* cls = siteOf(in).results.only();
    bool isInt = cls == &PyLong_Type && !siteOf(in).bigInt;
    if (!isLeafFunction(callee) || (!isInt && cls != &PyFloat_Type) || arguments < 1 || arguments > kMostArguments) {
        return false;
    }
    // A bit for each argument that is a float.
    int64_t floats = 0;
    std::vector<Id> operands = {constObject(callee), ir::kNoId};
    for (int argument = arguments - 1; argument >= 0; argument--) {
        const AbstractValue& value = top(argument);
        floats |= static_cast<int64_t>(value.isFloat()) << (arguments - 1 - argument);
        operands.push_back(value.isFloat() ? value.value : asInt(value));
    }
    operands[1] = constInt(floats);
    result = isInt ? AbstractValue::number(Kind::kInt, fallibleInt(Helper::k_call_for_int, operands, ExitReason::k_overflow))
                   : AbstractValue::number(Kind::kFloat, fallibleFloat(Helper::k_call_for_float, operands, ExitReason::k_domain));
    return true;
}

}  // namespace kiln
