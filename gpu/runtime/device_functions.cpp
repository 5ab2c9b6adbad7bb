// _kiln's functions about devices, streams and events.
#include "gpu/runtime/device_functions.h"

#include "gpu/driver/cuda_driver.h"
#include "gpu/driver/library_scope.h"
#include "gpu/driver/nvml.h"
#include "gpu/driver/nvrtc.h"
#include "gpu/runtime/backend.h"
#include "gpu/runtime/errors.h"
#include "interp/py_ref.h"

namespace kiln::gpu {
Backend* required() {
    Failure failure;
    Backend* where = backend(failure);
    if (where == nullptr) {
        raise(failure);
    }
    return where;
}

namespace {

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

// probe() -> (where, why, [(name, UUID, compute capability)])
PyObject* probe(PyObject*, PyObject*) {
    Probe found;
    Py_BEGIN_ALLOW_THREADS
    found = probeBackend();
    Py_END_ALLOW_THREADS
    PyObject* devices = PyList_New(0);
    for (const DeviceInfo& info : found.devices) {
        Ref<> row = Ref<>::steal(Py_BuildValue("(ssi)", info.name.c_str(), info.uuid.c_str(), info.computeCapability));
        if (!row || PyList_Append(devices, row.get()) != 0) {
            Py_DECREF(devices);
            return nullptr;
        }
    }
    return Py_BuildValue("(ssN)", found.onGpu ? "gpu" : "cpu", found.reason.c_str(), devices);
}

// compiler() -> (version and place of the NVRTC that would be taken, or "", every place tried)
PyObject* compiler(PyObject*, PyObject*) {
    std::vector<VisibleGpu> gpus;
    std::string ignored;
    std::string tried;
    const Nvrtc* found = nullptr;
    if (areLibrariesCutOff()) {
        return Py_BuildValue("(ss)", "", cutOffFailure().message.c_str());
    }
    auto find = [&] {
        LibraryScope scope;
        visibleGpus(gpus, ignored);
        return Nvrtc::find(gpus.empty() ? 0 : gpus[0].computeCapability, driverCudaMajor(), tried);
    };
    Py_BEGIN_ALLOW_THREADS found = find();
    Py_END_ALLOW_THREADS
    std::string text = found == nullptr ? "" : std::to_string(found->major()) + "." + std::to_string(found->minor()) + " in " + found->path();
    return Py_BuildValue("(ss)", text.c_str(), tried.c_str());
}

PyObject* deviceAttribute(PyObject*, PyObject* arguments) {
    int device = 0;
    int number = 0;
    Backend* where = PyArg_ParseTuple(arguments, "ii", &device, &number) ? required() : nullptr;
    return where != nullptr ? PyLong_FromLong(where->deviceAttribute(device, number)) : nullptr;
}

PyObject* selectDevice(PyObject*, PyObject* number) {
    int device = static_cast<int>(PyLong_AsLong(number));
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    return where != nullptr ? done(where->selectDevice(device)) : nullptr;
}

// selected_device(): starts nothing.
PyObject* selectedDevice(PyObject*, PyObject*) {
    Backend* where = chosenBackend();
    return PyLong_FromLong(where != nullptr ? where->selectedDevice() : 0);
}

PyObject* queryEvent(PyObject*, PyObject* event) {
    bool isDone = true;
    unsigned long long number = PyLong_AsUnsignedLongLong(event);
    Backend* where = PyErr_Occurred() == nullptr ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    Failure failure = where->queryEvent(number, isDone);
    return failure ? raise(failure) : PyBool_FromLong(isDone);
}

PyObject* profile(PyObject*, PyObject* start) {
    if (Backend* where = chosenBackend()) {
        where->profile(start == Py_True);
    }
    Py_RETURN_NONE;
}

// pin(address, bytes) and, with negative bytes, the end of it.
PyObject* pin(PyObject*, PyObject* arguments) {
    unsigned long long address = 0;
    Py_ssize_t bytes = 0;
    Backend* where = PyArg_ParseTuple(arguments, "Kn", &address, &bytes) ? required() : nullptr;
    if (where == nullptr) {
        return nullptr;
    }
    if (bytes < 0) {
        where->unpin(address);
        Py_RETURN_NONE;
    }
    return done(where->pin(address, bytes));
}

PyObject* setFolders(PyObject*, PyObject* list) {
    std::vector<std::string> folders;
    for (Py_ssize_t i = 0; PyList_Check(list) && i < PyList_GET_SIZE(list); i++) {
        PyObject* item = PyList_GET_ITEM(list, i);
        Ref<> path = Ref<>::steal(PyUnicode_Check(item) ? PyUnicode_EncodeFSDefault(item) : nullptr);
        if (path && PyBytes_GET_SIZE(path.get()) > 0) {
            folders.push_back(PyBytes_AS_STRING(path.get()));
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
    {"kernel_probe", probe, METH_NOARGS,
     "kernel_probe() -> (where, why, [(name, UUID, compute capability)]): what kernel_backend() would choose; starts nothing"},
    {"kernel_compiler", compiler, METH_NOARGS, "kernel_compiler() -> (the NVRTC that would be taken, or '', every place tried)"},
    {"kernel_device_attribute", deviceAttribute, METH_VARARGS, "kernel_device_attribute(device, number) -> the driver's number"},
    {"kernel_select_device", selectDevice, METH_O, "kernel_select_device(number): the calling thread uses it from now on"},
    {"kernel_selected_device", selectedDevice, METH_NOARGS, "kernel_selected_device() -> the calling thread's device"},
    {"kernel_query_event", queryEvent, METH_O, "kernel_query_event(event) -> whether it has come"},
    {"kernel_profile", profile, METH_O, "kernel_profile(start): tools record from now on, or no more"},
    {"kernel_pin", pin, METH_VARARGS, "kernel_pin(address, bytes): pins memory; with negative bytes, no more"},
    {"kernel_package_folders", setFolders, METH_O, "kernel_package_folders(sys.path): where NVIDIA's libraries may be installed"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* deviceFunctions() {
    return methods;
}

}  // namespace kiln::gpu
