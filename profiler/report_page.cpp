// The data of the page: the report's JSON, less what a page doesn't show.
#include "profiler/report_page.h"

#include <set>

#include "profiler/page/page_parts.h"
#include "profiler/report_json.h"

namespace kiln {
namespace {

// Less than this of the time, and a function is but a name in the flame graph.
constexpr double kLeastPart = 0.001;

// Functions that were only counted go; others keep what they may be asked for.
void dropDetails(Report& report) {
    double total = selfOf(report).total();
    std::set<StackFunction> sampled(report.stacks.functions().begin(), report.stacks.functions().end());
    std::erase_if(report.functions, [&](const ReportFunction& function) {
        return function.samples == 0 &&
               !sampled.contains({function.code.file, function.code.firstLine, function.code.qualifiedName});
    });
    for (ReportFunction& function : report.functions) {
        if (function.self.total() < kLeastPart * total) {
            function.code.roots.clear();
            function.lines.clear();
        }
    }
}

// No text of the program's can end the script element that holds it.
std::string escaped(const std::string& json) {
    std::string text;
    text.reserve(json.size());
    for (char c : json) {
        if (c == '<') {
            text += "\\u003c";
        } else {
            text += c;
        }
    }
    return text;
}

}  // namespace

std::string reportToPage(const Report& whole, bool withSource, const SourceTexts& texts) {
    Report report = whole;
    dropDetails(report);
    JsonValue json = reportToJsonValue(report);
    if (withSource) {
        json.set("sources", sourcesOf(report, texts));
    }
    std::string data = escaped(json.toCompactText());
    data.pop_back();  // the brace that ends it
    std::string page(kPageHead);
    page.append(data).append(", \"reasons\": ").append(kPageReasons).append("}").append(kPageTail);
    return page;
}

bool renderPage(std::string_view json, bool withSource, const SourceTexts& texts, std::string& page, std::string& error) {
    Report report;
    if (!reportFromJson(json, report, error)) {
        return false;
    }
    page = reportToPage(report, withSource, texts);
    return true;
}

}  // namespace kiln
