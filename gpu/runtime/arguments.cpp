// The arguments of one launch.
#include "gpu/runtime/arguments.h"

#include <algorithm>
#include <cstring>

#include "gpu/frontend/array_interface.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/runtime/device_array.h"
#include "gpu/runtime/host_readable.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
namespace {

// Keys: types by their address, structure by small numbers, which no address is. The class of a tuple follows its beginning.
constexpr uintptr_t kTupleBegin = 1;
constexpr uintptr_t kTupleEnd = 2;
constexpr uintptr_t kNone = 3;
constexpr uintptr_t kTypeObject = 4;  // the type follows
constexpr uintptr_t kMember = 5;      // of an enum, which follows, then the member's value

bool isNumpy(PyObject* object) {
    return std::strncmp(Py_TYPE(object)->tp_name, "numpy.", 6) == 0;
}

// A class, or one of NumPy's dtypes: kernels know it when they are compiled.
bool isTypeObject(PyObject* object) {
    return PyType_Check(object) || std::strncmp(Py_TYPE(object)->tp_name, "numpy.dtype", 11) == 0;
}

}  // namespace

Layout layoutOf(const Py_ssize_t* shape, const Py_ssize_t* strides, int ndim, int64_t itemBytes) {
    int64_t c = itemBytes;
    int64_t f = itemBytes;
    bool isC = true;
    bool isF = true;
    for (int k = 0; k < ndim; k++) {
        int back = ndim - 1 - k;
        isC = isC && (shape[back] == 1 || strides[back] == c);
        isF = isF && (shape[k] == 1 || strides[k] == f);
        c *= shape[back];
        f *= shape[k];
    }
    return isC || c == 0 ? Layout::kC : isF ? Layout::kF : Layout::kA;
}

uint8_t* PackedArguments::make(size_t bytes) {
    if (bytes > kUsual) {
        more_ = std::make_unique<uint8_t[]>(bytes);
        data_ = more_.get();
    } else {
        std::memset(usual_, 0, bytes);
    }
    size_ = static_cast<int64_t>(bytes);
    return data_;
}

ArgumentList::ArgumentList(size_t count) {
    key_.reserve(count);
    flat_.reserve(count);
}

ArgumentList::~ArgumentList() {
    for (Py_buffer& buffer : buffers_) {
        PyBuffer_Release(&buffer);
    }
    for (PyObject* owner : owners_) {
        Py_DECREF(owner);
    }
}

void ArgumentList::addArray(RawArgument argument, const Type* element, int ndim, bool readonly) {
    Layout layout = layoutOf(argument.shape, argument.strides, ndim, element->bytes());
    argument.type = arrayType(element, ndim, layout, Space::kGlobal, readonly);
    key_.push_back(reinterpret_cast<uintptr_t>(argument.type));
    flat_.push_back(argument);
}

void ArgumentList::addMemory(void* memory, const Type* element, int64_t count) {
    RawArgument argument;
    argument.data = reinterpret_cast<uintptr_t>(memory);
    argument.shape[0] = count;
    argument.strides[0] = element->bytes();
    argument.isHost = true;
    addArray(argument, element, 1, false);
}

bool ArgumentList::anyImplicit() const {
    return std::any_of(flat_.begin(), flat_.end(), [](const RawArgument& argument) { return argument.isHost && !argument.isExplicit; });
}

bool ArgumentList::anyOnHost() const {
    return std::any_of(flat_.begin(), flat_.end(), [](const RawArgument& argument) { return argument.isHost; });
}

bool ArgumentList::anyOverlap() {
    std::vector<std::pair<intptr_t, intptr_t>> extents;  // from the first byte to behind the last
    for (const RawArgument& argument : flat_) {
        if (!argument.type->isArray()) {
            continue;
        }
        auto low = static_cast<intptr_t>(argument.data);
        intptr_t high = low + argument.type->element->bytes();
        for (int axis = 0; axis < argument.type->ndim; axis++) {
            intptr_t reach = (argument.shape[axis] - 1) * argument.strides[axis];
            (reach < 0 ? low : high) += reach;
        }
        extents.emplace_back(low, high);
    }
    std::sort(extents.begin(), extents.end());
    auto overlap = [](const auto& a, const auto& b) { return b.first < a.second; };
    areApart_ = std::adjacent_find(extents.begin(), extents.end(), overlap) == extents.end();
    return !areApart_;
}

