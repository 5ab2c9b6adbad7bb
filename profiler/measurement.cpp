// The sampler has one set of records: they are handed out to all measurements whenever one begins or is asked.
#include "profiler/measurement.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>

#include "interp/config.h"
#include "interp/cpython/sampling.h"
#include "profiler/command_name.h"
#include "profiler/report_section.h"
#include "profiler/report_signal.h"
#include "profiler/timeline_events.h"

namespace kiln {
namespace {

StatisticsSource statisticsSource = nullptr;

std::vector<Measurement*>& underWay() {
    static std::vector<Measurement*>& measurements = *new std::vector<Measurement*>;
    return measurements;
}

void stopSamplerAtEnd(void*) {
    if (!terminationRequested()) {
        stopSampler();
    }
}

// Unless a report was asked for at the start, rounds and calls are counted only until something is compiled.
void forgetCounts(std::vector<CodeStatistics>& statistics) {
    for (CodeStatistics& code : statistics) {
        code.callsInterpreted = code.callsNative = 0;
        for (RootStatistics& root : code.roots) {
            root.interpreted = root.native = 0;
        }
    }
}

// Of a part of the run only what took part in it is of interest.
void forgetIdle(std::vector<ReportFunction>& functions) {
    std::erase_if(functions, [](const ReportFunction& function) {
        auto isIdle = [](const RootStatistics& root) { return root.compiles == 0 && root.exits.empty(); };
        return function.cumulativeSeconds == 0 &&
               std::all_of(function.code.roots.begin(), function.code.roots.end(), isIdle);
    });
}

}  // namespace

void setStatisticsSource(StatisticsSource source) {
    statisticsSource = source;
}

void Measurement::share() {
    Report samples;
    takeSamples(samples, true);
    for (Measurement* measurement : underWay()) {
        mergeReport(measurement->samples_, samples);
    }
}

// A child measures only what asks for that in it.
void Measurement::forgetInChild() {
    for (Measurement* measurement : underWay()) {
        measurement->isUnderWay_ = false;
    }
    underWay().clear();
    forgetSampler();
}

bool Measurement::install() {
    static bool isInstalled = false;
    if (isInstalled) {
        return true;
    }
    isInstalled =
        pthread_atfork(nullptr, nullptr, forgetInChild) == 0 && kiln_at_interpreter_end(stopSamplerAtEnd, nullptr) == 0;
    PyErr_Clear();
    return isInstalled;
}

void Measurement::updateLease() {
    double end = 0;
    for (const Measurement* measurement : underWay()) {
        end = std::max(end, measurement->leaseEnd_);
    }
    sampleUntil(end);
}

void Measurement::leaseUntil(double time) {
    leaseEnd_ = time;
    updateLease();
}

bool Measurement::begin() {
    bool samples = install();
    if (!underWay().empty()) {
        share();
    } else if (samples) {
        samples = startSampler();
    }
    samples_ = Report();
    before_ = statisticsSource();
    command_ = commandName();
    start_ = timelineNow();
    isUnderWay_ = true;
    leaseEnd_ = kForEver;
    underWay().push_back(this);
    updateLease();
    return samples;
}

Report Measurement::take(bool holdingGil, bool withSections) {
    Report report;
    if (!isUnderWay_) {
        return report;
    }
    if (holdingGil) {
        share();
        report = std::move(samples_);
        samples_ = Report();
        std::vector<CodeStatistics> now = statisticsSource();
        std::vector<CodeStatistics> news = now;
        subtractStatistics(news, before_);
        before_ = std::move(now);
        if (config().reports) {
            mergeStatistics(report, news);
        } else {
            forgetCounts(news);
            mergeStatistics(report, news, false);
            forgetIdle(report.functions);
        }
    } else {
        report = samples_;
        takeSamples(report, false);
    }
    if (withSections && holdingGil) {
        report.sections = collectSections();
    }
    report.intervalMs = kSampleIntervalMs;
    double now = timelineNow();
    report.processes.push_back({::getpid(), command_, report.samples, now - start_});
    start_ = now;
    return report;
}

void Measurement::end() {
    std::erase(underWay(), this);
    isUnderWay_ = false;
    if (underWay().empty()) {
        endSampling();
    } else {
        updateLease();
    }
}

void Measurement::restartInChild() {
    underWay() = {this};
    updateLease();
    isUnderWay_ = true;
    samples_ = Report();
    before_ = statisticsSource();
    start_ = timelineNow();
    resetSampler();
}

}  // namespace kiln
