#include "interp/foreign_code.h"

#include <cstdint>

// The linker's: where the executable, which CPython is part of, lies in memory.
extern "C" const char __executable_start;
extern "C" const char _end;

namespace kiln {
namespace {

template <typename Function>
bool isForeign(Function* function) {
    auto address = reinterpret_cast<uintptr_t>(function);
    return address < reinterpret_cast<uintptr_t>(&__executable_start) || address >= reinterpret_cast<uintptr_t>(&_end);
}

}  // namespace

bool entersForeignCode(PyObject* callable) {
    if (PyFunction_Check(callable)) {
        return false;
    }
    if (PyMethod_Check(callable)) {
        return entersForeignCode(PyMethod_GET_FUNCTION(callable));
    }
    if (PyCFunction_Check(callable)) {
        return isForeign(PyCFunction_GET_FUNCTION(callable));
    }
    if (Py_IS_TYPE(callable, &PyMethodDescr_Type)) {
        return isForeign(reinterpret_cast<PyMethodDescrObject*>(callable)->d_method->ml_meth);
    }
    if (PyType_Check(callable)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(callable);
        return isForeign(Py_TYPE(cls)->tp_call) || isForeign(cls->tp_new) || isForeign(cls->tp_init);
    }
    return isForeign(Py_TYPE(callable)->tp_call);
}

}  // namespace kiln
