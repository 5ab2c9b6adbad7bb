// _kiln's functions about device memory that processes share.
#include <cstring>

#include "gpu/runtime/backend.h"
#include "gpu/runtime/device_functions.h"
#include "gpu/runtime/errors.h"

namespace kiln::gpu {
namespace {

// For addresses that come from Python. False with an exception.
bool readAddress(PyObject* number, uintptr_t& address) {
    address = static_cast<uintptr_t>(PyLong_AsUnsignedLongLong(number));
    return PyErr_Occurred() == nullptr;
}

PyObject* allocateShareable(PyObject*, PyObject* size) {
    long long bytes = PyLong_AsLongLong(size);
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    uintptr_t address = 0;
    Failure failure = where->allocateShareable(bytes, address);
    return failure ? raise(failure) : PyLong_FromUnsignedLongLong(address);
}

PyObject* exportMemory(PyObject*, PyObject* number) {
    uintptr_t address = 0;
    Backend* where = readAddress(number, address) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    IpcHandle handle;
    uintptr_t begin = 0;
    Failure failure = where->exportMemory(address, handle, begin);
    if (failure) {
        return raise(failure);
    }
    PyObject* bytes = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(handle.bytes), sizeof handle.bytes);
    return Py_BuildValue("(NK)", bytes, static_cast<unsigned long long>(begin));
}

PyObject* openMemory(PyObject*, PyObject* bytes) {
    IpcHandle handle;
    if (!PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) != static_cast<Py_ssize_t>(sizeof handle.bytes)) {
        return PyErr_Format(PyExc_ValueError, "a handle of device memory has %zu bytes", sizeof handle.bytes);
    }
    std::memcpy(handle.bytes, PyBytes_AS_STRING(bytes), sizeof handle.bytes);
    Backend* where = required();
    if (where == nullptr) {
        return nullptr;
    }
    uintptr_t address = 0;
    Failure failure = where->openMemory(handle, address);
    return failure ? raise(failure) : PyLong_FromUnsignedLongLong(address);
}

// Gives memory up by its address.
template <auto release>
PyObject* giveUp(PyObject*, PyObject* number) {
    uintptr_t address = 0;
    Backend* where = readAddress(number, address) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    (where->*release)(address);
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"kernel_allocate_shareable", allocateShareable, METH_O, "kernel_allocate_shareable(bytes) -> address of memory that processes can share"},
    {"kernel_free_shareable", giveUp<&Backend::releaseShareable>, METH_O, "kernel_free_shareable(address)"},
    {"kernel_ipc_handle", exportMemory, METH_O, "kernel_ipc_handle(address) -> (handle as bytes, where the allocation begins)"},
    {"kernel_ipc_open", openMemory, METH_O, "kernel_ipc_open(handle) -> address of another process's memory"},
    {"kernel_ipc_close", giveUp<&Backend::closeMemory>, METH_O, "kernel_ipc_close(address)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* ipcFunctions() {
    return methods;
}

}  // namespace kiln::gpu