void ArgumentList::noteStream(uintptr_t stream) const {
    for (const RawArgument& argument : flat_) {
        gpu::noteStream(argument.owner, stream);
    }
}

Failure ArgumentList::checkPlaces(Backend& where) const {
    bool isHost = where.isHost();
    bool isOneOfMany = where.deviceCount() > 1;
    int selected = isOneOfMany ? where.selectedDevice() : 0;
    for (const RawArgument& argument : flat_) {
        if (argument.home != nullptr && argument.home != &where) {
            return {"CudaSupportError",
                    "an argument is a device array on the GPU of the process that this one was forked from; "
                    "its elements cannot be had here"};
        }
        bool isEmpty = argument.type->isArray() && std::count(argument.shape, argument.shape + argument.type->ndim, 0) > 0;
        if (isEmpty) {
            continue;
        }
        if (argument.isForeign && isHost && !isHostReadable(argument.data)) {
            return {"CudaSupportError",
                    "an argument is an array in GPU memory, and kernels run on the CPU; KILN_OFFLOAD=auto has them "
                    "run on the GPU"};
        }
        bool isOnDevice = argument.home != nullptr || argument.isForeign;
        int device = !isOneOfMany || !isOnDevice ? selected
                     : argument.isForeign        ? where.deviceOf(argument.data)
                                                 : argument.device;
        if (device != selected) {
            std::string there = std::to_string(device);
            return {"CudaSupportError", "an argument is an array on GPU " + there +
                                            ", and the kernel was launched on GPU " + std::to_string(selected) +
                                            "; copy it there, or launch `with cuda.gpus[" + there + "]:`"};
        }
    }
    return {};
}

bool ArgumentList::addScalar(PyObject* object) {
    RawArgument argument;
    if (PyFloat_CheckExact(object)) {
        argument.type = scalarType(Scalar::kFloat64);
        argument.bits = bitsOf(PyFloat_AS_DOUBLE(object), argument.type);
    } else if (PyComplex_Check(object)) {
        const Type* part = scalarType(Scalar::kFloat64);
        argument.type = scalarType(Scalar::kComplex128);
        argument.bits = bitsOf(PyComplex_RealAsDouble(object), part);
        argument.imaginary = bitsOf(PyComplex_ImagAsDouble(object), part);
    } else if (PyBool_Check(object)) {
        argument.type = scalarType(Scalar::kBool);
        argument.bits = object == Py_True;
    } else {
        int overflow = 0;
        argument.type = scalarType(Scalar::kInt64);
        argument.bits = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow != 0) {
            argument.type = scalarType(Scalar::kUInt64);
            argument.bits = static_cast<int64_t>(PyLong_AsUnsignedLongLong(object));
        }
        if (PyErr_Occurred() != nullptr) {
            return false;
        }
    }
    key_.push_back(reinterpret_cast<uintptr_t>(argument.type));
    flat_.push_back(argument);
    return true;
}

