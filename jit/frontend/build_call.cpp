// CALL: what is called, inlining of small Python functions, and direct native calls.
#include <opcode.h>

#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/region_builder.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// Recursion is unrolled: small bodies only, since each call site in a body holds a copy of it.
constexpr int kMostUnrolledCalls = 2;
constexpr int kMostUnrolledInstructions = 30;
constexpr int kUnsupportedFlags = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;

PyObject* initName() {
    static PyObject* name = PyUnicode_InternFromString("__init__");
    return name;
}

// type.__call__, object.__new__, and no metaclass or abstract method in between.
bool isPlainlyInstantiated(PyTypeObject* cls) {
    return Py_TYPE(cls)->tp_call == PyType_Type.tp_call && cls->tp_new == PyBaseObject_Type.tp_new &&
           !PyType_HasFeature(cls, Py_TPFLAGS_IS_ABSTRACT);
}

}  // namespace

// Functions whose calls run as frames of their own, from start to end.
bool RegionBuilder::isPlainFunction(const PyCodeObject* code) {
    return !(code->co_flags & kUnsupportedFlags) && (code->co_flags & CO_OPTIMIZED);
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
    bool constant = top(arguments).kind == Kind::kConstant || guardCallee(arguments, siteOf(in));
    bool called = constant ? callConstant(in, top(arguments).constant, arguments) : callByCode(in, arguments);
    if (!called && open_ && !stopped()) {
        opaqueCall(in, arguments);
    }
    return true;
}

// [function, self], then the arguments.
bool RegionBuilder::callMethod(const BytecodeInstruction& in, int arguments) {
    PyObject* method = top(arguments + 1).constant;
    if (PyFunction_Check(method)) {
        return callPython(in, top(arguments + 1), arguments + 1, arguments + 2);
    }
    return callAppend(in, arguments) || callByTable(in, method, arguments + 1);
}

// A callee that was the same object each time becomes a constant behind a guard. Not Python functions: they would be kept alive.
bool RegionBuilder::guardCallee(int arguments, const Site& site) {
    AbstractValue& entry = top(arguments);
    PyObject* callee = site.observedCallee();
    // What was called with its instance below the arguments is bound here: a new object each time.
    bool bound = callee != nullptr && Py_IS_TYPE(callee, &PyMethodDescr_Type);
    if (callee == nullptr || bound || site.calleeVaries || entry.kind != Kind::kObject || PyFunction_Check(callee)) {
        return false;
    }
    emitExiting(ir::Op::k_guard_is, {entry.value}, ExitReason::k_callee, objectIndex(callee, "callee"));
    keepAlive(callee);
    AbstractValue old = entry;
    entry = AbstractValue::constantObject(callee);
    release(old);
    giveUp();
    int unit = before_.frame().unit;  // a KW_NAMES is repeated, too
    before_ = state_;
    before_.frame().unit = unit;
    startHere();
    return true;
}

bool RegionBuilder::callConstant(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (PyFunction_Check(callee)) {
        return callPython(in, top(arguments), arguments, arguments + 2);
    }
    if (PyType_Check(callee) && isProgramClass(reinterpret_cast<PyTypeObject*>(callee))) {
        return instantiate(in, reinterpret_cast<PyTypeObject*>(callee), arguments);
    }
    if (keywordNames_ != nullptr && !keywordsArePositional(callee, arguments)) {
        return false;
    }
    if (PyCFunction_Check(callee)) {
        return callBuiltin(in, callee, arguments) ||
               (open_ && !stopped() && (callLeaf(in, callee, arguments) || callByTable(in, callee, arguments)));
    }
    return PyType_Check(callee) &&
           (callClass(in, callee, arguments) || (open_ && !stopped() && callByTable(in, callee, arguments)));
}

// An instance of one of the program's classes: made without a call, and its __init__ inlined.
bool RegionBuilder::instantiate(const BytecodeInstruction& in, PyTypeObject* cls, int arguments) {
    ObservedClasses& observed = ObservedClasses::instance();
    if (!observed.mayRelyOn(cls) || !observed.mayRelyOn(Py_TYPE(cls)) || !isPlainlyInstantiated(cls)) {
        return false;
    }
    PyObject* initializer = kiln_type_lookup(cls, initName());
    bool inherited = initializer == kiln_type_lookup(&PyBaseObject_Type, initName());
    std::vector<AbstractValue> bound;
    PyFunctionObject* function = nullptr;
    if (!inherited) {
        // The class lies where the callee finds the instance.
        function = PyFunction_Check(initializer) ? reinterpret_cast<PyFunctionObject*>(initializer) : nullptr;
        if (function == nullptr || !isPlainFunction(reinterpret_cast<PyCodeObject*>(function->func_code)) ||
            !bindArguments(CalledFunction::of(function), arguments + 1, bound) || endsArgument(Callee::of(function).code, bound) ||
            !shouldInline(Callee::of(function))) {
            return false;
        }
        result_.functions.push_back(function);
        dependOnAttribute(cls, initName());
    } else if (arguments != 0) {
        return false;
    }
    dependOn(cls);
    dependOn(Py_TYPE(cls));
    Id object = emit(ir::Op::k_pure_object, {constObject(reinterpret_cast<PyObject*>(cls))}, static_cast<int64_t>(Helper::k_new_instance));
    AbstractValue instance = AbstractValue::object(object, cls, true);
    release(std::exchange(top(arguments), AbstractValue::constantObject(reinterpret_cast<PyObject*>(cls))));
    if (inherited) {
        finishCall(in, 2, std::move(instance));
        return true;
    }
    bound[0] = copyOf(instance);
    inlineCall(in, CalledFunction::of(function), std::move(bound), arguments + 2, {.instance = &instance});
    return true;
}

