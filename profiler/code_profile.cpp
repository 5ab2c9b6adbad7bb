#include "profiler/code_profile.h"

#include "profiler/observed_callees.h"
#include "profiler/observed_classes.h"

namespace kiln {

void ClassSet::add(PyTypeObject* cls) {
    if (has(cls)) {
        return;
    }
    if (count_ < kMost && ObservedClasses::instance().remember(cls)) {
        classes_[count_++] = cls;
    } else {
        others_ = true;
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

PyCodeObject* Site::observedCode() const {
    bool alive = calleeCode != nullptr && ObservedCallees::instance().alive(calleeCode);
    return alive ? reinterpret_cast<PyCodeObject*>(calleeCode) : nullptr;
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