bool ArgumentList::add(PyObject* object) {
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyBool_Check(object)) {
        return addScalar(object);
    }
    if (const DeviceArray* array = asDeviceArray(object)) {
        RawArgument& argument = flat_.emplace_back();
        auto bytes = static_cast<size_t>(array->type->ndim) * sizeof argument.shape[0];
        argument.data = array->data;
        std::memcpy(argument.shape, array->shape, bytes);
        std::memcpy(argument.strides, array->strides, bytes);
        argument.type = array->type;
        argument.home = array->home;
        argument.device = array->device;
        argument.owner = array->owner;
        key_.push_back(reinterpret_cast<uintptr_t>(argument.type));
        return true;
    }
    if (object == Py_None) {
        key_.push_back(kNone);
        return true;
    }
    if (PyTuple_Check(object)) {
        key_.push_back(kTupleBegin);
        key_.push_back(PyTuple_CheckExact(object) ? 0 : reinterpret_cast<uintptr_t>(Py_TYPE(object)));
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); i++) {
            if (!add(PyTuple_GET_ITEM(object, i))) {
                return false;
            }
        }
        key_.push_back(kTupleEnd);
        return true;
    }
    if (isNumpy(object) && !isTypeObject(object)) {
        return addBuffer(object);
    }
    bool isNumber = PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object);
    if (Py_TYPE(Py_TYPE(object)) != &PyType_Type && isMemberOfEnum(object)) {
        key_.push_back(kMember);
        key_.push_back(reinterpret_cast<uintptr_t>(Py_TYPE(object)));
        Ref<> value = Ref<>::steal(PyObject_GetAttrString(object, "_value_"));
        return value && add(value.get());
    }
    if (isNumber) {
        return addScalar(object);
    }
    return isTypeObject(object) ? addTypeObject(object) : addForeign(object);
}

bool ArgumentList::addTypeObject(PyObject* object) {
    key_.push_back(kTypeObject);
    key_.push_back(reinterpret_cast<uintptr_t>(object));
    return true;
}

// What tells where it is does so before its buffer is asked for, which arrays on a GPU refuse to give.
bool ArgumentList::addForeign(PyObject* object) {
    Ref<> interface = Ref<>::steal(PyObject_GetAttrString(object, "__cuda_array_interface__"));
    PyErr_Clear();
    if (interface && PyDict_Check(interface.get())) {
        return addInterface(object, interface.get());
    }
    Ref<> hinted = Ref<>::steal(PyObject_GetAttrString(object, "_kiln_argument"));  // In, Out and InOut
    PyErr_Clear();
    if (hinted) {
        size_t first = flat_.size();
        bool done = add(hinted.get());
        for (size_t i = first; i < flat_.size(); i++) {
            flat_[i].isExplicit = true;
        }
        owners_.push_back(hinted.release());
        return done;
    }
    if (PyObject_CheckBuffer(object) && !PyBytes_Check(object)) {
        return addBuffer(object);
    }
    if (PyObject_HasAttrString(object, "__dlpack__") != 0) {
        return addDlpack(object);
    }
    if (Ref<> members = membersOf(object)) {
        bool done = add(members.get());
        owners_.push_back(members.release());
        return done;
    }
    if (PyErr_Occurred() != nullptr) {
        return false;
    }
    if (PyObject_HasAttrString(object, "_kiln_is_type") != 0) {  // of numba's
        return addTypeObject(object);
    }
    PyErr_Format(PyExc_TypeError,
                 "kernels cannot take arguments of type '%s'; they take numbers, arrays, tuples and None",
                 Py_TYPE(object)->tp_name);
    return false;
}

// A TypeError that names the type of the elements, as NumPy calls it where it is NumPy's.
static void refuseElements(PyObject* object, const char* format) {
    Ref<> dtype = Ref<>::steal(PyObject_GetAttrString(object, "dtype"));
    PyErr_Clear();
    const char* kind = Py_TYPE(object)->tp_name;
    const char* known =
        "they take elements that are bool, integers, floats, complex numbers, strings or records of these, in the machine's byte "
        "order";
    if (dtype) {
        PyErr_Format(PyExc_TypeError, "kernels cannot take this argument: a %s of dtype %S; %s", kind, dtype.get(),
                     known);
    } else {
        PyErr_Format(PyExc_TypeError, "kernels cannot take this argument: a %s with elements of format '%s'; %s", kind,
                     format != nullptr ? format : "?", known);
    }
}

