// The HTML report as text: whole, and with nothing of the program's outside of its data.
#include "profiler/report_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "profiler/report_json.h"
#include "profiler/report_value.h"
#include "tests/profiler/sample_report.h"

namespace kiln {
namespace {

constexpr std::string_view kOpen = R"(<script type="application/json" id="data">)";

// What the page's script reads.
JsonValue dataOf(const std::string& page) {
    size_t begin = page.find(kOpen) + kOpen.size();
    JsonValue value;
    std::string error;
    EXPECT_TRUE(parseJson(page.substr(begin, page.find("</script>", begin) - begin), value, error)) << error;
    return value;
}

size_t countOf(const std::string& text, std::string_view part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

TEST(ReportPage, HasTheReportAsData) {
    std::string page = reportToPage(sampleReport(), true);
    JsonValue data = dataOf(page);
    EXPECT_EQ(data["functions"].items()[0]["name"].asText(), "System.advance");
    EXPECT_EQ(data["stacks"]["nodes"].items().size(), 2u);
    EXPECT_GT(data["reasons"]["D003"]["cause"].asText().size(), 20u);
    EXPECT_EQ(page.find("@"), page.find("@media")) << "a mark was not filled in";
}

TEST(ReportPage, NothingEndsTheDataEarly) {
    Report report = sampleReport();
    report.functions[0].code.qualifiedName = "</script><script>alert(1)</script><!--";
    report.functions[1].code.file = "/tmp/</SCRIPT ><img src=x onerror=alert(1)>";
    std::string page = reportToPage(report, false);
    EXPECT_EQ(countOf(page, "<script"), countOf(reportToPage(sampleReport(), false), "<script"));
    EXPECT_EQ(dataOf(page)["functions"].items()[0]["name"].asText(), report.functions[0].code.qualifiedName);
    EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST(ReportPage, IsSmallWhateverTheReport) {
    Report report = sampleReport();
    ReportFunction small = report.functions[1];
    small.code.file = "/a/long/path/of/some/program/" + std::string(100, 'x') + ".py";
    for (int i = 0; i < 50000; i++) {
        small.code.firstLine = i;
        small.cumulativeSeconds = small.self.interpreted = 0.001;
        report.functions.push_back(small);
    }
    std::reverse(report.functions.begin(), report.functions.end());
    std::string page = reportToPage(report, true);
    EXPECT_LT(page.size(), 5u << 20);
    JsonValue data = dataOf(page);
    EXPECT_EQ(data["functions"].items()[0]["name"].asText(), "System.advance");
    EXPECT_GT(data["functions"].items().size(), 1000u);
    EXPECT_EQ(data["stacks"]["nodes"].items().size(), 2u);
}

TEST(ReportPage, SourceOfAFunctionEndsWithIt) {
    std::string path = testing::TempDir() + "kiln_report_page.py";
    std::ofstream(path) << "x = 1\n@decorated\ndef f(\n    a,\n):\n    b = a \xff\n\n    return b\n\nafter = 2\n";
    Report report = sampleReport();
    report.functions.resize(1);
    report.functions[0].code.file = path;
    report.functions[0].code.firstLine = 2;
    report.functions[0].code.roots.clear();
    report.functions[0].lines = {{6, 5, {0.5, 0, 0}}};
    JsonValue source = dataOf(reportToPage(report, true))["sources"].items().at(0);
    std::string text;
    for (const JsonValue& line : source["lines"].items()) {
        text += std::to_string(line.items()[0].asInteger()) + line.items()[1].asText() + "|";
    }
    EXPECT_EQ(text, "2@decorated|3def f(|4    a,|5):|6    b = a ?|7|8    return b|");
    EXPECT_TRUE(dataOf(reportToPage(report, false))["sources"].isNull());
    std::remove(path.c_str());
}

TEST(ReportPage, ShowsTextThatIsInNoFile) {
    Report report = sampleReport();
    report.functions[0].code.file = "<cell 3>";
    report.functions[0].code.firstLine = 1;
    EXPECT_TRUE(dataOf(reportToPage(report, true))["sources"].items().empty());
    JsonValue sources = dataOf(reportToPage(report, true, {{"<cell 3>", "a = 1\nb = 2\n"}}))["sources"];
    ASSERT_EQ(sources.items().size(), 1u);
    EXPECT_EQ(sources.items()[0]["lines"].items().at(0).items().at(1).asText(), "a = 1");
}

TEST(ReportPage, StaysSmall) {
    Report report = sampleReport();
    for (int i = 0; i < 30000; i++) {
        ReportFunction function = sampleFunction("a_function_that_was_only_counted_" + std::to_string(i), 0, 0);
        function.code.roots = {sampleLoop(), refusedLoop()};
        report.functions.push_back(function);
    }
    uint32_t name = report.stacks.addFunction({"/home/user/project/nbody.py", 23, "stream"});
    for (int i = 0; i < 30000; i++) {
        int32_t node = report.stacks.child(i % 300, report.stacks.addFrame({name, i, ReportTier::kInterpreted}));
        report.stacks.add(node, 1000000, 1000.123456);
    }
    EXPECT_LT(reportToPage(report, true).size(), 5000000u);
}

TEST(ReportPage, RefusesWhatIsNoReport) {
    std::string page;
    std::string error;
    EXPECT_FALSE(renderPage("{}", true, {}, page, error));
    EXPECT_NE(error, "");
    EXPECT_TRUE(renderPage(reportToJson(sampleReport()), true, {}, page, error));
}

}  // namespace
}  // namespace kiln
