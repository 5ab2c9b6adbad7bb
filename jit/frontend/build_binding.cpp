// Arguments of Python functions: bound to the parameters, as the interpreter binds them at a call.
#include "jit/frontend/build_binding.h"

#include <algorithm>

#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_spread_calls.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// There is but one, and it is immortal.
PyObject* emptyTuple() {
    static PyObject* tuple = PyTuple_New(0);
    return tuple;
}

// The default of a parameter; nullptr when it has none that may be taken for constant. Changes of the defaults are told
// by the function, those within the dict of keyword-only defaults by the dict.
PyObject* defaultOf(RegionBuilder& b, const CalledFunction& called, int parameter) {
    PyCodeObject* code = called.callee.code;
    if (parameter < code->co_argcount) {
        PyObject* defaults = called.defaults;
        Py_ssize_t count = defaults != nullptr ? PyTuple_GET_SIZE(defaults) : 0;
        Py_ssize_t position = parameter - (code->co_argcount - count);
        return position < 0 ? nullptr : PyTuple_GET_ITEM(defaults, position);
    }
    PyObject* defaults = called.keywordDefaults;
    PyObject* name = PyTuple_GET_ITEM(code->co_localsplusnames, parameter);
    PyObject* value = defaults != nullptr ? PyDict_GetItemWithError(defaults, name) : nullptr;
    if (value == nullptr || !b.environment().isStableName(defaults, name)) {
        PyErr_Clear();
        return nullptr;
    }
    b.result().dependencies.push_back({defaults, name, value});
    return value;
}

int parameterIndex(PyCodeObject* code, PyObject* name) {
    for (int index = 0; index < code->co_argcount + code->co_kwonlyargcount; index++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(code->co_localsplusnames, index), name) == 0) {
            return index;
        }
    }
    return -1;
}

}  // namespace

bool bindArguments(RegionBuilder& b, const CalledFunction& called, int arguments, std::vector<AbstractValue>& bound) {
    PyCodeObject* code = called.callee.code;
    int keywords = b.keywordNames() != nullptr ? static_cast<int>(PyTuple_GET_SIZE(b.keywordNames())) : 0;
    int positional = arguments - keywords;
    bool takesMore = (code->co_flags & CO_VARARGS) != 0;
    bool takesNames = (code->co_flags & CO_VARKEYWORDS) != 0;
    std::vector<PyObject*> otherNames;
    std::vector<AbstractValue> others;
    if (positional > code->co_argcount && !takesMore) {
        return false;
    }
    auto parameters = static_cast<size_t>(code->co_argcount + code->co_kwonlyargcount);
    std::vector<bool> set(parameters, false);
    bound.assign(parameters, {});
    int plain = std::min(positional, code->co_argcount);
    for (int index = 0; index < plain; index++) {
        bound[index] = b.top(arguments - 1 - index);
        set[index] = true;
    }
    for (int keyword = 0; keyword < keywords; keyword++) {
        PyObject* name = PyTuple_GET_ITEM(b.keywordNames(), keyword);
        int index = parameterIndex(code, name);
        bool isOther = index < code->co_posonlyargcount;
        if (isOther ? !takesNames : set[static_cast<size_t>(index)]) {
            return false;
        }
        if (isOther) {
            otherNames.push_back(name);
            others.push_back(b.top(keywords - 1 - keyword));
            continue;
        }
        bound[index] = b.top(keywords - 1 - keyword);
        set[index] = true;
    }
    for (size_t index = 0; index < parameters; index++) {
        size_t first = static_cast<size_t>(code->co_argcount) - called.loaded.size();
        if (!set[index] && index >= first && index < static_cast<size_t>(code->co_argcount)) {
            bound[index] = called.loaded[index - first];
            continue;
        }
        size_t keyword = index - static_cast<size_t>(code->co_argcount);
        if (!set[index] && index >= static_cast<size_t>(code->co_argcount) && keyword < called.loadedKeywords.size()) {
            bound[index] = called.loadedKeywords[keyword];
            continue;
        }
        PyObject* value = set[index] ? Py_None : defaultOf(b, called, static_cast<int>(index));
        if (value == nullptr) {
            return false;
        }
        if (!set[index]) {
            bound[index] = constantValue(b, value);
        }
    }
    if (takesMore) {
        std::vector<AbstractValue> rest;
        for (int index = plain; index < positional; index++) {
            rest.push_back(b.top(arguments - 1 - index));
        }
        bound.push_back(rest.empty() ? AbstractValue::constantObject(emptyTuple())
                                     : virtualObject(b, Kind::kTuple, std::move(rest)));
    }
    if (takesNames) {
        bound.push_back(virtualKeywords(b, otherNames, std::move(others)));
    }
    return true;
}

}  // namespace kiln
