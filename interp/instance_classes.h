// How instances of classes that the program makes begin and end.
#pragma once

#include <Python.h>

namespace kiln {

// Asked once, before the others, where Python code may run. False with a Python error otherwise.
bool findInstanceDestructor();
// The first base that no class statement made, if what ends the class's instances is only its end and that of their attributes: neither
// the class nor one above it has a finaliser. Borrowed; nullptr otherwise. Needs the GIL; runs no Python code.
PyTypeObject* baseOfPlainInstances(PyTypeObject* cls);
// What a static method, as __new__ is in a class, gives; anything else as it is, NULL too. Borrowed.
PyObject* withoutStaticMethod(PyObject* found);
// The Python function that a call of the class runs first, if it does what type.__call__() does: its __new__, or else its __init__. Borrowed;
// nullptr when there is none.
PyFunctionObject* functionThatMakes(PyTypeObject* cls);
// One of object, dict, list and set whose __new__ looks at no argument and is what makes the class's instances (list's makes those of many
// classes of C). Borrowed; nullptr otherwise.
PyTypeObject* makerWithoutArguments(PyTypeObject* cls);
// The __init__ of a class that is called as type.__call__() does it: what such a __new__ makes is given to a Python function. Borrowed;
// nullptr of any other object.
PyFunctionObject* plainInitializer(PyObject* callable);

}  // namespace kiln
