#include "profiler/observed_classes.h"

namespace kiln {
namespace {

constexpr int kMostChanges = 3;

}  // namespace

ObservedClasses& ObservedClasses::instance() {
    static auto* classes = new ObservedClasses();
    return *classes;
}

// A type watcher is not told of a class's death, and a weak reference could be seen by the program.
void ObservedClasses::start(void (*died)(PyTypeObject* cls)) {
    died_ = died;
    original_ = PyType_Type.tp_dealloc;
    PyType_Type.tp_dealloc = dealloc;
}

void ObservedClasses::dealloc(PyObject* object) {
    ObservedClasses& observed = instance();
    auto* cls = reinterpret_cast<PyTypeObject*>(object);
    if (PyInterpreterState_Get() == PyInterpreterState_Main() && observed.classes_.erase(cls) != 0) {
        observed.died_(cls);
    }
    observed.original_(object);
}

bool ObservedClasses::mayRelyOn(PyTypeObject* cls) {
    if (!isProgramClass(cls)) {
        return true;
    }
    int& changes = classes_[cls];
    if (changes >= kMostChanges) {
        return false;
    }
    if (PyType_HasFeature(cls, Py_TPFLAGS_VALID_VERSION_TAG)) {
        return true;
    }
    bool versioned = PyUnstable_Type_AssignVersionTag(cls) != 0;  // changes are told only of classes with a version
    PyErr_Clear();
    return versioned;
}

void ObservedClasses::changed(PyTypeObject* cls) {
    auto found = classes_.find(cls);
    if (found != classes_.end()) {
        found->second++;
    }
}

}  // namespace kiln
