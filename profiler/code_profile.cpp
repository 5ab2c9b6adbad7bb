#include "profiler/code_profile.h"

namespace kiln {

void ClassSet::add(PyTypeObject* cls) {
    if (tooMany_ || has(cls)) {
        return;
    }
    if (count_ == kMost) {
        tooMany_ = true;
        return;
    }
    Py_INCREF(reinterpret_cast<PyObject*>(cls));
    classes_[count_++] = cls;
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

void CodeProfile::forgetCallees() {
    std::vector<Ref<>> released;
    for (Site& site : sites_) {
        released.push_back(std::move(site.callee));
        site.calleeVaries = true;
    }
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
