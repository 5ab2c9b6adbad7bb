// What a process is called in a report.
#pragma once

#include <string>

namespace kiln {

// The program's file, "-m MODULE", "-c" with the beginning of its text, or "-". The GIL is held.
std::string commandName();

}  // namespace kiln
