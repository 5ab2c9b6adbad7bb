// What compiled code executed and why it was left or refused: for the test that the corpus reaches every row of the tables.
#pragma once

#include <cstdint>

#include "jit/reasons.h"

namespace kiln {

// A byte for each op, by its number, which compiled code sets when it executes the op; nullptr unless KILN_COVERAGE asks.
uint8_t* executedOps();
void noteExit(ExitReason reason);
void noteRefusal(Refusal refusal);
// Appends a line for each row that was reached to the file that KILN_COVERAGE names.
void writeCoverage();

}  // namespace kiln
