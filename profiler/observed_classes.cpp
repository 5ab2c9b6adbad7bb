#include "profiler/observed_classes.h"

namespace kiln {
namespace {

constexpr int kMostChanges = 3;

}  // namespace

ObservedClasses& ObservedClasses::instance() {
    static auto* classes = new ObservedClasses();
    return *classes;
}

bool ObservedClasses::remember(PyTypeObject* cls) {
    if (!isProgramClass(cls)) {
        return true;
    }
    Entry& entry = classes_[cls];
    if (entry.changes >= kMostChanges) {
        return false;
    }
    if (entry.unchanged && (cls->tp_watched & (1 << watcher_)) != 0 && PyType_HasFeature(cls, Py_TPFLAGS_VALID_VERSION_TAG)) {
        return true;
    }
    // Changes are told only of classes with a version.
    entry.unchanged = watcher_ >= 0 && PyUnstable_Type_AssignVersionTag(cls) != 0 &&
                      PyType_Watch(watcher_, reinterpret_cast<PyObject*>(cls)) == 0;
    PyErr_Clear();
    return entry.unchanged;
}

bool ObservedClasses::unchanged(PyTypeObject* cls) const {
    if (!isProgramClass(cls)) {
        return true;
    }
    auto found = classes_.find(cls);
    return found != classes_.end() && found->second.unchanged;
}

void ObservedClasses::changed(PyTypeObject* cls) {
    auto found = classes_.find(cls);
    if (found != classes_.end()) {
        found->second.unchanged = false;
        found->second.changes++;
    }
}

}  // namespace kiln
