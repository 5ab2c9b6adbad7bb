// The table: a head line, a line per function, a second one where something needs to be explained, and the footer.
#include "profiler/report_text.h"

#include <algorithm>
#include <array>
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
constexpr double kHardlyNative = 0.1;
constexpr const char* kReasonIndent = "       ";

constexpr size_t kCells = 9;
constexpr size_t kTierCell = 4;
using Cells = std::array<std::string, kCells>;

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

// Of "<kiln numba/cuda/arrays.py>" and the like all.
std::string baseName(const std::string& file) {
    size_t slash = file.rfind('/');
    return slash == std::string::npos || file.starts_with('<') ? file : file.substr(slash + 1);
}

// The file's name; that of a package says nothing without its folder.
std::string shortFile(const std::string& file) {
    std::string name = baseName(file);
    bool isPackage = name == "__init__.py" || name == "__main__.py";
    return isPackage ? baseName(file.substr(0, file.size() - name.size() - (file == name ? 0 : 1))) + "/" + name : name;
}

// Name and place in so many columns. Where both are long each has half.
std::string placeText(const ReportFunction& function, int columns) {
    std::string name = printable(function.code.qualifiedName);
    if (function.code.file.empty()) {
        return cutEnd(name, columns);
    }
    std::string line = ":" + std::to_string(function.code.firstLine);
    int forPlace = std::max(columns / 2, columns - 1 - columnsOf(name));
    std::string place = cutBegin(printable(shortFile(function.code.file)), forPlace - columnsOf(line)) + line;
    return cutEnd(name, columns - 1 - columnsOf(place)) + " " + place;
}

std::string tierText(const ReportFunction& function) {
    std::string tier = tierOf(function);
    return tier == "interpreted" ? "interp" : tier == "compiling" ? "compile" : tier;
}

std::string callsText(const ReportFunction& function) {
    return function.counted ? shortCount(function.code.callsInterpreted + function.code.callsNative) : "-";
}

// Columns are as wide as their widest cell; the last one, the function, has what is left.
struct Layout {
    std::array<int, kCells> widths{};

    void fit(const Cells& cells) {
        for (size_t i = 0; i + 1 < kCells; i++) {
            widths[i] = std::max(widths[i], columnsOf(cells[i]));
        }
    }
    int left() const {
        int used = static_cast<int>(kCells);
        for (size_t i = 0; i + 1 < kCells; i++) {
            used += widths[i];
        }
        return std::max(kReportColumns - used, 20);
    }
    std::string join(const Cells& cells) const {
        std::string row;
        for (size_t i = 0; i + 1 < kCells; i++) {
            row += (i == kTierCell ? padRight(cells[i], widths[i]) : padLeft(cells[i], widths[i])) + " ";
        }
        return row + " " + cells.back() + "\n";
    }
};

std::string reasonPlace(const ReportFunction& function, int line, int columns) {
    std::string suffix = ":" + std::to_string(line);
    return cutBegin(printable(function.code.file), columns - columnsOf(suffix)) + suffix;
}

// Why a function that has compiled code spent hardly any time there.
std::string unusedLine(const ReportFunction& function) {
    uint64_t interpreted = 0;
    uint64_t native = 0;
    for (const RootStatistics& root : function.code.roots) {
        if (root.state == RootState::kCompiled) {
            interpreted += root.interpreted;
            native += root.native;
        }
    }
    std::string rounds = shortCount(native) + " of " + shortCount(native + interpreted) + " rounds ran native";
    std::string around = "the time went into what is around the compiled part";
    std::string text = native < interpreted ? "compiled late: " + rounds : rounds + "; " + around;
    if (native + interpreted == 0) {  // nobody counted
        text = around + ", or passed before it was compiled";
    }
    return kReasonIndent + text + "\n";
}

