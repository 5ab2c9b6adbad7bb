// The report's JSON: written, read back, refused.
#include "profiler/report_json.h"

#include <gtest/gtest.h>

#include "profiler/report_value.h"
#include "tests/profiler/sample_report.h"

namespace kiln {
namespace {

std::string errorOf(std::string_view text) {
    Report report;
    std::string error;
    return reportFromJson(text, report, error) ? "" : error;
}

TEST(ReportJson, HasTheMembersOfVersionOne) {
    JsonValue value;
    std::string error;
    ASSERT_TRUE(parseJson(reportToJson(sampleReport()), value, error)) << error;
    EXPECT_EQ(value["kiln_report"].asInteger(), 1);
    EXPECT_EQ(value["samples"].asInteger(), 10001);
    EXPECT_EQ(value["interval_ms"].asNumber(), 1);
    EXPECT_EQ(value["overhead_ms"].asNumber(), 101);
    EXPECT_EQ(value["processes"].items()[0]["pid"].asInteger(), 77);
    const JsonValue& function = value["functions"].items()[0];
    EXPECT_EQ(function["name"].asText(), "System.advance");
    EXPECT_EQ(function["file"].asText(), "/home/user/project/nbody.py");
    EXPECT_EQ(function["first_line"].asInteger(), 23);
    EXPECT_EQ(function["self_s"].asNumber(), 8);
    EXPECT_EQ(function["cumulative_s"].asNumber(), 8);
    EXPECT_EQ(function["samples"].asInteger(), 8000);
    EXPECT_EQ(function["calls"]["native"].asInteger(), 123456);
    EXPECT_EQ(function["tier"].asText(), "native");
    EXPECT_NEAR(function["share"]["native"].asNumber(), 7.5 / 8, 1e-6);
    const JsonValue& root = function["roots"].items()[0];
    EXPECT_EQ(root["kind"].asText(), "loop");
    EXPECT_EQ(root["state"].asText(), "compiled");
    EXPECT_EQ(root["iterations"]["interpreted"].asInteger(), 1000);
    EXPECT_EQ(root["iterations"]["native"].asInteger(), 999000);
    EXPECT_EQ(root["compiles"].asInteger(), 2);
    EXPECT_EQ(root["compile_ms"].asNumber(), 12.5);
    EXPECT_TRUE(root["refusal"].isNull());
    EXPECT_EQ(root["exits"].items()[0]["count"].asInteger(), 1204);
    EXPECT_EQ(root["opaque"].items()[0]["operation"].asText(), "CALL random.random");
    EXPECT_EQ(value["functions"].items()[1]["roots"].items()[0]["refusal"]["code"].asText(), "A001");
}

TEST(ReportJson, UncountedCallsAreNullNotZero) {
    JsonValue value;
    std::string error;
    ASSERT_TRUE(parseJson(reportToJson(sampleReport()), value, error));
    EXPECT_TRUE(value["functions"].items()[1]["calls"]["interpreted"].isNull());
}

TEST(ReportJson, ReadsBackWhatItWrote) {
    std::string text = reportToJson(sampleReport());
    Report report;
    std::string error;
    ASSERT_TRUE(reportFromJson(text, report, error)) << error;
    EXPECT_EQ(reportToJson(report), text);
}

TEST(ReportJson, NamesWithAnyCharacterSurvive) {
    Report report;
    report.functions = {sampleFunction("a\"b\\c\nd\te\x01 é 計算 😀", 1, 0)};
    Report read;
    std::string error;
    ASSERT_TRUE(reportFromJson(reportToJson(report), read, error)) << error;
    EXPECT_EQ(read.functions[0].code.qualifiedName, report.functions[0].code.qualifiedName);
}

TEST(ReportJson, RefusesWhatIsNoReport) {
    EXPECT_EQ(errorOf("{\"kiln_report\": 1,\n oops}"), "not JSON: line 2: expected a member name");
    EXPECT_EQ(errorOf("{}"), "not a kiln report: no member \"kiln_report\"");
    EXPECT_EQ(errorOf("[1, 2]"), "not a kiln report: no member \"kiln_report\"");
    EXPECT_EQ(errorOf("{\"kiln_report\": 2}"), "a kiln report of version 2; this kiln reads version 1");
    EXPECT_EQ(errorOf(""), "not JSON: line 1: unexpected end");
    EXPECT_EQ(errorOf(std::string(100000, '[')), "not JSON: line 1: nested too deeply");
}

// Of spoilt files: what is written is JSON, and every member a number again.
TEST(ReportJson, HugeNumbersAreWrittenAsNumbers) {
    std::string text =
        R"({"kiln_report": 1, "overhead_ms": 1e308, "functions": [{"name": "f", "self_s": 1e308, "cumulative_s": -1e308},
            {"name": "f", "self_s": 1e308}]})";
    Report report;
    std::string error;
    ASSERT_TRUE(reportFromJson(text, report, error)) << error;
    Report both;
    mergeReport(both, report);
    mergeReport(both, report);
    std::string written = reportToJson(both);
    for (const char* none : {"inf", "nan"}) {
        EXPECT_EQ(written.find(none), std::string::npos) << written;
    }
    JsonValue value;
    ASSERT_TRUE(parseJson(written, value, error)) << error;
    EXPECT_FALSE(value["functions"].items()[0]["self_s"].isNull());
    EXPECT_FALSE(value["functions"].items()[0]["share"]["native"].isNull());
}

TEST(JsonParser, TakesEscapesAndNumbers) {
    JsonValue value;
    std::string error;
    ASSERT_TRUE(parseJson(R"({"t": "\u00e9\ud83d\ude00\n\/", "n": -1.5e3, "i": 9007199254740993, "b": [true, null]})",
                          value, error));
    EXPECT_EQ(value["t"].asText(), "é😀\n/");
    EXPECT_EQ(value["n"].asNumber(), -1500);
    EXPECT_EQ(value["i"].asInteger(), 9007199254740993);
    EXPECT_TRUE(value["b"].items()[1].isNull());
    for (const char* broken : {"{\"a\": 1", "[1 2]", "\"open", "tru", "nan", "1 1", "\"\\x\"", "{\"a\" 1}"}) {
        EXPECT_FALSE(parseJson(broken, value, error)) << broken;
    }
}

}  // namespace
}  // namespace kiln
