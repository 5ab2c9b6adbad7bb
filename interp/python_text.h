// A Python string as text of our own, for names and messages.
#pragma once

#include <Python.h>

#include <string>

namespace kiln {

// No other string with its text is interned. Of a letter beyond ASCII there may be two: one was interned before code had CPython's own.
inline bool isInternedOnce(PyObject* string) {
    bool isInterned = PyUnicode_CheckExact(string) && PyUnicode_CHECK_INTERNED(string);
    return isInterned && (PyUnicode_GET_LENGTH(string) > 1 || PyUnicode_IS_ASCII(string));
}

// With an escape, as in "\udcff", where UTF-8 cannot have it: a file's name may hold any bytes. "?" where memory runs out. Needs the
// GIL; leaves no exception set.
inline std::string textOf(PyObject* string) {
    if (const char* utf8 = PyUnicode_AsUTF8(string)) {
        return utf8;
    }
    PyErr_Clear();
    std::string text = "?";
    if (PyObject* bytes = PyUnicode_AsEncodedString(string, "utf-8", "backslashreplace")) {
        text = PyBytes_AS_STRING(bytes);
        Py_DECREF(bytes);
    }
    PyErr_Clear();
    return text;
}

}  // namespace kiln
