// The report as a table for people: at most 100 columns, functions with at least 1 % of the time.
#pragma once

#include <string>
#include <string_view>

#include "profiler/report_model.h"

namespace kiln {

inline constexpr int kReportColumns = 100;

std::string reportToText(const Report& report);
// The table of a report's JSON text. False with a message when it is not one.
bool renderReport(std::string_view json, std::string& text, std::string& error);

}  // namespace kiln
