// Calls of callees that are not known: guards, or a branch for each that was seen, find out.
#include "jit/frontend/build_indirect_call.h"

#include <algorithm>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// A default that was read: of the class that it has in the function seen here, if that is a number's or None's.
AbstractValue defaultLike(RegionBuilder& b, Id object, PyObject* sample) {
    AbstractValue value = sample != nullptr ? kindOf(sample) : AbstractValue::object(object, nullptr, false);
    if (value.kind == Kind::kNone) {
        b.emitExiting(ir::Op::k_guard_is, {object}, ExitReason::k_callee, b.objectIndex(Py_None, "None"));
        return value;
    }
    if (!value.isNumber()) {
        return AbstractValue::object(object, nullptr, false);
    }
    b.guardClass(object, value.knownClass(), ExitReason::k_callee);
    value.value = value.isInt()     ? b.emitExiting(ir::Op::k_unbox_int, {object}, ExitReason::k_callee)
                  : value.isFloat() ? b.emit(ir::Op::k_unbox_float, {object})
                                    : b.emit(ir::Op::k_unbox_bool, {object});
    value.box = value.isBool() ? ir::kNoId : object;
    return value;
}

// What a function has for defaults that may be any objects: borrowed from it.
void loadDefaults(RegionBuilder& b, CalledFunction& called, Py_ssize_t count, PyFunctionObject* sample) {
    PyObject* seen = sample != nullptr ? sample->func_defaults : nullptr;
    Id tuple = b.emit(ir::Op::k_load_reference, {called.value.value}, static_cast<int64_t>(Field::k_function_defaults));
    b.emitExiting(ir::Op::k_guard_set, {tuple}, ExitReason::k_callee);
    guardLength(b, tuple, count, ExitReason::k_callee);
    for (Py_ssize_t index = 0; index < count; index++) {
        Id item = b.emit(ir::Op::k_tuple_item, {tuple, b.constInt(index)});
        called.loaded.push_back(defaultLike(b, item, seen != nullptr && index < PyTuple_GET_SIZE(seen) ? PyTuple_GET_ITEM(seen, index) : nullptr));
    }
}

bool givesKeyword(RegionBuilder& b, PyObject* name) {
    PyObject* given = b.keywordNames();
    for (Py_ssize_t index = 0; given != nullptr && index < PyTuple_GET_SIZE(given); index++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(given, index), name) == 0) {
            return true;
        }
    }
    return false;
}

// The same of the keyword-only parameters that the call does not name.
void loadKeywordDefaults(RegionBuilder& b, CalledFunction& called, PyFunctionObject* sample) {
    PyCodeObject* code = called.callee.code;
    PyObject* seen = sample != nullptr ? sample->func_kwdefaults : nullptr;
    Id dict = ir::kNoId;
    for (int index = 0; index < code->co_kwonlyargcount; index++) {
        PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, code->co_argcount + index);
        called.loadedKeywords.push_back(AbstractValue::null());
        if (givesKeyword(b, name)) {
            continue;
        }
        if (dict == ir::kNoId) {
            dict = b.emit(ir::Op::k_load_reference, {called.value.value}, static_cast<int64_t>(Field::k_function_kwdefaults));
            b.emitExiting(ir::Op::k_guard_set, {dict}, ExitReason::k_callee);
        }
        Id found = b.emitList(ir::Op::k_read_object, {dict, b.constObject(name)}, static_cast<int64_t>(Helper::k_plain_item));
        b.emitExiting(ir::Op::k_guard_set, {found}, ExitReason::k_callee);
        called.loadedKeywords.back() = defaultLike(b, found, seen != nullptr ? PyDict_GetItemWithError(seen, name) : nullptr);
    }
}

bool isLoaded(const CalledFunction& called, const AbstractValue& argument) {
    auto isIt = [&](const AbstractValue& loaded) {
        return loaded.kind == argument.kind && loaded.kind != Kind::kNull && loaded.kind != Kind::kNone && loaded.value == argument.value;
    };
    return std::ranges::any_of(called.loaded, isIt) || std::ranges::any_of(called.loadedKeywords, isIt);
}

