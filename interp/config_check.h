// Tells the user about knobs that kiln does not know or cannot use: a misspelt knob must not be silently without
// effect.
#pragma once

#include <string>
#include <vector>

#include "interp/config.h"

namespace kiln {

// Whether `value` is one that the knob's kind and unit allow.
bool isValidValue(const Knob& knob, const char* value);

// Names on stderr each KILN_* variable that no knob has, and each knob whose value is not valid with what it accepts;
// only those that are in `options`, the variables that -X options have set, if `onlyOptions`. Mistakes are warnings, once
// for a tree of processes of the same kiln; but an output that was asked for in a way that is not understood would be
// missing after the run, so that is an error: false, the process must end.
bool checkEnvironment(const std::vector<std::string>& options, bool onlyOptions);

// The knob whose variable is nearest to `variable`; nullptr when none is near enough to be meant.
const Knob* nearestKnob(const char* variable);

}  // namespace kiln
