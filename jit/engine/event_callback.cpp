#include "jit/engine/event_callback.h"

#include <cstddef>

namespace kiln {
namespace {

struct EventCallback {
    PyObject_HEAD
    vectorcallfunc function;
};

void deallocate(PyObject* self) {
    PyObject_Free(self);
}

PyTypeObject callbackType = {PyVarObject_HEAD_INIT(nullptr, 0)};

bool readyType() {
    if (callbackType.tp_name != nullptr) {
        return true;
    }
    callbackType.tp_name = "kiln.event_callback";
    callbackType.tp_basicsize = sizeof(EventCallback);
    callbackType.tp_dealloc = deallocate;
    callbackType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
    callbackType.tp_vectorcall_offset = offsetof(EventCallback, function);
    callbackType.tp_call = PyVectorcall_Call;
    return PyType_Ready(&callbackType) == 0;
}

}  // namespace

Ref<> makeEventCallback(vectorcallfunc function) {
    if (!readyType()) {
        return {};
    }
    auto* callback = PyObject_New(EventCallback, &callbackType);
    if (callback == nullptr) {
        return {};
    }
    callback->function = function;
    return Ref<>::steal(reinterpret_cast<PyObject*>(callback));
}

}  // namespace kiln