// An arm of the diamond: what follows the call is common to all.
void buildArm(RegionBuilder& b, const CalleeArms& arms, int index) {
    startHere(b);
    if ((index < 0 || !arms.call(index)) && !b.stopped()) {
        arms.callByCPython();
    }
    if (b.isOpen() && !b.stopped()) {
        b.goTo(b.state().frame().unit);
    }
}

}  // namespace

void goOnFromHere(RegionBuilder& b) {
    giveUp(b);
    repeatFromHere(b);
}

bool guardCallee(RegionBuilder& b, int arguments, const Site& site) {
    AbstractValue& entry = b.top(arguments);
    PyObject* callee = site.observedCallee();
    // What was called with its instance below the arguments is bound here: a new object each time.
    bool bound = callee != nullptr && Py_IS_TYPE(callee, &PyMethodDescr_Type);
    if (callee == nullptr || bound || site.calleeVaries || entry.kind != Kind::kObject || PyFunction_Check(callee)) {
        return false;
    }
    b.emitExiting(ir::Op::k_guard_is, {entry.value}, ExitReason::k_callee, b.objectIndex(callee, "callee"));
    b.keepAlive(callee);
    AbstractValue old = entry;
    entry = AbstractValue::constantObject(callee);
    release(b, old);
    goOnFromHere(b);
    return true;
}

bool unbindCallee(RegionBuilder& b, int arguments, const Site& site) {
    AbstractValue bound = b.top(arguments);
    if (site.boundMethod == nullptr || site.generic || bound.kind != Kind::kObject || b.keywordNames() != nullptr) {
        return false;
    }
    const auto* method = reinterpret_cast<PyMethodDescrObject*>(site.boundMethod);
    b.guardClass(bound.value, &PyCFunction_Type, ExitReason::k_callee);
    Id definition = b.emit(ir::Op::k_load_field, {bound.value}, static_cast<int64_t>(Field::k_cfunction_definition));
    Id expected = b.constInt(reinterpret_cast<int64_t>(method->d_method));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {definition, expected})}, ExitReason::k_callee);
    Id self = b.emit(ir::Op::k_load_reference, {bound.value}, static_cast<int64_t>(Field::k_cfunction_self));
    PyTypeObject* cls = PyDescr_TYPE(method);
    if (PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE)) {
        cls = nullptr;  // of a class made of it, mostly
    } else {
        b.guardClass(self, cls, ExitReason::k_callee);
    }
    if (bound.owned) {
        b.emit(ir::Op::k_incref, {self});
    }
    b.top(arguments + 1) = AbstractValue::constantObject(site.boundMethod);
    b.top(arguments) = AbstractValue::object(self, cls, bound.owned);
    release(b, std::move(bound));
    goOnFromHere(b);
    return true;
}

