// The table: a head line, a line per function, a second one where something is not native, and the footer.
#include "profiler/report_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "profiler/report_columns.h"
#include "profiler/report_json.h"
#include "profiler/report_section.h"

namespace kiln {
namespace {

constexpr double kLeastPart = 0.01;
// A native function whose other loops still take this much in the interpreter deserves their reason, too.
constexpr double kNotableInterpretedPart = 0.1;
constexpr int kNameColumns = 30;
constexpr const char* kReasonIndent = "       ";

std::string fixed(double value, int decimals) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    return buffer;
}

std::string percent(double part) {
    return fixed(part * 100, 1);
}

std::string secondsText(double seconds) {
    return fixed(seconds, seconds < 1000 ? 3 : seconds < 100000 ? 1 : 0);
}

// Whole percents that sum to 100, the biggest taking the rounding.
std::string shareText(const ReportShare& share) {
    int parts[] = {static_cast<int>(std::lround(share.interpreted * 100)),
                   static_cast<int>(std::lround(share.native * 100)),
                   static_cast<int>(std::lround(share.compile * 100))};
    int sum = parts[0] + parts[1] + parts[2];
    if (sum == 0) {
        return "-";
    }
    int* biggest = &parts[0];
    for (int& part : parts) {
        biggest = part > *biggest ? &part : biggest;
    }
    *biggest += 100 - sum;
    return std::to_string(parts[0]) + "/" + std::to_string(parts[1]) + "/" + std::to_string(parts[2]);
}

std::string compilesText(const ReportFunction& function) {
    int compiles = 0;
    for (const RootStatistics& root : function.code.roots) {
        compiles += root.compiles;
    }
    return compiles == 0 ? "-" : std::to_string(compiles) + " " + shortMilliseconds(function.compileMs());
}

// All exits, and the reason of the most frequent kind.
std::string exitsText(const ReportFunction& function) {
    uint64_t total = 0;
    std::vector<ExitStatistics> kinds;
    for (const RootStatistics& root : function.code.roots) {
        for (const ExitStatistics& exit : root.exits) {
            total += exit.count;
            bool known = false;
            for (ExitStatistics& kind : kinds) {
                if (kind.reason == exit.reason) {
                    kind.count += exit.count;
                    known = true;
                }
            }
            if (!known) {
                kinds.push_back(exit);
            }
        }
    }
    if (total == 0) {
        return "-";
    }
    const ExitStatistics* top = &kinds[0];
    for (const ExitStatistics& kind : kinds) {
        top = kind.count > top->count ? &kind : top;
    }
    return shortCount(total) + " " + top->reason;
}

std::string baseName(const std::string& file) {
    size_t slash = file.rfind('/');
    return slash == std::string::npos ? file : file.substr(slash + 1);
}

std::string placeText(const ReportFunction& function) {
    std::string line = ":" + std::to_string(function.code.firstLine);
    std::string file =
        cutBegin(printable(baseName(function.code.file)), kNameColumns / 2 - static_cast<int>(line.size()));
    std::string place = file + line;
    std::string name = cutEnd(printable(function.code.qualifiedName), kNameColumns - 1 - columnsOf(place));
    return name + " " + place;
}

std::string tierText(const ReportFunction& function) {
    std::string tier = tierOf(function);
    return tier == "interpreted" ? "interp" : tier == "compiling" ? "compile" : tier;
}

std::string callsText(const ReportFunction& function) {
    return function.counted ? shortCount(function.code.callsInterpreted + function.code.callsNative) : "-";
}

std::string joinRow(const std::string (&cells)[9]) {
    static constexpr int kWidths[] = {5, 5, 8, 6, 7, 8, 11, 10};
    std::string row;
    for (int i = 0; i < 8; i++) {
        bool isTier = i == 4;
        row += (isTier ? padRight(cells[i], kWidths[i]) : padLeft(cells[i], kWidths[i])) + " ";
    }
    return row + " " + cells[8] + "\n";
}

std::string reasonPlace(const ReportFunction& function, int line, int columns) {
    std::string suffix = ":" + std::to_string(line);
    return cutBegin(printable(function.code.file), columns - columnsOf(suffix)) + suffix;
}

std::string reasonLine(const ReportFunction& function) {
    const RootStatistics* root = refusedRoot(function);
    if (root == nullptr) {
        return "";
    }
    bool isNative = std::string(tierOf(function)) == "native";
    if (isNative && shareOf(function.self).interpreted < kNotableInterpretedPart) {
        return "";
    }
    std::string head = std::string(kReasonIndent) + (isNative ? "in part not native: " : "not native: ");
    head += printable(root->refusal);
    std::string detail = printable(root->refusalDetail);
    int left = kReportColumns - columnsOf(head) - 4;
    std::string place = reasonPlace(function, root->refusalLine > 0 ? root->refusalLine : root->line, left / 2);
    std::string text = head + " at " + place;
    if (!detail.empty()) {
        text += ": " + detail;
    }
    return cutEnd(text, kReportColumns) + "\n";
}

std::string functionRow(const ReportFunction& function, double total) {
    double cumulative = std::min(function.cumulativeSeconds / total, 1.0);
    const std::string cells[] = {percent(function.self.total() / total),
                                 percent(cumulative),
                                 secondsText(function.self.total()),
                                 callsText(function),
                                 tierText(function),
                                 shareText(shareOf(function.self)),
                                 compilesText(function),
                                 exitsText(function),
                                 placeText(function)};
    return joinRow(cells) + reasonLine(function);
}

std::string verdictText(const Report& report) {
    ReportShare share = shareOf(selfOf(report));
    auto whole = [](double part) { return std::to_string(std::lround(part * 100)) + "%"; };
    std::string text = "native " + whole(share.native) + " · interp " + whole(share.interpreted);
    return text + " · compile " + whole(share.compile);
}

std::string footer(const Report& report, double total, size_t hidden) {
    std::string text;
    if (hidden > 0) {
        text += std::to_string(hidden) + (hidden == 1 ? " function" : " functions") + " under 1 % not shown\n";
    }
    double overhead = total > 0 ? report.overheadMs / 1000 / total : 0;
    text += shortCount(report.samples) + " samples, every " + fixed(report.intervalMs, 1) + " ms, overhead " +
            shortMilliseconds(report.overheadMs) + " (" + percent(overhead) + " %)";
    if (report.processes.size() > 1) {
        text += ", " + std::to_string(report.processes.size()) + " processes";
    }
    text += "\n";
    return text + (total > 0 ? verdictText(report) : "too short to measure") + "\n";
}

}  // namespace

std::string reportToText(const Report& report) {
    double total = selfOf(report).total();
    std::string text = "kiln report: " + fixed(total, 3) + " s\n";
    const std::string head[] = {"self%", "cum%", "self s", "calls", "tier", "i/n/c %", "compiles", "exits", "function"};
    size_t hidden = 0;
    std::string rows;
    for (const ReportFunction& function : report.functions) {
        bool shown = total > 0 && function.self.total() / total >= kLeastPart;
        if (shown) {
            rows += functionRow(function, total);
        } else {
            hidden++;
        }
    }
    if (!rows.empty()) {
        text += joinRow(head) + rows;
    }
    text += footer(report, total, hidden);
    for (size_t i = 0; i < std::min(report.sections.size(), reportSections().size()); i++) {
        text += reportSections()[i]->render(report.sections[i]);
    }
    return text;
}

bool renderReport(std::string_view json, std::string& text, std::string& error) {
    Report report;
    if (!reportFromJson(json, report, error)) {
        return false;
    }
    text = reportToText(report);
    return true;
}

}  // namespace kiln
