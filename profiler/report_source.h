// The source text of the hot functions, for the HTML report.
#pragma once

#include <map>
#include <string>

#include "profiler/report_model.h"
#include "profiler/report_value.h"

namespace kiln {

// Texts of what is in no file, such as cells of a notebook, by the name of the file that it would be.
using SourceTexts = std::map<std::string, std::string>;

// An array with one object for each function over 1 % whose text can be read: {"function": its index in report.functions,
// "lines": [[number, text], …]}. A long function has only what is around lines about which something is known.
JsonValue sourcesOf(const Report& report, const SourceTexts& texts = {});

}  // namespace kiln
