// Builtins of numbers and characters: abs, round, divmod, pow, min, max, conversions, chr, ord, isinstance.
#include <opcode.h>

#include <optional>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/region_builder.h"
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

}  // namespace

bool RegionBuilder::callAbs(const BytecodeInstruction& in, int) {
    AbstractValue value = top();
    AbstractValue result;
    if (value.isFloat()) {
        result = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_float_abs, {value.value}));
    } else if (value.isIntLike()) {
        Id x = asInt(value);
        Id negated = emitExiting(ir::Op::k_int_neg, {x}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, emit(ir::Op::k_int_max, {x, negated}));
    } else {
        return false;
    }
    finishCall(in, 3, result);
    return true;
}

bool RegionBuilder::callDivmod(const BytecodeInstruction& in, int) {
    AbstractValue pair = virtualObject(Kind::kTuple, std::vector<AbstractValue>(2));
    if (top(1).isIntLike() && top(0).isIntLike()) {
        intArithmetic(NB_FLOOR_DIVIDE, top(1), top(0), pair.parts[0]);
        intArithmetic(NB_REMAINDER, top(1), top(0), pair.parts[1]);
    } else if (top(1).isNumber() && top(0).isNumber()) {
        floatArithmetic(NB_FLOOR_DIVIDE, top(1), top(0), pair.parts[0]);
        floatArithmetic(NB_REMAINDER, top(1), top(0), pair.parts[1]);
    } else {
        return false;
    }
    finishCall(in, 4, pair);
    return true;
}

// Half to even: a float to an int or at a decimal place, an int at a power of ten.
bool RegionBuilder::callRound(const BytecodeInstruction& in, int arguments) {
    const AbstractValue& value = top(arguments - 1);
    bool toInt = arguments == 1 || top().kind == Kind::kNone;
    AbstractValue result;
    if (toInt && value.isIntLike()) {
        result = asInteger(value);
    } else if (toInt && value.isFloat() && !siteOf(in).bigInt) {
        Id rounded = emit(ir::Op::k_pure_float, {value.value}, static_cast<int64_t>(Helper::k_round_half_even));
        Id whole = emitExiting(ir::Op::k_float_to_int, {rounded}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, whole);
    } else if (!toInt && value.isFloat() && top().isIntLike()) {
        Id rounded = fallibleFloat(Helper::k_round_digits, {value.value, asInt(top())}, ExitReason::k_domain);
        result = AbstractValue::number(Kind::kFloat, rounded);
    } else if (!toInt && value.isIntLike() && top().isIntLike() && !siteOf(in).bigInt) {
        Id rounded = fallibleInt(Helper::k_round_int, {asInt(value), asInt(top())}, ExitReason::k_overflow);
        result = AbstractValue::number(Kind::kInt, rounded);
    } else {
        return false;
    }
    finishCall(in, arguments + 2, result);
    return true;
}

bool RegionBuilder::callPow(const BytecodeInstruction& in, int arguments) {
    if (arguments == 3) {
        if (!top(2).isIntLike() || !top(1).isIntLike() || !top(0).isIntLike()) {
            return false;
        }
        Id power = fallibleInt(Helper::k_pow_mod, {asInt(top(2)), asInt(top(1)), asInt(top(0))}, ExitReason::k_domain);
        finishCall(in, 5, AbstractValue::number(Kind::kInt, power));
        return true;
    }
    AbstractValue result;
    if (top(1).isIntLike() && top(0).isIntLike()) {
        if (siteOf(in).bigInt || !intArithmetic(NB_POWER, top(1), top(0), result)) {
            return false;
        }
    } else if (!top(1).isNumber() || !top(0).isNumber() || !floatArithmetic(NB_POWER, top(1), top(0), result)) {
        return false;
    }
    finishCall(in, 4, result);
    return true;
}

bool RegionBuilder::callMin(const BytecodeInstruction& in, int arguments) {
    return callExtreme(in, arguments, true);
}

bool RegionBuilder::callMax(const BytecodeInstruction& in, int arguments) {
    return callExtreme(in, arguments, false);
}

bool RegionBuilder::callExtreme(const BytecodeInstruction& in, int arguments, bool minimum) {
    bool mixed = false;
    for (int argument = 0; argument < arguments; argument++) {
        if (!top(argument).isNumber()) {
            return false;
        }
        mixed = mixed || top(argument).kind != top().kind || (!top().isBool() && isResultSeen(in, arguments + 2));
    }
    if (mixed && arguments > kMostMixed) {
        return false;
    }
    chooseExtreme(in, top(arguments - 1), arguments, 1, minimum);
    return true;
}

