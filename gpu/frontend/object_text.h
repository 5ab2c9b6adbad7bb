// Texts of Python objects.
#pragma once

#include <string>

#include "interp/py_ref.h"

namespace kiln::gpu {

// All of these need the GIL, and leave no exception set.

// For names and messages: the text of a str; empty for anything else, null among it.
std::string textOrEmpty(PyObject* value);
// Of the object's attribute.
std::string textAttribute(PyObject* object, const char* name);
// A str as bytes from which exactString() makes it again, lone surrogates and zeros among it: of equal ones they are equal.
std::string exactText(PyObject* string);
// Where the bytes are no such text, their best likeness. Null when memory runs out.
Ref<> exactString(const std::string& text);

}  // namespace kiln::gpu
