#include "jit/frontend/numpy_complex.h"

#include <opcode.h>

#include "interp/numpy_loops.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/numpy_promotion.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// A complex number or a real one, and what decides of the result's class: the class of its parts.
struct Operand {
    NumPyNumber part;
    Complex number;
    bool isComplex = false;
};

std::optional<Operand> operandOf(RegionBuilder& b, const AbstractValue& value) {
    if (!isAnyComplex(value)) {
        std::optional<NumPyNumber> number = numberOf(b, value);
        return number ? std::optional(Operand{*number, {asDouble(b, *number), b.constFloat(0.0)}}) : std::nullopt;
    }
    const PyTypeObject* cls = value.knownClass();
    Element element = cls == &PyComplex_Type ? Element::kCount : partOf(NumPyTypes::known()->elementOf(cls));
    return Operand{{.element = element, .kind = Kind::kFloat}, complexParts(b, value), true};
}

struct Operands {
    Operand left;
    Operand right;
    Element part = Element::kCount;  // of which the result is made
};

std::optional<Operands> operandsOf(RegionBuilder& b, const BytecodeInstruction& in) {
    knowScalarClass(b, in, 1, b.siteOf(in).receivers);
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    bool isNumPy = isScalarClass(b.top(1).knownClass()) || isScalarClass(b.top(0).knownClass());
    bool isAny = isAnyComplex(b.top(1)) || isAnyComplex(b.top(0));
    // A float64 is a float, with which Python's complex numbers do it themselves.
    auto isPythons = [&] {
        return b.top(1).knownClass() == &PyComplex_Type && b.top(0).knownClass() == NumPyTypes::known()->scalar(Element::k_float64);
    };
    if (!isNumPy || isPythons() || !isAny || b.siteOf(in).generic || oftenRaises(b, in)) {
        return std::nullopt;
    }
    std::optional<Operand> left = operandOf(b, b.top(1));
    std::optional<Operand> right = operandOf(b, b.top(0));
    if (!left || !right) {
        return std::nullopt;
    }
    Element part = promoted(left->part, right->part);
    // Beside an int, Python's complex numbers are doubles.
    return Operands{*left, *right, isFloat(part) ? part : Element::k_float64};
}

// The terms of complex operators: each is rounded to the class of the parts, and leaves where it may raise a flag.
class Terms {
public:
    Terms(RegionBuilder& b, Element part) : b_(b), isSingle_(part == Element::k_float32) {}

    Id sum(Id x, Id y) { return finish(b_.emit(ir::Op::k_float_add, {x, y}), x, y, false); }
    Id difference(Id x, Id y) { return finish(b_.emit(ir::Op::k_float_sub, {x, y}), x, y, false); }
    Id product(Id x, Id y) { return finish(b_.emit(ir::Op::k_float_mul, {x, y}), x, y, true); }
    Id quotient(Id x, Id y) {
        return finish(b_.emitExiting(ir::Op::k_float_div, {x, y}, ExitReason::k_flag), x, y, true);
    }
    Id chosen(Id condition, Id x, Id y) { return b_.emit(ir::Op::k_float_select, {condition, x, y}); }

    Complex product(const Complex& x, const Complex& y) {
        return {difference(product(x.real, y.real), product(x.imag, y.imag)), sum(product(x.real, y.imag), product(x.imag, y.real))};
    }

    // Smith's: by the larger part of the divisor. Leaves where that is zero, or where it has a nan.
    Complex quotient(const Complex& x, const Complex& y) {
        Id byReal = b_.emit(ir::Op::k_float_ge, {b_.emit(ir::Op::k_float_abs, {y.real}), b_.emit(ir::Op::k_float_abs, {y.imag})});
        Id larger = chosen(byReal, y.real, y.imag);
        Id smaller = chosen(byReal, y.imag, y.real);
        Id ratio = quotient(smaller, larger);
        Id one = b_.constFloat(1.0);
        guardNoFlag(b_, ratio, one, one, Underflow::kNever);  // to compare a nan is invalid
        Id scale = quotient(one, sum(larger, product(smaller, ratio)));
        Id realRatio = product(x.real, ratio);
        Id imagRatio = product(x.imag, ratio);
        Id real = sum(chosen(byReal, x.real, realRatio), chosen(byReal, imagRatio, x.imag));
        Id imag = difference(chosen(byReal, x.imag, imagRatio), chosen(byReal, realRatio, x.real));
        return {product(real, scale), product(imag, scale)};
    }

