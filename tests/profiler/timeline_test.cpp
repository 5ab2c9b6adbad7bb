// Steps of time that double, and lanes that keep what took longest.
#include "profiler/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace kiln {
namespace {

double secondsOf(const Timeline& timeline, ReportTier tier) {
    double seconds = 0;
    for (const Timeline::Step& step : timeline.steps()) {
        seconds += step[static_cast<size_t>(tier)];
    }
    return seconds;
}

TEST(Timeline, PutsSamplesWhereTheyWere) {
    Timeline timeline(100, 0.01);
    timeline.addSample(100.001, ReportTier::kQuick, 0.001);
    timeline.addSample(100.035, ReportTier::kKernel, 0.002);
    ASSERT_EQ(timeline.steps().size(), 4u);
    EXPECT_EQ(timeline.steps()[0][static_cast<size_t>(ReportTier::kQuick)], 0.001);
    EXPECT_EQ(timeline.steps()[3][static_cast<size_t>(ReportTier::kKernel)], 0.002);
}

TEST(Timeline, SpreadsALongWait) {
    Timeline timeline(100, 0.01);
    timeline.addSample(100, ReportTier::kC, 1);
    ASSERT_NEAR(static_cast<double>(timeline.steps().size()), 100, 1);
    for (size_t i = 0; i < 99; i++) {
        EXPECT_NEAR(timeline.steps()[i][static_cast<size_t>(ReportTier::kC)], 0.01, 1e-3) << i;
    }
    EXPECT_NEAR(secondsOf(timeline, ReportTier::kC), 1, 1e-9);
}

TEST(Timeline, IsBoundedAndLosesNoTime) {
    Timeline timeline(100, 0.01);
    for (int i = 0; i < 100000; i++) {
        timeline.addSample(100 + i * 0.01, i % 2 == 0 ? ReportTier::kInterpreted : ReportTier::kThorough, 0.01);
    }
    EXPECT_LE(timeline.steps().size(), Timeline::kMostSteps);
    EXPECT_NEAR(timeline.stepSeconds() * static_cast<double>(timeline.steps().size()), 1000, 3);
    EXPECT_NEAR(secondsOf(timeline, ReportTier::kInterpreted), 500, 1e-6);
    EXPECT_NEAR(timeline.steps()[7][static_cast<size_t>(ReportTier::kThorough)], timeline.stepSeconds() / 2, 0.02);
}

TEST(Timeline, MergesByTheClock) {
    Timeline parent(100, 0.01);
    parent.addSample(100, ReportTier::kInterpreted, 0.01);
    Timeline child(100.5, 0.02);
    child.addSample(100.5, ReportTier::kQuick, 0.02);
    parent.merge(child);
    EXPECT_EQ(parent.steps().size(), 52u);
    Timeline empty;
    empty.merge(child);
    EXPECT_EQ(empty.start(), 100.5);
    EXPECT_EQ(empty.steps().size(), 1u);
}

TEST(Timeline, IgnoresTimesThatAreNone) {
    Timeline timeline(100, 0.01);
    timeline.addPart(NAN, ReportTier::kQuick, 1);
    timeline.addPart(INFINITY, ReportTier::kQuick, 1);
    timeline.addPart(-INFINITY, ReportTier::kQuick, 1);
    EXPECT_LE(timeline.steps().size(), 1u);
}

TEST(EventLane, KeepsTheLongest) {
    EventLane lane;
    for (int i = 0; i < 10000; i++) {
        lane.add({static_cast<double>(i), (i * 7919 % 10000) * 1e-6, "e", ReportTier::kQuick});
    }
    EXPECT_LE(lane.events().size(), EventLane::kMostEvents);
    EXPECT_EQ(lane.events().size() + lane.dropped(), 10000u);
    size_t long_ = 0;
    for (const TimelineEvent& event : lane.events()) {
        long_ += event.seconds >= 0.0095 ? 1 : 0;
    }
    EXPECT_EQ(long_, 500u);
}

TEST(EventLane, EqualLengthsAreBounded) {
    EventLane lane;
    for (int i = 0; i < 5000; i++) {
        lane.add({static_cast<double>(i), 0.001, "e", ReportTier::kQuick});
    }
    EXPECT_LE(lane.events().size(), EventLane::kMostEvents);
}

}  // namespace
}  // namespace kiln
