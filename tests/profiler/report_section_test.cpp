// Sections that another folder fills in: into the JSON and back, merged, shown.
#include "profiler/report_section.h"

#include <gtest/gtest.h>

#include "profiler/report_json.h"
#include "profiler/report_text.h"
#include "tests/profiler/sample_report.h"

namespace kiln {
namespace {

JsonValue rowsOf(int64_t count) {
    return JsonValue::array().append(JsonValue::object().set("count", JsonValue::integer(count)));
}

void add(JsonValue& rows, const JsonValue& other) {
    int64_t sum = 0;
    for (const JsonValue* part : {&static_cast<const JsonValue&>(rows), &other}) {
        for (const JsonValue& row : part->items()) {
            sum += row["count"].asInteger();
        }
    }
    rows = rowsOf(sum);
}

std::string show(const JsonValue& rows) {
    return rows.items().empty() ? "" : "counted " + std::to_string(rows.items()[0]["count"].asInteger()) + "\n";
}

const ReportSection kSection = {"counters", [] { return rowsOf(3); }, add, show, [] {}};

// The registry is the process's: one section for all tests of this file.
class Sections : public testing::Test {
protected:
    void SetUp() override {
        if (reportSections().empty()) {
            addReportSection(&kSection);
        }
    }
};

TEST_F(Sections, SurviveTheFile) {
    Report report = sampleReport();
    report.sections = collectSections();
    std::string json = reportToJson(report);
    EXPECT_NE(json.find("\"counters\": [{\"count\": 3}]"), std::string::npos) << json;
    Report back;
    std::string error;
    ASSERT_TRUE(reportFromJson(json, back, error)) << error;
    EXPECT_EQ(reportToJson(back), json);
    EXPECT_TRUE(reportToText(back).ends_with("counted 3\n"));
}

TEST_F(Sections, OfAReportWithoutThemAreEmpty) {
    std::string json = reportToJson(sampleReport());
    EXPECT_NE(json.find("\"counters\": []"), std::string::npos) << json;
    EXPECT_EQ(reportToText(sampleReport()).find("counted"), std::string::npos);
}

TEST_F(Sections, AreMerged) {
    Report report = sampleReport();
    Report other = sampleReport();
    other.sections = {rowsOf(4)};
    mergeReport(report, other);
    mergeReport(report, other);
    EXPECT_EQ(show(report.sections[0]), "counted 8\n");
}

}  // namespace
}  // namespace kiln