// `best` wins among the first `begun` of the arguments: a later one takes its place only where it is smaller (larger), so
// that nan, -0.0 and equal numbers of different classes fall as in CPython. Different classes go on in separate blocks, and so do
// numbers of which it can be seen which one it is.
void RegionBuilder::chooseExtreme(const BytecodeInstruction& in, AbstractValue best, int arguments, int begun, bool minimum) {
    bool seen = isResultSeen(in, arguments + 2);
    for (; begun < arguments; begun++) {
        AbstractValue next = top(arguments - 1 - begun);
        bool same = next.kind == best.kind && !(seen && !next.isBool());
        if (same && next.isInt()) {
            best = AbstractValue::number(Kind::kInt, emit(minimum ? ir::Op::k_int_min : ir::Op::k_int_max, {best.value, next.value}));
            continue;
        }
        AbstractValue better;
        compareNumbers(minimum ? Py_LT : Py_GT, next, best, better);
        if (same && next.isFloat()) {
            best = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_float_select, {better.value, next.value, best.value}));
            continue;
        }
        if (same) {
            Id either = emit(minimum ? ir::Op::k_bool_and : ir::Op::k_bool_or, {best.value, next.value});
            best.value = either;
            continue;
        }
        branchAside(better.value, true, [&] {
            chooseExtreme(in, next, arguments, begun + 1, minimum);
            goTo(in.next);
        });
    }
    best = sameNumber(best);
    finishCall(in, arguments + 2, best);
}

// int, float and bool of a number.
bool RegionBuilder::convertNumber(const BytecodeInstruction& in, PyTypeObject* cls) {
    const AbstractValue& value = top();
    AbstractValue result;
    if (cls == &PyFloat_Type && value.isNumber()) {
        result = value.isFloat() ? sameNumber(value) : AbstractValue::number(Kind::kFloat, asFloat(value));
    } else if (cls == &PyLong_Type && value.isIntLike()) {
        result = asInteger(value);
    } else if (cls == &PyLong_Type && value.isFloat() && !siteOf(in).bigInt) {
        result = AbstractValue::number(Kind::kInt, emitExiting(ir::Op::k_float_to_int, {value.value}, ExitReason::k_overflow));
    } else if (cls == &PyBool_Type) {
        Id truthOf = truth(value);
        if (truthOf == ir::kNoId) {
            return false;
        }
        result = AbstractValue::number(Kind::kBool, truthOf);
    } else {
        return false;
    }
    finishCall(in, 3, result);
    return true;
}

bool RegionBuilder::callChr(const BytecodeInstruction& in, int) {
    if (!top().isIntLike()) {
        return false;
    }
    Id code = asInt(top());
    Id known = emit(ir::Op::k_int_below, {code, constInt(kCharacters)});
    emitExiting(ir::Op::k_guard_true, {known}, ExitReason::k_domain);
    Id character = emit(ir::Op::k_pure_object, {code}, static_cast<int64_t>(Helper::k_chr));
    finishCall(in, 3, AbstractValue::object(character, &PyUnicode_Type, true));
    return true;
}

bool RegionBuilder::callOrd(const BytecodeInstruction& in, int) {
    if (top().kind != Kind::kObject && top().kind != Kind::kConstant) {
        return false;
    }
    bool fresh = false;
    Id code = fallibleInt(Helper::k_ord, {boxed(top(), fresh)}, ExitReason::k_domain);
    finishCall(in, 3, AbstractValue::number(Kind::kInt, code));
    return true;
}

// An exact class decides by its bases, unless its instances say that they are another's; only plain classes of type `type`
// have no __instancecheck__.
bool RegionBuilder::callIsinstance(const BytecodeInstruction& in, int) {
    PyTypeObject* known = top(1).knownClass();
    bool relied = known != nullptr && ObservedClasses::instance().mayRelyOn(known);
    std::optional<bool> answer = relied ? isInstanceOf(known, top(0)) : std::nullopt;
    Id result;
    if (answer.has_value()) {
        dependOn(known);
        result = emit(ir::Op::k_const_bool, {}, *answer);
    } else if (known == nullptr && !siteOf(in).generic && top(1).kind == Kind::kObject && top(0).kind == Kind::kConstant &&
               PyType_CheckExact(top(0).constant)) {
        Id found = fallibleInt(Helper::k_is_instance, {top(1).value, constObject(top(0).constant)}, ExitReason::k_proxy);
        result = emit(ir::Op::k_int_ne, {found, constInt(0)});
    } else {
        return false;
    }
    finishCall(in, 4, AbstractValue::number(Kind::kBool, result));
    return true;
}

}  // namespace kiln
