// kiln's own part of `kiln --help`, under python's.
#pragma once

namespace kiln {

// Whether a command line that CPython has answered and ended with success asked for python's help: -h, -? or --help.
bool asksForHelp(int argc, char** argv);

// Prints kiln's part on stdout.
void printHelp();

}  // namespace kiln