    // The square as NumPy's power has it, to which any zero is the same.
    Complex square(const Complex& x) {
        Complex result = product(x, x);
        Id zero = b_.constFloat(0.0);
        Id isZero = b_.emit(ir::Op::k_bool_and, {b_.emit(ir::Op::k_float_eq, {x.real, zero}), b_.emit(ir::Op::k_float_eq, {x.imag, zero})});
        return {result.real, chosen(isZero, zero, result.imag)};
    }

    // A double, as it is converted to a part.
    Id converted(Id value) {
        if (!isSingle_) {
            return value;
        }
        Id single = b_.emit(ir::Op::k_float_single, {value});
        guardNoFlag(b_, single, value, value, Underflow::kNever);
        return single;
    }

    Complex converted(const Operand& operand) {
        if (operand.part.element == Element::k_float32 || operand.part.kind == Kind::kBool) {
            return operand.number;
        }
        Id imag = operand.isComplex ? converted(operand.number.imag) : operand.number.imag;
        return {converted(operand.number.real), imag};
    }

private:
    Id finish(Id result, Id x, Id y, bool mayUnderflow) {
        result = isSingle_ ? b_.emit(ir::Op::k_float_single, {result}) : result;
        guardNoFlag(b_, result, x, y, !mayUnderflow ? Underflow::kNever : isSingle_ ? Underflow::kSingle : Underflow::kDouble);
        return result;
    }

    RegionBuilder& b_;
    bool isSingle_;
};

PyTypeObject* complexClass(Element part) {
    return NumPyTypes::known()->scalar(complexOf(part));
}

// Before NumPy 2 the product of a complex64 and a complex number of Python's is that of arrays, which may be of fused terms.
bool isFused(int operation, const Operands& operands) {
    auto isPythons = [](const Operand& operand) { return operand.isComplex && operand.part.isPython(); };
    auto isSingle = [](const Operand& operand) { return operand.isComplex && operand.part.element == Element::k_float32; };
    bool isMixed = (isPythons(operands.left) && isSingle(operands.right)) || (isSingle(operands.left) && isPythons(operands.right));
    return operation == NB_MULTIPLY && isMixed && !NumPyTypes::known()->hasWeakNumbers();
}

bool isSquare(RegionBuilder& b, int operation, const AbstractValue& right) {
    return operation == NB_POWER && right.isInt() && b.knownInt(right.value) == 2;
}

}  // namespace

bool isComplexScalarClass(const PyTypeObject* cls) {
    return isScalarClass(cls) && isComplex(NumPyTypes::known()->elementOf(cls));
}

Complex complexScalarParts(RegionBuilder& b, const AbstractValue& value) {
    Element part = partOf(NumPyTypes::known()->elementOf(value.knownClass()));
    bool fresh = false;
    Id address = b.emit(ir::Op::k_address, {boxed(b, value, fresh)});
    auto load = [&](int offset) {
        return b.emit(ir::Op::k_element_float, {address, b.constInt(numpy_layout::kScalarValue + offset)}, static_cast<int64_t>(part));
    };
    return {load(0), load(info(part).bytes)};
}

bool complexScalarBinary(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    bool isKnown = operation == NB_ADD || operation == NB_SUBTRACT || operation == NB_MULTIPLY || operation == NB_TRUE_DIVIDE ||
                   isSquare(b, operation, b.top());
    std::optional<Operands> operands = isKnown ? operandsOf(b, in) : std::nullopt;
    if (!operands || isFused(operation, *operands)) {
        return false;
    }
    Terms terms(b, operands->part);
    Complex x = terms.converted(operands->left);
    Complex y = terms.converted(operands->right);
    Complex result;
    switch (operation) {
    case NB_ADD: result = {terms.sum(x.real, y.real), terms.sum(x.imag, y.imag)}; break;
    case NB_SUBTRACT: result = {terms.difference(x.real, y.real), terms.difference(x.imag, y.imag)}; break;
    case NB_MULTIPLY: result = terms.product(x, y); break;
    case NB_TRUE_DIVIDE: result = terms.quotient(x, y); break;
    default: result = terms.square(x); break;
    }
    finishCall(b, in, 2, complexValue(b, complexClass(operands->part), result));
    return true;
}

