// _kiln's functions about devices, streams and events.
#include "gpu/runtime/device_functions.h"

#include "gpu/driver/nvrtc.h"
#include "gpu/runtime/errors.h"

namespace kiln::gpu {
namespace {

// The backend, or nullptr with an exception.
Backend* required() {
    Failure failure;
    Backend* where = backend(failure);
    if (where == nullptr) {
        raise(failure);
    }
    return where;
}

PyObject* done(const Failure& failure) {
    return failure ? raise(failure) : Py_NewRef(Py_None);
}

PyObject* makeStream(PyObject*, PyObject*) {
    uintptr_t stream = 0;
    Backend* where = required();
    Failure failure = where != nullptr ? where->makeStream(stream) : Failure();
    return where == nullptr ? nullptr : failure ? raise(failure) : PyLong_FromUnsignedLongLong(stream);
}

PyObject* makeEvent(PyObject*, PyObject*) {
    uintptr_t event = 0;
    Backend* where = required();
    Failure failure = where != nullptr ? where->makeEvent(event) : Failure();
    return where == nullptr ? nullptr : failure ? raise(failure) : PyLong_FromUnsignedLongLong(event);
}

// release(kind, number): kind is 's' for a stream, 'e' for an event.
PyObject* release(PyObject*, PyObject* arguments) {
    int kind = 0;
    unsigned long long number = 0;
    if (!PyArg_ParseTuple(arguments, "CK", &kind, &number)) {
        return nullptr;
    }
    Failure failure;
    Backend* where = backend(failure);
    if (where != nullptr && number != 0) {
        kind == 's' ? where->releaseStream(number) : where->releaseEvent(number);
    }
    Py_RETURN_NONE;
}

PyObject* recordEvent(PyObject*, PyObject* arguments) {
    unsigned long long event = 0;
    unsigned long long stream = 0;
    Backend* where = PyArg_ParseTuple(arguments, "KK", &event, &stream) ? required() : nullptr;
    return where != nullptr ? done(where->recordEvent(event, stream)) : nullptr;
}

// wait_event(event, stream, on_host)
PyObject* waitForEvent(PyObject*, PyObject* arguments) {
    unsigned long long event = 0;
    unsigned long long stream = 0;
    int onHost = 0;
    Backend* where = PyArg_ParseTuple(arguments, "KKp", &event, &stream, &onHost) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    Failure failure;
    Py_BEGIN_ALLOW_THREADS
    failure = where->waitForEvent(event, stream, onHost != 0);
    Py_END_ALLOW_THREADS
    return done(failure);
}

PyObject* elapsed(PyObject*, PyObject* arguments) {
    unsigned long long start = 0;
    unsigned long long end = 0;
    Backend* where = PyArg_ParseTuple(arguments, "KK", &start, &end) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    double milliseconds = 0;
    Failure failure = where->elapsed(start, end, milliseconds);
    return failure ? raise(failure) : PyFloat_FromDouble(milliseconds);
}

PyObject* deviceInfo(PyObject*, PyObject* number) {
    int device = static_cast<int>(PyLong_AsLong(number));
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    DeviceInfo info = where->device(device);
    return Py_BuildValue("{sssssisisisisnsn}", "name", info.name.c_str(), "uuid", info.uuid.c_str(), "compute_capability", info.computeCapability,
                         "multiprocessors", info.multiprocessors, "shared_bytes", info.sharedBytes, "clock_rate", info.clockRate,
                         "free_bytes", static_cast<Py_ssize_t>(info.freeBytes), "total_bytes", static_cast<Py_ssize_t>(info.totalBytes));
}

PyObject* setFolders(PyObject*, PyObject* list) {
    std::vector<std::string> folders;
    for (Py_ssize_t i = 0; PyList_Check(list) && i < PyList_GET_SIZE(list); i++) {
        const char* text = PyUnicode_Check(PyList_GET_ITEM(list, i)) ? PyUnicode_AsUTF8(PyList_GET_ITEM(list, i)) : nullptr;
        if (text != nullptr && *text != '\0') {
            folders.push_back(text);
        }
    }
    PyErr_Clear();
    setPackageFolders(folders);
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"kernel_make_stream", makeStream, METH_NOARGS, "kernel_make_stream() -> number"},
    {"kernel_make_event", makeEvent, METH_NOARGS, "kernel_make_event() -> number; 0 on the CPU"},
    {"kernel_release", release, METH_VARARGS, "kernel_release('s' or 'e', number): ends a stream or an event"},
    {"kernel_record_event", recordEvent, METH_VARARGS, "kernel_record_event(event, stream)"},
    {"kernel_wait_event", waitForEvent, METH_VARARGS, "kernel_wait_event(event, stream, on_host)"},
    {"kernel_elapsed", elapsed, METH_VARARGS, "kernel_elapsed(start, end) -> milliseconds"},
    {"kernel_device", deviceInfo, METH_O, "kernel_device(number) -> dict about a device"},
    {"kernel_package_folders", setFolders, METH_O, "kernel_package_folders(sys.path): where NVIDIA's libraries may be installed"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* deviceFunctions() {
    return methods;
}

}  // namespace kiln::gpu
