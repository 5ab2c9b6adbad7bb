// Memory that is kept back for what can't fail: objects that compiled code takes for granted, and the interpreter's state at an exit.
// Where memory runs out the reserve is given up, and the program gets a MemoryError as soon as one can be raised.
#pragma once

#include <Python.h>

namespace kiln {

extern bool reserveIsGone;

// Keeps memory back again, if there is some. Needs the GIL.
void takeReserve();

// At the start, and wherever compiled code is entered or left. Needs the GIL.
inline void keepReserve() {
    if (__builtin_expect(reserveIsGone, 0)) {
        takeReserve();
    }
}

// Memory ran out. True when there is some now; the exception that told of it is cleared then. Needs the GIL.
bool giveReserve();

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
