// Whether compiled code is left too often for what it does between.
#pragma once

#include <cstdint>

namespace kiln {

// Judges at each doubling of the exits, by what came since: code that went wrong is given up, and code that does well is hardly
// looked at.
class ExitAccount {
   public:
    // So many rounds, or calls, win back one exit; the first judgement is due after so many exits. `rounds` counts those so far, as
    // the others are told later.
    explicit ExitAccount(uint64_t roundsForExit = 1, uint64_t first = 1, uint64_t rounds = 0)
        : roundsForExit_(roundsForExit), roundsBefore_(rounds), next_(first) {}
    void addExits(uint64_t exits) { exits_ += exits; }
    bool isDue() const { return exits_ >= next_; }
    // What came before does not count.
    void begin(uint64_t rounds);
    uint64_t exitsSince() const { return exits_ - exitsBefore_; }
    // True when there were too few rounds for the exits. Begins anew.
    bool isLosing(uint64_t rounds);

   private:
    uint64_t roundsForExit_;
    uint64_t roundsBefore_;
    uint64_t exitsBefore_ = 0;
    uint64_t exits_ = 0;
    uint64_t next_;              // exits at which a judgement is due
};

}  // namespace kiln
