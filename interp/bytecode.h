// Decoded bytecode of one code object: specialisation, instrumentation, caches and EXTENDED_ARG folded away.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

namespace kiln {

struct BytecodeInstruction {
    int unit = 0;       // of the opcode itself (after its EXTENDED_ARGs)
    int firstUnit = 0;  // of its first EXTENDED_ARG, or `unit`
    int next = 0;       // unit of the following instruction
    uint8_t opcode = 0;
    int oparg = 0;
    int target = -1;    // unit a jump goes to, or -1
    int depth = -1;     // operand stack depth before it; -1 when unreachable without an exception
    bool leader = false;  // control flow joins here
};

struct BytecodeLoop {
    int header = 0;  // target of the back-edges
    int end = 0;     // unit after the last back-edge

    bool contains(int unit) const { return header <= unit && unit < end; }
    // Of the loop whose header is at `unit`.
    bool isAround(int unit) const { return header != unit && contains(unit); }
};

// Immutable; holds no reference to the code object.
class Bytecode {
   public:
    // Needs the GIL; runs no Python code.
    explicit Bytecode(PyCodeObject* code);

    // The instruction that starts (EXTENDED_ARG included) or stands at `unit`; nullptr for a cache or out of range.
    const BytecodeInstruction* at(int unit) const;
    const std::vector<BytecodeInstruction>& instructions() const { return instructions_; }
    // The loop with this header unit; nullptr if none.
    const BytecodeLoop* loopAt(int header) const;
    // In the order of their headers: a loop comes before those inside it.
    const std::vector<BytecodeLoop>& loops() const { return loops_; }
    // First unit after RESUME: where a call's own work starts.
    int entryUnit() const { return entryUnit_; }

   private:
    void decode(PyCodeObject* code);
    void findDepths();
    void findLoops();

    std::vector<BytecodeInstruction> instructions_;
    std::vector<int> indexOfUnit_;
    std::vector<BytecodeLoop> loops_;
    int entryUnit_ = 0;
};

bool isConditionalJump(int opcode);
// True when control never falls through to the next instruction.
bool endsFlow(int opcode);

}  // namespace kiln