// The call's operands are gone; its result is pushed and the frame goes on after it.
void RegionBuilder::finishCall(const BytecodeInstruction& in, int popped, AbstractValue result) {
    releaseTop(popped);
    push(std::move(result));
    state_.frame().unit = in.next;
}

bool RegionBuilder::callPython(const BytecodeInstruction& in, const AbstractValue& callee, int arguments, int popped) {
    auto* function = reinterpret_cast<PyFunctionObject*>(callee.constant);
    CalledFunction called = CalledFunction::of(function);
    called.value = callee;
    std::vector<AbstractValue> bound;
    if (!isPlainFunction(called.callee.code) || !bindArguments(called, arguments, bound)) {
        return false;
    }
    result_.functions.push_back(function);
    bool isMethod = popped == arguments + 1;
    bool keeps = !isMethod || !rebinds(called.callee.code, 0);  // a method lives as long as its instance
    if (keeps && shouldInline(called.callee)) {
        inlineCall(in, called, std::move(bound), popped);
        return true;
    }
    if (!keeps) {
        called.value = top(popped - 1) = before_.frame().top(popped - 1) = heldConstant(callee);
        startHere();
    }
    return nativeCall(in, called, bound, popped);
}

// A callee that is a function of the same code each time: closures and lambdas are made again and again. Guards the code, the
// namespaces, and the defaults that are needed.
bool RegionBuilder::callByCode(const BytecodeInstruction& in, int arguments) {
    const Site& site = siteOf(in);
    PyCodeObject* code = site.observedCode();
    if (code == nullptr || top(arguments).kind != Kind::kObject || !isPlainFunction(code)) {
        return false;
    }
    CalledFunction called{.callee = {code, state_.frame().globals, state_.frame().builtins}, .defaults = site.calleeDefaults.get()};
    if (PyObject* sample = site.observedCallee(); sample != nullptr && PyFunction_Check(sample)) {
        called.callee = Callee::of(reinterpret_cast<PyFunctionObject*>(sample));
    } else if (!site.calleesLookUpHere) {
        return false;
    }
    std::vector<AbstractValue> bound;
    if (called.callee.code != code || !bindArguments(called, arguments, bound)) {
        return false;
    }
    called.value = top(arguments);
    Id function = called.value.value;
    guardClass(function, &PyFunction_Type, ExitReason::k_callee);
    auto guardField = [&](Field field, PyObject* expected, const char* name) {
        Id found = emit(ir::Op::k_load_reference, {function}, static_cast<int64_t>(field));
        emitExiting(ir::Op::k_guard_is, {found}, ExitReason::k_callee, objectIndex(expected, name));
    };
    guardField(Field::k_function_code, reinterpret_cast<PyObject*>(code), "code");
    guardField(Field::k_function_globals, called.callee.globals, "globals");
    guardField(Field::k_function_builtins, called.callee.builtins, "builtins");
    int given = arguments - (keywordNames_ != nullptr ? static_cast<int>(PyTuple_GET_SIZE(keywordNames_)) : 0);
    if (called.defaults != nullptr && given < code->co_argcount) {
        guardField(Field::k_function_defaults, called.defaults, "defaults");
        keepAlive(called.defaults);
    }
    result_.codes.push_back(code);
    if (shouldInline(called.callee)) {
        inlineCall(in, called, std::move(bound), arguments + 2);
        return true;
    }
    return nativeCall(in, called, bound, arguments + 2);
}

RegionBuilder::Id RegionBuilder::functionValue(const CalledFunction& called) {
    return called.value.isReference() ? called.value.value : constObject(called.value.constant);
}