bool branchByCode(RegionBuilder& b, const Site& site, int arguments, const CalleeArms& arms) {
    const CodeSet& codes = site.calleeCodes;
    bool isCalled = b.top(arguments + 1).kind == Kind::kNull;  // else it is what a method was made of
    bool hasOthers = codes.others() || (isCalled && site.rights.has(&PyMethod_Type));
    auto isKnown = [&](int index) {
        return codes[index] != nullptr && (isPlainFunction(codes[index]) || isPlainGenerator(b, codes[index]));
    };
    int known = 0;
    for (int index = 0; index < codes.size(); index++) {
        known += isKnown(index) ? 1 : 0;
    }
    int& splits = b.blocks().splits[placeKey(b.state())];
    bool mayVary = codes.size() > 1 || hasOthers;
    bool areMethods = isCalled && site.rights.only() == &PyMethod_Type;
    if (b.top(arguments).kind != Kind::kObject || known == 0 || areMethods || codes.overflows() || (mayVary && splits >= static_cast<int>(b.limits().versions))) {
        return false;
    }
    splits += mayVary ? 1 : 0;
    Id function = b.top(arguments).value;
    if (hasOthers) {  // functions of CPython's, classes or methods
        b.branchAside(b.classIs(function, &PyFunction_Type), false, [&] { buildArm(b, arms, -1); });
        startHere(b);
    } else {
        b.guardClass(function, &PyFunction_Type, ExitReason::k_callee);
    }
    Id code = b.emit(ir::Op::k_load_reference, {function}, static_cast<int64_t>(Field::k_function_code));
    // Where several codes were seen more may come: others are called by CPython.
    for (int index = 0; mayVary && index < codes.size() && !b.stopped(); index++) {
        if (isKnown(index)) {
            Id expected = b.emit(ir::Op::k_const_object, {}, b.objectIndex(codes[index], "code"));
            b.branchAside(b.emit(ir::Op::k_object_is, {code, expected}), true, [&] { buildArm(b, arms, index); });
            startHere(b);
        }
    }
    if (mayVary) {
        return false;
    }
    b.emitExiting(ir::Op::k_guard_is, {code}, ExitReason::k_callee, b.objectIndex(codes[0], "code"));
    return arms.call(0);
}

bool callCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped, int index) {
    const Site& site = b.siteOf(in);
    PyCodeObject* code = site.calleeCodes[index];
    CalledFunction called{.callee = {code, b.state().frame().globals, b.state().frame().builtins},
                          .defaults = site.calleeDefaults.get(),
                          .value = b.top(arguments)};
    PyObject* observed = site.observedCallee();
    auto* sample = reinterpret_cast<PyFunctionObject*>(observed != nullptr && PyFunction_Check(observed) ? observed : nullptr);
    if (sample != nullptr) {
        called.callee = Callee::of(sample);
    } else if (!site.calleesLookUpHere) {
        return false;
    }
    int given = arguments - (b.keywordNames() != nullptr ? static_cast<int>(PyTuple_GET_SIZE(b.keywordNames())) : 0);
    bool needsDefaults = given < code->co_argcount;
    if (called.callee.code != code || (needsDefaults && called.defaults == nullptr && site.calleeCodes.defaults(index) > code->co_argcount)) {
        return false;
    }
    auto guardField = [&](Field field, PyObject* expected, const char* name) {
        Id found = b.emit(ir::Op::k_load_reference, {called.value.value}, static_cast<int64_t>(field));
        b.emitExiting(ir::Op::k_guard_is, {found}, ExitReason::k_callee, b.objectIndex(expected, name));
    };
    guardField(Field::k_function_globals, called.callee.globals, "globals");
    guardField(Field::k_function_builtins, called.callee.builtins, "builtins");
    if (needsDefaults && called.defaults != nullptr) {
        guardField(Field::k_function_defaults, called.defaults, "defaults");
        b.keepAlive(called.defaults);
    } else if (needsDefaults && site.calleeCodes.defaults(index) > 0) {
        loadDefaults(b, called, site.calleeCodes.defaults(index), sample);
    }
    loadKeywordDefaults(b, called, sample);
    std::vector<AbstractValue> bound;
    if (!bindArguments(b, called, arguments, bound)) {
        return false;
    }
    b.result().codes.push_back(code);
    if (!isPlainFunction(code)) {
        return makeGenerator(b, in, called, bound, popped);
    }
    if (!shouldInline(b, called.callee)) {
        return nativeCall(b, in, called, std::move(bound), arguments, popped);
    }
    for (AbstractValue& argument : bound) {
        if (isLoaded(called, argument)) {
            own(b, argument);
        }
    }
    inlineCall(b, in, called, std::move(bound), popped);
    return true;
}

bool callByCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped) {
    return branchByCode(b, b.siteOf(in), arguments,
                        {.call = [&](int index) { return callCode(b, in, arguments, popped, index); }, .callByCPython = [&] { opaqueCall(b, in, in.oparg); }});
}

}  // namespace kiln
