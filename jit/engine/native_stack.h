// How much of this thread's native stack compiled code and the compiler may use: a quarter, and what leaves enough for an exit and
// for building a region; beyond it the interpreter goes on without. On a stack of 48 KiB or less all is interpreted.
#pragma once

namespace kiln {

// Addresses below this are beyond it.
char* nativeStackLimit();
bool nativeStackIsShort();

}  // namespace kiln
