// A Python object that owns pinned memory of the host, or managed memory.
#include "gpu/runtime/pinned_memory.h"

#include "gpu/runtime/backend.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/interrupts.h"

namespace kiln::gpu {
namespace {

struct PinnedMemory {
    PyObject_HEAD
    uintptr_t address;
    Py_ssize_t bytes;
    MemoryBackend* backend;
    bool isManaged;
};

// PinnedMemory(bytes, managed)
PyObject* makePinned(PyTypeObject* type, PyObject* arguments, PyObject*) {
    Py_ssize_t bytes = 0;
    int managed = 0;
    if (!PyArg_ParseTuple(arguments, "np", &bytes, &managed)) {
        return nullptr;
    }
    Failure failure;
    Backend* where = backend(failure);
    uintptr_t address = 0;
    if (where != nullptr) {
        failure = allocateOrCollect(
            [&] { return managed != 0 ? where->allocateManaged(bytes, address) : where->allocatePinned(bytes, address); });
    }
    if (failure) {
        return raise(failure);
    }
    auto* memory = reinterpret_cast<PinnedMemory*>(type->tp_alloc(type, 0));
    if (memory == nullptr) {
        managed != 0 ? where->releaseManaged(address) : where->releasePinned(address);
        return nullptr;
    }
    memory->address = address;
    memory->bytes = bytes;
    memory->backend = where;
    memory->isManaged = managed != 0;
    return reinterpret_cast<PyObject*>(memory);
}

void freePinned(PyObject* object) {
    auto* memory = reinterpret_cast<PinnedMemory*>(object);
    MemoryBackend& where = *memory->backend;
    memory->isManaged ? where.releaseManaged(memory->address) : where.releasePinned(memory->address);
    PyTypeObject* type = Py_TYPE(object);
    type->tp_free(object);
    Py_DECREF(type);
}

int giveBuffer(PyObject* object, Py_buffer* buffer, int flags) {
    auto* memory = reinterpret_cast<PinnedMemory*>(object);
    return PyBuffer_FillInfo(buffer, object, reinterpret_cast<void*>(memory->address), memory->bytes, 0, flags);
}

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(makePinned)},
    {Py_tp_dealloc, reinterpret_cast<void*>(freePinned)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(giveBuffer)},
    {0, nullptr},
};
PyType_Spec spec = {"_kiln.PinnedMemory", sizeof(PinnedMemory), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* pinnedMemoryType() {
    static PyObject* type = nullptr;
    if (type == nullptr) {
        type = PyType_FromSpec(&spec);
    }
    return Py_XNewRef(type);
}

}  // namespace kiln::gpu
