// Functions of the math module.
#include "jit/frontend/build_math.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "jit/frontend/build_builtins.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kMostArguments = 3;

// The functions of math_functions.def: libm computes what the module does.
bool libmCall(RegionBuilder& b, const char* name, int arguments, AbstractValue& result) {
    for (int function = 0; function < static_cast<int>(MathFunction::kCount); function++) {
        if (std::strcmp(kMathNames[function], name) != 0 || kMathArities[function] != arguments) {
            continue;
        }
        Id value = arguments == 1
                       ? b.emitExiting(ir::Op::k_math_unary, {asFloat(b, b.top())}, ExitReason::k_domain, function)
                       : b.emitExiting(ir::Op::k_math_binary, {asFloat(b, b.top(1)), asFloat(b, b.top(0))},
                                       ExitReason::k_domain, function);
        result = AbstractValue::number(Kind::kFloat, value);
        return true;
    }
    return false;
}

// isnan, isinf, isfinite; degrees and radians are a product as in CPython.
bool mathTest(RegionBuilder& b, const char* name, int arguments, AbstractValue& result) {
    auto named = [&](const char* wanted) { return arguments == 1 && std::strcmp(name, wanted) == 0; };
    auto infinity = [&] { return b.constFloat(HUGE_VAL); };
    auto magnitude = [&] { return b.emit(ir::Op::k_float_abs, {asFloat(b, b.top())}); };
    auto answer = [&](Id value) { result = AbstractValue::number(Kind::kBool, value); };
    auto product = [&](double factor) {
        result = AbstractValue::number(Kind::kFloat,
                                       b.emit(ir::Op::k_float_mul, {asFloat(b, b.top()), b.constFloat(factor)}));
    };
    if (named("isnan")) {
        Id x = asFloat(b, b.top());
        answer(b.emit(ir::Op::k_float_ne, {x, x}));
    } else if (named("isinf")) {
        answer(b.emit(ir::Op::k_float_eq, {magnitude(), infinity()}));
    } else if (named("isfinite")) {
        answer(b.emit(ir::Op::k_float_lt, {magnitude(), infinity()}));
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
bool mathRounding(RegionBuilder& b, const BytecodeInstruction& in, const char* name, int arguments,
                  AbstractValue& result) {
    bool floor = std::strcmp(name, "floor") == 0;
    bool ceil = std::strcmp(name, "ceil") == 0;
    if (arguments != 1 || (!floor && !ceil && std::strcmp(name, "trunc") != 0) || b.siteOf(in).bigInt) {
        return false;
    }
    if (b.top().isIntLike()) {
        result = asInteger(b, b.top());
        return true;
    }
    if (!floor && !ceil && !b.top().isFloat()) {
        return false;  // float32 has no __trunc__
    }
    Id value = asFloat(b, b.top());
    if (floor || ceil) {
        value = b.emit(ir::Op::k_pure_float, {value}, static_cast<int64_t>(floor ? Helper::k_floor : Helper::k_ceil));
    }
    result = AbstractValue::number(Kind::kInt, b.emitExiting(ir::Op::k_float_to_int, {value}, ExitReason::k_overflow));
    return true;
}

// gcd and lcm of two, isqrt: of ints to an int. CPython's own may run handlers of signals amid large ones.
bool mathOfInts(RegionBuilder& b, const BytecodeInstruction& in, const char* name, int arguments, AbstractValue& result) {
    struct Row {
        const char* name;
        int arguments;
        Helper helper;
    };
    static constexpr Row kRows[] = {{"gcd", 2, Helper::k_greatest_divisor}, {"lcm", 2, Helper::k_least_multiple}, {"isqrt", 1, Helper::k_integer_root}};
    const auto* row = std::ranges::find_if(kRows, [&](const Row& known) { return known.arguments == arguments && std::strcmp(known.name, name) == 0; });
    if (row == std::end(kRows) || b.siteOf(in).bigInt) {
        return false;
    }
    ir::Operands operands;
    for (int argument = arguments - 1; argument >= 0; argument--) {
        if (!b.top(argument).isIntLike()) {
            return false;
        }
        operands.push_back(asInt(b, b.top(argument)));
    }
    result = AbstractValue::number(Kind::kInt, fallibleInt(b, row->helper, std::move(operands), ExitReason::k_overflow));
    return true;
}

// Any other function of numbers, by the class of what it returned: the module's own code, called with no frame.
bool mathCall(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments, AbstractValue& result) {
    PyTypeObject* cls = b.siteOf(in).results.only();
    bool isInt = cls == &PyLong_Type && !b.siteOf(in).bigInt;
    if (!isLeafFunction(callee) || (!isInt && cls != &PyFloat_Type) || arguments < 1 || arguments > kMostArguments) {
        return false;
    }
    // A bit for each argument that is a float.
    int64_t floats = 0;
    ir::Operands operands = {b.constObject(callee), ir::kNoId};
    for (int argument = arguments - 1; argument >= 0; argument--) {
        const AbstractValue& value = b.top(argument);
        floats |= static_cast<int64_t>(!value.isIntLike()) << (arguments - 1 - argument);
        operands.push_back(value.isIntLike() ? asInt(b, value) : asFloat(b, value));
    }
    operands[1] = b.constInt(floats);
    result = isInt ? AbstractValue::number(Kind::kInt,
                                           fallibleInt(b, Helper::k_call_for_int, operands, ExitReason::k_overflow))
                   : AbstractValue::number(Kind::kFloat,
                                           fallibleFloat(b, Helper::k_call_for_float, operands, ExitReason::k_domain));
    return true;
}

}  // namespace

bool callMath(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, const char* name, int arguments) {
    bool hasIntegers = false;  // of NumPy's, which not all functions take for floats
    for (int argument = 0; argument < arguments; argument++) {
        if (!b.top(argument).isNumber() && !numberOf(b, b.top(argument))) {
            return false;
        }
        hasIntegers = hasIntegers || (!b.top(argument).isNumber() && !isNumPyFloat(b.top(argument)));
    }
    AbstractValue result;
    if (mathTest(b, name, arguments, result) || libmCall(b, name, arguments, result) ||
        (!hasIntegers && (mathRounding(b, in, name, arguments, result) || mathOfInts(b, in, name, arguments, result) || mathCall(b, in, callee, arguments, result)))) {
        finishCall(b, in, arguments + 2, result);
        return true;
    }
    return false;
}

}  // namespace kiln
