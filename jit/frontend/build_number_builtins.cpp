// Builtins of numbers and characters: abs, round, divmod, pow, min, max, conversions, chr, ord, isinstance.
#include <opcode.h>

#include <optional>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_arithmetic.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_builtins.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_compare.h"
#include "jit/frontend/callee_handlers.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_arithmetic.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

constexpr int64_t kCharacters = 0x110000;
// Arguments of different number classes double the paths that min and max take.
constexpr int kMostMixed = 4;

// Whether instances of exactly `known` are instances of what `classes` says: a class, or a tuple of such. Unknown where a
// metaclass or the instance may decide.
std::optional<bool> isInstanceOf(PyTypeObject* known, PyObject* classes) {
    if (PyType_CheckExact(classes)) {
        bool derived = PyType_IsSubtype(known, reinterpret_cast<PyTypeObject*>(classes)) != 0;
        return derived || kiln_instances_tell_class(known) ? std::optional(derived) : std::nullopt;
    }
    if (!PyTuple_CheckExact(classes)) {
        return std::nullopt;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(classes); index++) {
        std::optional<bool> answer = isInstanceOf(known, PyTuple_GET_ITEM(classes, index));
        if (!answer.has_value() || *answer) {
            return answer;
        }
    }
    return false;
}

std::optional<bool> isInstanceOf(PyTypeObject* known, const AbstractValue& classes) {
    if (classes.kind == Kind::kConstant) {
        return isInstanceOf(known, classes.constant);
    }
    if (classes.kind != Kind::kTuple) {
        return std::nullopt;
    }
    for (const AbstractValue& part : classes.parts) {
        std::optional<bool> answer = isInstanceOf(known, part);
        if (!answer.has_value() || *answer) {
            return answer;
        }
    }
    return false;
}

// `best` wins among the first `begun` of the arguments: a later one takes its place only where it is smaller (larger), so
// that nan, -0.0 and equal numbers of different classes fall as in CPython. Different classes go on in separate blocks, and so do
// numbers of which it can be seen which one it is.
void chooseExtreme(RegionBuilder& b, const BytecodeInstruction& in, AbstractValue best, int arguments, int begun,
                   bool minimum) {
    bool seen = isResultSeen(b, in, arguments + 2);
    for (; begun < arguments; begun++) {
        AbstractValue next = b.top(arguments - 1 - begun);
        bool same = next.kind == best.kind && next.cls == best.cls && !(seen && !next.isBool());
        if (same && next.isInt()) {
            best = AbstractValue::number(
                Kind::kInt, b.emit(minimum ? ir::Op::k_int_min : ir::Op::k_int_max, {best.value, next.value}));
            continue;
        }
        AbstractValue better;
        int operation = minimum ? Py_LT : Py_GT;
        if (next.isNumber() && best.isNumber()) {
            compareNumbers(b, operation, next, best, better);
        } else {
            better.value = compareScalars(b, operation, *numberOf(b, next), *numberOf(b, best));
        }
        if (same && next.isScalar() && chooseScalar(b, better.value, next, best)) {
            continue;
        }
        if (same && next.isFloat()) {
            best = AbstractValue::number(Kind::kFloat,
                                         b.emit(ir::Op::k_float_select, {better.value, next.value, best.value}));
            continue;
        }
        if (same && next.isBool()) {
            Id either = b.emit(minimum ? ir::Op::k_bool_and : ir::Op::k_bool_or, {best.value, next.value});
            best.value = either;
            continue;
        }
        b.branchAside(better.value, true, [&] {
            chooseExtreme(b, in, next, arguments, begun + 1, minimum);
            b.goTo(in.next);
        });
    }
    best = sameNumber(b, best);
    finishCall(b, in, arguments + 2, best);
}

