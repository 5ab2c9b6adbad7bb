// What compiled code can win over the interpreter: estimated from a region's ops, and measured while it is used.
#pragma once

#include <cstdint>

#include "interp/bytecode.h"
#include "jit/ir/region.h"

namespace kiln {

struct Prospect {
    // Nanoseconds that a nanosecond in compiled code saves.
    double gain = 0;
    // Nanoseconds that an iteration of a loop, or a call of a function, takes in the interpreter by itself, at most.
    double ownNs = 0;
    // Of the compile thread.
    double compilationMs = 0;
    // Its native work saves more than its opaque operations lose against the interpreter's specialised instructions.
    bool saves = true;
    // Saves enough to win back a call from the interpreter.
    bool worthCalling = true;
};

Prospect estimateProspect(const ir::Region& region);
// False for a function that can be no gain, whatever its region would be: not worth the recording.
bool mayGainAsFunction(const Bytecode& bytecode);

// How a root's compiled code has done since it was installed.
class Account {
   public:
    explicit Account(double gain = 0) : gain_(gain) {}
    // One entry into the code of a loop, which stayed there for so many ticks of the processor's clock.
    void addStay(uint64_t ticks);
    // One call of a function's code, or one exit from it.
    void addCall() { entries_++; }
    void addExit() { exits_++; }
    // True when entering and leaving has cost more than the code can have won. Says so at some entries only.
    bool isLosingLoop() const;
    bool isLosingFunction() const;

   private:
    static constexpr uint64_t kJudged = 256;  // entries between judgements

    double gain_;
    uint64_t entries_ = 0;
    uint64_t exits_ = 0;
    uint64_t ticks_ = 0;
};

}  // namespace kiln
