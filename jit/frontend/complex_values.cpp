#include "jit/frontend/complex_values.h"

#include <opcode.h>

#include <cstring>
#include <optional>

#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/callee_handlers.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// Larger exponents take more multiplications than the call does.
constexpr int64_t kLargestExponent = 8;

bool isComplex(const AbstractValue& value) {
    return isAnyComplex(value) && value.knownClass() == &PyComplex_Type;
}

// The entry, which is a complex number or one of Python's other numbers, as arithmetic converts it.
Complex asComplex(RegionBuilder& b, const AbstractValue& value) {
    return value.isNumber() ? Complex{asFloat(b, value), b.constFloat(0.0)} : complexParts(b, value);
}

AbstractValue pythonComplex(RegionBuilder& b, const Complex& number) {
    return complexValue(b, &PyComplex_Type, number);
}

// A part of a complex number of that class, as an object of its own.
AbstractValue partOf(RegionBuilder& b, const PyTypeObject* cls, Id part) {
    return cls == &PyComplex_Type ? AbstractValue::number(Kind::kFloat, part)
                                  : scalarOf(b, partOf(NumPyTypes::known()->elementOf(cls)), part);
}

Complex negative(RegionBuilder& b, const Complex& x) {
    return {b.emit(ir::Op::k_float_neg, {x.real}), b.emit(ir::Op::k_float_neg, {x.imag})};
}

bool isOperand(const AbstractValue& value) {
    return isComplex(value) || value.isNumber();
}

Id add(RegionBuilder& b, Id x, Id y) {
    return b.emit(ir::Op::k_float_add, {x, y});
}

Id subtract(RegionBuilder& b, Id x, Id y) {
    return b.emit(ir::Op::k_float_sub, {x, y});
}

Id multiply(RegionBuilder& b, Id x, Id y) {
    return b.emit(ir::Op::k_float_mul, {x, y});
}

// _Py_c_quot: by the larger part of the divisor. Leaves where that is zero, or where it has a nan.
Complex quotient(RegionBuilder& b, const Complex& x, const Complex& y) {
    auto divide = [&](Id left, Id right) { return b.emitExiting(ir::Op::k_float_div, {left, right}, ExitReason::k_domain); };
    auto choose = [&](Id condition, Id left, Id right) { return b.emit(ir::Op::k_float_select, {condition, left, right}); };
    Id byReal = b.emit(ir::Op::k_float_ge, {b.emit(ir::Op::k_float_abs, {y.real}), b.emit(ir::Op::k_float_abs, {y.imag})});
    Id larger = choose(byReal, y.real, y.imag);
    Id smaller = choose(byReal, y.imag, y.real);
    Id ratio = divide(smaller, larger);
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_float_eq, {ratio, ratio})}, ExitReason::k_domain);
    Id divisor = add(b, larger, multiply(b, smaller, ratio));
    Id realRatio = multiply(b, x.real, ratio);
    Id imagRatio = multiply(b, x.imag, ratio);
    Id real = choose(byReal, add(b, x.real, imagRatio), add(b, realRatio, x.imag));
    Id imag = choose(byReal, subtract(b, x.imag, realRatio), subtract(b, imagRatio, x.real));
    return {divide(real, divisor), divide(imag, divisor)};
}

// c_powu() of complexobject.c, which begins with a product by one. Leaves where CPython says that the result is too large.
Complex power(RegionBuilder& b, const Complex& base, int64_t exponent) {
    Complex result{b.constFloat(1.0), b.constFloat(0.0)};
    Complex square = base;
    for (int64_t left = exponent; left > 0; left >>= 1) {
        if (left & 1) {
            result = complexProduct(b, result, square);
        }
        if (left > 1) {
            square = complexProduct(b, square, square);
        }
    }
    Id infinity = b.constFloat(Py_HUGE_VAL);
    for (Id part : {result.real, result.imag}) {
        Id isInfinite = b.emit(ir::Op::k_float_eq, {b.emit(ir::Op::k_float_abs, {part}), infinity});
        b.emitExiting(ir::Op::k_guard_false, {isInfinite}, ExitReason::k_domain);
    }
    return result;
}

