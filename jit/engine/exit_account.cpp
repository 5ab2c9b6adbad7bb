#include "jit/engine/exit_account.h"

namespace kiln {

void ExitAccount::begin(uint64_t rounds) {
    roundsBefore_ = rounds;
    exitsBefore_ = exits_;
}

bool ExitAccount::isLosing(uint64_t rounds) {
    bool loses = rounds - roundsBefore_ < exitsSince() * roundsForExit_;
    next_ = 2 * exits_;
    begin(rounds);
    return loses;
}

}  // namespace kiln
