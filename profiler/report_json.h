// The report's JSON: the one machine-readable form, versioned by its first member, "kiln_report".
#pragma once

#include <string>
#include <string_view>

#include "profiler/report_model.h"

namespace kiln {

std::string reportToJson(const Report& report);
JsonValue reportToJsonValue(const Report& report);
// False with a message when the text is no JSON, no report, or one of a newer version.
bool reportFromJson(std::string_view text, Report& report, std::string& error);

}  // namespace kiln
