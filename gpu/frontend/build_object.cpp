// Python objects that are known at compile time: constants of the code, globals, closure variables.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/array_interface.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/dtype.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// Of a bool, an int, a float or a complex.
Value valueOfNumber(FunctionBuilder& build, PyObject* thing, const Node& node) {
    if (PyBool_Check(thing)) {
        return Value::constant(scalarType(Scalar::kBool), thing == Py_True);
    }
    if (PyLong_Check(thing)) {
        int overflow = 0;
        int64_t number = PyLong_AsLongLongAndOverflow(thing, &overflow);
        if (overflow == 0) {
            return Value::integer(number);
        }
        uint64_t wide = PyLong_AsUnsignedLongLong(thing);
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return build.fail(node, "this integer does not fit into 64 bits");
        }
        return Value::constant(scalarType(Scalar::kUInt64), static_cast<int64_t>(wide));
    }
    if (PyFloat_CheckExact(thing)) {
        return Value::constant(scalarType(Scalar::kFloat64), bitsOf(PyFloat_AS_DOUBLE(thing), scalarType(Scalar::kFloat64)));
    }
    const Type* part = scalarType(Scalar::kFloat64);
    Value real = Value::constant(part, bitsOf(PyComplex_RealAsDouble(thing), part));
    return makeComplex(build, real, Value::constant(part, bitsOf(PyComplex_ImagAsDouble(thing), part)),
                       complexType(128));
}

// A copy of the array as it is now, in constant memory.
Value constantArray(FunctionBuilder& build, PyObject* object, const Node& node) {
    Py_buffer buffer;
    const Type* element = nullptr;
    if (!openArray(object, buffer, element)) {
        return build.fail(node, "this array cannot be read");
    }
    StaticArray array;
    bool isKnown = element != nullptr && buffer.ndim <= kMaxDimensions;
    if (isKnown) {
        array.type = arrayType(element, buffer.ndim, Layout::kC, Space::kGlobal, true);
        array.shape.assign(buffer.shape, buffer.shape + buffer.ndim);
        array.bytes.resize(static_cast<size_t>(buffer.len));
        isKnown = PyBuffer_ToContiguous(array.bytes.data(), &buffer, buffer.len, 'C') == 0;
        PyErr_Clear();
    }
    PyBuffer_Release(&buffer);
    return isKnown ? constantOf(build, std::move(array), node) : build.fail(node, "kernels do not know the elements of this array");
}

// An array in device memory: where it is now. The kernel keeps the object, and sees what becomes of its elements.
Value globalArray(FunctionBuilder& build, PyObject* object, PyObject* interface, bool isForeign, const Node& node) {
    ArrayInterface found;
    if (!readArrayInterface(interface, object, found)) {
        PyErr_Clear();
        return build.fail(node, "kernels do not understand the __cuda_array_interface__ of this " +
                                    std::string(Py_TYPE(object)->tp_name));
    }
    GlobalArray array;
    array.isForeign = isForeign;
    array.address = found.data;
    array.shape.assign(found.shape, found.shape + found.ndim);
    array.strides.assign(found.strides, found.strides + found.ndim);
    array.type = arrayType(found.element, found.ndim, Layout::kA, Space::kGlobal, found.isReadonly);
    build.module().kept.push_back(Ref<>::borrow(object));
    auto& known = build.function().globals;
    auto same = std::find_if(known.begin(), known.end(), [&](const GlobalArray& other) {
        return other.type == array.type && other.address == array.address && other.shape == array.shape && other.strides == array.strides;
    });
    auto index = static_cast<uint32_t>(same - known.begin());
    if (same == known.end()) {
        known.push_back(array);
    }
    return build.emit(Op::kGlobalArray, array.type, {}, index);
}

// An array of the process that a loop names: it is where it is as long as the code keeps it, and its elements may change.
Value liveArray(FunctionBuilder& build, PyObject* object, const Node& node) {
    Ref<> interface = Ref<>::steal(PyObject_GetAttrString(object, "__array_interface__"));
    PyErr_Clear();
    return interface && PyDict_Check(interface.get()) ? globalArray(build, object, interface.get(), false, node)
                                                      : build.fail(node, "this array cannot be read");
}

// NumPy's scalars keep their width: they have a dtype, and say what they are through the buffer protocol.
Value numpyScalar(FunctionBuilder& build, PyObject* object) {
    if (std::strncmp(Py_TYPE(object)->tp_name, "numpy.", 6) != 0 || !PyObject_CheckBuffer(object)) {
        return {};
    }
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_FORMAT | PyBUF_ND) != 0) {
        PyErr_Clear();
        return {};
    }
    const Type* type = isTimeScalar(object)                             ? elementOfObject(object)
                       : buffer.ndim == 0 && buffer.format != nullptr ? scalarOfFormat(buffer.format)
                                                                      : nullptr;
    Value value;
    if (type != nullptr && type->isComplex() && type->bytes() == buffer.len) {
        int64_t bits[2] = {0, 0};
        auto half = static_cast<size_t>(buffer.len / 2);
        std::memcpy(&bits[0], buffer.buf, half);
        std::memcpy(&bits[1], static_cast<const char*>(buffer.buf) + half, half);
        value = makeComplex(build, Value::constant(partType(type), bits[0]), Value::constant(partType(type), bits[1]),
                            type);
    } else if (type != nullptr && type->bytes() == buffer.len) {
        int64_t bits = 0;
        std::memcpy(&bits, buffer.buf, buffer.len);
        if (type->isSigned()) {
            bits = bits << (64 - type->bits) >> (64 - type->bits);
        }
        value = Value::constant(type, bits);
    }
    PyBuffer_Release(&buffer);
    return value;
}

}  // namespace

