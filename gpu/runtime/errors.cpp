// Failures as Python exceptions.
#include "gpu/runtime/errors.h"

#include "gpu/frontend/object_text.h"
#include "gpu/runtime/interrupts.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

PyObject* raise(const Failure& failure) {
    if (isInterruption(failure)) {
        return nullptr;
    }
    for (const char* home : {"builtins", "numba.core.errors", "numba.cuda.cudadrv.error", "numba.cuda.cudadrv.driver"}) {
        Ref<> module = Ref<>::steal(PyImport_ImportModule(home));
        Ref<> type = module ? Ref<>::steal(PyObject_GetAttrString(module.get(), failure.exception.c_str())) : Ref<>();
        if (type && PyExceptionClass_Check(type.get())) {
            Ref<> message = exactString(failure.message);
            Ref<> arguments = Ref<>::steal(failure.code != 0 ? Py_BuildValue("(iO)", failure.code, message.get())
                                                             : Py_BuildValue("(O)", message.get()));
            PyErr_SetObject(type.get(), arguments.get());
            return nullptr;
        }
        PyErr_Clear();
    }
    PyErr_SetString(PyExc_RuntimeError, (failure.exception + ": " + failure.message).c_str());
    return nullptr;
}

PyObject* raise(const CompileError& error) {
    return raise(Failure{error.errorClass, error.message});
}

}  // namespace kiln::gpu
