// Merging reports and deriving what they say.
#include "profiler/report_model.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "profiler/report_section.h"

namespace kiln {
namespace {

using CodeKey = std::tuple<std::string, int, std::string>;

CodeKey keyOf(const CodeStatistics& code) {
    return {code.file, code.firstLine, code.qualifiedName};
}

void mergeExits(std::vector<ExitStatistics>& exits, const std::vector<ExitStatistics>& others) {
    for (const ExitStatistics& other : others) {
        auto same = [&](const ExitStatistics& e) { return e.reason == other.reason && e.line == other.line; };
        auto found = std::find_if(exits.begin(), exits.end(), same);
        if (found == exits.end()) {
            exits.push_back(other);
        } else {
            found->count += other.count;
        }
    }
}

void mergeOpaque(std::vector<OpaqueStatistics>& operations, const std::vector<OpaqueStatistics>& others) {
    for (const OpaqueStatistics& other : others) {
        auto same = [&](const OpaqueStatistics& o) { return o.operation == other.operation && o.line == other.line; };
        if (std::none_of(operations.begin(), operations.end(), same)) {
            operations.push_back(other);
        }
    }
}

bool sameRoot(const RootStatistics& a, const RootStatistics& b) {
    return a.kind == b.kind && a.unit == b.unit && a.line == b.line;
}

void mergeRoot(RootStatistics& root, const RootStatistics& other) {
    // A compiled twin says more than one that never got hot; among equals the later one is the news.
    bool better = other.state == RootState::kCompiled || root.state != RootState::kCompiled;
    if (better) {
        root.state = other.state;
        if (other.state == RootState::kCompiled || !other.refusal.empty()) {
            root.refusal = other.refusal;
            root.refusalLine = other.refusalLine;
            root.refusalDetail = other.refusalDetail;
        }
    }
    root.interpreted += other.interpreted;
    root.native += other.native;
    root.compiles += other.compiles;
    root.compileMs += other.compileMs;
    root.firstMs = root.firstMs != 0 ? root.firstMs : other.firstMs;
    mergeExits(root.exits, other.exits);
    mergeOpaque(root.opaque, other.opaque);
}

void mergeCode(CodeStatistics& code, const CodeStatistics& other) {
    code.callsInterpreted += other.callsInterpreted;
    code.callsNative += other.callsNative;
    for (const RootStatistics& root : other.roots) {
        auto same = [&](const RootStatistics& r) { return sameRoot(r, root); };
        auto found = std::find_if(code.roots.begin(), code.roots.end(), same);
        if (found == code.roots.end()) {
            code.roots.push_back(root);
        } else {
            mergeRoot(*found, root);
        }
    }
}

void mergeLines(std::vector<ReportLine>& lines, const std::vector<ReportLine>& others) {
    for (const ReportLine& other : others) {
        auto found =
            std::find_if(lines.begin(), lines.end(), [&](const ReportLine& l) { return l.line == other.line; });
        if (found == lines.end()) {
            lines.push_back(other);
            continue;
        }
        found->samples += other.samples;
        found->self += other.self;
    }
}

void mergeFunction(ReportFunction& function, const ReportFunction& other) {
    mergeCode(function.code, other.code);
    function.counted = function.counted || other.counted;
    function.samples += other.samples;
    function.self += other.self;
    function.cumulativeSeconds += other.cumulativeSeconds;
    mergeLines(function.lines, other.lines);
}

void mergeFunctions(std::vector<ReportFunction>& functions, const std::vector<ReportFunction>& others) {
    std::map<CodeKey, size_t> rows;
    for (size_t i = 0; i < functions.size(); i++) {
        rows.emplace(keyOf(functions[i].code), i);
    }
    for (const ReportFunction& other : others) {
        auto [row, isNew] = rows.emplace(keyOf(other.code), functions.size());
        if (isNew) {
            functions.push_back(other);
        } else {
            mergeFunction(functions[row->second], other);
        }
    }
}

bool isOfImportSystem(const CodeStatistics& code) {
    return code.file.starts_with("<frozen importlib") || code.file.starts_with("<frozen zipimport");
}

uint64_t less(uint64_t count, uint64_t before) {
    return count > before ? count - before : 0;
}

void subtractRoot(RootStatistics& root, const RootStatistics& before) {
    root.interpreted = less(root.interpreted, before.interpreted);
    root.native = less(root.native, before.native);
    root.compiles = std::max(0, root.compiles - before.compiles);
    root.compileMs = std::max(0.0, root.compileMs - before.compileMs);
    root.firstMs = before.firstMs != 0 ? 0 : root.firstMs;
    for (ExitStatistics& exit : root.exits) {
        for (const ExitStatistics& old : before.exits) {
            if (old.reason == exit.reason && old.line == exit.line) {
                exit.count = less(exit.count, old.count);
            }
        }
    }
    std::erase_if(root.exits, [](const ExitStatistics& exit) { return exit.count == 0; });
}

void subtractCode(CodeStatistics& code, const CodeStatistics& before) {
    code.callsInterpreted = less(code.callsInterpreted, before.callsInterpreted);
    code.callsNative = less(code.callsNative, before.callsNative);
    for (RootStatistics& root : code.roots) {
        for (const RootStatistics& old : before.roots) {
            if (sameRoot(root, old)) {
                subtractRoot(root, old);
                break;
            }
        }
    }
}

}  // namespace

double ReportFunction::compileMs() const {
    double ms = 0;
    for (const RootStatistics& root : code.roots) {
        ms += root.compileMs;
    }
    return ms;
}

ReportShare shareOf(const TierSeconds& seconds) {
    double total = seconds.total();
    if (total <= 0) {
        return {};
    }
    return {seconds.interpreted / total, seconds.native / total, seconds.compiling / total};
}

TierSeconds selfOf(const Report& report) {
    TierSeconds seconds;
    for (const ReportFunction& function : report.functions) {
        seconds += function.self;
    }
    return seconds;
}

double idleOf(const Report& report) {
    double seconds = 0;
    for (const StackNode& node : report.stacks.nodes()) {
        seconds += report.stacks.frames()[node.frame].tier == ReportTier::kIdle ? node.seconds : 0;
    }
    return seconds;
}

const char* tierOf(const ReportFunction& function) {
    const char* tier = "interpreted";
    for (const RootStatistics& root : function.code.roots) {
        if (root.state == RootState::kCompiled) {
            return "native";
        }
        if (root.state == RootState::kRecording || root.state == RootState::kCompiling) {
            tier = "compiling";
        }
    }
    bool isKernel = function.code.roots.empty() && function.self.native > function.self.total() / 2;
    return isKernel ? "native" : tier;
}

const RootStatistics* refusedRoot(const ReportFunction& function) {
    const RootStatistics* best = nullptr;
    for (const RootStatistics& root : function.code.roots) {
        if (root.state != RootState::kCompiled && !root.refusal.empty() &&
            (best == nullptr || root.interpreted > best->interpreted)) {
            best = &root;
        }
    }
    return best;
}

void sortFunctions(std::vector<ReportFunction>& functions) {
    auto hotter = [](const ReportFunction& a, const ReportFunction& b) {
        if (a.self.total() != b.self.total()) {
            return a.self.total() > b.self.total();
        }
        return keyOf(a.code) < keyOf(b.code);
    };
    std::sort(functions.begin(), functions.end(), hotter);
}

std::vector<ReportFunction> withImportsFolded(const std::vector<ReportFunction>& functions) {
    std::vector<ReportFunction> rows;
    ReportFunction imports;
    imports.code.qualifiedName = "imports";
    for (const ReportFunction& function : functions) {
        if (!isOfImportSystem(function.code)) {
            rows.push_back(function);
            continue;
        }
        // They call each other: the outermost one has the time of all.
        imports.cumulativeSeconds = std::max(imports.cumulativeSeconds, function.cumulativeSeconds);
        imports.samples += function.samples;
        imports.self += function.self;
    }
    if (imports.samples > 0) {
        rows.push_back(imports);
        sortFunctions(rows);
    }
    return rows;
}

void mergeReport(Report& report, const Report& other) {
    mergeFunctions(report.functions, other.functions);
    report.samples += other.samples;
    report.intervalMs = report.intervalMs > 0 ? report.intervalMs : other.intervalMs;
    report.overheadMs += other.overheadMs;
    report.stacks.merge(other.stacks);
    report.timeline.merge(other.timeline);
    report.environment = report.environment.isNull() ? other.environment : report.environment;
    mergeSections(report.sections, other.sections);
    report.processes.insert(report.processes.end(), other.processes.begin(), other.processes.end());
    sortFunctions(report.functions);
}

void mergeStatistics(Report& report, const std::vector<CodeStatistics>& statistics, bool counted) {
    std::vector<ReportFunction> functions;
    for (const CodeStatistics& code : statistics) {
        ReportFunction function;
        function.code = code;
        function.counted = counted;
        functions.push_back(function);
    }
    mergeFunctions(report.functions, functions);
    sortFunctions(report.functions);
}

void subtractStatistics(std::vector<CodeStatistics>& statistics, const std::vector<CodeStatistics>& before) {
    std::map<CodeKey, const CodeStatistics*> old;
    for (const CodeStatistics& code : before) {
        old.emplace(keyOf(code), &code);
    }
    for (CodeStatistics& code : statistics) {
        auto found = old.find(keyOf(code));
        if (found != old.end()) {
            subtractCode(code, *found->second);
        }
    }
}

}  // namespace kiln
