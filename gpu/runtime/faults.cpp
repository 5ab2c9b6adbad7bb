// What a thread of a kernel raised, as a Python exception.
#include "gpu/runtime/faults.h"

namespace kiln::gpu {
namespace {

std::string triple(const int32_t* xyz) {
    return "[" + std::to_string(xyz[2]) + ", " + std::to_string(xyz[1]) + ", " + std::to_string(xyz[0]) + "]";
}

// The arguments with the place in front of the first.
Ref<> withPlace(PyObject* arguments, const std::string& place) {
    Py_ssize_t count = PyTuple_GET_SIZE(arguments);
    Ref<> made = Ref<>::steal(PyTuple_New(count > 0 ? count : 1));
    if (!made) {
        return made;
    }
    for (Py_ssize_t i = 1; i < count; i++) {
        PyTuple_SET_ITEM(made.get(), i, Py_NewRef(PyTuple_GET_ITEM(arguments, i)));
    }
    PyObject* first = count > 0 ? PyUnicode_FromFormat("%s: %S", place.c_str(), PyTuple_GET_ITEM(arguments, 0))
                                : PyUnicode_FromString(place.c_str());
    PyTuple_SET_ITEM(made.get(), 0, first);
    return first != nullptr ? std::move(made) : Ref<>();
}

}  // namespace

bool raiseFault(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record) {
    size_t row = record.fault - 1;
    const Fault& fault = module.faults.at(row);
    const Exception& exception = exceptions.at(row);
    std::string place = "In function '" + fault.function + "', file " + fault.file + ", line " + std::to_string(fault.line) +
                        ", tid=" + triple(record.thread) + " ctaid=" + triple(record.block);
    if (!exception.arguments) {
        PyErr_Format(exception.type.get(), "%s: index %lld is out of bounds for axis %d of %s with size %lld", place.c_str(),
                     static_cast<long long>(record.index), exception.axis, exception.array.c_str(),
                     static_cast<long long>(record.size));
        return false;
    }
    Ref<> arguments = withPlace(exception.arguments.get(), place);
    Ref<> made = arguments ? Ref<>::steal(PyObject_Call(exception.type.get(), arguments.get(), nullptr)) : Ref<>();
    if (made) {
        PyErr_SetObject(exception.type.get(), made.get());
    }
    return false;
}

void raiseAsPython(const Module& module, const std::vector<Exception>& exceptions, const FaultRecord& record) {
    size_t row = record.fault - 1;
    const Fault& fault = module.faults.at(row);
    const Exception& exception = exceptions.at(row);
    if (exception.arguments) {
        PyErr_SetObject(exception.type.get(), exception.arguments.get());
    } else {
        PyErr_Format(exception.type.get(), "index %lld is out of bounds for axis %d with size %lld", static_cast<long long>(record.index),
                     exception.axis, static_cast<long long>(record.size));
    }
    _PyTraceback_Add(fault.function.c_str(), fault.file.c_str(), fault.line);
}

}  // namespace kiln::gpu
