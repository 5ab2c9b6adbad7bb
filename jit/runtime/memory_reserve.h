// Memory that is kept back for what can't fail: objects that compiled code takes for granted, and the interpreter's state at an exit.
// Where memory runs out the reserve is given up, and the program gets a MemoryError as soon as one can be raised.
#pragma once

#include <Python.h>

#include <functional>

namespace kiln {

extern bool reserveIsGone;

// Keeps memory back again. False when there is none, or the MemoryError is still to be raised. Needs the GIL.
bool takeReserve();

// Wherever compiled code is entered or left. Without a reserve none is made nor entered. Needs the GIL.
inline bool keepReserve() {
    return __builtin_expect(!reserveIsGone, 1) || takeReserve();
}

// Memory ran out. True when there is some now; the exception that told of it is cleared then. Needs the GIL.
bool giveReserve();

// Runs body() on a thread of kiln's own, which leaves the reserve alone. False when memory ran out in the midst of it: what body()
// was changing stays as it was then, and what its frames own is lost: locks are to be held around it. Attempts may nest.
bool survivesLackOfMemory(const std::function<void()>& body);

// What `make` makes, a new reference: never NULL. Needs the GIL.
template <typename Make>
PyObject* makeSurely(const Make& make) {
    PyObject* made = make();
    if (__builtin_expect(made == nullptr, 0) && (!giveReserve() || (made = make()) == nullptr)) {
        Py_FatalError("kiln: no memory is left for the interpreter's state");
    }
    return made;
}

}  // namespace kiln
