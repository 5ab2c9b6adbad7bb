// What calls of kernels are made of.
#include "gpu/runtime/launch_call.h"

#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

bool areInts(PyObject* tuple) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (!PyLong_CheckExact(PyTuple_GET_ITEM(tuple, i))) {
            return false;
        }
    }
    return true;
}

bool isSimple(PyObject* configuration) {
    if (!PyTuple_CheckExact(configuration)) {
        return false;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(configuration); i++) {
        PyObject* item = PyTuple_GET_ITEM(configuration, i);
        if (!PyLong_CheckExact(item) && !(PyTuple_CheckExact(item) && areInts(item))) {
            return false;
        }
    }
    return true;
}

}  // namespace

PyObject* knownLauncher(PyObject* launchers, PyObject* configuration) {
    return isSimple(configuration) ? Py_XNewRef(PyDict_GetItemWithError(launchers, configuration)) : nullptr;
}

bool completeArguments(PyObject* function, std::vector<PyObject*>& arguments, PyObject* const* named, PyObject* names) {
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
    Ref<> parameters = Ref<>::steal(PyCode_GetVarnames(code));
    PyObject* defaults = PyFunction_GET_DEFAULTS(function);
    Py_ssize_t optional = defaults != nullptr ? PyTuple_GET_SIZE(defaults) : 0;
    Py_ssize_t given = names != nullptr ? PyTuple_GET_SIZE(names) : 0;
    Py_ssize_t used = 0;
    for (Py_ssize_t i = static_cast<Py_ssize_t>(arguments.size()); parameters && i < code->co_argcount; i++) {
        PyObject* value = nullptr;
        for (Py_ssize_t k = 0; k < given && i >= code->co_posonlyargcount; k++) {
            if (PyUnicode_Compare(PyTuple_GET_ITEM(names, k), PyTuple_GET_ITEM(parameters.get(), i)) == 0) {
                value = named[k];
                used++;
            }
        }
        Py_ssize_t position = i + optional - code->co_argcount;
        value = value == nullptr && position >= 0 ? PyTuple_GET_ITEM(defaults, position) : value;
        if (value == nullptr) {
            PyErr_Format(PyExc_TypeError, "%U() missing the argument '%U'", code->co_name, PyTuple_GET_ITEM(parameters.get(), i));
            return false;
        }
        arguments.push_back(value);
    }
    if (used != given) {
        PyErr_Format(PyExc_TypeError, "%U() got a keyword argument that is no parameter, or was given already", code->co_name);
    }
    return used == given;
}

}  // namespace kiln::gpu
