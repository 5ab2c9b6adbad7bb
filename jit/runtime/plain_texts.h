// Texts of values of built-in classes, made without Python code. CPython's own conversion of an int looks for signals and the collector.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

// New references. NULL, with or without an exception, where CPython must do it.
PyObject* decimalText(int64_t number);
// str(value), or repr(value), of an exact str, float, bool or int of 64 bits, or None.
PyObject* plainText(PyObject* value, bool represented);
// `format % arguments` of an exact str.
PyObject* formatPlainly(PyObject* format, PyObject* arguments);

}  // namespace kiln
