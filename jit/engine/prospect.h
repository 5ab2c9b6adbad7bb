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
    // `calls` counts all calls of a function so far, from compiled code too.
    explicit Account(double gain = 0, uint64_t calls = 0) : gain_(gain), callsBefore_(calls) {}
    // One entry into the code of a loop, which stayed there for so many ticks of the processor's clock.
    void addStay(uint64_t ticks, uint64_t exits);
    // One exit from the code of a function.
    void addExit() { events_++; }
    // True when entering and leaving has cost more of late than the code can have won: that of a loop and of the functions
    // it called, or that of a function, which has been called so often by now. Judges at some of the events only.
    bool isLosingLoop();
    bool isLosingFunction(uint64_t calls);

   private:
    static constexpr uint64_t kJudged = 256;  // entries or exits between judgements, each of which halves what was before

    double gain_;
    uint64_t callsBefore_;  // at the last judgement
    uint64_t events_ = 0;   // since then
    double calls_ = 0;
    double exits_ = 0;
    double ticks_ = 0;
};

}  // namespace kiln
