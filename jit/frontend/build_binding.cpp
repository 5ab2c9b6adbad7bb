// Arguments of Python functions: bound to the parameters, as the interpreter binds them at a call.
#include "jit/frontend/build_binding.h"

#include <algorithm>

#include "jit/frontend/build_iteration.h"
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

// Keywords that name no parameter, for the `**keywords`.
struct OtherKeywords {
    std::vector<PyObject*> names;
    std::vector<AbstractValue> values;
};

// The keywords lie on top. False where one can't be bound.
bool bindKeywords(RegionBuilder& b, PyCodeObject* code, std::vector<AbstractValue>& bound, std::vector<bool>& set, OtherKeywords& others) {
    int keywords = b.keywordNames() != nullptr ? static_cast<int>(PyTuple_GET_SIZE(b.keywordNames())) : 0;
    for (int keyword = 0; keyword < keywords; keyword++) {
        PyObject* name = PyTuple_GET_ITEM(b.keywordNames(), keyword);
        const AbstractValue& value = b.top(keywords - 1 - keyword);
        int index = parameterIndex(code, name);
        bool isOther = index < code->co_posonlyargcount;
        if (isOther ? (code->co_flags & CO_VARKEYWORDS) == 0 : set[static_cast<size_t>(index)]) {
            return false;
        }
        if (isOther) {
            others.names.push_back(name);
            others.values.push_back(value);
        } else {
            bound[static_cast<size_t>(index)] = value;
            set[static_cast<size_t>(index)] = true;
        }
    }
    return true;
}

// What a parameter gets that the call gives nothing; false where there is no default.
bool bindDefault(RegionBuilder& b, const CalledFunction& called, size_t parameter, AbstractValue& bound) {
    auto positional = static_cast<size_t>(called.callee.code->co_argcount);
    size_t first = positional - called.loaded.size();
    bool isLoaded = parameter < positional ? parameter >= first : parameter - positional < called.loadedKeywords.size();
    if (isLoaded) {
        bound = parameter < positional ? called.loaded[parameter - first] : called.loadedKeywords[parameter - positional];
        return true;
    }
    PyObject* value = defaultOf(b, called, static_cast<int>(parameter));
    if (value != nullptr) {
        bound = constantValue(b, value);
    }
    return value != nullptr;
}

// A parameter is a name: what moves on under it has to be an object, as where a local is stored. Generators stay what they are until the
// parameter is read, and the iterator of a generator expression has no name that could be read twice.
void settleArguments(RegionBuilder& b, PyCodeObject* code, int arguments, int plain) {
    for (int index = 0; index < arguments; index++) {
        const AbstractValue& argument = b.top(arguments - 1 - index);
        bool mayStay = index < plain && (argument.kind == Kind::kGenerator || isUnnamed(code, index));
        if (isVirtualIterator(argument) && !mayStay) {
            boxEntry(b, arguments - 1 - index);
        }
    }
}

}  // namespace

bool bindArguments(RegionBuilder& b, const CalledFunction& called, int arguments, std::vector<AbstractValue>& bound) {
    PyCodeObject* code = called.callee.code;
    int keywords = b.keywordNames() != nullptr ? static_cast<int>(PyTuple_GET_SIZE(b.keywordNames())) : 0;
    int positional = arguments - keywords;
    bool takesMore = (code->co_flags & CO_VARARGS) != 0;
    if (positional > code->co_argcount && !takesMore) {
        return false;
    }
    settleArguments(b, code, arguments, std::min(positional, code->co_argcount));
    auto parameters = static_cast<size_t>(code->co_argcount + code->co_kwonlyargcount);
    std::vector<bool> set(parameters, false);
    bound.assign(parameters, {});
    int plain = std::min(positional, code->co_argcount);
    for (int index = 0; index < plain; index++) {
        bound[index] = b.top(arguments - 1 - index);
        set[index] = true;
    }
    OtherKeywords others;
    if (!bindKeywords(b, code, bound, set, others)) {
        return false;
    }
    for (size_t index = 0; index < parameters; index++) {
        if (!set[index] && !bindDefault(b, called, index, bound[index])) {
            return false;
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
    if ((code->co_flags & CO_VARKEYWORDS) != 0) {
        bound.push_back(virtualKeywords(b, others.names, std::move(others.values)));
    }
    return true;
}

}  // namespace kiln
