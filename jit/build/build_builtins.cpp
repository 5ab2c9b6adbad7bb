// Calls of builtins, math functions and classes that have a native form.
#include <opcode.h>

#include <cstring>

#include "jit/build/region_builder.h"

namespace kiln {
namespace {

bool isBuiltin(PyObject* callee, const char* module, const char* name) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    if (std::strcmp(function->m_ml->ml_name, name) != 0 || function->m_module == nullptr || !PyUnicode_Check(function->m_module)) {
        return false;
    }
    return PyUnicode_CompareWithASCIIString(function->m_module, module) == 0;
}

// The method descriptor of list.append; immortal as its class is.
PyObject* appendMethod() {
    static PyObject* method = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyList_Type), "append");
    return method;
}

const char* builtinName(PyObject* callee, const char* module) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    return isBuiltin(callee, module, function->m_ml->ml_name) ? function->m_ml->ml_name : nullptr;
}

}  // namespace

bool RegionBuilder::callBuiltin(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (const char* name = builtinName(callee, "math")) {
        return callMath(in, name, arguments);
    }
    // They see frames, or the references that the interpreter's operand stack would hold.
    if (isBuiltin(callee, "sys", "_getframe") || isBuiltin(callee, "sys", "getrefcount")) {
        sideExit(ExitReason::k_unsupported);
        return true;
    }
    const char* name = builtinName(callee, "builtins");
    if (name == nullptr) {
        return false;
    }
    auto named = [&](const char* wanted) { return std::strcmp(name, wanted) == 0; };
    for (const char* reader : {"eval", "exec", "locals", "vars", "dir", "breakpoint", "globals", "__import__"}) {
        if (named(reader)) {
            sideExit(ExitReason::k_unsupported);  // it looks at the frame that calls it
            return true;
        }
    }
    if (named("abs") && arguments == 1) {
        return callAbs(in);
    }
    if (named("len") && arguments == 1) {
        return callLen(in);
    }
    if ((named("min") || named("max")) && arguments == 2) {
        return callMinMax(in, named("min"));
    }
    if (named("divmod") && arguments == 2) {
        return callDivmod(in);
    }
    if (named("pow") && arguments == 2) {
        return callPow(in);
    }
    if (named("isinstance") && arguments == 2) {
        return callIsinstance(in);
    }
    if (named("round") && arguments == 1 && top().isIntLike()) {
        AbstractValue result = AbstractValue::number(Kind::kInt, asInt(top()));
        finishCall(in, 3, result);
        return true;
    }
    if (named("round") && arguments == 1 && top().isFloat()) {
        Id rounded = emitList(ir::Op::k_pure_float, {top().value}, static_cast<int64_t>(Helper::k_round_half_even));
        Id whole = emitExiting(ir::Op::k_float_to_int, {rounded}, ExitReason::k_domain);
        finishCall(in, 3, AbstractValue::number(Kind::kInt, whole));
        return true;
    }
    return false;
}

bool RegionBuilder::callAbs(const BytecodeInstruction& in) {
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

bool RegionBuilder::callLen(const BytecodeInstruction& in) {
    AbstractValue value = top();
    Id length;
    if (value.kind == Kind::kObject && (value.cls == &PyList_Type || value.cls == &PyTuple_Type)) {
        length = emit(ir::Op::k_load_field, {value.value}, static_cast<int64_t>(Field::k_ob_size));
    } else if (value.kind == Kind::kTuple) {
        length = constInt(static_cast<int64_t>(value.parts.size()));
    } else if (value.kind == Kind::kConstant && (PyTuple_CheckExact(value.constant) || PyList_CheckExact(value.constant))) {
        length = emit(ir::Op::k_load_field, {constObject(value.constant)}, static_cast<int64_t>(Field::k_ob_size));
    } else if (value.kind == Kind::kConstant && PyUnicode_CheckExact(value.constant)) {
        length = constInt(PyUnicode_GET_LENGTH(value.constant));
    } else {
        return false;
    }
    finishCall(in, 3, AbstractValue::number(Kind::kInt, length));
    return true;
}

// min(a, b) keeps a unless b is smaller, max(a, b) keeps a unless b is larger: so with nan and -0.0 too.
bool RegionBuilder::callMinMax(const BytecodeInstruction& in, bool minimum) {
    const AbstractValue& a = top(1);
    const AbstractValue& b = top(0);
    AbstractValue result;
    if (a.isInt() && b.isInt()) {
        result = AbstractValue::number(Kind::kInt, emit(minimum ? ir::Op::k_int_min : ir::Op::k_int_max, {a.value, b.value}));
    } else if (a.isFloat() && b.isFloat()) {
        Id second = emit(minimum ? ir::Op::k_float_lt : ir::Op::k_float_gt, {b.value, a.value});
        result = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_float_select, {second, b.value, a.value}));
    } else {
        return false;
    }
    finishCall(in, 4, result);
    return true;
}

