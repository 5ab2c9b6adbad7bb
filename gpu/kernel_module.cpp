// The kernels' part of the module _kiln.
#include "gpu/kernel_module.h"

#include "gpu/driver/library_scope.h"
#include "gpu/frontend/compile_kernel.h"
#include "gpu/frontend/find_definition.h"
#include "gpu/frontend/source_text.h"
#include "gpu/frontend/type_description.h"
#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/device_array.h"
#include "gpu/runtime/device_functions.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/kernel_object.h"
#include "gpu/runtime/kernel_report.h"
#include "gpu/runtime/parallel_loop.h"
#include "gpu/runtime/pinned_memory.h"
#include "interp/config.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/embedded_module.h"
#include "interp/support/log.h"

namespace kiln {
namespace {

PyObject* kernelTypes(PyObject*, PyObject*) {
    static const int kRegistered = kiln_at_interpreter_end([](void*) { gpu::waitForLibraries(); }, nullptr);
    if (kRegistered != 0) {
        return PyErr_NoMemory();
    }
    PyObject* kernel = gpu::kernelType();
    PyObject* array = kernel != nullptr ? gpu::deviceArrayType() : nullptr;
    PyObject* memory = array != nullptr ? gpu::deviceMemoryType() : nullptr;
    PyObject* pinned = memory != nullptr ? gpu::pinnedMemoryType() : nullptr;
    return pinned != nullptr ? Py_BuildValue("(NNNN)", kernel, array, memory, pinned) : nullptr;
}

PyObject* loopType(PyObject*, PyObject*) {
    return gpu::parallelLoopType();
}

// note_loop_in_order(name, file, line, why)
PyObject* noteLoop(PyObject*, PyObject* arguments) {
    const char* name = nullptr;
    const char* file = nullptr;
    const char* why = nullptr;
    int line = 0;
    if (!PyArg_ParseTuple(arguments, "ssis", &name, &file, &line, &why)) {
        return nullptr;
    }
    gpu::noteLoopInOrder(name, file, line, why);
    if (logEnabled(LogChannel::kOffload)) {
        logMessage(LogChannel::kOffload, "the loop over prange of %s, %s:%d, runs in order: %s", name, file, line, why);
    }
    Py_RETURN_NONE;
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

// kernel_result_type(function, types): what a device function returns for arguments of these types.
PyObject* resultType(PyObject*, PyObject* arguments) {
    PyObject* function = nullptr;
    PyObject* types = nullptr;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyFunction_Type, &function, &PyTuple_Type, &types)) {
        return nullptr;
    }
    std::vector<gpu::Value> given(static_cast<size_t>(PyTuple_GET_SIZE(types)));
    for (size_t i = 0; i < given.size(); i++) {
        if (!gpu::parseType(PyTuple_GET_ITEM(types, static_cast<Py_ssize_t>(i)), given[i])) {
            return nullptr;
        }
    }
    gpu::FrontendOptions options;
    options.isDevice = true;
    gpu::FrontendResult result = gpu::compileFrontend(function, given, options);
    return result.module != nullptr ? gpu::describedType(result.returned).release() : gpu::raise(result.error);
}

// function_definition(function): the ast.FunctionDef or ast.Lambda that it was compiled from; None where no text has it.
PyObject* functionDefinition(PyObject*, PyObject* function) {
    if (!PyFunction_Check(function)) {
        return PyErr_Format(PyExc_TypeError, "function_definition() takes a function, and this is a %s",
                            Py_TYPE(function)->tp_name);
    }
    if (Ref<> given = gpu::attributeOf(function, "_kiln_definition")) {
        return given.release();
    }
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
    for (bool anew : {false, true}) {
        for (const std::string& text : gpu::sourceTexts(function, anew)) {
            Ref<> found = gpu::findDefinition(code, text);
            if (found) {
                return found.release();
            }
        }
    }
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"function_definition", functionDefinition, METH_O,
     "function_definition(function) -> its definition as a node of ast, or None"},
    {"kernel_types", kernelTypes, METH_NOARGS, "kernel_types() -> (Kernel, DeviceArray, DeviceMemory, PinnedMemory)"},
    {"parallel_loop_type", loopType, METH_NOARGS, "parallel_loop_type() -> ParallelLoop"},
    {"note_loop_in_order", noteLoop, METH_VARARGS, "note_loop_in_order(name, file, line, why): for the report"},
    {"kernel_backend", kernelBackend, METH_NOARGS, "kernel_backend() -> (name, why it was chosen); chooses it"},
    {"kernel_synchronize", synchronize, METH_O, "kernel_synchronize(stream): waits for it, or with 0 for everything"},
    {"kernel_result_type", resultType, METH_VARARGS, "kernel_result_type(function, types) -> the type that it returns"},
    {"kernel_offload", offloadMode, METH_NOARGS, "kernel_offload() -> the value of KILN_OFFLOAD"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void addKernelFunctions() {
    addReportSection(&gpu::kernelSection());
    addEmbeddedFunctions(methods);
    addEmbeddedFunctions(gpu::deviceFunctions());
    addEmbeddedFunctions(gpu::ipcFunctions());
    addEmbeddedFunctions(gpu::codeFunctions());
}

}  // namespace kiln
