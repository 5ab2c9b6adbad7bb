// What a run took place on, for the report.
#pragma once

#include "profiler/report_value.h"

namespace kiln {

// An object of texts: versions, machine, when it began, and the knobs that were set. Needs an initialised Python, no GIL.
JsonValue describeEnvironment();

}  // namespace kiln
