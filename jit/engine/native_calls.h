// Calls that compiled code makes of functions without native code for them. Called by compiled code.
#pragma once

#include "jit/native_interface.h"

namespace kiln {

// words: the function object, then an argument of the entry's type for each parameter, those of objects with their references. Of
// anything: the callable, keyword names or None, which are borrowed, and the arguments; spread: the callable, the items, and a dict or None.
NativeResult callFallback(NativeContext* context, NativeFunction* callee, int64_t* words);

}  // namespace kiln
