// The knobs of config.def, read once from the environment and from -X kiln-* options.
#pragma once

#include <string>

namespace kiln {

struct Config {
#define KILN_KNOB(field, variable, kind, defaultText, unit, reason) std::string field##Text = defaultText;
#include "interp/config.def"
#undef KILN_KNOB
    bool enabled = true;
    bool jitOn = true;        // KILN_JIT is not off
    bool jitAlways = false;   // KILN_JIT=always, or implied by KILN_STRESS=deopt
    bool stressDeopt = false;
    bool stressGc = false;
    bool dumpRegion = false;
    bool dumpIr = false;
    bool dumpLlvm = false;
    bool dumpAsm = false;
    bool perf = false;
    long threshold = 0;
    unsigned long seed = 1;
};

// The process's configuration; constant after loadConfig().
const Config& config();
// Reads the environment. `ignoreEnvironment` is python's -E or -I. Warnings about unknown or malformed knobs go to stderr.
void loadConfig(bool ignoreEnvironment);

}  // namespace kiln