Value constantOf(FunctionBuilder& build, StaticArray array, const Node& node) {
    constexpr size_t kMostBytes = 65536;
    if (array.bytes.size() > kMostBytes) {
        return build.fail(node, "this array has " + std::to_string(array.bytes.size()) +
                                    " bytes, and constant memory holds 65536; pass it as an argument");
    }
    // Named twice, or in a loop that is built again: once.
    auto& known = build.function().constants;
    auto same = std::find_if(known.begin(), known.end(), [&](const StaticArray& other) {
        return other.type == array.type && other.shape == array.shape && other.bytes == array.bytes;
    });
    auto index = static_cast<uint32_t>(same - known.begin());
    const Type* type = array.type;
    if (same == known.end()) {
        known.push_back(std::move(array));
    }
    return build.emit(Op::kConstantArray, type, {}, index);
}

Value valueOfObject(FunctionBuilder& build, Ref<> object, const Node& node) {
    PyObject* thing = object.get();
    if (thing == Py_None) {
        return Value::none();
    }
    if (isMemberOfEnum(thing)) {
        return valueOfMember(build, thing, node);
    }
    if (PyBool_Check(thing) || PyLong_Check(thing) || PyFloat_CheckExact(thing) || PyComplex_CheckExact(thing)) {
        return valueOfNumber(build, thing, node);
    }
    if (PyUnicode_Check(thing)) {
        return Value::ofText(exactText(thing));
    }
    if (PyTuple_Check(thing)) {
        bool isNamed = !PyTuple_CheckExact(thing);
        Value tuple = Value::tuple({}, isNamed ? Ref<>::borrow(reinterpret_cast<PyObject*>(Py_TYPE(thing))) : Ref<>());
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(thing); i++) {
            tuple.items.push_back(valueOfObject(build, Ref<>::borrow(PyTuple_GET_ITEM(thing, i)), node));
        }
        return tuple;
    }
    Value number = numpyScalar(build, thing);
    if (!number.isPoison()) {
        return number;
    }
    if (std::strcmp(Py_TYPE(thing)->tp_name, "numpy.ndarray") == 0) {
        return build.module().isLoop ? liveArray(build, thing, node) : constantArray(build, thing, node);
    }
    for (const char* name : {"_kiln_array", "__cuda_array_interface__"}) {
        Ref<> interface = Ref<>::steal(PyType_Check(thing) ? nullptr : PyObject_GetAttrString(thing, name));
        PyErr_Clear();
        if (interface && PyDict_Check(interface.get())) {
            return globalArray(build, thing, interface.get(), name[0] == '_' && name[1] == '_', node);
        }
    }
    Value value = Value::ofKind(ValueKind::kObject);
    value.object = std::move(object);
    return value;
}

Value buildGlobal(FunctionBuilder& build, const Node& node) {
    Ref<> name = Ref<>::steal(PyUnicode_InternFromString(node.text.c_str()));
    PyCodeObject* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(build.object()));
    Ref<> free = Ref<>::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(code), "co_freevars"));
    PyObject* closure = PyFunction_GET_CLOSURE(build.object());
    for (Py_ssize_t i = 0; free && closure != nullptr && i < PyTuple_GET_SIZE(free.get()); i++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(free.get(), i), name.get()) == 0) {
            PyObject* content = PyCell_GET(PyTuple_GET_ITEM(closure, i));
            if (content == nullptr) {
                return build.fail(node, "NameError: '" + node.text + "' of the enclosing function has no value yet", kUndefinedName);
            }
            build.module().note(PyTuple_GET_ITEM(closure, i), name.get(), content);
            return valueOfObject(build, Ref<>::borrow(content), node);
        }
    }
    PyObject* globals = PyFunction_GET_GLOBALS(build.object());
    PyObject* found = PyDict_GetItemWithError(globals, name.get());
    build.module().note(globals, name.get(), found);
    if (found == nullptr) {
        Ref<> builtins = Ref<>::steal(PyObject_GetAttrString(build.object(), "__builtins__"));
        found = builtins && PyDict_Check(builtins.get()) ? PyDict_GetItemWithError(builtins.get(), name.get()) : nullptr;
    }
    PyErr_Clear();
    if (found == nullptr) {
        return build.fail(node, "NameError: name '" + node.text + "' is not defined", kUndefinedName);
    }
    return valueOfObject(build, Ref<>::borrow(found), node);
}

}  // namespace kiln::gpu
