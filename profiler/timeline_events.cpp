// The lanes under a lock: compilations end on the compile thread.
#include "profiler/timeline_events.h"

#include <pthread.h>

#include <array>
#include <ctime>
#include <mutex>

namespace kiln {
namespace {

struct Lanes {
    std::mutex mutex;
    std::array<EventLane, kLaneCount> lanes;
};

Lanes& lanes() {
    // Never destroyed: the compile thread may outlive static destructors.
    static Lanes& instance = *new Lanes;
    return instance;
}

}  // namespace

double timelineNow() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void noteTimelineEvent(TimelineLane lane, TimelineEvent event) {
    std::lock_guard lock(lanes().mutex);
    lanes().lanes[static_cast<size_t>(lane)].add(std::move(event));
}

void takeTimelineEvents(Timeline& timeline) {
    std::lock_guard lock(lanes().mutex);
    for (size_t lane = 0; lane < kLaneCount; lane++) {
        timeline.lane(static_cast<TimelineLane>(lane)).merge(lanes().lanes[lane]);
        lanes().lanes[lane] = EventLane();
    }
}

void forgetTimelineEvents() {
    // Another thread of the parent's may have held the lock at the fork.
    new (&lanes()) Lanes;
}

}  // namespace kiln