bool callExtreme(RegionBuilder& b, const BytecodeInstruction& in, int arguments, bool minimum) {
    bool mixed = false;
    for (int argument = 0; argument < arguments; argument++) {
        const AbstractValue& value = b.top(argument);
        if (!value.isNumber() && (b.siteOf(in).generic || !canCompare(b, value))) {
            return false;
        }
        mixed =
            mixed || value.kind != b.top().kind || value.cls != b.top().cls || (!b.top().isBool() && isResultSeen(b, in, arguments + 2));
    }
    if (mixed && arguments > kMostMixed) {
        return false;
    }
    chooseExtreme(b, in, b.top(arguments - 1), arguments, 1, minimum);
    return true;
}

}  // namespace

bool callAbs(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    AbstractValue value = b.top();
    AbstractValue result;
    if (absoluteScalar(b, in) || complexAbsolute(b, in) || complexScalarAbsolute(b, in)) {
        return true;
    }
    if (value.isFloat()) {
        result = AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_float_abs, {value.value}));
    } else if (value.isIntLike()) {
        Id x = asInt(b, value);
        Id negated = b.emitExiting(ir::Op::k_int_neg, {x}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, b.emit(ir::Op::k_int_max, {x, negated}));
    } else {
        return false;
    }
    finishCall(b, in, 3, result);
    return true;
}

// An int is its own index, and the same object.
bool callIndex(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    if (!b.top().isInt()) {
        return false;
    }
    finishCall(b, in, 3, sameNumber(b, b.top()));
    return true;
}

bool callDivmod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    AbstractValue pair = virtualObject(b, Kind::kTuple, std::vector<AbstractValue>(2));
    if (b.top(1).isIntLike() && b.top(0).isIntLike()) {
        intArithmetic(b, NB_FLOOR_DIVIDE, b.top(1), b.top(0), pair.parts[0]);
        intArithmetic(b, NB_REMAINDER, b.top(1), b.top(0), pair.parts[1]);
    } else if (b.top(1).isNumber() && b.top(0).isNumber()) {
        floatArithmetic(b, NB_FLOOR_DIVIDE, b.top(1), b.top(0), pair.parts[0]);
        floatArithmetic(b, NB_REMAINDER, b.top(1), b.top(0), pair.parts[1]);
    } else {
        return scalarDivmod(b, in);
    }
    finishCall(b, in, 4, pair);
    return true;
}

// Half to even: a float to an int or at a decimal place, an int at a power of ten.
bool callRound(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    const AbstractValue& value = b.top(arguments - 1);
    bool toInt = arguments == 1 || b.top().kind == Kind::kNone;
    AbstractValue result;
    if (toInt && value.isIntLike()) {
        result = asInteger(b, value);
    } else if (toInt && value.isFloat() && !b.siteOf(in).bigInt) {
        Id rounded = b.emit(ir::Op::k_pure_float, {value.value}, static_cast<int64_t>(Helper::k_round_half_even));
        Id whole = b.emitExiting(ir::Op::k_float_to_int, {rounded}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, whole);
    } else if (!toInt && value.isFloat() && b.top().isIntLike()) {
        Id rounded = fallibleFloat(b, Helper::k_round_digits, {value.value, asInt(b, b.top())}, ExitReason::k_domain);
        result = AbstractValue::number(Kind::kFloat, rounded);
    } else if (!toInt && value.isIntLike() && b.top().isIntLike() && !b.siteOf(in).bigInt) {
        Id rounded = fallibleInt(b, Helper::k_round_int, {asInt(b, value), asInt(b, b.top())}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, rounded);
    } else {
        return arguments == 1 ? roundScalar(b, in, 3) : roundAtDigit(b, in);
    }
    finishCall(b, in, arguments + 2, result);
    return true;
}

