// The report of this process: asked for at the start, written at the end.
#pragma once

#include <string>

namespace kiln {

// Starts the report that KILN_REPORT asks for: "1" is a table on stderr, FILE.json a file. True when the process may go
// on; else a message was printed: what is asked for cannot be written. Call once, GIL held, after Python's
// initialisation and before the program: the sampler starts here, and what has to be written is written by itself,
// however the process ends.
bool startReport(const std::string& text);

}  // namespace kiln
