// /tmp/jit-PID.dump: compiled code with its lines for `perf inject -j`, in perf's jitdump format. Written only when
// KILN_PERF=jitdump asks for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

// From here on the code is of this line.
struct JitdumpLine {
    uint64_t offset = 0;  // from the function's start
    int line = 0;
    std::string file;
};

struct JitdumpFunction {
    std::string name;
    const void* address = nullptr;
    uint64_t size = 0;
    std::vector<JitdumpLine> lines;  // by offset
};

// Appends code that stays where it is for the rest of the process. A forked child gets a file of its own that starts with all
// that its parent had. Thread-safe; needs no GIL. False, with a log line, when the file cannot be written; the program goes on.
bool addToJitdump(const JitdumpFunction& function);

}  // namespace kiln
