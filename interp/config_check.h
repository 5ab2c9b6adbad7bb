// Tells the user about knobs that kiln does not know or cannot use: a misspelt knob must not be silently without
// effect.
#pragma once

#include <string>
#include <vector>

#include "interp/config.h"

namespace kiln {

// Whether `value` is one that the knob's kind and unit allow.
bool isValidValue(const Knob& knob, const char* value);

// Warns on stderr about each KILN_* variable that no knob has or whose value is not valid; about those in `only` alone
// unless it is nullptr. Silent in the child of another process of the same kiln, which has already said it.
void checkEnvironment(const std::vector<std::string>* only);

// The knob whose variable is nearest to `variable`; nullptr when none is near enough to be meant.
const Knob* nearestKnob(const char* variable);

}  // namespace kiln
