// The report as one HTML file that needs nothing else: page/ has its fixed parts, the report is its data.
#pragma once

#include <string>
#include <string_view>

#include "profiler/report_model.h"
#include "profiler/report_source.h"

namespace kiln {

// `withSource`: the source text of hot functions goes in, from files or from `texts`.
std::string reportToPage(const Report& report, bool withSource, const SourceTexts& texts = {});
// The page of a report's JSON text. False with a message when it is not one.
bool renderPage(std::string_view json, bool withSource, const SourceTexts& texts, std::string& page, std::string& error);

}  // namespace kiln
