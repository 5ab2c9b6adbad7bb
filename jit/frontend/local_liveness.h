// Which locals compiled code may still read.
//
// A local is live where some path reads it, deletes it (that asks whether it is bound) or clears it for a while before it is stored
// to. Elsewhere it only matters that its value is still there: for whoever looks at the frame, and as long as it holds its object.
// What an exception's handler reads does not count: compiled code is left where one is raised, and the frame has all values then.
#pragma once

#include <Python.h>

#include <bitset>
#include <vector>

#include "interp/bytecode.h"

namespace kiln {

class LocalLiveness {
   public:
    // Of the code's instructions only those from `first` to before `end`, and those of handlers, are compiled: what others read, the
    // frame has. Needs the GIL.
    LocalLiveness(PyCodeObject* code, const Bytecode& bytecode, int first, int end);
    // Before the instruction at `unit`. True for cells and free variables, and where nothing is known.
    bool at(int unit, int local) const;

   private:
    static constexpr size_t kMostLocals = 512;  // of code that has more, nothing is known
    using Locals = std::bitset<kMostLocals>;

    void solve();
    Locals before(const BytecodeInstruction& in) const;
    void join(Locals& live, int unit) const;
    bool isCompiled(const BytecodeInstruction& in) const { return in.inHandler || (first_ <= in.unit && in.unit < end_); }

    const Bytecode& bytecode_;
    int first_;
    int end_;
    Locals fast_;               // plain locals
    std::vector<Locals> live_;  // before each instruction
};

}  // namespace kiln
