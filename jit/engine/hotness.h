// When a root is hot, by counts alone: the same program decides the same way each time.
#pragma once

#include "jit/engine/code_record.h"

namespace kiln {

// Of a root.
inline constexpr int kMostCompiles = 12;

// Is most of what the root does arithmetic, or done to arrays? Looks at its code as it is specialised now.
bool worksOnNumbers(const Root& root);
// Back-edges or calls after which the root is recorded.
uint64_t threshold(const Root& root);
// Whatever it turns out to do, it is not hot yet.
bool isCold(const Root& root);
// Asked as its code runs, in the innermost frame.
bool isHot(Root& root);
// Until then its events need nobody to look at them.
void grantUntilHot(Root& root);
// False when it has what it will get.
bool mayCompileAgain(const Root& root);
// An exit, or an entry that fails, taken so often is worth a compilation; each time twice as often.
uint64_t exitsUntilHot(const Root& root);
// The first time.
uint64_t leastExitsUntilHot(const Root& root);
// Counts an entry that failed for want of a version for what is there; true when they are worth one.
bool missesOften(Root& root);

// ---- what its code is worth. `entries`: how often it was entered from other code, as counted for a function root

// Asked where the exit was taken half of `hot` times, and where so often, again and again: true then if it was in nearly each round between.
bool isLeftInEachRound(CompiledRegion& region, int exit, uint64_t count, uint64_t hot);
// The entries of a loop that missesOften() found failed one after the other, where code had paid.
bool missesForChange(const Root& root);
// Rounds, or calls, of its code have won back what building it and its exits took, and no earlier change has made use of that: what it lacks
// now is a change in what the program does.
bool hasPaid(const Root& root);
// Where what the program does has changed since code paid: compiles that failed before do not count.
void beginAnew(Root& root);
// For code just compiled.
void openAccount(Root& root, uint64_t entries);
// True when the root's code is left too often.
bool isLosing(Root& root, uint64_t entries);
// At least half of the exits are where recording can learn something new, a site can be made more general, or another version is wanted.
bool lacksPaths(const Root& root);

}  // namespace kiln
