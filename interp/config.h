// The knobs of config.def, read once from the environment and from -X kiln-* options.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace kiln {

struct Config {
#define KILN_KNOB(field, variable, kind, defaultText, unit, reason) std::string field##Text = defaultText;
#include "interp/config.def"
#undef KILN_KNOB
    bool enabled = true;
    bool jitOn = true;       // KILN_JIT is not off
    bool jitAlways = false;  // KILN_JIT=always, or implied by KILN_STRESS=deopt
    bool quickOnly = false;     // KILN_TIER
    bool thoroughOnly = false;
    bool stressDeopt = false;
    bool stressGc = false;
    bool stressMalformed = false;
    bool dumpRegion = false;
    bool dumpIr = false;
    bool dumpLlvm = false;
    bool dumpAsm = false;
    bool perf = false;       // KILN_PERF names compiled code
    bool jitdump = false;    // and by a jitdump
    bool reports = false;    // KILN_REPORT asks for a report
    long threshold = 0;
    unsigned long seed = 1;
};

enum class KnobKind { kSwitch, kChoice, kCount, kText, kList, kOutput };

struct Knob {
    const char* field;
    const char* variable;
    KnobKind kind;
    const char* defaultText;
    const char* unit;
    const char* reason;
    std::string Config::*text;
};

enum class KnobOrigin { kDefault, kEnvironment, kOption };

inline constexpr const char* kKnobVariables[] = {
#define KILN_KNOB(field, variable, kind, defaultText, unit, reason) variable,
#include "interp/config.def"
#undef KILN_KNOB
};
inline constexpr size_t kKnobCount = std::size(kKnobVariables);

// config.def as data, in its order.
const std::array<Knob, kKnobCount>& knobs();
// Where the value of the knob at `index` of knobs() came from.
KnobOrigin knobOrigin(size_t index);

// The process's configuration; constant after loadConfig().
const Config& config();

// Takes one -X option's text ("kiln-jit=off", "kiln_jit=off", "kiln=0", "dev"). One of kiln's is copied to the
// environment, since children inherit that and not the option, and is remembered as an option; every other one is left
// alone. Call before loadConfig().
void takeOption(const char* option);

// Reads the environment. With `ignoreEnvironment` (python's -E and -I, or a set-uid start) only options count. What is
// wrong is said on stderr, as config_check.h states; a value that is not understood leaves the knob its default. False
// when the process must end before it runs anything.
bool loadConfig(bool ignoreEnvironment);

// Names of the mechanisms whose tests failed on the CPython that this kiln was built on, so that the JIT is off; else
// "".
const char* jitDisabledBy();

}  // namespace kiln