bool callPow(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (arguments == 3) {
        if (!b.top(2).isIntLike() || !b.top(1).isIntLike() || !b.top(0).isIntLike()) {
            return false;
        }
        Id power = fallibleInt(b, Helper::k_pow_mod, {asInt(b, b.top(2)), asInt(b, b.top(1)), asInt(b, b.top(0))},
                               ExitReason::k_domain);
        finishCall(b, in, 5, AbstractValue::number(Kind::kInt, power));
        return true;
    }
    AbstractValue result;
    if (b.top(1).isIntLike() && b.top(0).isIntLike()) {
        if (b.siteOf(in).bigInt || !intArithmetic(b, NB_POWER, b.top(1), b.top(0), result)) {
            return false;
        }
    } else if (!b.top(1).isNumber() || !b.top(0).isNumber() ||
               !floatArithmetic(b, NB_POWER, b.top(1), b.top(0), result)) {
        return false;
    }
    finishCall(b, in, 4, result);
    return true;
}

bool callMin(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    return callExtreme(b, in, arguments, true);
}

bool callMax(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    return callExtreme(b, in, arguments, false);
}

// int, float and bool of a number.
bool convertNumber(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    auto* cls = reinterpret_cast<PyTypeObject*>(callee);
    const AbstractValue& value = b.top();
    AbstractValue result;
    if (convertScalar(b, in, cls)) {
        return true;
    }
    if (cls == &PyFloat_Type && value.isNumber()) {
        result = value.isFloat() ? sameNumber(b, value) : AbstractValue::number(Kind::kFloat, asFloat(b, value));
    } else if (cls == &PyLong_Type && value.isIntLike()) {
        result = asInteger(b, value);
    } else if (cls == &PyLong_Type && value.isFloat() && !b.siteOf(in).bigInt) {
        result = AbstractValue::number(Kind::kInt,
                                       b.emitExiting(ir::Op::k_float_to_int, {value.value}, ExitReason::k_overflow));
    } else if (cls == &PyBool_Type) {
        Id truthOf = truth(b, value);
        if (truthOf == ir::kNoId) {
            return false;
        }
        result = AbstractValue::number(Kind::kBool, truthOf);
    } else {
        return false;
    }
    finishCall(b, in, 3, result);
    return true;
}

bool callChr(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    if (!b.top().isIntLike()) {
        return false;
    }
    Id code = asInt(b, b.top());
    Id known = b.emit(ir::Op::k_int_below, {code, b.constInt(kCharacters)});
    b.emitExiting(ir::Op::k_guard_true, {known}, ExitReason::k_domain);
    Id character = b.emit(ir::Op::k_pure_object, {code}, static_cast<int64_t>(Helper::k_chr));
    finishCall(b, in, 3, AbstractValue::object(character, &PyUnicode_Type, true));
    return true;
}

bool callOrd(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    if (b.top().kind != Kind::kObject && b.top().kind != Kind::kConstant) {
        return false;
    }
    bool fresh = false;
    Id code = fallibleInt(b, Helper::k_ord, {boxed(b, b.top(), fresh)}, ExitReason::k_domain);
    finishCall(b, in, 3, AbstractValue::number(Kind::kInt, code));
    return true;
}

// An exact class decides by its bases, unless its instances say that they are another's; only plain classes of type `type`
// have no __instancecheck__.
bool callIsinstance(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    PyTypeObject* known = b.top(1).knownClass();
    bool relied = known != nullptr && ObservedClasses::instance().mayRelyOn(known);
    std::optional<bool> answer = relied ? isInstanceOf(known, b.top(0)) : std::nullopt;
    Id result;
    if (answer.has_value()) {
        dependOn(b, known);
        result = b.emit(ir::Op::k_const_bool, {}, *answer);
    } else if (known == nullptr && !b.siteOf(in).generic && b.top(1).kind == Kind::kObject &&
               b.top(0).kind == Kind::kConstant && PyType_CheckExact(b.top(0).constant)) {
        Id found = fallibleInt(b, Helper::k_is_instance, {b.top(1).value, b.constObject(b.top(0).constant)},
                               ExitReason::k_proxy);
        result = b.emit(ir::Op::k_int_ne, {found, b.constInt(0)});
    } else {
        return false;
    }
    finishCall(b, in, 4, AbstractValue::number(Kind::kBool, result));
    return true;
}

}  // namespace kiln
