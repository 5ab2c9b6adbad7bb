// Where the text of a function's file comes from.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

namespace kiln::gpu {

// Texts that may hold the function, the likeliest first: what the interpreter was given under that file name (-c,
// standard input, exec), and what linecache has. `anew`: what is to be tried if none of these is it, which linecache and the
// module's loader read again. Needs the GIL; runs Python; sets no exception.
std::vector<std::string> sourceTexts(PyObject* function, bool anew);

}  // namespace kiln::gpu