std::string reasonLine(const ReportFunction& function) {
    const RootStatistics* root = refusedRoot(function);
    bool isNative = std::string(tierOf(function)) == "native";
    ReportShare share = shareOf(function.self);
    if (isNative && share.interpreted < kNotableInterpretedPart) {
        return "";
    }
    if (root == nullptr) {
        return isNative && share.native < kHardlyNative && share.interpreted > 0.5 ? unusedLine(function) : "";
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

// All but the last one, for which the others leave room.
Cells cellsOf(const ReportFunction& function, double total) {
    double cumulative = std::min(function.cumulativeSeconds / total, 1.0);
    return {percent(function.self.total() / total), percent(cumulative),      secondsText(function.self.total()),
            callsText(function),                    tierText(function),       shareText(shareOf(function.self)),
            compilesText(function),                 exitsText(function),      ""};
}

std::string tableText(const std::vector<const ReportFunction*>& functions, double total) {
    const Cells head = {"self%", "cum%", "self s", "calls", "tier", "i/n/c %", "compiles", "exits", "function"};
    Layout layout;
    layout.fit(head);
    std::vector<Cells> rows;
    for (const ReportFunction* function : functions) {
        rows.push_back(cellsOf(*function, total));
        layout.fit(rows.back());
    }
    std::string text = functions.empty() ? "" : layout.join(head);
    for (size_t i = 0; i < functions.size(); i++) {
        rows[i].back() = placeText(*functions[i], layout.left());
        text += layout.join(rows[i]) + reasonLine(*functions[i]);
    }
    return text;
}

// Of what ran. Functions count what they wait for as interpreted.
std::string verdictText(const Report& report) {
    TierSeconds self = selfOf(report);
    double idle = std::min(idleOf(report), self.interpreted);
    self.interpreted -= idle;
    ReportShare share = shareOf(self);
    auto whole = [](double part) { return std::to_string(std::lround(part * 100)) + "%"; };
    std::string text = "interpreted (i) " + whole(share.interpreted) + " · native (n) " + whole(share.native);
    text += " · waiting for the compiler (c) " + whole(share.compile);
    bool waits = idle >= kLeastPart * (self.total() + idle);
    return waits ? text + "; besides, no thread ran for " + secondsText(idle) + " s" : text;
}

// The first code that the table shows, for an example; "" when it shows none.
std::string shownCode(const std::vector<const ReportFunction*>& functions) {
    for (const ReportFunction* function : functions) {
        std::string exits = exitsText(*function);
        if (exits != "-") {
            return exits.substr(exits.rfind(' ') + 1);
        }
        if (const RootStatistics* root = refusedRoot(*function); root != nullptr && !reasonLine(*function).empty()) {
            return root->refusal;
        }
    }
    return "";
}

// How soon native code is there, of all places that have been recorded; "" when there was none.
std::string promptText(const Report& report) {
    std::vector<double> times;
    for (const ReportFunction& function : report.functions) {
        for (const RootStatistics& root : function.code.roots) {
            if (root.firstMs > 0) {
                times.push_back(root.firstMs);
            }
        }
    }
    if (times.empty()) {
        return "";
    }
    auto middle = times.begin() + static_cast<ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return "native code " + fixed(*middle, 2) + " ms after its recording (median of " + std::to_string(times.size()) + ")\n";
}

std::string footer(const Report& report, double total, const std::vector<const ReportFunction*>& shown, size_t hidden) {
    std::string text;
    if (hidden > 0) {
        text += std::to_string(hidden) + (hidden == 1 ? " function" : " functions") + " under 1 % not shown\n";
    }
    if (std::string code = shownCode(shown); !code.empty()) {
        text += "kiln -m kiln explain " + printable(code) + " tells what such a code means\n";
    }
    text += promptText(report);
    double overhead = total > 0 ? report.overheadMs / 1000 / total : 0;
    text += shortCount(report.samples) + (report.samples == 1 ? " sample" : " samples") + ", every " + fixed(report.intervalMs, 1) + " ms, overhead " +
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
    std::vector<ReportFunction> functions = withImportsFolded(report.functions);
    std::vector<const ReportFunction*> shown;
    for (const ReportFunction& function : functions) {
        if (total > 0 && function.self.total() / total >= kLeastPart) {
            shown.push_back(&function);
        }
    }
    text += tableText(shown, total) + footer(report, total, shown, functions.size() - shown.size());
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
