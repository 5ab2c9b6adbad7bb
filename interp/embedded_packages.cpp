// How an import finds the embedded packages: a wrapper around PathFinder.find_spec.
#include "interp/embedded_packages.h"

#include <cstddef>

#include "interp/embedded_loader.h"
#include "interp/import_site.h"

namespace kiln {
namespace {

// Stands for the function of the class method PathFinder.find_spec and looks like it: every attribute is the
// function's. Not a PyCFunction, so that a profiler sees no call that it would not see under python.
struct SpecFinder {
    PyObject_HEAD vectorcallfunc call;
    PyObject* original;  // owned, for ever
    PyObject* pathFinder;
    PackageAudience (*audience)(std::string_view package);
};

// The package that a dotted name lies in, if it may be an embedded one; else "".
std::string_view embeddedPackageOf(PyObject* name) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &length) : nullptr;
    if (text == nullptr) {
        PyErr_Clear();
        return std::string_view();
    }
    std::string_view full(text, static_cast<size_t>(length));
    std::string_view package = full.substr(0, full.find('.'));
    return isEmbedded(package) ? package : std::string_view();
}

// True for a spec of a module; false for None and for a folder without __init__.py, which any regular package goes
// before.
bool isRegular(PyObject* spec) {
    if (spec == Py_None) {
        return false;
    }
    PyObject* loader = PyObject_GetAttrString(spec, "loader");
    if (loader == nullptr) {
        PyErr_Clear();
    }
    bool regular = loader != nullptr && loader != Py_None;
    Py_XDECREF(loader);
    return regular;
}

// Whether a finder behind PathFinder in sys.meta_path has the package, as those of editable installs do. -1 with an
// exception.
int laterFinderHas(PyObject* pathFinder, PyObject* name) {
    PyObject* finders = PySys_GetObject("meta_path");  // borrowed
    bool later = false;
    for (Py_ssize_t i = 0; finders != nullptr && PyList_Check(finders) && i < PyList_GET_SIZE(finders); i++) {
        PyObject* finder = PyList_GET_ITEM(finders, i);
        if (!later) {
            later = finder == pathFinder;
            continue;
        }
        Py_INCREF(finder);
        PyObject* spec = PyObject_CallMethod(finder, "find_spec", "OO", name, Py_None);
        Py_DECREF(finder);
        if (spec == nullptr) {
            return -1;
        }
        bool found = spec != Py_None;
        Py_DECREF(spec);
        if (found) {
            return 1;
        }
    }
    return 0;
}

// What find_spec returns for a package that has an embedded one of its name. `found` is PathFinder's own answer,
// taken over.
PyObject* chooseSpec(SpecFinder* self, PyObject* name, PackageAudience audience, PyObject* found) {
    if (found == nullptr || isRegular(found) || (audience == PackageAudience::kPrograms && importerIsLibrary())) {
        return found;
    }
    int later = laterFinderHas(self->pathFinder, name);
    Py_DECREF(found);
    if (later < 0) {
        return nullptr;
    }
    return later > 0 ? Py_NewRef(Py_None) : makeEmbeddedSpec(name);
}

PyObject* findSpec(PyObject* callable, PyObject* const* arguments, size_t flags, PyObject* keywords) {
    auto* self = reinterpret_cast<SpecFinder*>(callable);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    std::string_view package = count >= 2 && keywords == nullptr ? embeddedPackageOf(arguments[1]) : std::string_view();
    if (package.empty()) {
        return PyObject_Vectorcall(self->original, arguments, flags, keywords);
    }
    PyObject* name = arguments[1];
    bool top = static_cast<size_t>(PyUnicode_GET_LENGTH(name)) == package.size();
    bool elsewhere = top && count >= 3 && arguments[2] != Py_None;  // asked about certain folders only
    PackageAudience audience = self->audience(package);
    if (!top && isLoadedFromExecutable(package)) {
        return makeEmbeddedSpec(name);
    }
    if (!top || elsewhere || audience == PackageAudience::kNobody) {
        return PyObject_Vectorcall(self->original, arguments, flags, keywords);
    }
    if (audience == PackageAudience::kEveryoneFirst) {
        return makeEmbeddedSpec(name);
    }
    return chooseSpec(self, name, audience, PyObject_Vectorcall(self->original, arguments, flags, keywords));
}

PyObject* attributeOfOriginal(PyObject* self, PyObject* name) {
    return PyObject_GetAttr(reinterpret_cast<SpecFinder*>(self)->original, name);
}

PyObject* representOriginal(PyObject* self) {
    return PyObject_Repr(reinterpret_cast<SpecFinder*>(self)->original);
}

PyTypeObject* readySpecFinderType() {
    static PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
    type.tp_name = "function";
    type.tp_basicsize = sizeof(SpecFinder);
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION;
    type.tp_vectorcall_offset = offsetof(SpecFinder, call);
    type.tp_call = PyVectorcall_Call;
    type.tp_getattro = attributeOfOriginal;
    type.tp_repr = representOriginal;
    return PyType_Ready(&type) == 0 ? &type : nullptr;
}

// The function in the class's dictionary, out of its classmethod. New reference, or nullptr with an exception.
PyObject* functionOfFindSpec(PyObject* pathFinder) {
    PyObject* bound = PyObject_GetAttrString(pathFinder, "find_spec");
    PyObject* function = bound != nullptr ? PyObject_GetAttrString(bound, "__func__") : nullptr;
    Py_XDECREF(bound);
    return function;
}

}  // namespace

bool installEmbeddedPackages(const EmbeddedSource* table, PackageAudience (*audience)(std::string_view package)) {
    PyObject* machinery = PyImport_ImportModule("_frozen_importlib_external");
    PyObject* pathFinder = machinery != nullptr ? PyObject_GetAttrString(machinery, "PathFinder") : nullptr;
    Py_XDECREF(machinery);
    PyTypeObject* type = pathFinder != nullptr && setEmbeddedTable(table) ? readySpecFinderType() : nullptr;
    PyObject* original = type != nullptr ? functionOfFindSpec(pathFinder) : nullptr;
    SpecFinder* finder = original != nullptr ? PyObject_New(SpecFinder, type) : nullptr;
    if (finder == nullptr) {
        Py_XDECREF(original);
        Py_XDECREF(pathFinder);
        return false;
    }
    finder->call = findSpec;
    finder->original = original;
    finder->pathFinder = pathFinder;
    finder->audience = audience;
    PyObject* method = PyClassMethod_New(reinterpret_cast<PyObject*>(finder));
    bool done = method != nullptr && PyObject_SetAttrString(pathFinder, "find_spec", method) == 0;
    Py_XDECREF(method);
    Py_DECREF(finder);
    return done;
}

}  // namespace kiln