// `count` positional parameters and no others.
bool RegionBuilder::takesOnly(PyCodeObject* code, int count) {
    bool takesMore = code->co_kwonlyargcount != 0 || (code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0;
    return isPlainFunction(code) && code->co_argcount == count && !takesMore;
}

// True when the function may end what was passed for a parameter before it returns.
bool RegionBuilder::rebinds(PyCodeObject* code, int parameter) {
    for (const BytecodeInstruction& in : bytecodeOf(code).instructions()) {
        bool sets = in.opcode == STORE_FAST || in.opcode == DELETE_FAST || in.opcode == LOAD_FAST_AND_CLEAR || in.opcode == MAKE_CELL;
        if (sets && in.oparg == parameter) {
            return true;
        }
    }
    return false;
}

// A class lends its __init__ the arguments, and so does an operator; an inlined callee takes them. True when that could tell.
bool RegionBuilder::endsArgument(PyCodeObject* code, const std::vector<AbstractValue>& bound) {
    for (size_t parameter = 1; parameter < bound.size(); parameter++) {
        const AbstractValue& argument = bound[parameter];
        if ((argument.owned || argument.isVirtual()) && !argument.isNumber() && rebinds(code, static_cast<int>(parameter))) {
            return true;
        }
    }
    return false;
}

// Small functions whose recorded path needs no frame of their own.
bool RegionBuilder::shouldInline(const Callee& callee) {
    PyCodeObject* code = callee.code;
    if (knowledge_.notInlined.contains(code) || state_.frames.size() > limits().depth) {
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
        if (in.opcode == STORE_GLOBAL) {
            return false;
        }
    }
    int most = copies > 0 ? kMostUnrolledInstructions : limits().inlined;
    return copies <= kMostUnrolledCalls && reached > 0 && reached <= most && hasPlainNames(callee.globals) &&
           hasPlainNames(callee.builtins);
}

void RegionBuilder::inlineCall(const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue> bound,
                               int popped, const CallRole& role) {
    PyCodeObject* code = called.callee.code;
    result_.codes.push_back(code);
    AbstractFrame frame{.callee = called.value, .code = code, .globals = called.callee.globals,
                        .builtins = called.callee.builtins, .unit = environment_.profileOf(code).bytecode().entryUnit(),
                        .localCount = code->co_nlocalsplus};
    frame.slots = std::move(bound);
    frame.slots.resize(frame.localCount);
    // The arguments moved into the callee's locals, the callable into its frame.
    state_.frame().slots.resize(state_.frame().slots.size() - popped);
    state_.frame().unit = in.next;
    if (role.instance != nullptr) {
        push(*role.instance);
    }
    frame.constructs = role.instance != nullptr;
    frame.resultSeen = isSeen(state_.frame(), state_.frame().slots.size());
    forgetUnseen(state_.frame());
    frame.unsupported = role.unsupported;
    state_.frames.push_back(std::move(frame));
    enterCells(functionValue(called));
    if (int counter = environment_.counterFor(code, 0); counter >= 0) {
        emit(ir::Op::k_count, {}, counter);
    }
}

// Takes a call's operands off the stack. The state in which an exception leaves, with those that the callee does not take.
AbstractState RegionBuilder::leaveToCallee(int popped) {
    AbstractState raised = before_;
    raised.frame().unit = unit_;
    state_.frame().slots.resize(state_.frame().slots.size() - static_cast<size_t>(popped));
    return raised;
}

// The callee takes a reference to the object that the argument is: the stack's, unless another entry lives on that. As in CPython,
// so that a callee that sets its parameter may end the object.
void RegionBuilder::giveArgument(AbstractValue& argument, Id object, int popped, AbstractState& raised) {
    bool isImmortal = argument.kind == Kind::kNone || (argument.kind == Kind::kConstant && _Py_IsImmortal(argument.constant));
    bool moves = argument.isReference() && argument.owned && !transferOwnership(state_, object);
    if (argument.isReference()) {
        argument.owned = false;
    }
    if (!moves) {
        if (!isImmortal) {
            emit(ir::Op::k_incref, {object});
        }
        return;
    }
    std::vector<AbstractValue>& slots = raised.frame().slots;
    for (auto entry = slots.end() - popped; entry != slots.end(); ++entry) {
        bool same = entry->isReference() && entry->value == object;
        *entry = same ? AbstractValue::none() : *entry;
    }
}

// What a native function is given: the arguments, and then the objects that numbers among them are; empty when one has no native form.
std::vector<ir::Type> RegionBuilder::nativeArguments(PyCodeObject* code, const std::vector<AbstractValue>& bound, std::vector<int>& boxes,
                                                     std::vector<Id>& operands) {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : bound) {
        bool constant = argument.kind == Kind::kNone || argument.kind == Kind::kConstant;
        types.push_back(constant ? ir::Type::kObject : typeOfKind(argument.kind));
        if (types.back() == ir::Type::kNone) {
            return {};
        }
        bool fresh = false;
        operands.push_back(constant ? boxed(argument, fresh) : argument.value);
    }
    boxes = boxedParameters(code, types);
    for (int parameter : boxes) {
        types.push_back(ir::Type::kObject);
        operands.push_back(boxFor(bound[static_cast<size_t>(parameter)]));
    }
    return types;
}

