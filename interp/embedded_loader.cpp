// The loader of embedded modules: the same protocol as importlib.machinery.FrozenImporter's.
#include "interp/embedded_loader.h"

#include <marshal.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "interp/embedded_module.h"

namespace kiln {
namespace {

// The one module that is made of C functions: the row without code.
const EmbeddedSource kNative = {kEmbeddedModuleName, "built-in", nullptr, 0, false};
const EmbeddedSource* sources = nullptr;
PyObject* loader = nullptr;    // the one instance
PyObject* specType = nullptr;  // importlib's ModuleSpec

const EmbeddedSource* findSource(PyObject* name) {
    const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
    if (text != nullptr && std::strcmp(kNative.name, text) == 0) {
        return &kNative;
    }
    for (const EmbeddedSource* source = sources; text != nullptr && source->name != nullptr; source++) {
        if (std::strcmp(source->name, text) == 0) {
            return source;
        }
    }
    PyErr_Clear();
    return nullptr;
}

const EmbeddedSource* requireSource(PyObject* name) {
    const EmbeddedSource* source = findSource(name);
    if (source == nullptr) {
        PyErr_Format(PyExc_ImportError, "kiln has no embedded module named %R", name);
    }
    return source;
}

PyObject* getCode(PyObject*, PyObject* name) {
    const EmbeddedSource* source = requireSource(name);
    if (source == nullptr) {
        return nullptr;
    }
    if (source == &kNative) {
        Py_RETURN_NONE;
    }
    return PyMarshal_ReadObjectFromString(reinterpret_cast<const char*>(source->code), source->size);
}

// None stands for importlib's own choice.
PyObject* createModule(PyObject*, PyObject* spec) {
    PyObject* name = PyObject_GetAttrString(spec, "name");
    const EmbeddedSource* source = name != nullptr ? requireSource(name) : nullptr;
    Py_XDECREF(name);
    if (source == nullptr) {
        return nullptr;
    }
    return source == &kNative ? PyModule_FromDefAndSpec(embeddedModuleDefinition(), spec) : Py_NewRef(Py_None);
}

PyObject* execModule(PyObject*, PyObject* module) {
    if (PyModule_GetDef(module) == embeddedModuleDefinition()) {
        return PyModule_ExecDef(module, embeddedModuleDefinition()) == 0 ? Py_NewRef(Py_None) : nullptr;
    }
    PyErr_Clear();
    PyObject* name = PyObject_GetAttrString(module, "__name__");
    PyObject* code = name != nullptr ? getCode(nullptr, name) : nullptr;
    Py_XDECREF(name);
    if (code == nullptr) {
        return nullptr;
    }
    PyObject* globals = PyModule_GetDict(module);
    PyObject* result = nullptr;
    if (globals != nullptr && PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0) {
        result = PyEval_EvalCode(code, globals, globals);
    }
    Py_DECREF(code);
    return result;
}

PyObject* isPackage(PyObject*, PyObject* name) {
    const EmbeddedSource* source = requireSource(name);
    return source != nullptr ? PyBool_FromLong(source->package) : nullptr;
}

PyObject* getSource(PyObject*, PyObject*) {
    Py_RETURN_NONE;
}

PyMethodDef loaderMethods[] = {
    {"create_module", createModule, METH_O, nullptr}, {"exec_module", execModule, METH_O, nullptr},
    {"get_code", getCode, METH_O, nullptr},           {"get_source", getSource, METH_O, nullptr},
    {"is_package", isPackage, METH_O, nullptr},       {nullptr, nullptr, 0, nullptr},
};

PyTypeObject* readyLoaderType() {
    static PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
    type.tp_name = "_kiln.EmbeddedLoader";
    type.tp_basicsize = sizeof(PyObject);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_methods = loaderMethods;
    return PyType_Ready(&type) == 0 ? &type : nullptr;
}

// A package has one search location, as an ordinary one: code that redirects submodules counts them. It names a folder
// inside the executable, as zipimport names folders inside archives, so that no file is ever found there.
bool addSearchLocation(PyObject* spec, const char* name) {
    std::string folder = name;
    std::replace(folder.begin(), folder.end(), '.', '/');
    PyObject* executable = PySys_GetObject("executable");  // borrowed
    PyObject* text = executable != nullptr && PyUnicode_Check(executable) && PyUnicode_GET_LENGTH(executable) > 0
        ? PyUnicode_FromFormat("%U/%s", executable, folder.c_str()) : PyUnicode_FromFormat("<kiln>/%s", folder.c_str());
    PyObject* locations = text != nullptr ? PyObject_GetAttrString(spec, "submodule_search_locations") : nullptr;
    bool added = locations != nullptr && PyList_Append(locations, text) == 0;
    Py_XDECREF(locations);
    Py_XDECREF(text);
    return added;
}

}  // namespace

bool setEmbeddedTable(const EmbeddedSource* table) {
    sources = table;
    PyTypeObject* type = readyLoaderType();
    PyObject* machinery = type != nullptr ? PyImport_ImportModule("_frozen_importlib") : nullptr;
    specType = machinery != nullptr ? PyObject_GetAttrString(machinery, "ModuleSpec") : nullptr;
    Py_XDECREF(machinery);
    loader = specType != nullptr ? PyObject_New(PyObject, type) : nullptr;
    return loader != nullptr;
}

bool isEmbedded(std::string_view package) {
    if (package == kNative.name) {
        return true;
    }
    for (const EmbeddedSource* source = sources; source->name != nullptr; source++) {
        if (package == source->name) {
            return true;
        }
    }
    return false;
}

bool isLoadedFromExecutable(std::string_view package) {
    PyObject* modules = PyImport_GetModuleDict();                                    // borrowed
    PyObject* module = PyDict_GetItemString(modules, std::string(package).c_str());  // borrowed
    PyObject* spec = module != nullptr ? PyObject_GetAttrString(module, "__spec__") : nullptr;
    PyObject* found = spec != nullptr ? PyObject_GetAttrString(spec, "loader") : nullptr;
    PyErr_Clear();
    bool same = found == loader;
    Py_XDECREF(found);
    Py_XDECREF(spec);
    return same;
}

PyObject* makeEmbeddedSpec(PyObject* name) {
    const EmbeddedSource* source = findSource(name);
    if (source == nullptr) {
        Py_RETURN_NONE;
    }
    PyObject* positional = PyTuple_Pack(2, name, loader);
    PyObject* keywords =
        Py_BuildValue("{sssO}", "origin", source->origin, "is_package", source->package ? Py_True : Py_False);
    PyObject* spec =
        positional != nullptr && keywords != nullptr ? PyObject_Call(specType, positional, keywords) : nullptr;
    Py_XDECREF(positional);
    Py_XDECREF(keywords);
    if (spec != nullptr && source->package && !addSearchLocation(spec, source->name)) {
        Py_CLEAR(spec);
    }
    return spec;
}

}  // namespace kiln
