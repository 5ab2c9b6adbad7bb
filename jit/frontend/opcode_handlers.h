// What builds each opcode: the rows of opcodes.def.
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Builds one instruction, and moves the frame on or ends the block. False when only CPython can do it; then nothing was emitted
// that an exit before the instruction would not undo.
using OpcodeHandler = bool (*)(RegionBuilder& b, const BytecodeInstruction& in);

#define KILN_OPCODE(name, handler) bool handler(RegionBuilder& b, const BytecodeInstruction& in);
#include "jit/frontend/opcodes.def"
#undef KILN_OPCODE

}  // namespace kiln
