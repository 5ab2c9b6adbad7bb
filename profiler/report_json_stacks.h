// The stacks and the timeline of a report in its JSON.
#pragma once

#include "profiler/report_model.h"
#include "profiler/report_value.h"

namespace kiln {

// Functions are told by their index in report.functions.
JsonValue stacksToJson(const Report& report);
// `report.functions` is as in the file. What does not fit together is left out.
StackTree stacksFromJson(const JsonValue& value, const Report& report);
JsonValue timelineToJson(const Timeline& timeline);
Timeline timelineFromJson(const JsonValue& value);

}  // namespace kiln