bool complexScalarCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    bool isEquality = operation == Py_EQ || operation == Py_NE;
    std::optional<Operands> operands = isEquality ? operandsOf(b, in) : std::nullopt;
    if (!operands) {
        return false;
    }
    Terms terms(b, operands->part);
    Complex x = terms.converted(operands->left);
    Complex y = terms.converted(operands->right);
    Id same = b.emit(ir::Op::k_bool_and, {b.emit(ir::Op::k_float_eq, {x.real, y.real}), b.emit(ir::Op::k_float_eq, {x.imag, y.imag})});
    finishCall(b, in, 2, scalarOf(b, Element::k_bool_, operation == Py_EQ ? same : b.emit(ir::Op::k_bool_not, {same})));
    return true;
}

bool complexScalarAbsolute(RegionBuilder& b, const BytecodeInstruction& in) {
    knowScalarClass(b, in, 0, b.siteOf(in).receivers);
    if (!isAnyComplex(b.top()) || b.top().knownClass() == &PyComplex_Type || b.siteOf(in).generic) {
        return false;
    }
    Element part = partOf(NumPyTypes::known()->elementOf(b.top().knownClass()));
    bool isSingle = part == Element::k_float32;
    if (isSingle && !hasNumPyLoop(NumPyFunction::k_hypot, isSingle)) {
        return false;
    }
    Complex number = complexParts(b, b.top());
    Id length = isSingle ? b.emitExiting(ir::Op::k_numpy_binary, {number.real, number.imag}, ExitReason::k_flag,
                                         numpyLoopNumber(NumPyFunction::k_hypot, isSingle))
                         : b.emitExiting(ir::Op::k_complex_abs, {number.real, number.imag}, ExitReason::k_flag);
    finishCall(b, in, 3, scalarOf(b, part, length));
    return true;
}

bool callComplexLength(RegionBuilder& b, const BytecodeInstruction& in) {
    PyTypeObject* cls = b.top().knownClass();
    Element part = cls == &PyComplex_Type ? Element::k_float64 : partOf(NumPyTypes::known()->elementOf(cls));
    bool isSingle = part == Element::k_float32;
    if (!hasNumPyLoop(NumPyFunction::k_absolute, isSingle)) {
        return false;
    }
    Complex number = complexParts(b, b.top());
    Id length = b.emitExiting(ir::Op::k_numpy_binary, {number.real, number.imag}, ExitReason::k_flag,
                              numpyLoopNumber(NumPyFunction::k_absolute, isSingle));
    finishCall(b, in, 3, scalarOf(b, part, length));
    return true;
}

bool convertToComplex(RegionBuilder& b, const BytecodeInstruction& in, Element element) {
    std::optional<Complex> number = complexElementFor(b, element, b.top());
    if (number) {
        finishCall(b, in, 3, complexValue(b, NumPyTypes::known()->scalar(element), *number));
    }
    return number.has_value();
}

AbstractValue loadComplexElement(RegionBuilder& b, const KnownArray& array, Id offset) {
    Element part = partOf(array.layout.element);
    Id address = arrayAddress(b, array);
    Id second = b.emit(ir::Op::k_int_add_index, {offset, b.constInt(info(part).bytes)});
    auto load = [&](Id at) { return b.emit(ir::Op::k_element_float, {address, at}, static_cast<int64_t>(part)); };
    return complexValue(b, complexClass(part), {load(offset), load(second)});
}

std::optional<Complex> complexElementFor(RegionBuilder& b, Element element, const AbstractValue& value) {
    auto converted = [&](const NumPyNumber& part) {
        return partOf(element) == Element::k_float32 ? asSingle(b, part) : asDouble(b, part);
    };
    if (!isAnyComplex(value)) {
        std::optional<NumPyNumber> number = numberOf(b, value);
        return number ? std::optional(Complex{converted(*number), b.constFloat(0.0)}) : std::nullopt;
    }
    Operand operand = *operandOf(b, value);
    auto part = [&](Id number) { return converted({operand.part.element, operand.part.kind, number}); };
    return Complex{part(operand.number.real), part(operand.number.imag)};
}

void storeComplexElement(RegionBuilder& b, const KnownArray& array, Id offset, const Complex& stored) {
    Element part = partOf(array.layout.element);
    Id address = arrayAddress(b, array);
    Id second = b.emit(ir::Op::k_int_add_index, {offset, b.constInt(info(part).bytes)});
    b.emit(ir::Op::k_store_element_float, {address, offset, stored.real}, static_cast<int64_t>(part));
    b.emit(ir::Op::k_store_element_float, {address, second, stored.imag}, static_cast<int64_t>(part));
}

}  // namespace kiln
