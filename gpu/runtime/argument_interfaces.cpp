// Arguments that describe themselves through attributes, and types that numba's package passes.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/array_interface.h"
#include "gpu/runtime/arguments.h"
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
    if (!readArrayInterface(interface, found)) {
        PyErr_Clear();
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

bool parseType(PyObject* object, Value& out) {
    if (object == Py_None) {
        out = Value::none();
        return true;
    }
    if (PyUnicode_Check(object)) {
        out = Value::ofKind(ValueKind::kScalar);
        out.type = scalarNamed(PyUnicode_AsUTF8(object));
        if (out.type == nullptr) {
            PyErr_Format(PyExc_TypeError, "kernels cannot take arguments of type %U", object);
        }
        return out.type != nullptr;
    }
    const char* kind = nullptr;
    if (PyTuple_Check(object) && PyTuple_GET_SIZE(object) > 0) {
        kind = PyUnicode_AsUTF8(PyTuple_GET_ITEM(object, 0));
    }
    if (kind != nullptr && std::strcmp(kind, "array") == 0) {
        const char* element = nullptr;
        const char* layout = nullptr;
        int ndim = 0;
        int readonly = 0;
        if (!PyArg_ParseTuple(object, "ssisp", &kind, &element, &ndim, &layout, &readonly)) {
            return false;
        }
        const Type* scalar = scalarNamed(element);
        if (scalar == nullptr || ndim < 0 || ndim > kMaxDimensions) {
            PyErr_Format(PyExc_TypeError, "kernels cannot take %d-dimensional arrays of %s", ndim, element);
            return false;
        }
        out = Value::ofKind(ValueKind::kArray);
        out.type = arrayType(scalar, ndim, static_cast<Layout>(layout[0]), Space::kGlobal, readonly != 0);
        return true;
    }
    out = Value::tuple({});
    for (Py_ssize_t i = 1; kind != nullptr && i < PyTuple_GET_SIZE(object); i++) {
        out.items.emplace_back();
        if (!parseType(PyTuple_GET_ITEM(object, i), out.items.back())) {
            return false;
        }
    }
    return kind != nullptr;
}

}  // namespace kiln::gpu
