// Helpers for imports of modules that are there: what CPython's import does where it finds the module among sys.modules, and nothing else.
#include <Python.h>

#include <cstring>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/ir/tables.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_words.h"

namespace kiln {
namespace {

// A borrowed reference, or nullptr. No key is asked.
PyObject* itemOf(PyObject* dict, PyObject* name) {
    bool plain = dict != nullptr && PyDict_CheckExact(dict) && kiln_dict_has_plain_keys(dict);
    PyObject* found = plain ? PyDict_GetItemWithError(dict, name) : nullptr;
    PyErr_Clear();
    return found;
}

PyObject* itemOf(PyObject* dict, const char* name) {
    Ref<> text = Ref<>::steal(PyUnicode_InternFromString(name));
    PyErr_Clear();
    return text ? itemOf(dict, text.get()) : nullptr;
}

bool importsAsCPython(PyObject* builtins) {
    PyObject* function = itemOf(builtins, "__import__");
    return function != nullptr && PyCFunction_CheckExact(function) && PyCFunction_GET_SELF(function) != nullptr &&
           PyModule_CheckExact(PyCFunction_GET_SELF(function)) &&
           std::strcmp(reinterpret_cast<PyCFunctionObject*>(function)->m_ml->ml_name, "__import__") == 0;
}

// Another thread may still run it.
bool isComplete(PyObject* module) {
    PyObject* spec = itemOf(PyModule_GetDict(module), "__spec__");
    if (spec == nullptr || spec == Py_None) {
        return true;
    }
    static PyObject* name = PyUnicode_InternFromString("_initializing");
    PyObject* value = nullptr;
    KilnAnswer answer = name != nullptr ? kiln_quiet_attribute(spec, name, &value) : KILN_ASK;
    bool complete = answer == KILN_NO || (answer == KILN_YES && value == Py_False);
    Py_XDECREF(value);
    return complete;
}

// Borrowed; nullptr where it has to be looked for.
PyObject* loadedModule(PyObject* name) {
    PyObject* module = itemOf(PyImport_GetModuleDict(), name);
    return module != nullptr && PyModule_CheckExact(module) && isComplete(module) ? module : nullptr;
}

// `from module import names` finds all of them without importing submodules.
bool hasAll(PyObject* module, PyObject* names) {
    PyObject* dict = PyModule_GetDict(module);
    if (itemOf(dict, "__getattr__") != nullptr) {
        return false;
    }
    if (itemOf(dict, "__path__") == nullptr) {
        return true;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(names); index++) {
        if (itemOf(dict, PyTuple_GET_ITEM(names, index)) == nullptr) {
            return false;
        }
    }
    return true;
}

// words: name, builtins, names or None, level.
int64_t import(const int64_t* w, int64_t) {
    PyObject* name = object(w[0]);
    PyObject* names = object(w[2]);
    PyObject* level = object(w[3]);
    bool isAbsolute = PyLong_CheckExact(level) && PyLong_AsLong(level) == 0;
    PyObject* module = isAbsolute && importsAsCPython(object(w[1])) ? loadedModule(name) : nullptr;
    if (module == nullptr) {
        return 0;
    }
    if (PyTuple_CheckExact(names) && PyTuple_GET_SIZE(names) > 0) {
        return hasAll(module, names) ? reinterpret_cast<int64_t>(Py_NewRef(module)) : 0;
    }
    if (names != Py_None) {
        return 0;
    }
    Py_ssize_t dot = PyUnicode_FindChar(name, '.', 0, PyUnicode_GET_LENGTH(name), 1);
    if (dot < 0) {
        return reinterpret_cast<int64_t>(Py_NewRef(module));
    }
    Ref<> package = Ref<>::steal(PyUnicode_Substring(name, 0, dot));
    PyErr_Clear();
    module = package ? loadedModule(package.get()) : nullptr;
    return reinterpret_cast<int64_t>(Py_XNewRef(module));
}

// words: module, name.
int64_t importFrom(const int64_t* w, int64_t) {
    bool plain = PyModule_CheckExact(object(w[0])) && kiln_type_lookup(&PyModule_Type, object(w[1])) == nullptr;
    return plain ? reinterpret_cast<int64_t>(Py_XNewRef(itemOf(PyModule_GetDict(object(w[0])), object(w[1])))) : 0;
}

}  // namespace

void fillImportHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_plain_import, import);
    set(Helper::k_plain_import_from, importFrom);
}

}  // namespace kiln
