// Python objects for device memory.
#include "gpu/runtime/device_array.h"

#include <structmember.h>
#include <cstddef>

#include "gpu/frontend/dtype.h"
#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/interrupts.h"
#include "gpu/runtime/host_readable.h"

namespace kiln::gpu {
namespace {

PyTypeObject* memoryType = nullptr;
PyTypeObject* arrayObjectType = nullptr;

struct DeviceMemory {
    PyObject_HEAD uintptr_t address;
    Py_ssize_t bytes;
    Backend* backend;  // and device: where the memory is
    int device;
    PyObject* owner;  // of memory that is not kiln's; else null
    uintptr_t event;  // on a stream that used it, and that the default one does not wait for; or 0
    bool isShared;    // with another library, on streams that kiln does not know
    bool isFixed;     // somebody knows the address, so that the memory must stay where it is
    bool isOpen;      // other processes can open it: not of kiln's pool
};

Failure orphanedMemory() {
    return {"CudaForkError", "the array is on the GPU of the process that this one was forked from"};
}

// Memory that `owner` keeps alive. The host must be able to read it where device memory is the host's.
bool borrowMemory(DeviceMemory* memory, unsigned long long address, PyObject* owner) {
    if (memory->backend->isHost() && memory->bytes > 0 && !isHostReadable(address)) {
        raise(Failure{
            "CudaSupportError",
            "the array is in GPU memory, and kernels run on the CPU; KILN_OFFLOAD=auto has them run on the GPU"});
        return false;
    }
    memory->address = address;
    memory->owner = Py_NewRef(owner);
    memory->device = memory->bytes > 0 ? memory->backend->deviceOf(address) : memory->device;
    return true;
}

// In the order of the default stream, which waits first for what other streams do with it.
void releaseMemory(DeviceMemory& memory) {
    DeviceScope scope(*memory.backend, memory.device);
    if (memory.isShared) {
        (void)memory.backend->synchronize(0);
    } else if (memory.event != 0) {
        (void)memory.backend->waitForEvent(memory.event, 0, false);
    }
    memory.isOpen ? memory.backend->releaseShareable(memory.address) : memory.backend->release(memory.address);
    if (memory.event != 0) {
        memory.backend->releaseEvent(memory.event);
    }
}

PyObject* makeMemory(PyTypeObject* type, PyObject* arguments, PyObject*) {
    Py_ssize_t bytes = 0;
    unsigned long long place = 0;
    PyObject* owner = nullptr;
    if (!PyArg_ParseTuple(arguments, "n|KO", &bytes, &place, &owner)) {
        return nullptr;
    }
    if (bytes < 0) {
        PyErr_SetString(PyExc_ValueError, "negative size");
        return nullptr;
    }
    Failure failure;
    Backend* target = backend(failure);
    if (failure) {
        return raise(failure);
    }
    auto* memory = reinterpret_cast<DeviceMemory*>(type->tp_alloc(type, 0));
    if (memory == nullptr) {
        return nullptr;
    }
    memory->bytes = bytes;
    memory->backend = target;
    memory->device = target->selectedDevice();
    if (owner == nullptr) {
        failure = allocateOrCollect([&] { return target->allocate(bytes, memory->address); });
    }
    if (failure || (owner != nullptr && !borrowMemory(memory, place, owner))) {
        Py_DECREF(memory);
        return failure ? raise(failure) : nullptr;
    }
    return reinterpret_cast<PyObject*>(memory);
}

void freeMemory(PyObject* object) {
    auto* memory = reinterpret_cast<DeviceMemory*>(object);
    if (memory->owner != nullptr) {
        Py_DECREF(memory->owner);
    } else if (memory->address != 0) {
        releaseMemory(*memory);
    }
    PyTypeObject* type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

// read(buffer, offset, stream) and write(buffer, offset, stream): between the host's buffer and the memory.
PyObject* transfer(PyObject* self, PyObject* arguments, bool in) {
    Py_buffer buffer;
    Py_ssize_t offset = 0;
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(arguments, in ? "y*nn" : "w*nn", &buffer, &offset, &stream)) {
        return nullptr;
    }
    auto* memory = reinterpret_cast<DeviceMemory*>(self);
    Failure failure;
    if (offset < 0 || buffer.len > memory->bytes - offset) {
        failure = {"ValueError", "the copy goes beyond the device memory"};
    } else {
        Backend* target = backend(failure);
        failure = failure ? failure : target != memory->backend ? orphanedMemory() : Failure();
        uintptr_t address = memory->address + static_cast<uintptr_t>(offset);
        auto queue = static_cast<uintptr_t>(stream);
        Py_BEGIN_ALLOW_THREADS DeviceScope scope(*memory->backend, memory->device);
        failure = failure ? failure
                  : in    ? target->copyIn(address, buffer.buf, buffer.len, queue)
                          : target->copyOut(buffer.buf, address, buffer.len, queue);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&buffer);
    if (failure) {
        return raise(failure);
    }
    Py_RETURN_NONE;
}

PyObject* readMemory(PyObject* self, PyObject* arguments) {
    return transfer(self, arguments, false);
}

PyObject* writeMemory(PyObject* self, PyObject* arguments) {
    return transfer(self, arguments, true);
}

// copy(source, source_offset, offset, bytes, stream): from other device memory.
PyObject* copyMemory(PyObject* self, PyObject* arguments) {
    PyObject* other = nullptr;
    Py_ssize_t from = 0;
    Py_ssize_t to = 0;
    Py_ssize_t bytes = 0;
    Py_ssize_t stream = 0;
    if (!PyArg_ParseTuple(arguments, "O!nnnn", memoryType, &other, &from, &to, &bytes, &stream)) {
        return nullptr;
    }
    auto* target = reinterpret_cast<DeviceMemory*>(self);
    auto* source = reinterpret_cast<DeviceMemory*>(other);
    Failure failure;
    Backend* where = backend(failure);
    if (from < 0 || to < 0 || bytes < 0 || bytes > source->bytes - from || bytes > target->bytes - to) {
        failure = {"ValueError", "the copy goes beyond the device memory"};
    } else if (!failure && (where != target->backend || where != source->backend)) {
        failure = orphanedMemory();
    } else if (!failure) {
        Py_BEGIN_ALLOW_THREADS DeviceScope scope(*where, target->device);
        failure = where->copyWithin(target->address + static_cast<uintptr_t>(to),
                                    source->address + static_cast<uintptr_t>(from), source->device, bytes,
                                    static_cast<uintptr_t>(stream));
        Py_END_ALLOW_THREADS
    }
    return failure ? raise(failure) : Py_NewRef(Py_None);
}

PyMethodDef memoryMethods[] = {
    {"copy", copyMemory, METH_VARARGS, "copy(source, source_offset, offset, bytes, stream): from other device memory"},
    {"read", readMemory, METH_VARARGS, "read(buffer, offset, stream): copies from the device into a writable buffer"},
    {"write", writeMemory, METH_VARARGS, "write(buffer, offset, stream): copies a buffer to the device"},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef memoryMembers[] = {
    {"is_shared", T_BOOL, offsetof(DeviceMemory, isShared), 0, nullptr},
    {"is_fixed", T_BOOL, offsetof(DeviceMemory, isFixed), 0, nullptr},
    {"address", T_ULONGLONG, offsetof(DeviceMemory, address), READONLY, nullptr},
    {"owner", T_OBJECT, offsetof(DeviceMemory, owner), READONLY, nullptr},
    {"nbytes", T_PYSSIZET, offsetof(DeviceMemory, bytes), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

// The address for the program, so that the memory stays where it is.
PyObject* fixedAddress(PyObject* self, void*) {
    auto* memory = reinterpret_cast<DeviceMemory*>(self);
    memory->isFixed = true;
    return PyLong_FromUnsignedLongLong(memory->address);
}

PyGetSetDef memoryGetters[] = {
    {"device_pointer", fixedAddress, nullptr, nullptr, nullptr},
    {"device_pointer_value", fixedAddress, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot memorySlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(makeMemory)},
    {Py_tp_dealloc, reinterpret_cast<void*>(freeMemory)},
    {Py_tp_methods, memoryMethods},
    {Py_tp_members, memoryMembers},
    {Py_tp_getset, memoryGetters},
    {0, nullptr},
};
PyType_Spec memorySpec = {"_kiln.DeviceMemory", sizeof(DeviceMemory), 0, Py_TPFLAGS_DEFAULT, memorySlots};

bool readTuple(PyObject* tuple, Py_ssize_t* out, int ndim) {
    for (int i = 0; i < ndim; i++) {
        out[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, i));
    }
    return PyErr_Occurred() == nullptr;
}

// DeviceArray(memory, address, shape, strides, dtype, readonly)
PyObject* makeArray(PyTypeObject* type, PyObject* arguments, PyObject*) {
    PyObject* owner = nullptr;
    unsigned long long address = 0;
    PyObject* shape = nullptr;
    PyObject* strides = nullptr;
    PyObject* element = nullptr;
    int readonly = 0;
    if (!PyArg_ParseTuple(arguments, "OKO!O!Op", &owner, &address, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                          &element, &readonly)) {
        return nullptr;
    }
    Py_ssize_t ndim = PyTuple_GET_SIZE(shape);
    const Type* scalar = typeOfDtype(element);
    if (ndim > kMaxDimensions || PyTuple_GET_SIZE(strides) != ndim || scalar == nullptr) {
        PyErr_Format(PyExc_TypeError, "no device array has %zd dimensions of %S", ndim, element);
        return nullptr;
    }
    auto* array = reinterpret_cast<DeviceArray*>(type->tp_alloc(type, 0));
    if (array == nullptr) {
        return nullptr;
    }
    int count = static_cast<int>(ndim);
    array->owner = Py_NewRef(owner);
    array->data = address;
    if (!readTuple(shape, array->shape, count) || !readTuple(strides, array->strides, count)) {
        Py_DECREF(array);
        return nullptr;
    }
    if (Py_TYPE(owner) == memoryType) {
        array->home = reinterpret_cast<DeviceMemory*>(owner)->backend;
        array->device = reinterpret_cast<DeviceMemory*>(owner)->device;
    }
    Layout layout = layoutOf(array->shape, array->strides, count, scalar->bytes());
    array->type = kiln::gpu::arrayType(scalar, count, layout, Space::kGlobal, readonly != 0);
    return reinterpret_cast<PyObject*>(array);
}

void freeArray(PyObject* object) {
    Py_XDECREF(reinterpret_cast<DeviceArray*>(object)->owner);
    PyTypeObject* type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

PyObject* sizes(const Py_ssize_t* values, int count) {
    PyObject* tuple = PyTuple_New(count);
    for (int i = 0; tuple != nullptr && i < count; i++) {
        PyTuple_SET_ITEM(tuple, i, PyLong_FromSsize_t(values[i]));
    }
    return tuple;
}

PyObject* getShape(PyObject* self, void*) {
    auto* array = reinterpret_cast<DeviceArray*>(self);
    return sizes(array->shape, array->type->ndim);
}

PyObject* getStrides(PyObject* self, void*) {
    auto* array = reinterpret_cast<DeviceArray*>(self);
    return sizes(array->strides, array->type->ndim);
}

PyObject* getLayout(PyObject* self, void*) {
    return PyUnicode_FromFormat("%c", static_cast<char>(reinterpret_cast<DeviceArray*>(self)->type->layout));
}

PyObject* getReadonly(PyObject* self, void*) {
    return PyBool_FromLong(reinterpret_cast<DeviceArray*>(self)->type->readonly);
}

PyObject* getElement(PyObject* self, void*) {
    return PyUnicode_FromString(reinterpret_cast<DeviceArray*>(self)->type->element->name.c_str());
}

// _dlpack(): waits for the device first.
PyObject* toDlpack(PyObject* self, PyObject*) {
    auto* array = reinterpret_cast<DeviceArray*>(self);
    Failure failure;
    Backend* where = backend(failure);
    if (where != nullptr && array->home != where) {
        failure = orphanedMemory();
    }
    if (!failure) {
        Py_BEGIN_ALLOW_THREADS failure = where->synchronize(0);
        Py_END_ALLOW_THREADS
    }
    if (failure) {
        return raise(failure);
    }
    reinterpret_cast<DeviceMemory*>(array->owner)->isShared = true;
    return exportDlpack(*array, where->isHost(), array->device);
}

// Moves memory to where other processes can open it. Needs that nobody but this array has it.
Failure moveToOpen(DeviceArray& array, DeviceMemory& memory) {
    if (memory.isShared || memory.isFixed || Py_REFCNT(&memory) > 1) {
        return {"CudaSupportError",
                "the array's memory is of kiln's pool, which other processes cannot open, and it cannot be moved: it has views, or others know where "
                "it is; take the handle first, or before the array is made call "
                "cuda.set_memory_manager(numba.cuda.cudadrv.driver.NumbaCUDAMemoryManager)"};
    }
    DeviceScope scope(*memory.backend, memory.device);
    uintptr_t place = 0;
    Failure failure = memory.backend->allocateShareable(memory.bytes, place);
    if (failure) {
        return failure;
    }
    failure = memory.backend->copyWithin(place, memory.address, memory.device, memory.bytes, 0);
    failure = failure ? failure : memory.backend->synchronize(0);
    if (failure) {
        memory.backend->releaseShareable(place);
        return failure;
    }
    releaseMemory(memory);
    memory.event = 0;
    array.data += place - memory.address;
    memory.address = place;
    memory.isOpen = true;
    return {};
}

// _open(): from then on other processes can open its memory, by a handle.
PyObject* openToOthers(PyObject* self, PyObject*) {
    auto& array = *reinterpret_cast<DeviceArray*>(self);
    auto& memory = *reinterpret_cast<DeviceMemory*>(array.owner);
    if (Py_TYPE(array.owner) != memoryType || memory.owner != nullptr || memory.isOpen) {
        Py_RETURN_NONE;
    }
    Failure failure;
    Backend* where = backend(failure);
    failure = where != nullptr && array.home != where ? orphanedMemory() : failure ? failure : moveToOpen(array, memory);
    return failure ? raise(failure) : Py_NewRef(Py_None);
}

PyObject* getDevice(PyObject* self, void*) {
    return PyLong_FromLong(reinterpret_cast<DeviceArray*>(self)->device);
}

PyMethodDef arrayMethods[] = {
    {"_dlpack", toDlpack, METH_NOARGS, "_dlpack() -> a DLPack capsule"},
    {"_open", openToOthers, METH_NOARGS, "_open(): moves its memory to where other processes can open it"},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef arrayGetters[] = {
    {"_device", getDevice, nullptr, "The number of the device whose memory it is.", nullptr},
    {"shape", getShape, nullptr, "The lengths of the dimensions.", nullptr},
    {"strides", getStrides, nullptr, "Bytes from one element to the next, in each dimension.", nullptr},
    {"_layout", getLayout, nullptr, nullptr, nullptr},
    {"_readonly", getReadonly, nullptr, nullptr, nullptr},
    {"_element", getElement, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMemberDef arrayMembers[] = {
    {"_owner", T_OBJECT, offsetof(DeviceArray, owner), READONLY, nullptr},
    {"_address", T_ULONGLONG, offsetof(DeviceArray, data), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot arraySlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(makeArray)},
    {Py_tp_dealloc, reinterpret_cast<void*>(freeArray)},
    {Py_tp_getset, arrayGetters},
    {Py_tp_methods, arrayMethods},
    {Py_tp_members, arrayMembers},
    {0, nullptr},
};
PyType_Spec arraySpec = {"_kiln.DeviceArray", sizeof(DeviceArray), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                         arraySlots};

PyObject* typeFrom(PyType_Spec* spec, PyTypeObject** type) {
    if (*type == nullptr) {
        *type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(spec));
    }
    return Py_XNewRef(reinterpret_cast<PyObject*>(*type));
}

}  // namespace

const DeviceArray* asDeviceArray(PyObject* object) {
    bool is = arrayObjectType != nullptr && PyObject_TypeCheck(object, arrayObjectType);
    return is ? reinterpret_cast<DeviceArray*>(object) : nullptr;
}

void noteStream(PyObject* owner, uintptr_t stream) {
    if (owner == nullptr || Py_TYPE(owner) != memoryType) {
        return;
    }
    auto& memory = *reinterpret_cast<DeviceMemory*>(owner);
    Failure failure;
    if (memory.backend->waitsForDefault(stream)) {
        return;
    }
    failure = memory.event != 0 ? Failure() : memory.backend->makeEvent(memory.event);
    failure = failure ? failure : memory.backend->recordEvent(memory.event, stream);
    memory.isShared = memory.isShared || failure;
}

PyObject* deviceMemoryType() {
    return typeFrom(&memorySpec, &memoryType);
}

PyObject* deviceArrayType() {
    return typeFrom(&arraySpec, &arrayObjectType);
}

}  // namespace kiln::gpu
