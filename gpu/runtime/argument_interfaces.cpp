// Arguments that describe themselves through attributes, and types that numba's package passes.
#include <algorithm>
#include <string_view>

#include "gpu/frontend/array_interface.h"
#include "gpu/frontend/build_structure.h"
#include "gpu/frontend/dtype.h"
#include "gpu/frontend/object_text.h"
#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/errors.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

// What a stream other than the default one still writes must be there. `stream` is borrowed, and may be null or None.
bool waitForProducer(PyObject* stream) {
    constexpr unsigned long long kLegacyDefault = 1;  // ordered before kiln's launches by itself
    unsigned long long number = stream != nullptr && PyLong_Check(stream) ? PyLong_AsUnsignedLongLong(stream) : 0;
    Failure failure;
    Backend* where = number > kLegacyDefault ? backend(failure) : nullptr;
    if (where != nullptr && !where->isHost()) {
        Py_BEGIN_ALLOW_THREADS failure = where->synchronize(number);
        Py_END_ALLOW_THREADS
    }
    return failure ? raise(failure) != nullptr : PyErr_Occurred() == nullptr;
}

}  // namespace

// __cuda_array_interface__: CuPy's and PyTorch's arrays.
bool ArgumentList::addInterface(PyObject* object, PyObject* interface) {
    PyObject* mask = PyDict_GetItemString(interface, "mask");
    if (mask != nullptr && mask != Py_None) {
        PyErr_SetString(PyExc_NotImplementedError, "Masked arrays are not supported");
        return false;
    }
    ArrayInterface found;
    bool isRead = readArrayInterface(interface, object, found);
    PyErr_Clear();
    found.element = isRead ? registeredElement(object, found.element) : nullptr;
    if (PyErr_Occurred() != nullptr) {
        return false;
    }
    if (found.element == nullptr) {
        PyErr_Format(PyExc_TypeError, "kernels cannot take this %s: its __cuda_array_interface__ is not understood",
                     Py_TYPE(object)->tp_name);
        return false;
    }
    if (!waitForProducer(PyDict_GetItemString(interface, "stream"))) {
        return false;
    }
    RawArgument argument;
    argument.isForeign = true;
    argument.data = found.data;
    std::copy(found.shape, found.shape + found.ndim, argument.shape);
    std::copy(found.strides, found.strides + found.ndim, argument.strides);
    addArray(argument, found.element, found.ndim, found.isReadonly);
    return true;
}

Ref<> ArgumentList::membersOf(PyObject* object) {
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), "numba.structures");
    Ref<> members = Ref<>::steal(module != nullptr ? PyObject_CallMethod(module, "argument_of", "O", object) : nullptr);
    return members && members.get() != Py_None ? std::move(members) : Ref<>();
}

const Type* ArgumentList::registeredElement(PyObject* object, const Type* element) {
    PyObject* module = element == nullptr || element->isRecord() ? PyDict_GetItemString(PyImport_GetModuleDict(), "numba.structures") : nullptr;
    Ref<> kind = Ref<>::steal(module != nullptr ? PyObject_CallMethod(module, "element_of", "O", object) : nullptr);
    const Type* found = kind && kind.get() != Py_None ? structureOf(kind.get()) : element;
    if (found != nullptr && element != nullptr && found->bytes() != element->bytes()) {
        PyErr_Format(PyExc_TypeError, "kernels cannot take this %s: its elements have %d bytes, and values of %s %d", Py_TYPE(object)->tp_name,
                     element->bytes(), found->name.c_str(), found->bytes());
        return nullptr;
    }
    return found;
}

namespace {

const Type* parseElement(PyObject* object) {
    bool isStructure = !PyUnicode_Check(object) && PyObject_HasAttrString(object, "_kiln_is_type") != 0;
    const Type* type = PyUnicode_Check(object) ? scalarNamed(textOrEmpty(object)) : isStructure ? structureOf(object) : typeOfDtype(object);
    if (type == nullptr && PyErr_Occurred() == nullptr) {
        PyErr_Format(PyExc_TypeError, "kernels cannot take arguments of type %S", object);
    }
    return type;
}

bool parseArray(PyObject* object, Value& out) {
    const char* kind = nullptr;
    PyObject* element = nullptr;
    const char* layout = nullptr;
    int ndim = 0;
    int readonly = 0;
    if (!PyArg_ParseTuple(object, "sOisp", &kind, &element, &ndim, &layout, &readonly)) {
        return false;
    }
    const Type* type = parseElement(element);
    if (type == nullptr || ndim < 0 || ndim > kMaxDimensions) {
        if (type != nullptr) {
            PyErr_Format(PyExc_TypeError, "kernels cannot take arrays of %d dimensions", ndim);
        }
        return false;
    }
    out = Value::ofType(arrayType(type, ndim, static_cast<Layout>(layout[0]), Space::kGlobal, readonly != 0));
    return true;
}

}  // namespace

bool parseType(PyObject* object, Value& out) {
    if (object == Py_None) {
        out = Value::none();
        return true;
    }
    if (PyUnicode_Check(object)) {
        const Type* type = parseElement(object);
        out = type != nullptr ? Value::ofType(type) : Value();
        return type != nullptr;
    }
    bool isTuple = PyTuple_Check(object) && PyTuple_GET_SIZE(object) >= 2 && PyUnicode_Check(PyTuple_GET_ITEM(object, 0));
    std::string kind = isTuple ? textOrEmpty(PyTuple_GET_ITEM(object, 0)) : "";
    if (kind == "array") {
        return parseArray(object, out);
    }
    if (kind == "record") {
        const Type* type = parseElement(PyTuple_GET_ITEM(object, 1));
        out = type != nullptr && type->isRecord() ? Value::ofType(arrayType(type, 0, Layout::kC)) : Value();
        return type != nullptr;
    }
    if (kind == "enum" && PyTuple_GET_SIZE(object) == 3) {
        Value known;
        bool isParsed = parseType(PyTuple_GET_ITEM(object, 2), known);
        out = Value::member(std::move(known), Ref<>::borrow(PyTuple_GET_ITEM(object, 1)));
        return isParsed;
    }
    if (kind == "object") {
        out = Value::ofKind(ValueKind::kObject);
        out.object = Ref<>::borrow(PyTuple_GET_ITEM(object, 1));
        return true;
    }
    PyObject* named = isTuple ? PyTuple_GET_ITEM(object, 1) : Py_None;
    out = Value::tuple({}, named == Py_None ? Ref<>() : Ref<>::borrow(named));
    for (Py_ssize_t i = 2; isTuple && i < PyTuple_GET_SIZE(object); i++) {
        out.items.emplace_back();
        if (!parseType(PyTuple_GET_ITEM(object, i), out.items.back())) {
            return false;
        }
    }
    return isTuple;
}

}  // namespace kiln::gpu
