// Compilations and kernel launches as they happen, for the timeline of the report.
#pragma once

#include <string>

#include "profiler/sampler.h"
#include "profiler/timeline.h"

namespace kiln {

// Any thread, no GIL.
void noteTimelineEvent(TimelineLane lane, TimelineEvent event);
// Hands over what was noted since the last call.
void takeTimelineEvents(Timeline& timeline);
// In a forked child.
void forgetTimelineEvents();
// Seconds of CLOCK_MONOTONIC.
double timelineNow();

// An event from here to the end of the scope. Costs a load and a branch where no report is asked for.
class TimelineScope {
public:
    TimelineScope(TimelineLane lane, ReportTier tier, const std::string& name)
        : lane_(lane), tier_(tier), name_(samplerWanted ? &name : nullptr), start_(samplerWanted ? timelineNow() : 0) {}
    ~TimelineScope() {
        if (name_ != nullptr) {
            noteTimelineEvent(lane_, {start_, timelineNow() - start_, *name_, tier_});
        }
    }
    TimelineScope(const TimelineScope&) = delete;
    TimelineScope& operator=(const TimelineScope&) = delete;

private:
    TimelineLane lane_;
    ReportTier tier_;
    const std::string* name_;  // outlives the scope; nullptr: nothing is noted
    double start_;
};

}  // namespace kiln
