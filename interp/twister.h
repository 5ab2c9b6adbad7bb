// Random numbers of the module random: drawn from the state of its generator, the Mersenne twister, without a call.
#pragma once

#include <Python.h>

namespace kiln {

// The definition of the method random() that draws them, where the generator's objects lie as compiled code expects them to: nullptr if
// not. Compares some numbers the first time; an exception that is set stays. Needs the GIL.
PyMethodDef* twisterMethod();
// The next number of an object that has this method.
double drawTwister(PyObject* object);

}  // namespace kiln
