// A Python string as text of our own, for names and messages.
#pragma once

#include <Python.h>

#include <string>

namespace kiln {

// "?" where UTF-8 cannot have it. Needs the GIL; leaves no exception set.
inline std::string textOf(PyObject* string) {
    const char* utf8 = PyUnicode_AsUTF8(string);
    if (utf8 == nullptr) {
        PyErr_Clear();
        return "?";
    }
    return utf8;
}

}  // namespace kiln
