// How instances of classes that the program makes end.
#pragma once

#include <Python.h>

namespace kiln {

// Asked once, before the others, where Python code may run. False with a Python error otherwise.
bool findInstanceDestructor();
// The first base that no class statement made, if what ends the class's instances is only its end and that of their attributes: neither
// the class nor one above it has a finaliser. Borrowed; nullptr otherwise. Needs the GIL; runs no Python code.
PyTypeObject* baseOfPlainInstances(PyTypeObject* cls);

}  // namespace kiln
