// Which intrinsic, type or device function a Python object is.
#include "gpu/frontend/intrinsics.h"

#include <cstring>

#include "gpu/frontend/dtype.h"
#include "gpu/frontend/object_text.h"
#include "gpu/ir/cache_hint.h"

namespace kiln::gpu {
namespace {

bool isNumpy(PyObject* object) {
    return std::strncmp(Py_TYPE(object)->tp_name, "numpy.", 6) == 0;
}

}  // namespace

#define KILN_INTRINSIC(name, parameters, handler, payload) Value handler(FunctionBuilder& build, Call& call);
#include "gpu/frontend/intrinsics.def"
#undef KILN_INTRINSIC

std::string intrinsicName(PyObject* object) {
    if (PyCFunction_Check(object) || PyType_Check(object)) {
        std::string module = textAttribute(object, "__module__");
        if (module == "_operator") {
            module = "operator";
        }
        return module + "." + textAttribute(object, "__name__");
    }
    if (isNumpy(object) && std::strcmp(Py_TYPE(object)->tp_name, "numpy.ufunc") == 0) {
        return "numpy." + textAttribute(object, "__name__");
    }
    if (isNumpy(object) && std::strcmp(Py_TYPE(object)->tp_name, "numpy._ArrayFunctionDispatcher") == 0) {
        return "numpy." + textAttribute(object, "__name__");
    }
    if (PyMethod_Check(object)) {
        std::string method = textAttribute(object, "__module__") + "." + textAttribute(object, "__qualname__");
        return findIntrinsic(method) != nullptr ? method : "";
    }
    return textAttribute(object, "_kiln_intrinsic");
}

const Intrinsic* findIntrinsic(const std::string& name) {
    static const std::map<std::string, Intrinsic> kRows = {
#define KILN_INTRINSIC(name, parameters, handler, payload) \
    {name, {name, parameters, handler, static_cast<int>(payload)}},
#include "gpu/frontend/intrinsics.def"
#undef KILN_INTRINSIC
    };
    auto found = kRows.find(name);
    return found != kRows.end() ? &found->second : nullptr;
}

const Type* typeNamedBy(const Value& value) {
    static const std::map<std::string, const char*> kAliases = {
        {"int", "int64"},        {"float", "float64"},      {"bool_", "bool"},        {"longlong", "int64"},
        {"ulonglong", "uint64"}, {"intc", "int32"},         {"uintc", "uint32"},      {"single", "float32"},
        {"double", "float64"},   {"half", "float16"}, {"complex", "complex128"}, {"csingle", "complex64"}, {"cdouble", "complex128"}};
    std::string name = value.text;
    if (value.kind == ValueKind::kObject) {
        PyObject* object = value.object.get();
        Ref<> fields = Ref<>::steal(PyType_Check(object) ? nullptr : PyObject_GetAttrString(object, "fields"));
        Ref<> dtype = Ref<>::steal(PyObject_HasAttrString(object, "dtype") != 0 ? PyObject_GetAttrString(object, "dtype") : Py_NewRef(object));
        PyErr_Clear();
        if (fields && fields.get() != Py_None && dtype) {
            return typeOfDtype(dtype.get());  // a structured dtype of NumPy's, or numba's record of one
        }
        std::string module =
            textAttribute(PyType_Check(object) ? object : reinterpret_cast<PyObject*>(Py_TYPE(object)), "__module__");
        bool isType = PyType_Check(object) && (module == "numpy" || module == "builtins");
        bool isDescription = module == "numba.types" || module == "numpy" || module.rfind("numpy.dtype", 0) == 0;
        if (!isType && (PyType_Check(object) || !isDescription)) {
            return nullptr;
        }
        name = textAttribute(object, isType ? "__name__" : "name");
    } else if (value.kind != ValueKind::kText) {
        return nullptr;
    }
    auto alias = kAliases.find(name);
    return scalarNamed(alias != kAliases.end() ? alias->second : name);
}

PyObject* deviceFunction(PyObject* object) {
    if (PyType_Check(object) || isNumpy(object)) {
        return nullptr;
    }
    Ref<> function = Ref<>::steal(PyObject_GetAttrString(object, "py_func"));
    PyErr_Clear();
    // The object keeps its function alive.
    return function && PyFunction_Check(function.get()) ? function.get() : nullptr;
}

}  // namespace kiln::gpu
