#include "profiler/code_profile.h"

#include "profiler/observed_callees.h"

namespace kiln {

void ClassSet::add(PyTypeObject* cls) {
    if (PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE) || (count_ == kMost && !has(cls))) {
        others_ = true;
    } else if (!has(cls)) {
        classes_[count_++] = cls;
    }
}

bool ClassSet::has(PyTypeObject* cls) const {
    for (int index = 0; index < count_; index++) {
        if (classes_[index] == cls) {
            return true;
        }
    }
    return false;
}

CodeProfile::CodeProfile(PyCodeObject* code) : bytecode_(code), sites_(Py_SIZE(code) + 1) {}

PyObject* Site::observedCallee() const {
    return callee != nullptr && ObservedCallees::instance().alive(callee) ? callee : nullptr;
}

bool isBigInt(PyObject* object) {
    if (!PyLong_CheckExact(object)) {
        return false;
    }
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow != 0;
}

}  // namespace kiln
