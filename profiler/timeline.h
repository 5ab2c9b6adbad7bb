// When things happened: samples by tier in steps of time, and single events (compilations, kernel launches) in lanes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/sample_tier.h"

namespace kiln {

// What has a lane of its own in the timeline.
enum class TimelineLane : uint8_t { kCompilations, kLaunches };
inline constexpr size_t kLaneCount = 2;
inline constexpr std::array<const char*, kLaneCount> kLaneNames = {"compilations", "launches"};

struct TimelineEvent {
    double start = 0;  // on the clock of Timeline::start
    double seconds = 0;
    std::string name;
    ReportTier tier = ReportTier::kQuick;  // what is made, or runs
};

// Events of one lane. Bounded: when full, it gives up the shorter half and takes none that short any more.
class EventLane {
public:
    static constexpr size_t kMostEvents = 2000;

    void add(TimelineEvent event);
    void merge(const EventLane& other);
    const std::vector<TimelineEvent>& events() const { return events_; }
    uint64_t dropped() const { return dropped_; }
    void setDropped(uint64_t dropped) { dropped_ = dropped; }

private:
    std::vector<TimelineEvent> events_;
    double shortest_ = 0;
    uint64_t dropped_ = 0;
};

// Not thread-safe.
class Timeline {
public:
    using Step = std::array<double, kTierCount>;  // seconds by tier
    // Bounded: when full, neighbouring steps become one.
    static constexpr size_t kMostSteps = 600;

    // `start` and all times are seconds of CLOCK_MONOTONIC, which the processes of a machine share.
    explicit Timeline(double start = 0, double stepSeconds = 0.01) : start_(start), step_(stepSeconds) {}
    // Spread over the steps from `at` on.
    void addSample(double at, ReportTier tier, double seconds);
    // All of it to the step of `at`.
    void addPart(double at, ReportTier tier, double seconds);
    void merge(const Timeline& other);

    double start() const { return start_; }
    double stepSeconds() const { return step_; }
    const std::vector<Step>& steps() const { return steps_; }
    EventLane& lane(TimelineLane lane) { return lanes_[static_cast<size_t>(lane)]; }
    const EventLane& lane(TimelineLane lane) const { return lanes_[static_cast<size_t>(lane)]; }

private:
    double start_;
    double step_;
    std::vector<Step> steps_;
    std::array<EventLane, kLaneCount> lanes_;
};

}  // namespace kiln
