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
    int depth = -1;     // operand stack depth before it; -1 when unreachable
    bool leader = false;  // control flow joins here
    bool inHandler = false;  // reached by an exception only
};

// The compiler repeats the test of a `while` at its end, so that a `continue` in it jumps to another header than its end does: both
// are headers of the same instructions.
struct BytecodeLoop {
    int header = 0;  // target of the back-edges
    int begin = 0;   // first unit, of the other header if that comes first
    int end = 0;     // unit after the last back-edge
    bool yields = false;  // a generator or coroutine is left in it, and resumed

    bool contains(int unit) const { return begin <= unit && unit < end; }
    // What may run before the loop ends: its exceptions may be handled by code that stands elsewhere.
    bool mayRun(const BytecodeInstruction& in) const { return contains(in.unit) || in.inHandler; }
    bool isAround(const BytecodeLoop& inner) const { return contains(inner.header) && end - begin > inner.end - inner.begin; }
};

// Where an exception goes that is raised in a range of units.
struct ExceptionHandler {
    int start = 0;
    int end = 0;
    int target = 0;
    int depth = 0;            // of the operand stack, below what is pushed
    bool keepsPlace = false;  // the unit that raised is pushed below the exception

    bool covers(int unit) const { return start <= unit && unit < end; }
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
    // In the order of their ranges, which do not overlap.
    const std::vector<ExceptionHandler>& handlers() const { return handlers_; }
    // Of what the instruction at `unit` raises; nullptr: the frame ends.
    const ExceptionHandler* handlerOf(int unit) const;
    // First unit after RESUME: where a call's own work starts.
    int entryUnit() const { return entryUnit_; }

   private:
    void decode(PyCodeObject* code);
    void findHandlers(PyCodeObject* code);
    void findDepths();
    void reach(int unit, int depth, bool joins, bool inHandler, std::vector<int>& pending);
    void follow(std::vector<int>& pending, bool inHandler);
    bool enterHandlers(std::vector<int>& pending);
    void findLoops();
    bool joinOverlapping();

    std::vector<BytecodeInstruction> instructions_;
    std::vector<int> indexOfUnit_;
    std::vector<BytecodeLoop> loops_;
    std::vector<ExceptionHandler> handlers_;
    int entryUnit_ = 0;
};

bool isConditionalJump(int opcode);
// True when control never falls through to the next instruction.
bool endsFlow(int opcode);
// A generator or coroutine is left here, and resumed.
bool suspends(int opcode);

}  // namespace kiln
