// Steps that double, and lanes that keep what took longest.
#include "profiler/timeline.h"

#include <algorithm>
#include <cmath>

namespace kiln {

void EventLane::add(TimelineEvent event) {
    if (event.seconds < shortest_) {
        dropped_++;
        return;
    }
    if (events_.size() == kMostEvents) {
        std::vector<double> lengths;
        for (const TimelineEvent& known : events_) {
            lengths.push_back(known.seconds);
        }
        std::nth_element(lengths.begin(), lengths.begin() + kMostEvents / 2, lengths.end());
        shortest_ = std::nextafter(lengths[kMostEvents / 2], INFINITY);
        dropped_ += std::erase_if(events_, [&](const TimelineEvent& known) { return known.seconds < shortest_; });
    }
    events_.push_back(std::move(event));
}

void EventLane::merge(const EventLane& other) {
    for (const TimelineEvent& event : other.events_) {
        add(event);
    }
    dropped_ += other.dropped_;
}

void Timeline::addSample(double at, ReportTier tier, double seconds) {
    while (seconds > 0) {
        double into = std::fmod(std::max(at - start_, 0.0), step_);
        double part = seconds > step_ ? std::max(step_ - into, step_ / 100) : seconds;
        addPart(at, tier, part);
        at += part;
        seconds -= part;
    }
}

void Timeline::addPart(double at, ReportTier tier, double seconds) {
    constexpr double kMostIndex = 1e12;
    double place = std::max(0.0, at - start_) / step_;
    if (!(place < kMostIndex)) {
        return;  // a file that was tampered with
    }
    auto index = static_cast<size_t>(place);
    while (index >= kMostSteps) {
        for (size_t i = 0; i < steps_.size(); i++) {
            for (size_t t = 0; i % 2 != 0 && t < kTierCount; t++) {
                steps_[i / 2][t] += steps_[i][t];
            }
            if (i % 2 == 0) {
                steps_[i / 2] = steps_[i];
            }
        }
        steps_.resize((steps_.size() + 1) / 2);
        step_ *= 2;
        index /= 2;
    }
    if (index >= steps_.size()) {
        steps_.resize(index + 1);
    }
    steps_[index][static_cast<size_t>(tier)] += seconds;
}

void Timeline::merge(const Timeline& other) {
    if (steps_.empty()) {
        start_ = other.start_;
        step_ = other.step_;
    }
    for (size_t i = 0; i < other.steps_.size(); i++) {
        for (size_t tier = 0; tier < kTierCount; tier++) {
            if (other.steps_[i][tier] > 0) {
                double middle = other.start_ + (static_cast<double>(i) + 0.5) * other.step_;
                addPart(middle, static_cast<ReportTier>(tier), other.steps_[i][tier]);
            }
        }
    }
    for (size_t lane = 0; lane < kLaneCount; lane++) {
        lanes_[lane].merge(other.lanes_[lane]);
    }
}

}  // namespace kiln
