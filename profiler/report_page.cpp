// The data of the page: the report's JSON, less what a page doesn't show.
#include "profiler/report_page.h"

#include <algorithm>
#include <set>
#include <vector>

#include "profiler/page/page_parts.h"
#include "profiler/report_json.h"

namespace kiln {
namespace {

// Less than this of the time, and a function is but a name in the flame graph.
constexpr double kLeastPart = 0.001;
// What the functions' names and numbers may take of the page, and about what the numbers of one take.
constexpr size_t kMostFunctionBytes = 1 << 20;
constexpr size_t kFunctionBytes = 350;

// Of very many functions those stay in which, and below which, the most time went.
void dropSmallest(std::vector<ReportFunction>& functions) {
    std::stable_sort(functions.begin(), functions.end(), [](const ReportFunction& a, const ReportFunction& b) {
        return a.cumulativeSeconds > b.cumulativeSeconds;
    });
    size_t bytes = 0;
    auto end = std::find_if(functions.begin(), functions.end(), [&](const ReportFunction& function) {
        bytes += function.code.qualifiedName.size() + function.code.file.size() + kFunctionBytes;
        return bytes > kMostFunctionBytes;
    });
    functions.erase(end, functions.end());
}

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
    dropSmallest(report.functions);
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