bool RegionBuilder::callDivmod(const BytecodeInstruction& in) {
    AbstractValue pair;
    pair.kind = Kind::kTuple;
    pair.parts.resize(2);
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

bool RegionBuilder::callPow(const BytecodeInstruction& in) {
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

bool RegionBuilder::callIsinstance(const BytecodeInstruction& in) {
    const AbstractValue& cls = top(0);
    PyTypeObject* known = top(1).knownClass();
    // An exact class decides by its bases; only plain classes of type `type` have no __instancecheck__.
    if (cls.kind != Kind::kConstant || !PyType_CheckExact(cls.constant) || known == nullptr) {
        return false;
    }
    bool answer = PyType_IsSubtype(known, reinterpret_cast<PyTypeObject*>(cls.constant)) != 0;
    Id result = emit(ir::Op::k_const_bool, {}, answer);
    finishCall(in, 4, AbstractValue::number(Kind::kBool, result));
    return true;
}

bool RegionBuilder::callMath(const BytecodeInstruction& in, const char* name, int arguments) {
    for (int function = 0; function < static_cast<int>(MathFunction::kCount); function++) {
        if (std::strcmp(kMathNames[function], name) != 0 || kMathArities[function] != arguments) {
            continue;
        }
        bool numbers = top(0).isNumber() && (arguments == 1 || top(1).isNumber());
        if (!numbers) {
            return false;
        }
        Id result = arguments == 1
                        ? emitExiting(ir::Op::k_math_unary, {asFloat(top())}, ExitReason::k_domain, function)
                        : emitExiting(ir::Op::k_math_binary, {asFloat(top(1)), asFloat(top(0))}, ExitReason::k_domain, function);
        finishCall(in, arguments + 2, AbstractValue::number(Kind::kFloat, result));
        return true;
    }
    bool rounds = std::strcmp(name, "floor") == 0 || std::strcmp(name, "ceil") == 0;
    if (rounds && arguments == 1 && top().isFloat()) {
        Helper helper = name[0] == 'f' ? Helper::k_floor : Helper::k_ceil;
        Id rounded = emitList(ir::Op::k_pure_float, {top().value}, static_cast<int64_t>(helper));
        Id whole = emitExiting(ir::Op::k_float_to_int, {rounded}, ExitReason::k_domain);
        finishCall(in, 3, AbstractValue::number(Kind::kInt, whole));
        return true;
    }
    return false;
}

// range, int, float, bool, enumerate and zip of values with a native form.
bool RegionBuilder::callClass(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    auto* cls = reinterpret_cast<PyTypeObject*>(callee);
    if (cls == &PyRange_Type && arguments >= 1 && arguments <= 3) {
        return callRange(in, arguments);
    }
    if (cls == &PyEnum_Type && arguments == 1) {
        return callEnumerate(in);
    }
    if (cls == &PyZip_Type && arguments >= 1) {
        return callZip(in, arguments);
    }
    if (arguments != 1) {
        return false;
    }
    const AbstractValue& value = top();
    AbstractValue result;
    if (cls == &PyFloat_Type && value.isNumber()) {
        result = AbstractValue::number(Kind::kFloat, asFloat(value));
    } else if (cls == &PyLong_Type && value.isIntLike()) {
        result = AbstractValue::number(Kind::kInt, asInt(value));
    } else if (cls == &PyLong_Type && value.isFloat() && !siteOf(in).bigInt) {
        result = AbstractValue::number(Kind::kInt, emitExiting(ir::Op::k_float_to_int, {value.value}, ExitReason::k_overflow));
    } else if (cls == &PyBool_Type && (value.isNumber() || value.kind == Kind::kNone)) {
        result = AbstractValue::number(Kind::kBool, truth(value));
    } else {
        return false;
    }
    finishCall(in, 3, result);
    return true;
}

bool RegionBuilder::callRange(const BytecodeInstruction& in, int arguments) {
    AbstractValue range;
    range.kind = Kind::kRange;
    for (int argument = 0; argument < arguments; argument++) {
        if (!top(argument).isIntLike()) {
            return false;
        }
    }
    auto bound = [&](int below) { return AbstractValue::number(Kind::kInt, asInt(top(below))); };
    AbstractValue one = AbstractValue::number(Kind::kInt, constInt(1));
    AbstractValue zero = AbstractValue::number(Kind::kInt, constInt(0));
    if (arguments == 1) {
        range.parts = {zero, bound(0), one};
    } else if (arguments == 2) {
        range.parts = {bound(1), bound(0), one};
    } else {
        range.parts = {bound(2), bound(1), bound(0)};
        Id isZero = emit(ir::Op::k_int_eq, {range.parts[2].value, constInt(0)});
        emitExiting(ir::Op::k_guard_false, {isZero}, ExitReason::k_domain);
    }
    range.unitStep = arguments < 3;
    finishCall(in, arguments + 2, range);
    return true;
}

bool RegionBuilder::callEnumerate(const BytecodeInstruction& in) {
    ownTop();
    AbstractValue inner = virtualIterator(top());
    if (inner.kind == Kind::kNull) {
        return false;
    }
    AbstractValue result;
    result.kind = Kind::kEnumerate;
    result.parts = {AbstractValue::number(Kind::kInt, constInt(0)), inner};
    pop();
    finishCall(in, 2, result);
    return true;
}

bool RegionBuilder::callZip(const BytecodeInstruction& in, int arguments) {
    AbstractValue result;
    result.kind = Kind::kZip;
    for (int argument = arguments - 1; argument >= 0; argument--) {
        AbstractValue& entry = top(argument);
        bool known = entry.kind == Kind::kRange ||
                     (entry.kind == Kind::kObject && (entry.cls == &PyList_Type || entry.cls == &PyTuple_Type));
        if (!known) {
            return false;
        }
    }
    for (int argument = arguments - 1; argument >= 0; argument--) {
        AbstractValue& entry = top(argument);
        if (entry.kind == Kind::kObject && !entry.owned) {
            emit(ir::Op::k_incref, {entry.value});
            entry.owned = true;
        }
        result.parts.push_back(virtualIterator(entry));
    }
    state_.frame().slots.resize(state_.frame().slots.size() - arguments);
    finishCall(in, 2, result);
    return true;
}

// Methods: list.append natively, others opaquely.
bool RegionBuilder::loadAttribute(const BytecodeInstruction& in) {
    PyObject* name = PyTuple_GET_ITEM(state_.frame().code->co_names, in.opcode == LOAD_ATTR ? in.oparg >> 1 : in.oparg);
    if (in.opcode == STORE_ATTR) {
        opaqueAttributeStore(in, name);
        return true;
    }
    bool method = in.oparg & 1;
    AbstractValue receiver = top();
    if (receiver.kind == Kind::kConstant && PyModule_CheckExact(receiver.constant)) {
        return loadModuleAttribute(in, receiver.constant, name, method);
    }
    if (method && receiver.kind == Kind::kObject && receiver.cls == &PyList_Type &&
        PyUnicode_CompareWithASCIIString(name, "append") == 0) {
        // [method, self], as the interpreter's own LOAD_ATTR leaves them.
        AbstractValue list = pop();
        push(AbstractValue::constantObject(appendMethod()));
        push(list);
        state_.frame().unit = in.next;
        return true;
    }
    opaqueAttributeLoad(in, name, method);
    return true;
}

// A module's attribute is a constant behind the watcher of the module's dict.
bool RegionBuilder::loadModuleAttribute(const BytecodeInstruction& in, PyObject* module, PyObject* name, bool method) {
    PyObject* dict = PyModule_GetDict(module);
    PyObject* value = PyDict_GetItemWithError(dict, name);
    if (value == nullptr || !environment_.isStableName(dict, name)) {
        PyErr_Clear();
        opaqueAttributeLoad(in, name, method);
        return true;
    }
    result_.dependencies.push_back({dict, name});
    result_.keptAlive.push_back(Ref<>::borrow(value));
    release(pop());
    if (method) {
        push(AbstractValue::null());
    }
    push(constantValue(value));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::callMethod(const BytecodeInstruction& in, int arguments) {
    bool appends = top(arguments + 1).constant == appendMethod() && top(arguments).cls == &PyList_Type;
    if (!appends || arguments != 1 || keywordNames_ != nullptr || top(1).kind != Kind::kObject) {
        return false;
    }
    Id object = boxEntry(0);
    ir::SnapshotId raise = snapshot(before_, ExitReason::k_exception, true);
    emitExitingAt(ir::Op::k_list_append, {top(1).value, object}, raise);
    finishCall(in, 3, AbstractValue::none());
    return true;
}

}  // namespace kiln
