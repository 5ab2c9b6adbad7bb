// CALL: what is called, inlining of small Python functions, and direct native calls.
#include <opcode.h>

#include "jit/build/region_builder.h"

namespace kiln {
namespace {

constexpr int kMostInlinedInstructions = 120;
constexpr size_t kMostInlinedFrames = 4;
// Recursion is unrolled: small bodies only, since each call site in a body holds a copy of it.
constexpr int kMostUnrolledCalls = 2;
constexpr int kMostUnrolledInstructions = 30;
constexpr int kUnsupportedFlags = CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;

}  // namespace

bool RegionBuilder::hasPlainSignature(const PyCodeObject* code) {
    return !(code->co_flags & kUnsupportedFlags) && code->co_ncellvars == 0 && code->co_nfreevars == 0;
}

// Functions that are called natively or inlined, and whatever else may have a native form.
bool RegionBuilder::isWorthGuarding(PyObject* callee) {
    return !PyFunction_Check(callee) ||
           hasPlainSignature(reinterpret_cast<PyCodeObject*>(reinterpret_cast<PyFunctionObject*>(callee)->func_code));
}

bool RegionBuilder::call(const BytecodeInstruction& in) {
    int arguments = in.oparg;
    AbstractValue& below = top(arguments + 1);
    if (below.kind != Kind::kNull) {
        bool known = below.kind == Kind::kConstant;
        if (!known || (!callMethod(in, arguments) && open_ && !stopped())) {
            opaqueCall(in, arguments);
        }
        return true;
    }
    if (top(arguments).kind != Kind::kConstant && !guardCallee(arguments, siteOf(in))) {
        opaqueCall(in, arguments);
        return true;
    }
    if (!callConstant(in, top(arguments).constant, arguments) && open_ && !stopped()) {
        opaqueCall(in, arguments);
    }
    return true;
}

// [function, self], then the arguments.
bool RegionBuilder::callMethod(const BytecodeInstruction& in, int arguments) {
    PyObject* method = top(arguments + 1).constant;
    if (PyFunction_Check(method)) {
        return callPython(in, reinterpret_cast<PyFunctionObject*>(method), arguments + 1, arguments + 2);
    }
    return callAppend(in, arguments);
}

// A callee that was the same object each time becomes a constant behind a guard.
bool RegionBuilder::guardCallee(int arguments, const Site& site) {
    AbstractValue& entry = top(arguments);
    PyObject* callee = site.observedCallee();
    if (callee == nullptr || site.calleeVaries || entry.kind != Kind::kObject || !isWorthGuarding(callee)) {
        return false;
    }
    emitExiting(ir::Op::k_guard_is, {entry.value}, ExitReason::k_callee, objectIndex(callee, "callee"));
    result_.keptAlive.push_back(Ref<>::borrow(callee));
    AbstractValue old = entry;
    entry = AbstractValue::constantObject(callee);
    release(old);
    before_ = state_;
    before_.frame().unit = state_.frame().unit;
    return true;
}

bool RegionBuilder::callConstant(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (PyFunction_Check(callee)) {
        return callPython(in, reinterpret_cast<PyFunctionObject*>(callee), arguments, arguments + 2);
    }
    if (keywordNames_ != nullptr && !keywordsArePositional(callee, arguments)) {
        return false;
    }
    if (PyCFunction_Check(callee)) {
        return callBuiltin(in, callee, arguments) || (open_ && !stopped() && callLeaf(in, callee, arguments));
    }
    return PyType_Check(callee) && callClass(in, callee, arguments);
}

// The call's operands are gone; its result is pushed and the frame goes on after it.
void RegionBuilder::finishCall(const BytecodeInstruction& in, int popped, AbstractValue result) {
    releaseTop(popped);
    push(std::move(result));
    state_.frame().unit = in.next;
}

// Positional and keyword arguments and defaults in the order of the callee's locals; false when they don't fit.
bool RegionBuilder::bindArguments(PyFunctionObject* function, int arguments, std::vector<AbstractValue>& bound) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    if (!hasPlainSignature(code)) {
        return false;
    }
    int keywords = keywordNames_ != nullptr ? static_cast<int>(PyTuple_GET_SIZE(keywordNames_)) : 0;
    int positional = arguments - keywords;
    if (positional > code->co_argcount) {
        return false;
    }
    auto parameters = static_cast<size_t>(code->co_argcount + code->co_kwonlyargcount);
    std::vector<bool> set(parameters, false);
    bound.assign(parameters, {});
    for (int index = 0; index < positional; index++) {
        bound[index] = top(arguments - 1 - index);
        set[index] = true;
    }
    for (int keyword = 0; keyword < keywords; keyword++) {
        int index = parameterIndex(code, PyTuple_GET_ITEM(keywordNames_, keyword));
        if (index < code->co_posonlyargcount || set[index]) {
            return false;
        }
        bound[index] = top(keywords - 1 - keyword);
        set[index] = true;
    }
    for (size_t index = 0; index < parameters; index++) {
        PyObject* value = set[index] ? Py_None : defaultOf(function, static_cast<int>(index));
        if (value == nullptr) {
            return false;
        }
        if (!set[index]) {
            bound[index] = constantValue(value);
            result_.keptAlive.push_back(Ref<>::borrow(value));
        }
    }
    return true;
}