std::optional<Complex> arithmetic(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right) {
    if (operation == NB_POWER) {
        std::optional<int64_t> exponent = right.isInt() ? b.knownInt(right.value) : std::nullopt;
        bool isSmall = exponent && *exponent > 0 && *exponent <= kLargestExponent;
        return isSmall ? std::optional(power(b, asComplex(b, left), *exponent)) : std::nullopt;
    }
    bool isKnown = operation == NB_ADD || operation == NB_SUBTRACT || operation == NB_MULTIPLY || operation == NB_TRUE_DIVIDE;
    if (!isKnown) {
        return std::nullopt;
    }
    Complex x = asComplex(b, left);
    Complex y = asComplex(b, right);
    switch (operation) {
        case NB_ADD: return Complex{add(b, x.real, y.real), add(b, x.imag, y.imag)};
        case NB_SUBTRACT: return Complex{subtract(b, x.real, y.real), subtract(b, x.imag, y.imag)};
        case NB_MULTIPLY: return complexProduct(b, x, y);
        default: return quotient(b, x, y);
    }
}

// An argument of a function, say, that was a complex number each time.
void knowComplex(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    const AbstractValue& value = b.top(below);
    if (value.kind == Kind::kObject && value.cls == nullptr && seen.only() == &PyComplex_Type && !b.siteOf(in).generic) {
        b.guardClass(value.value, &PyComplex_Type, ExitReason::k_type);
        markClass(b, value.value, &PyComplex_Type);
    }
}

}  // namespace

bool isAnyComplex(const AbstractValue& value) {
    if (value.kind == Kind::kComplex) {
        return true;
    }
    bool isObject = value.kind == Kind::kObject || value.kind == Kind::kConstant;
    return isObject && (value.knownClass() == &PyComplex_Type || isComplexScalarClass(value.knownClass()));
}

Complex complexParts(RegionBuilder& b, const AbstractValue& value) {
    if (value.kind == Kind::kComplex) {
        return {value.parts[0].value, value.parts[1].value};
    }
    if (value.knownClass() != &PyComplex_Type) {
        return complexScalarParts(b, value);
    }
    if (value.kind == Kind::kConstant) {
        Py_complex number = PyComplex_AsCComplex(value.constant);
        return {b.constFloat(number.real), b.constFloat(number.imag)};
    }
    return {b.emit(ir::Op::k_complex_real, {value.value}), b.emit(ir::Op::k_complex_imag, {value.value})};
}

AbstractValue complexValue(RegionBuilder& b, PyTypeObject* cls, const Complex& number) {
    AbstractValue value = virtualObject(b, Kind::kComplex, {AbstractValue::part(Kind::kFloat, number.real), AbstractValue::part(Kind::kFloat, number.imag)});
    value.cls = cls;
    return value;
}

Complex complexProduct(RegionBuilder& b, const Complex& x, const Complex& y) {
    return {subtract(b, multiply(b, x.real, y.real), multiply(b, x.imag, y.imag)),
            add(b, multiply(b, x.real, y.imag), multiply(b, x.imag, y.real))};
}

bool complexBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    knowComplex(b, in, 1, b.siteOf(in).receivers);
    knowComplex(b, in, 0, b.siteOf(in).rights);
    const AbstractValue& left = b.top(1);
    const AbstractValue& right = b.top(0);
    if ((!isComplex(left) && !isComplex(right)) || !isOperand(left) || !isOperand(right)) {
        return false;
    }
    std::optional<Complex> result = arithmetic(b, operation, left, right);
    if (result) {
        finishCall(b, in, 2, pythonComplex(b, *result));
    }
    return result.has_value();
}

