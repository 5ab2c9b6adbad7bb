// The table.
#include "profiler/report_text.h"

#include <gtest/gtest.h>

#include "profiler/report_columns.h"
#include "profiler/report_json.h"
#include "tests/profiler/sample_report.h"

namespace kiln {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

TEST(ReportText, ShowsEveryColumn) {
    EXPECT_EQ(reportToText(sampleReport()),
              "kiln report: 10.001 s\n"
              "self% cum% self s calls tier   i/n/c % compiles     exits  function\n"
              " 80.0 80.0  8.000  123k native  6/94/0  2 12 ms 1207 D003  System.advance nbody.py:23\n"
              " 20.0 20.0  2.000     - interp 100/0/0        -         -  stream nbody.py:23\n"
              "       not native: A001 at /home/user/project/nbody.py:42: yield\n"
              "1 function under 1 % not shown\n"
              "kiln -m kiln explain D003 tells what such a code means\n"
              "10.0k samples, every 1.0 ms, overhead 101 ms (1.0 %)\n"
              "interpreted (i) 25% · native (n) 75% · waiting for the compiler (c) 0%\n");
}

TEST(ReportText, TellsHowSoonThereWasCode) {
    Report report = sampleReport();
    std::vector<RootStatistics>& roots = report.functions[0].code.roots;
    for (double milliseconds : {0.25, 3.0, 0.5}) {
        roots.push_back(roots[0]);
        roots.back().firstMs = milliseconds;
    }
    EXPECT_NE(reportToText(report).find("\nnative code 0.50 ms after its recording (median of 3)\n"), std::string::npos);
}

TEST(ReportText, NeverWiderThanAHundredColumns) {
    Report report = sampleReport();
    ReportFunction& wide = report.functions[0];
    wide.code.qualifiedName = "計算クラス.とても長い関数の名前.<locals>.そしてもっと長い名前";
    wide.code.file = "/a/" + std::string(200, 'f') + ".py";
    wide.code.firstLine = 123456;
    wide.code.callsNative = 18446744073709551615u;
    wide.code.callsInterpreted = 0;
    wide.self.interpreted = 99999;
    wide.self.native = 1e6;
    wide.code.roots[0].compiles = 999;
    wide.code.roots[0].compileMs = 99999999;
    wide.code.roots[0].exits[0].count = 9999999999u;
    wide.code.roots.push_back(refusedLoop());
    wide.code.roots[1].refusalDetail = std::string(300, 'd');
    report.functions[1].self.interpreted = 1e6;
    report.functions[1].code.file = "/a/" + std::string(200, 'g') + ".py";
    report.functions[1].code.roots[0].refusalDetail = std::string(300, 'e');
    for (const std::string& line : linesOf(reportToText(report))) {
        EXPECT_LE(columnsOf(line), kReportColumns) << line;
    }
}

TEST(ReportText, ANativeFunctionExplainsAnInterpretedLoop) {
    Report report = sampleReport();
    report.functions[0].code.roots.push_back(refusedLoop());
    EXPECT_EQ(reportToText(report).find("in part not native"), std::string::npos) << "6 % interpreted need no excuse";
    report.functions[0].self.interpreted = 4;
    EXPECT_NE(reportToText(report).find("in part not native: A001"), std::string::npos);
}

TEST(ReportText, ANativeFunctionThatRanInterpretedSaysWhy) {
    Report report = sampleReport();
    report.functions[0].self = {8, 0, 0};
    RootStatistics& loop = report.functions[0].code.roots[0];
    EXPECT_NE(reportToText(report).find("  999k of 1.00M rounds ran native; the time went into what is around the compiled part\n"),
              std::string::npos)
        << reportToText(report);
    loop.interpreted = 999000;
    loop.native = 12;
    EXPECT_NE(reportToText(report).find("  compiled late: 12 of 999k rounds ran native\n"), std::string::npos)
        << reportToText(report);
    report.functions[0].self = {0, 8, 0};
    EXPECT_EQ(reportToText(report).find("rounds"), std::string::npos);
}

TEST(ReportText, SaysHowACodeIsExplainedWhereThereIsOne) {
    Report report = sampleReport();
    report.functions.erase(report.functions.begin());
    EXPECT_NE(reportToText(report).find("explain A001 tells"), std::string::npos) << reportToText(report);
    report.functions.erase(report.functions.begin());
    EXPECT_EQ(reportToText(report).find("explain"), std::string::npos) << reportToText(report);
}

TEST(ReportText, ImportsAreOneRow) {
    Report report = sampleReport();
    ReportFunction load = sampleFunction("_find_and_load", 0.5, 0);
    load.code.file = "<frozen importlib._bootstrap>";
    load.cumulativeSeconds = 3;
    ReportFunction get = sampleFunction("FileLoader.get_data", 1, 0);
    get.code.file = "<frozen importlib._bootstrap_external>";
    report.functions.insert(report.functions.end(), {load, get});
    std::string text = reportToText(report);
    EXPECT_NE(text.find(" 13.0 26.1  1.500     - interp 100/0/0        -         -  imports\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("importlib"), std::string::npos) << text;
    EXPECT_NE(text.find("1 function under 1 % not shown"), std::string::npos) << text;
}

TEST(ReportText, NamesHaveWhatTheOtherColumnsLeave) {
    Report report = sampleReport();
    std::string name = "Simulation.advance_all_particles_";
    report.functions[0].code.qualifiedName = name;
    report.functions[0].code.roots.clear();
    report.functions[1].code.qualifiedName = name + name;
    report.functions[2].code.qualifiedName = "short";
    report.functions[2].self = {1, 0, 0};
    report.functions[2].code.file = "/a/package/__init__.py";
    std::string text = reportToText(report);
    EXPECT_NE(text.find("  " + name + " nbody.py:23\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  short package/__init__.py:23\n"), std::string::npos) << text;
    EXPECT_NE(text.find("… nbody.py:23\n"), std::string::npos) << text;
    std::vector<std::string> lines = linesOf(text);
    EXPECT_EQ(columnsOf(lines[3]), kReportColumns) << lines[3];
}

TEST(ReportText, NamesCannotDriveTheTerminal) {
    Report report = sampleReport();
    report.functions[0].code.qualifiedName = "\x1b[31mred\n\u202e";
    std::string text = reportToText(report);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_NE(text.find("?[31mred?? nbody.py:23\n"), std::string::npos) << text;
}

TEST(ReportText, RecursionCannotExceedTheWhole) {
    Report report;
    report.functions = {sampleFunction("f", 1, 0)};
    report.functions[0].cumulativeSeconds = 1.2;
    EXPECT_NE(reportToText(report).find("100.0 100.0"), std::string::npos);
}

TEST(ReportText, SaysWhenThereWasNothingToMeasure) {
    std::string text = reportToText(Report());
    EXPECT_NE(text.find("too short to measure"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(ReportText, IsTheSameFromJson) {
    std::string text;
    std::string error;
    ASSERT_TRUE(renderReport(reportToJson(sampleReport()), text, error)) << error;
    EXPECT_EQ(text, reportToText(sampleReport()));
    EXPECT_FALSE(renderReport("{}", text, error));
}

TEST(ReportColumns, CutsByColumnsNotBytes) {
    EXPECT_EQ(columnsOf("aé計😀e\u0301"), 7);
    EXPECT_EQ(cutEnd("abcdef", 6), "abcdef");
    EXPECT_EQ(cutEnd("abcdefg", 6), "abcde…");
    EXPECT_EQ(cutEnd("計算計算", 6), "計算…");
    EXPECT_EQ(cutBegin("abcdefg", 6), "…cdefg");
    EXPECT_EQ(cutBegin("計算計算", 6), "…計算");
    EXPECT_EQ(cutEnd("\xe8\xa8", 5), "\xe8\xa8");  // a broken character
}

TEST(ReportColumns, ShortNumbersStayShort) {
    EXPECT_EQ(shortCount(9999), "9999");
    EXPECT_EQ(shortCount(10000), "10.0k");
    EXPECT_EQ(shortCount(999499), "999k");
    EXPECT_EQ(shortCount(999500), "1.00M");
    EXPECT_EQ(shortCount(18446744073709551615u), "18.4E");
    EXPECT_EQ(shortMilliseconds(0.04), "0.0 ms");
    EXPECT_EQ(shortMilliseconds(9.99), "10 ms");
    EXPECT_EQ(shortMilliseconds(12345), "12.3 s");
}

}  // namespace
}  // namespace kiln