// The default of a parameter; nullptr when it has none that may be taken for constant. Changes of the defaults are told
// by the function, those within the dict of keyword-only defaults by the dict.
PyObject* RegionBuilder::defaultOf(PyFunctionObject* function, int parameter) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    if (parameter < code->co_argcount) {
        PyObject* defaults = function->func_defaults;
        Py_ssize_t count = defaults != nullptr ? PyTuple_GET_SIZE(defaults) : 0;
        Py_ssize_t position = parameter - (code->co_argcount - count);
        return position < 0 ? nullptr : PyTuple_GET_ITEM(defaults, position);
    }
    PyObject* defaults = function->func_kwdefaults;
    PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, parameter);
    PyObject* value = defaults != nullptr ? PyDict_GetItemWithError(defaults, name) : nullptr;
    if (value == nullptr || !environment_.isStableName(defaults, name)) {
        PyErr_Clear();
        return nullptr;
    }
    result_.dependencies.push_back({defaults, name});
    return value;
}

int RegionBuilder::parameterIndex(PyCodeObject* code, PyObject* name) {
    for (int index = 0; index < code->co_argcount + code->co_kwonlyargcount; index++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(code->co_localsplusnames, index), name) == 0) {
            return index;
        }
    }
    return -1;
}

bool RegionBuilder::callPython(const BytecodeInstruction& in, PyFunctionObject* function, int arguments, int popped) {
    std::vector<AbstractValue> bound;
    if (!bindArguments(function, arguments, bound)) {
        return false;
    }
    result_.functions.push_back(function);
    result_.keptAlive.push_back(Ref<>::borrow(reinterpret_cast<PyObject*>(function)));
    if (shouldInline(function)) {
        inlineCall(in, function, std::move(bound), popped);
        return true;
    }
    return nativeCall(in, function, bound, popped);
}

// Small functions whose recorded path needs no frame of their own.
bool RegionBuilder::shouldInline(PyFunctionObject* function) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    if (knowledge_.notInlined.contains(code) || state_.frames.size() > kMostInlinedFrames) {
        return false;
    }
    int copies = 0;
    for (const AbstractFrame& frame : state_.frames) {
        copies += frame.code == code;
    }
    CodeProfile& profile = environment_.profileOf(code);
    int reached = 0;
    for (const BytecodeInstruction& in : profile.bytecode().instructions()) {
        reached += profile.reached(in.unit);
        if (in.opcode == STORE_GLOBAL || in.opcode == MAKE_CELL) {
            return false;
        }
    }
    int most = copies > 0 ? kMostUnrolledInstructions : kMostInlinedInstructions;
    return copies <= kMostUnrolledCalls && reached > 0 && reached <= most && PyDict_CheckExact(function->func_builtins);
}

