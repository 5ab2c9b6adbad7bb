// Arrays that describe themselves by __cuda_array_interface__.
#include "gpu/frontend/array_interface.h"

#include <cstdlib>
#include <cstring>

#include "gpu/frontend/dtype.h"
#include "gpu/frontend/object_text.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

bool readSizes(PyObject* tuple, Py_ssize_t* out, int ndim) {
    for (int i = 0; i < ndim; i++) {
        out[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, i));
    }
    return PyErr_Occurred() == nullptr;
}

}  // namespace

const Type* typeOfString(const std::string& text) {
    if (text.size() < 3 || (text[0] != '<' && text[0] != '|')) {
        return nullptr;
    }
    constexpr int kMostBytes = 1 << 20;
    int bytes = std::atoi(text.c_str() + 2);
    if (bytes < 1 || bytes > kMostBytes) {
        return nullptr;
    }
    int bits = bytes * 8;
    switch (text[1]) {
    case 'b': return scalarType(Scalar::kBool);
    case 'i': return intType(bits, true);
    case 'u': return intType(bits, false);
    case 'f': return bits == 16 || bits == 32 || bits == 64 ? floatType(bits) : nullptr;
    case 'c': return bits == 64 || bits == 128 ? complexType(bits) : nullptr;
    case 'M': return bits == 64 ? timeNamed("datetime64" + text.substr(3)) : nullptr;
    case 'm': return bits == 64 ? timeNamed("timedelta64" + text.substr(3)) : nullptr;
    case 'S': return textType(8, bytes);
    case 'U': return textType(32, bytes);  // which are characters here
    default: return nullptr;
    }
}

bool isTimeScalar(PyObject* object) {
    const char* kind = Py_TYPE(object)->tp_name;
    return std::strcmp(kind, "numpy.datetime64") == 0 || std::strcmp(kind, "numpy.timedelta64") == 0;
}

bool openArray(PyObject* object, Py_buffer& buffer, const Type*& element) {
    element = nullptr;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) == 0) {
        element = buffer.format != nullptr && !isTimeScalar(object) ? scalarOfFormat(buffer.format) : nullptr;
        element = element != nullptr ? element : elementOfObject(object);
        return true;
    }
    PyErr_Clear();
    element = elementOfObject(object);
    std::string bytes = element != nullptr ? "V" + std::to_string(element->bytes()) : "";
    Ref<> view = Ref<>::steal(element != nullptr ? PyObject_CallMethod(object, "view", "s", bytes.c_str()) : nullptr);
    bool isThere = view && PyObject_GetBuffer(view.get(), &buffer, PyBUF_RECORDS_RO) == 0;
    PyErr_Clear();
    return isThere;
}

// NumPy's own reading of the fields of a structured array.
static const Type* typeOfDescription(PyObject* description) {
    Ref<> numpy = Ref<>::steal(PyImport_ImportModule("numpy"));
    Ref<> dtype = Ref<>::steal(numpy ? PyObject_CallMethod(numpy.get(), "dtype", "O", description) : nullptr);
    PyErr_Clear();
    return dtype ? typeOfDtype(dtype.get()) : nullptr;
}

bool readArrayInterface(PyObject* interface, PyObject* object, ArrayInterface& out) {
    PyObject* shape = PyDict_GetItemString(interface, "shape");
    PyObject* strides = PyDict_GetItemString(interface, "strides");
    PyObject* format = PyDict_GetItemString(interface, "typestr");
    PyObject* data = PyDict_GetItemString(interface, "data");
    PyObject* fields = PyDict_GetItemString(interface, "descr");
    std::string text = textOrEmpty(format);
    bool isRecord = text.rfind("|V", 0) == 0 && fields != nullptr;
    out.element = isRecord ? typeOfDescription(fields) : typeOfString(text);
    if (out.element == nullptr) {  // of a dtype that has no code of its own, as bfloat16
        out.element = elementOfObject(object);
    }
    bool sound = shape != nullptr && PyTuple_Check(shape) && PyTuple_GET_SIZE(shape) <= kMaxDimensions &&
                 data != nullptr && PyTuple_Check(data) && PyTuple_GET_SIZE(data) == 2;
    if (!sound || out.element == nullptr) {
        return false;
    }
    out.ndim = static_cast<int>(PyTuple_GET_SIZE(shape));
    PyObject* address = PyTuple_GET_ITEM(data, 0);
    out.data = address == Py_None ? 0 : PyLong_AsUnsignedLongLong(address);  // of no elements
    if (!readSizes(shape, out.shape, out.ndim)) {
        return false;
    }
    Py_ssize_t step = out.element->bytes();
    for (int i = out.ndim - 1; i >= 0; i--) {
        out.strides[i] = step;
        step *= out.shape[i];
    }
    out.isReadonly = PyObject_IsTrue(PyTuple_GET_ITEM(data, 1)) == 1;
    return strides == nullptr || !PyTuple_Check(strides) || readSizes(strides, out.strides, out.ndim);
}

}  // namespace kiln::gpu
