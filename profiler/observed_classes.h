// The program's own classes that were seen, remembered without keeping them alive.
#pragma once

#include <Python.h>

#include <unordered_map>

namespace kiln {

// Made by a program: it can change, and die. Other classes are static.
inline bool isProgramClass(PyTypeObject* cls) {
    return PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE);
}

// One per process; needs the GIL. Classes are borrowed and watched: a class that changes or dies is forgotten. One that
// keeps changing is not remembered any more.
class ObservedClasses {
   public:
    static ObservedClasses& instance();
    // Whose callback calls changed(); from PyType_AddWatcher.
    void setWatcher(int watcher) { watcher_ = watcher; }
    // False for a class that cannot be relied on. Static classes can always.
    bool remember(PyTypeObject* cls);
    // True when `cls`, remembered once, is as it was then. A new class at a dead one's address counts if it is remembered.
    bool unchanged(PyTypeObject* cls) const;
    // The class has changed or is about to die, or instances of it became others'.
    void changed(PyTypeObject* cls);

   private:
    struct Entry {
        bool unchanged = true;
        int changes = 0;
    };

    int watcher_ = -1;
    std::unordered_map<PyTypeObject*, Entry> classes_;
};

}  // namespace kiln