bool complexNegative(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!isAnyComplex(b.top())) {
        return false;
    }
    finishCall(b, in, 1, complexValue(b, b.top().knownClass(), negative(b, complexParts(b, b.top()))));
    return true;
}

// Ints are compared exactly, which is CPython's.
bool complexCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    const AbstractValue& left = b.top(1);
    const AbstractValue& right = b.top(0);
    auto fits = [](const AbstractValue& value) { return isComplex(value) || value.isFloat(); };
    bool isEquality = operation == Py_EQ || operation == Py_NE;
    if (!isEquality || (!isComplex(left) && !isComplex(right)) || !fits(left) || !fits(right)) {
        return false;
    }
    Complex x = asComplex(b, left);
    Complex y = asComplex(b, right);
    Id same = b.emit(ir::Op::k_bool_and, {b.emit(ir::Op::k_float_eq, {x.real, y.real}), b.emit(ir::Op::k_float_eq, {x.imag, y.imag})});
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, operation == Py_EQ ? same : b.emit(ir::Op::k_bool_not, {same})));
    return true;
}

bool complexAbsolute(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!isComplex(b.top())) {
        return false;
    }
    Complex number = asComplex(b, b.top());
    Id length = b.emitExiting(ir::Op::k_complex_abs, {number.real, number.imag}, ExitReason::k_domain);
    finishCall(b, in, 3, AbstractValue::number(Kind::kFloat, length));
    return true;
}

bool complexAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    bool isReal = PyUnicode_CompareWithASCIIString(name, "real") == 0;
    if (!isReal && PyUnicode_CompareWithASCIIString(name, "imag") != 0) {
        return false;
    }
    knowScalarClass(b, in, 0, b.siteOf(in).receivers);
    if (!isAnyComplex(b.top())) {
        return false;
    }
    Complex number = complexParts(b, b.top());
    finishCall(b, in, 1, partOf(b, b.top().knownClass(), isReal ? number.real : number.imag));
    return true;
}

bool complexMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method) {
    if (!Py_IS_TYPE(method, &PyMethodDescr_Type) || !isAnyComplex(b.top()) || !PyType_IsSubtype(b.top().knownClass(), PyDescr_TYPE(method))) {
        return false;
    }
    const char* name = reinterpret_cast<PyMethodDescrObject*>(method)->d_method->ml_name;
    bool isConjugate = std::strcmp(name, "conjugate") == 0 || std::strcmp(name, "conj") == 0;
    if (!isConjugate) {
        return false;
    }
    Complex number = complexParts(b, b.top());
    number.imag = b.emit(ir::Op::k_float_neg, {number.imag});
    finishCall(b, in, 2, complexValue(b, b.top().knownClass(), number));
    return true;
}

Id complexTruth(RegionBuilder& b, const AbstractValue& value) {
    if (!isAnyComplex(value)) {
        return ir::kNoId;
    }
    Complex number = complexParts(b, value);
    Id zero = b.constFloat(0.0);
    return b.emit(ir::Op::k_bool_or, {b.emit(ir::Op::k_float_ne, {number.real, zero}), b.emit(ir::Op::k_float_ne, {number.imag, zero})});
}

// complex(x) and complex(x, y) of numbers that are not complex, and of one of NumPy's complex numbers.
bool callComplex(RegionBuilder& b, const BytecodeInstruction& in, PyObject*, int arguments) {
    if (arguments == 1 && isAnyComplex(b.top()) && !isComplex(b.top())) {
        finishCall(b, in, 3, pythonComplex(b, complexParts(b, b.top())));
        return true;
    }
    for (int below = 0; below < arguments; below++) {
        if (!b.top(below).isNumber()) {
            return false;
        }
    }
    Complex number{asFloat(b, b.top(arguments - 1)), arguments == 2 ? asFloat(b, b.top()) : b.constFloat(0.0)};
    finishCall(b, in, arguments + 2, pythonComplex(b, number));
    return true;
}

}  // namespace kiln
