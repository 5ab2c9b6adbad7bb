// How much of this thread's native stack compiled code may use: a quarter; beyond it the interpreter goes on without.
#pragma once

namespace kiln {

// Addresses below this are beyond the quarter.
char* nativeStackLimit();
bool nativeStackIsShort();

}  // namespace kiln
