// Where the text of a function's file comes from.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

namespace kiln::gpu {

// Texts that may hold the function, the likeliest first: what the interpreter was given under that file name (-c,
// standard input, exec), and what linecache finds. Needs the GIL; runs Python; sets no exception.
std::vector<std::string> sourceTexts(PyObject* function);

}  // namespace kiln::gpu
