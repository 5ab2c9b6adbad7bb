// Stretches of a run, each with a report of its own: the whole of it, a cell of a notebook, a test, the last second. They overlap as
// they like. Samples are taken while there is one.
#pragma once

#include <string>
#include <vector>

#include "profiler/report_model.h"
#include "profiler/sampler.h"
#include "profiler/root.h"

namespace kiln {

// What the JIT knows about code objects; called with the GIL held.
using StatisticsSource = std::vector<CodeStatistics> (*)();
// Once, before the first measurement.
void setStatisticsSource(StatisticsSource source);

class Measurement {
public:
    Measurement() = default;
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    // GIL held, main interpreter. False when no thread or watcher can be had: then times are missing.
    bool begin();
    // What happened since begin(), or since the last call, in this process. Without the GIL: samples only. Sections count for the
    // whole process; they are there if `withSections`.
    Report take(bool holdingGil, bool withSections);
    void end();
    // It may be forgotten: from `time` of timelineNow() on no samples are taken for it. For ever, until this is called.
    void leaseUntil(double time);
    bool isUnderWay() const { return isUnderWay_; }
    // In a forked child, where all others are forgotten: it begins anew. GIL held.
    void restartInChild();

private:
    static void share();
    static void forgetInChild();
    static bool install();
    static void updateLease();

    Report samples_;
    std::vector<CodeStatistics> before_;
    std::string command_;
    double start_ = 0;
    double leaseEnd_ = kForEver;
    bool isUnderWay_ = false;
};

}  // namespace kiln