void RegionBuilder::inlineCall(const BytecodeInstruction& in, PyFunctionObject* function, std::vector<AbstractValue> bound,
                               int popped) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    AbstractFrame frame{.function = function, .code = code, .globals = function->func_globals,
                        .builtins = function->func_builtins, .unit = environment_.profileOf(code).bytecode().entryUnit(),
                        .localCount = code->co_nlocalsplus};
    frame.slots = std::move(bound);
    frame.slots.resize(frame.localCount);
    // The arguments moved into the callee's locals; the callable and the NULL are constants.
    state_.frame().slots.resize(state_.frame().slots.size() - popped);
    state_.frame().unit = in.next;
    state_.frames.push_back(std::move(frame));
    if (int counter = environment_.counterFor(code, 0); counter >= 0) {
        emit(ir::Op::k_count, {}, counter);
    }
}

// A direct call of a compiled function; false when there is none for these argument classes.
bool RegionBuilder::nativeCall(const BytecodeInstruction& in, PyFunctionObject* function, std::vector<AbstractValue>& bound,
                               int popped) {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : bound) {
        ir::Type type = typeOfKind(argument.kind);
        if (type == ir::Type::kNone) {
            return false;
        }
        types.push_back(type);
    }
    bool self = request_.self != nullptr && function == request_.function && types == selfTypes();
    ir::Type returnType = self ? selfReturnType(siteOf(in)) : observedType(siteOf(in));
    const void* callee = request_.self;
    if (!self) {
        NativeFunction* native = environment_.nativeFunction(function, types, returnType);
        if (native == nullptr) {
            return false;
        }
        returnType = environment_.returnType(native);
        callee = native;
    }
    if (isRootFrame() && (!request_.isFunction || knowledge_.needsFrame)) {
        emit(ir::Op::k_set_position, {}, in.next - 1);
    }
    flushNames();
    Id version = state_.names.empty() ? ir::kNoId : emit(ir::Op::k_names_version, {}, state_.names[0].name);
    std::vector<Id> operands;
    for (const AbstractValue& argument : bound) {
        operands.push_back(argument.value);
    }
    emitExiting(ir::Op::k_guard_stack, {}, ExitReason::k_deep);
    ir::SnapshotId raise = snapshot(before_, ExitReason::k_exception, true);
    int index = objectIndex(callee, self ? "self" : "native");
    suspend(in.next);
    Id status = emitExitingAt(ir::Op::k_call_native, operands, raise, index, returnType);
    emit(ir::Op::k_resume, {});
    state_.frame().slots.resize(state_.frame().slots.size() - static_cast<size_t>(popped));
    for (AbstractValue& argument : bound) {
        release(argument);  // as CPython clears the callee's frame; the callable and the NULL are constants
    }
    state_.frame().unit = in.next;
    Id boxedResult = emit(ir::Op::k_native_boxed, {status});
    push(AbstractValue::object(boxedResult, nullptr, true));
    if (returnType == ir::Type::kObject) {
        afterOpaque(version);
        refineTop(siteOf(in), in.next);
        return true;
    }
    Id result = emitExitingAt(ir::Op::k_native_result, {status}, here(ExitReason::k_result), 0, returnType);
    top() = AbstractValue::number(kindOfType(returnType), result);
    // A raw result of this very region: it was valid when the callee returned. native_result looks at a boxed one.
    if (!self || version != ir::kNoId) {
        afterOpaque(version);
    }
    return true;
}

Kind RegionBuilder::kindOfType(ir::Type type) {
    return type == ir::Type::kInt ? Kind::kInt : type == ir::Type::kFloat ? Kind::kFloat : type == ir::Type::kBool ? Kind::kBool : Kind::kObject;
}

std::vector<ir::Type> RegionBuilder::selfTypes() const {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : request_.entry) {
        types.push_back(typeOfKind(argument.kind));
    }
    return types;
}

// What a call returns, as observed.
ir::Type RegionBuilder::observedType(const Site& site) {
    PyTypeObject* cls = site.results.size() == 1 && !site.results.others() ? site.results[0] : nullptr;
    return cls == &PyLong_Type && !site.bigInt ? ir::Type::kInt
           : cls == &PyFloat_Type              ? ir::Type::kFloat
           : cls == &PyBool_Type               ? ir::Type::kBool
                                               : ir::Type::kObject;
}

// What a recursive call returns: known from an earlier attempt, else expected as observed.
ir::Type RegionBuilder::selfReturnType(const Site& site) {
    if (knowledge_.returnType == ir::Type::kNone) {
        knowledge_.returnType = observedType(site);
    }
    return knowledge_.returnType;
}

}  // namespace kiln
