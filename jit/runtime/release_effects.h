// Whether giving references up may run Python code: finalisers, callbacks of weak references, whatever a C type does as it ends.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>

namespace kiln {

// Of references to be given up together: false when what ends with them, contents included, is known to run no Python code. A
// NULL among them is nothing. Needs the GIL; runs no Python code, changes nothing.
bool mayRunCode(PyObject* const* references, size_t count);
// The words of a store by a helper. One more says that the container is given up behind it.
inline constexpr int64_t kStoreWords = 3;
// A store displaces it, or NULL, in a container that is given up behind the store: whether it ends without any other object, or not at all, so
// that it holds nothing of the container's.
bool endsApart(PyObject* displaced, PyObject* container);

}  // namespace kiln
