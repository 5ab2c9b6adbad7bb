// One report: what was hot, where it ran and why. Made at exit, written as JSON, read back, merged and shown as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/report_value.h"
#include "profiler/root.h"
#include "profiler/sample_tier.h"
#include "profiler/stack_tree.h"
#include "profiler/timeline.h"

namespace kiln {

inline constexpr int kReportVersion = 1;

struct ReportLine {
    int line = 0;
    uint64_t samples = 0;
    TierSeconds self;
};

struct ReportFunction {
    CodeStatistics code;
    bool counted = false;  // the JIT knows this function: its calls are exact, not just unknown
    uint64_t samples = 0;  // samples that found it running itself
    TierSeconds self;
    double cumulativeSeconds = 0;  // itself or anything it called; once a sample under recursion
    std::vector<ReportLine> lines;

    // Of all its roots, whether or not the program waited for it.
    double compileMs() const;
};

struct ReportProcess {
    int64_t pid = 0;
    std::string command;
    uint64_t samples = 0;
    double elapsedSeconds = 0;
};

struct Report {
    std::vector<ReportFunction> functions;  // most self time first
    uint64_t samples = 0;
    double intervalMs = 0;
    double overheadMs = 0;
    StackTree stacks;
    Timeline timeline;
    JsonValue environment;                 // an object of texts, of the process that made the report
    std::vector<ReportProcess> processes;  // the one that made the report first
    std::vector<JsonValue> sections;       // rows of other folders, as report_section.h has them
};

// Parts of a whole, each in 0..1; all 0 when nothing was measured.
struct ReportShare {
    double interpreted = 0;
    double native = 0;
    double compile = 0;
};

ReportShare shareOf(const TierSeconds& seconds);
TierSeconds selfOf(const Report& report);
// Seconds in which no thread ran.
double idleOf(const Report& report);
// "native" with a compiled root or for a kernel, "compiling" on the way there, else "interpreted".
const char* tierOf(const ReportFunction& function);
// The root whose refusal explains best why the function is not native; nullptr when none was refused.
const RootStatistics* refusedRoot(const ReportFunction& function);

// The functions with those of the import system as one, "imports", which has no file: they show how importing works, and
// what it costs is spread over many of them. Sorted.
std::vector<ReportFunction> withImportsFolded(const std::vector<ReportFunction>& functions);

// Adds `other` to `report`: the same function (file, first line, name) becomes one row. Sorts.
void mergeReport(Report& report, const Report& other);
// Adds the JIT's knowledge of code objects in the same way. `counted`: their calls are exact.
void mergeStatistics(Report& report, const std::vector<CodeStatistics>& statistics, bool counted = true);
// Takes away what `before` had counted already: a forked child reports only what it did itself.
void subtractStatistics(std::vector<CodeStatistics>& statistics, const std::vector<CodeStatistics>& before);
void sortFunctions(std::vector<ReportFunction>& functions);

}  // namespace kiln
