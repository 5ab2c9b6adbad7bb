// Merging and subtracting reports.
#include "profiler/report_model.h"

#include <gtest/gtest.h>

#include "tests/profiler/sample_report.h"

namespace kiln {
namespace {

TEST(ReportModel, SameFunctionsOfTwoProcessesBecomeOneRow) {
    Report report = sampleReport();
    mergeReport(report, sampleReport());
    ASSERT_EQ(report.functions.size(), 3u);
    const ReportFunction& advance = report.functions[0];
    EXPECT_EQ(advance.self.total(), 16);
    EXPECT_EQ(advance.code.callsNative, 246912u);
    ASSERT_EQ(advance.code.roots.size(), 1u);
    EXPECT_EQ(advance.code.roots[0].native, 1998000u);
    EXPECT_EQ(advance.code.roots[0].exits[0].count, 2408u);
    EXPECT_EQ(advance.lines[0].samples, 10000u);
    EXPECT_EQ(report.samples, 20002u);
    EXPECT_EQ(report.processes.size(), 2u);
}

TEST(ReportModel, ARefusedTwinDoesNotHideACompiledOne) {
    Report report;
    CodeStatistics compiled{"f", "f.py", 1, 0, 0, {sampleLoop()}};
    CodeStatistics refused = compiled;
    refused.roots[0].state = RootState::kBlacklisted;
    refused.roots[0].refusal = "A001";
    mergeStatistics(report, {compiled, refused});
    ASSERT_EQ(report.functions.size(), 1u);
    EXPECT_STREQ(tierOf(report.functions[0]), "native");
    EXPECT_EQ(refusedRoot(report.functions[0]), nullptr);
}

TEST(ReportModel, StatisticsJoinTheSampledFunction) {
    Report report;
    report.functions = {sampleFunction("f", 1, 0)};
    CodeStatistics code = report.functions[0].code;
    code.callsInterpreted = 3;
    mergeStatistics(report, {code});
    ASSERT_EQ(report.functions.size(), 1u);
    EXPECT_TRUE(report.functions[0].counted);
    EXPECT_EQ(report.functions[0].code.callsInterpreted, 3u);
}

TEST(ReportModel, AForkedChildCountsFromTheFork) {
    std::vector<CodeStatistics> before = {{"f", "f.py", 1, 10, 20, {sampleLoop()}}};
    std::vector<CodeStatistics> after = before;
    after[0].callsNative = 25;
    after[0].roots[0].native += 7;
    after[0].roots[0].exits[1].count += 1;
    subtractStatistics(after, before);
    EXPECT_EQ(after[0].callsInterpreted, 0u);
    EXPECT_EQ(after[0].callsNative, 5u);
    EXPECT_EQ(after[0].roots[0].native, 7u);
    EXPECT_EQ(after[0].roots[0].compiles, 0);
    ASSERT_EQ(after[0].roots[0].exits.size(), 1u);
    EXPECT_EQ(after[0].roots[0].exits[0].reason, "D001");
}

TEST(ReportModel, SharesAddUp) {
    ReportShare share = shareOf(TierSeconds{1, 2, 1});
    EXPECT_EQ(share.interpreted, 0.25);
    EXPECT_EQ(share.native, 0.5);
    EXPECT_EQ(share.compile, 0.25);
    EXPECT_EQ(shareOf(TierSeconds()).native, 0);
}

}  // namespace
}  // namespace kiln