// NumPy's arrays and scalars, and whatever else has a buffer.
bool ArgumentList::addBuffer(PyObject* object) {
    Py_buffer buffer;
    const Type* element = nullptr;
    if (!openArray(object, buffer, element)) {
        refuseElements(object, nullptr);
        return false;
    }
    element = registeredElement(object, element);
    if (PyErr_Occurred() != nullptr) {
        PyBuffer_Release(&buffer);
        return false;
    }
    if (element == nullptr || buffer.ndim > kMaxDimensions || buffer.suboffsets != nullptr) {
        refuseElements(object, buffer.format != nullptr ? buffer.format : "B");
        PyBuffer_Release(&buffer);
        return false;
    }
    bool isArray = std::strcmp(Py_TYPE(object)->tp_name, "numpy.ndarray") == 0 || (buffer.ndim > 0 && !isTimeScalar(object));
    if (!isArray && element->isRecord()) {
        return addRecord(buffer, element);
    }
    RawArgument argument;
    if (!isArray) {  // a scalar of NumPy's
        argument.type = element;
        auto bytes = static_cast<size_t>(element->isComplex() ? element->bytes() / 2 : element->bytes());
        std::memcpy(&argument.bits, buffer.buf, bytes);
        if (element->isComplex()) {
            std::memcpy(&argument.imaginary, static_cast<const char*>(buffer.buf) + bytes, bytes);
        }
        if (element->isSigned()) {
            argument.bits = argument.bits << (64 - element->bits) >> (64 - element->bits);
        }
        key_.push_back(reinterpret_cast<uintptr_t>(element));
        flat_.push_back(argument);
        PyBuffer_Release(&buffer);
        return true;
    }
    argument.data = reinterpret_cast<uintptr_t>(buffer.buf);
    argument.isHost = true;
    for (int i = 0; i < buffer.ndim; i++) {
        argument.shape[i] = buffer.shape[i];
        argument.strides[i] = buffer.strides[i];
    }
    addArray(argument, element, buffer.ndim, buffer.readonly != 0);
    buffers_.push_back(buffer);
    return true;
}

// A record by itself: an array of no dimensions, which kernels may write as those of arrays.
bool ArgumentList::addRecord(const Py_buffer& buffer, const Type* element) {
    RawArgument argument;
    argument.data = reinterpret_cast<uintptr_t>(buffer.buf);
    argument.isHost = true;
    addArray(argument, element, 0, false);
    buffers_.push_back(buffer);
    return true;
}

Value ArgumentList::typeAt(size_t& position, size_t& argument) const {
    uintptr_t token = key_[position++];
    if (token == kNone) {
        return Value::none();
    }
    if (token == kTypeObject) {
        Value type = Value::ofKind(ValueKind::kObject);
        type.object = Ref<>::borrow(reinterpret_cast<PyObject*>(key_[position++]));
        return type;
    }
    if (token == kTupleBegin) {
        auto* named = reinterpret_cast<PyObject*>(key_[position++]);
        Value tuple = Value::tuple({}, Ref<>::borrow(named));
        while (key_[position] != kTupleEnd) {
            tuple.items.push_back(typeAt(position, argument));
        }
        position++;
        return tuple;
    }
    if (token == kMember) {
        auto* enumeration = reinterpret_cast<PyObject*>(key_[position++]);
        return Value::member(typeAt(position, argument), Ref<>::borrow(enumeration));
    }
    const Type* type = flat_[argument++].type;
    return Value::ofType(type);
}

std::vector<Value> ArgumentList::types() const {
    std::vector<Value> types;
    size_t argument = 0;
    for (size_t position = 0; position < key_.size();) {
        types.push_back(typeAt(position, argument));
    }
    return types;
}

bool sameTypes(const std::vector<Value>& first, const std::vector<Value>& second) {
    bool same = first.size() == second.size();
    for (size_t i = 0; same && i < first.size(); i++) {
        same = first[i].kind == second[i].kind && first[i].type == second[i].type && first[i].object.get() == second[i].object.get() &&
               sameTypes(first[i].items, second[i].items);
    }
    return same;
}

std::string describeTypes(const std::vector<Value>& types) {
    std::string text;
    for (const Value& type : types) {
        text += (text.empty() ? "" : ", ") + describe(type);
    }
    return text;
}

}  // namespace kiln::gpu
