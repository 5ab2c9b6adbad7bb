// The program's own classes that were seen, remembered without keeping them alive.
#pragma once

#include <Python.h>

#include <unordered_map>

namespace kiln {

// Made by a program: it can change, and die. Other classes are static.
inline bool isProgramClass(PyTypeObject* cls) {
    return PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE);
}

// One per process; needs the GIL, of the main interpreter. Classes are borrowed; a class that dies is forgotten.
class ObservedClasses {
   public:
    static ObservedClasses& instance();
    // From now on the deaths of classes are noticed. Calls `died` while the class is still there, about to be freed.
    void start(void (*died)(PyTypeObject* cls));
    // A class that is alive was seen.
    void remember(PyTypeObject* cls) { classes_.try_emplace(cls); }
    // True for a class remembered that still exists. A new class at a dead one's address counts if it is remembered.
    bool alive(PyTypeObject* cls) const { return classes_.contains(cls); }
    // False for a class that cannot be relied on, as it keeps changing. Static classes can always. The class is one that a type
    // watcher is told of when it changes, if it is watched.
    bool mayRelyOn(PyTypeObject* cls);
    // The class has changed, or instances of it became others'.
    void changed(PyTypeObject* cls);

   private:
    static void dealloc(PyObject* cls);

    void (*died_)(PyTypeObject* cls) = nullptr;
    destructor original_ = nullptr;
    std::unordered_map<PyTypeObject*, int> classes_;  // how often each has changed
};

}  // namespace kiln
