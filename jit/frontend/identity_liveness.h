// Where the program can still see which object a number is.
//
// A slot (a local or a place of the operand stack) is identity-live where some path reaches an instruction that may show the
// object itself, as a store into a container or `is` does, before the slot is overwritten. Arithmetic shows the value only. Where
// no path does, compiled code forgets the object and keeps the bare number. What an argument's cell holds can always be seen.
#pragma once

#include <Python.h>

#include <bitset>
#include <cstdint>
#include <functional>
#include <vector>

#include "profiler/code_profile.h"

namespace kiln {

class IdentityLiveness {
   public:
    // What becomes of an argument of a Python function of this code, if its result is seen (or not).
    using ParameterSeen = std::function<bool(PyCodeObject* code, int parameter, bool resultSeen)>;

    // With `parameterSeen` calls are judged by the callees observed, without it by the bytecode alone: then the answer is the same at
    // any time, but for what the profile was taught. Needs the GIL.
    IdentityLiveness(PyCodeObject* code, const CodeProfile& profile, bool resultSeen, const ParameterSeen* parameterSeen);
    // Before the instruction at `unit`. True where nothing is known.
    bool at(int unit, int slot) const;

   private:
    static constexpr size_t kNowhere = SIZE_MAX;
    static constexpr size_t kMostSlots = 512;  // of code that has more, nothing is known
    using Slots = std::bitset<kMostSlots>;

    // Where an instruction's flow goes on, as indices of instructions; kNowhere.
    struct Flow {
        size_t next, target, handler;
        Slots reached;   // of the handler: what is still there
        Slots seen;      // asked for in vain
    };

    void solve();
    std::vector<Flow> flows() const;
    void flowInto(size_t index, const Flow& flow, Slots& live) const;
    // From what is live after an instruction to what is before it.
    void step(const BytecodeInstruction& in, Slots& live) const;
    void stepLocal(const BytecodeInstruction& in, Slots& live) const;
    void stepShuffle(const BytecodeInstruction& in, Slots& live) const;
    void stepItem(const BytecodeInstruction& in, Slots& live, bool keySeen) const;
    void stepUnpack(const BytecodeInstruction& in, Slots& live) const;
    void stepCall(const BytecodeInstruction& in, Slots& live) const;
    bool argumentSeen(const BytecodeInstruction& in, int argument, bool resultSeen) const;
    // The top entries go; they were seen, or not.
    void pop(Slots& live, const BytecodeInstruction& in, int count, bool seen) const;
    size_t stack(const BytecodeInstruction& in, int place) const { return static_cast<size_t>(locals_ + place); }

    const CodeProfile& profile_;
    const ParameterSeen* parameterSeen_;
    bool resultSeen_;
    int locals_;
    size_t slots_;
    Slots cells_;              // arguments that become cells
    std::vector<Slots> live_;  // before each instruction
};

}  // namespace kiln
