// Calls of callees that are not known: guards, or a branch for each that was seen, find out.
#include "jit/frontend/build_indirect_call.h"

#include <algorithm>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// The instruction goes on from here with another callee or instance in its operands.
void goOnFromHere(RegionBuilder& b) {
    giveUp(b);
    int unit = b.before().frame().unit;  // a KW_NAMES is repeated, too
    b.before() = b.state();
    b.before().frame().unit = unit;
    startHere(b);
}

// What a function has for defaults that may be any objects: borrowed from it.
void loadDefaults(RegionBuilder& b, CalledFunction& called, Py_ssize_t count) {
    Id tuple = b.emit(ir::Op::k_load_reference, {called.value.value}, static_cast<int64_t>(Field::k_function_defaults));
    b.emitExiting(ir::Op::k_guard_set, {tuple}, ExitReason::k_callee);
    Id size = b.emit(ir::Op::k_load_field, {tuple}, static_cast<int64_t>(Field::k_ob_size));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {size, b.constInt(count)})}, ExitReason::k_callee);
    for (Py_ssize_t index = 0; index < count; index++) {
        called.loaded.push_back(AbstractValue::object(b.emit(ir::Op::k_tuple_item, {tuple, b.constInt(index)}), nullptr, false));
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
void loadKeywordDefaults(RegionBuilder& b, CalledFunction& called) {
    PyCodeObject* code = called.callee.code;
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
        called.loadedKeywords.back() = AbstractValue::object(found, nullptr, false);
    }
}

bool isLoaded(const CalledFunction& called, const AbstractValue& argument) {
    auto isIt = [&](const AbstractValue& loaded) { return loaded.kind == Kind::kObject && loaded.value == argument.value; };
    return argument.kind == Kind::kObject && (std::ranges::any_of(called.loaded, isIt) || std::ranges::any_of(called.loadedKeywords, isIt));
}

// Of one of the codes seen at the call: the entry is a function of this code, as a guard or a branch has found. Guards the namespaces,
// and the defaults that are needed.
bool callCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped, int index) {
    const Site& site = b.siteOf(in);
    PyCodeObject* code = site.calleeCodes[index];
    CalledFunction called{.callee = {code, b.state().frame().globals, b.state().frame().builtins},
                          .defaults = site.calleeDefaults.get(),
                          .value = b.top(arguments)};
    if (PyObject* sample = site.observedCallee(); sample != nullptr && PyFunction_Check(sample)) {
        called.callee = Callee::of(reinterpret_cast<PyFunctionObject*>(sample));
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
        loadDefaults(b, called, site.calleeCodes.defaults(index));
    }
    if (called.keywordDefaults == nullptr) {
        loadKeywordDefaults(b, called);
    }
    std::vector<AbstractValue> bound;
    if (!bindArguments(b, called, arguments, bound)) {
        return false;
    }
    b.result().codes.push_back(code);
    if (!isPlainFunction(code)) {
        return makeGenerator(b, in, called, bound, popped);
    }
    if (!shouldInline(b, called.callee)) {
        return nativeCall(b, in, called, bound, popped);
    }
    for (AbstractValue& argument : bound) {
        if (isLoaded(called, argument)) {
            b.emit(ir::Op::k_incref, {argument.value});
            argument.owned = true;
        }
    }
    inlineCall(b, in, called, std::move(bound), popped);
    return true;
}

}  // namespace

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

// As `random.randint`, which the module holds: what it leads to lives as long as it does.
bool unbindConstant(RegionBuilder& b, int arguments) {
    AbstractValue& bound = b.top(arguments);
    if (bound.kind != Kind::kConstant || bound.value != ir::kNoId || !Py_IS_TYPE(bound.constant, &PyMethod_Type) ||
        !PyFunction_Check(PyMethod_GET_FUNCTION(bound.constant))) {
        return false;
    }
    b.top(arguments + 1) = AbstractValue::constantObject(PyMethod_GET_FUNCTION(bound.constant));
    bound = AbstractValue::constantObject(PyMethod_GET_SELF(bound.constant));
    return true;
}

bool unbindMethod(RegionBuilder& b, int arguments, const Site& site) {
    if (unbindConstant(b, arguments)) {
        return true;
    }
    AbstractValue bound = b.top(arguments);
    if (site.rights.only() != &PyMethod_Type || site.generic || bound.kind != Kind::kObject) {
        return false;
    }
    b.guardClass(bound.value, &PyMethod_Type, ExitReason::k_callee);
    Id function = b.emit(ir::Op::k_load_reference, {bound.value}, static_cast<int64_t>(Field::k_method_function));
    Id self = b.emit(ir::Op::k_load_reference, {bound.value}, static_cast<int64_t>(Field::k_method_self));
    b.emit(ir::Op::k_incref, {function});
    b.emit(ir::Op::k_incref, {self});
    b.top(arguments + 1) = AbstractValue::object(function, nullptr, true);
    b.top(arguments) = AbstractValue::object(self, nullptr, true);
    release(b, std::move(bound));
    goOnFromHere(b);
    return true;
}

bool callByCode(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int popped) {
    const CodeSet& codes = b.siteOf(in).calleeCodes;
    bool known = b.top(arguments).kind == Kind::kObject && codes.size() > 0 && !codes.others();
    for (int index = 0; known && index < codes.size(); index++) {
        known = codes[index] != nullptr && (isPlainFunction(codes[index]) || isPlainGenerator(b, codes[index]));
    }
    int& splits = b.blocks().splits[placeKey(b.state())];
    if (!known || (codes.size() > 1 && splits >= static_cast<int>(b.limits().versions))) {
        return false;
    }
    splits += codes.size() > 1 ? 1 : 0;
    Id function = b.top(arguments).value;
    b.guardClass(function, &PyFunction_Type, ExitReason::k_callee);
    Id code = b.emit(ir::Op::k_load_reference, {function}, static_cast<int64_t>(Field::k_function_code));
    // Where several codes were seen more may come: others are called by CPython.
    bool isOpen = codes.size() > 1;
    for (int index = 0; isOpen && index < codes.size() && !b.stopped(); index++) {
        Id expected = b.emit(ir::Op::k_const_object, {}, b.objectIndex(codes[index], "code"));
        b.branchAside(b.emit(ir::Op::k_object_is, {code, expected}), true, [&] {
            startHere(b);
            if (!callCode(b, in, arguments, popped, index) && !b.stopped()) {
                opaqueCall(b, in, in.oparg);
            }
            if (b.isOpen() && !b.stopped()) {
                b.goTo(b.state().frame().unit);
            }
        });
        startHere(b);
    }
    if (isOpen) {
        return false;
    }
    b.emitExiting(ir::Op::k_guard_is, {code}, ExitReason::k_callee, b.objectIndex(codes[0], "code"));
    return callCode(b, in, arguments, popped, 0);
}

}  // namespace kiln
