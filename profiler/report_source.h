// The source text of the hot functions, for the HTML report.
#pragma once

#include "profiler/report_model.h"
#include "profiler/report_value.h"

namespace kiln {

// An array with one object for each function over 1 % whose file can be read: {"function": its index in report.functions,
// "lines": [[number, text], …]}. A long function has only what is around lines about which something is known.
JsonValue sourcesOf(const Report& report);

}  // namespace kiln
