#include "profiler/observed_callees.h"

#include <utility>

namespace kiln {

ObservedCallees& ObservedCallees::instance() {
    static auto* callees = new ObservedCallees();
    return *callees;
}

bool ObservedCallees::remember(PyObject* callee) {
    if (PyFunction_Check(callee)) {
        callees_.insert(callee);
        return true;
    }
    bool builtin = PyCFunction_CheckExact(callee) &&
                   (PyCFunction_GET_SELF(callee) == nullptr || PyModule_Check(PyCFunction_GET_SELF(callee)));
    bool method = Py_IS_TYPE(callee, &PyMethodDescr_Type);
    bool staticClass = PyType_Check(callee) && !PyType_HasFeature(reinterpret_cast<PyTypeObject*>(callee), Py_TPFLAGS_HEAPTYPE);
    if (!builtin && !method && !staticClass) {
        return false;
    }
    if (callees_.insert(callee).second) {
        kept_.push_back(Ref<>::borrow(callee));
    }
    return true;
}

bool ObservedCallees::rememberDefaults(PyObject* defaults) {
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(defaults); index++) {
        PyObject* item = PyTuple_GET_ITEM(defaults, index);
        if (item != Py_None && !PyBool_Check(item) && !PyLong_CheckExact(item) && !PyFloat_CheckExact(item) &&
            !PyUnicode_CheckExact(item)) {
            return false;
        }
    }
    kept_.push_back(Ref<>::borrow(defaults));
    return true;
}

void ObservedCallees::clear() {
    callees_.clear();
    std::vector<Ref<>> released = std::exchange(kept_, {});
}

}  // namespace kiln
