// Arguments that describe themselves through attributes, and types that numba's package passes.
#include <cstring>

#include "gpu/runtime/arguments.h"
#include "gpu/runtime/errors.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

bool readSizes(PyObject* tuple, Py_ssize_t* out, int ndim) {
    for (int i = 0; i < ndim; i++) {
        out[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, i));
    }
    return PyErr_Occurred() == nullptr;
}

// "<f4" and its kin.
const Type* typeOfString(const char* text) {
    if (text == nullptr || std::strlen(text) != 3 || (text[0] != '<' && text[0] != '|')) {
        return nullptr;
    }
    int bits = (text[2] - '0') * 8;
    switch (text[1]) {
    case 'b': return scalarType(Scalar::kBool);
    case 'i': return intType(bits, true);
    case 'u': return intType(bits, false);
    case 'f': return bits >= 32 ? floatType(bits) : nullptr;
    default: return nullptr;
    }
}

// What a stream other than the default one still writes must be there. `stream` is borrowed, and may be null or None.
bool waitForProducer(PyObject* stream) {
    constexpr unsigned long long kLegacyDefault = 1;  // ordered before kiln's launches by itself
    unsigned long long number = stream != nullptr && PyLong_Check(stream) ? PyLong_AsUnsignedLongLong(stream) : 0;
    Failure failure;
    Backend* where = number > kLegacyDefault ? backend(failure) : nullptr;
    if (where != nullptr && !where->isHost()) {
        Py_BEGIN_ALLOW_THREADS
        failure = where->synchronize(number);
        Py_END_ALLOW_THREADS
    }
    return failure ? raise(failure) != nullptr : PyErr_Occurred() == nullptr;
}

}  // namespace

// __cuda_array_interface__: CuPy's and PyTorch's arrays.
bool ArgumentList::addInterface(PyObject* object) {
    Ref<> interface = Ref<>::steal(PyObject_GetAttrString(object, "__cuda_array_interface__"));
    if (!interface || !PyDict_Check(interface.get())) {
        PyErr_Clear();
        if (PyObject_HasAttrString(object, "__dlpack__") != 0) {
            return addDlpack(object);
        }
        PyErr_Format(PyExc_TypeError, "kernels cannot take arguments of type '%s'; they take numbers, arrays, tuples and None",
                     Py_TYPE(object)->tp_name);
        return false;
    }
    PyObject* shape = PyDict_GetItemString(interface.get(), "shape");
    PyObject* strides = PyDict_GetItemString(interface.get(), "strides");
    PyObject* format = PyDict_GetItemString(interface.get(), "typestr");
    PyObject* data = PyDict_GetItemString(interface.get(), "data");
    const Type* element = format != nullptr ? typeOfString(PyUnicode_AsUTF8(format)) : nullptr;
    bool sound = shape != nullptr && PyTuple_Check(shape) && PyTuple_GET_SIZE(shape) <= kMaxDimensions && data != nullptr &&
                 PyTuple_Check(data) && PyTuple_GET_SIZE(data) == 2;
    if (!sound || element == nullptr) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "kernels cannot take this %s: its __cuda_array_interface__ is not understood",
                     Py_TYPE(object)->tp_name);
        return false;
    }
    if (!waitForProducer(PyDict_GetItemString(interface.get(), "stream"))) {
        return false;
    }
    RawArgument argument;
    argument.isForeign = true;
    int ndim = static_cast<int>(PyTuple_GET_SIZE(shape));
    argument.data = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(data, 0));
    if (!readSizes(shape, argument.shape, ndim)) {
        return false;
    }
    Py_ssize_t step = element->bytes();
    for (int i = ndim - 1; i >= 0; i--) {
        argument.strides[i] = step;
        step *= argument.shape[i];
    }
    if (strides != nullptr && PyTuple_Check(strides) && !readSizes(strides, argument.strides, ndim)) {
        return false;
    }
    addArray(argument, element, ndim, PyObject_IsTrue(PyTuple_GET_ITEM(data, 1)) == 1);
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
