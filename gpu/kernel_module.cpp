// The kernels' part of the module _kiln.
#include "gpu/kernel_module.h"

#include "gpu/runtime/backend.h"
#include "gpu/runtime/device_array.h"
#include "gpu/runtime/device_functions.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/kernel_object.h"
#include "interp/config.h"
#include "interp/embedded_module.h"

namespace kiln {
namespace {

PyObject* kernelTypes(PyObject*, PyObject*) {
    PyObject* kernel = gpu::kernelType();
    PyObject* array = kernel != nullptr ? gpu::deviceArrayType() : nullptr;
    PyObject* memory = array != nullptr ? gpu::deviceMemoryType() : nullptr;
    return memory != nullptr ? Py_BuildValue("(NNN)", kernel, array, memory) : nullptr;
}

PyObject* kernelBackend(PyObject*, PyObject*) {
    gpu::Failure failure;
    gpu::Backend* where = gpu::backend(failure);
    return where != nullptr ? Py_BuildValue("(ss)", where->name(), gpu::backendReason().c_str()) : gpu::raise(failure);
}

PyObject* synchronize(PyObject*, PyObject* stream) {
    gpu::Failure failure;
    gpu::Backend* where = gpu::backend(failure);
    auto queue = static_cast<uintptr_t>(PyLong_AsUnsignedLongLong(stream));
    if (PyErr_Occurred() != nullptr) {
        return nullptr;
    }
    if (where != nullptr) {
        Py_BEGIN_ALLOW_THREADS
        failure = where->synchronize(queue);
        Py_END_ALLOW_THREADS
    }
    if (failure) {
        return gpu::raise(failure);
    }
    Py_RETURN_NONE;
}

PyObject* offloadMode(PyObject*, PyObject*) {
    return PyUnicode_FromString(config().offloadText.c_str());
}

PyMethodDef methods[] = {
    {"kernel_types", kernelTypes, METH_NOARGS, "kernel_types() -> (Kernel, DeviceArray, DeviceMemory)"},
    {"kernel_backend", kernelBackend, METH_NOARGS, "kernel_backend() -> (name, why it was chosen); chooses it"},
    {"kernel_synchronize", synchronize, METH_O, "kernel_synchronize(stream): waits for it, or with 0 for everything"},
    {"kernel_offload", offloadMode, METH_NOARGS, "kernel_offload() -> the value of KILN_OFFLOAD"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void addKernelFunctions() {
    addEmbeddedFunctions(methods);
    addEmbeddedFunctions(gpu::deviceFunctions());
}

}  // namespace kiln