// Of a function that is compiled, or may be; nullptr otherwise. `returnType`: what is expected, and then what it returns.
const void* RegionBuilder::otherEntry(const Callee& callee, const std::vector<ir::Type>& types, const std::vector<int>& boxes, ir::Type& returnType) {
    NativeFunction* native = environment_.nativeFunction(callee, types, boxes, returnType);
    if (native != nullptr) {
        returnType = environment_.returnType(native);
        result_.codes.push_back(callee.code);
    }
    return native;
}

// A direct call of a compiled function; false when there is none for these argument classes.
bool RegionBuilder::nativeCall(const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue>& bound,
                               int popped) {
    const Callee& callee = called.callee;
    std::vector<Id> operands = {functionValue(called)};
    std::vector<int> boxes;
    std::vector<ir::Type> types = nativeArguments(callee.code, bound, boxes, operands);
    if (types.empty() && !bound.empty()) {
        return false;
    }
    bool self = request_.self != nullptr && callee == Callee{request_.code, request_.globals, request_.builtins} &&
                types == selfTypes();
    ir::Type returnType = self ? selfReturnType(siteOf(in)) : observedType(siteOf(in));
    const void* entry = self ? request_.self : otherEntry(callee, types, boxes, returnType);
    if (entry == nullptr) {
        return false;
    }
    reliesOnNoFrame_ = reliesOnNoFrame_ || !knowledge_.needsFrame;
    if (isRootFrame() && (!request_.isFunction || knowledge_.needsFrame)) {
        emit(ir::Op::k_set_position, {}, in.next - 1);
    }
    flushNames();
    Id version = namesVersion();
    emitExiting(ir::Op::k_guard_stack, {}, ExitReason::k_deep);
    AbstractState raised = leaveToCallee(popped);
    for (size_t parameter = 0; parameter < bound.size(); parameter++) {
        if (types[parameter] == ir::Type::kObject) {
            giveArgument(bound[parameter], operands[parameter + 1], popped, raised);
        }
    }
    ir::SnapshotId raise = snapshot(raised, ExitReason::k_exception, true);
    int index = objectIndex(entry, self ? "self" : "native");
    Id status = ir::kNoId;
    asCallee(in.next, [&] {
        status = emitFailing(ir::Op::k_call_native, operands, raise, index, returnType);
        for (AbstractValue& argument : bound) {
            release(argument);  // of a number
        }
        release(called.value);
    });
    handleFailure(ir::Op::k_call_native, status, popped, version);
    state_.frame().unit = in.next;
    Id boxedResult = emit(ir::Op::k_native_boxed, {status});
    push(AbstractValue::object(boxedResult, nullptr, true));
    if (returnType == ir::Type::kObject) {
        afterOpaque(version);
        refineTop(siteOf(in), in.next);
        return true;
    }
    takeNativeNumber(status, returnType);
    // A raw result of this very region: it was valid when the callee returned. native_result looks at a boxed one.
    bool mayHaveChanged = !self || version != ir::kNoId || knowledge_.dropsAtReturn;
    reliesOnQuietReturn_ = reliesOnQuietReturn_ || !mayHaveChanged;
    if (mayHaveChanged) {
        afterOpaque(version);
    }
    return true;
}

// The top entry becomes the number that a native function gave.
void RegionBuilder::takeNativeNumber(Id status, ir::Type returnType) {
    AbstractValue number = AbstractValue::number(kindOfType(returnType), ir::kNoId);
    bool seen = number.hasIdentity() && isSeen(state_.frame(), state_.frame().slots.size() - 1);
    ir::Op take = seen ? ir::Op::k_native_number : ir::Op::k_native_result;
    number.value = emitExitingAt(take, {status}, here(ExitReason::k_result), 0, returnType);
    if (seen) {
        number.box = emit(ir::Op::k_native_box, {status});
        number.owned = number.mayLackBox = true;
    }
    top() = number;
}

Kind RegionBuilder::kindOfType(ir::Type type) {
    return type == ir::Type::kInt ? Kind::kInt : type == ir::Type::kFloat ? Kind::kFloat : type == ir::Type::kBool ? Kind::kBool : Kind::kObject;
}

std::vector<ir::Type> RegionBuilder::selfTypes() {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : request_.entry) {
        types.push_back(typeOfKind(argument.kind));
    }
    types.resize(types.size() + boxedParameters(request_.code, types).size(), ir::Type::kObject);
    return types;
}

// What a call returns, as observed.
ir::Type RegionBuilder::observedType(const Site& site) {
    PyTypeObject* cls = site.results.only();
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
