// What compiled code can win over the interpreter, estimated from a region's ops alone.
#pragma once

#include "interp/bytecode.h"
#include "jit/ir/region.h"

namespace kiln {

struct Prospect {
    // Nanoseconds that a nanosecond in compiled code saves.
    double gain = 0;
    // Its native work saves more than its opaque operations lose against the interpreter's specialised instructions.
    bool saves = true;
    // Saves enough to win back a call from the interpreter.
    bool worthCalling = true;
    // The same for compiled code, from which the way into the interpreter is the longer one.
    bool worthCallingNatively = true;
};

Prospect estimateProspect(const ir::Region& region);
// False for a function that can be no gain, whatever its region would be: not worth the recording.
bool mayGainAsFunction(PyCodeObject* code, const Bytecode& bytecode);
// That is, one without a loop that has fewer operations.
inline constexpr int kLeastOperations = 2;
bool isOperation(int opcode);

}  // namespace kiln
