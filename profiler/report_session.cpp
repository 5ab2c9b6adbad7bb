#include "profiler/report_session.h"

#include <Python.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "interp/cpython/sampling.h"
#include "profiler/report_json.h"

namespace kiln {
namespace {

struct Session {
    std::string path;
    StatisticsSource statistics = nullptr;
    bool written = false;
};

Session session;

void writeReport(void*) {
    Report report;
    mergeStatistics(report, session.statistics());
    std::string text = reportToJson(report);
    FILE* file = std::fopen(session.path.c_str(), "w");
    if (file == nullptr) {
        std::fprintf(stderr, "kiln: cannot write the report %s: %s\n", session.path.c_str(), std::strerror(errno));
        return;
    }
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
}

}  // namespace

bool startReport(const std::string& text, StatisticsSource statistics) {
    if (text.empty() || text == "0") {
        return true;
    }
    if (!text.ends_with(".json")) {
        std::fprintf(stderr, "kiln: KILN_REPORT=%s: neither 1 nor a file name that ends in .json\n", text.c_str());
        return false;
    }
    char* absolute = text[0] == '/' ? nullptr : ::getcwd(nullptr, 0);
    session.path = absolute != nullptr ? std::string(absolute) + "/" + text : text;
    std::free(absolute);
    session.statistics = statistics;
    return kiln_at_interpreter_end(writeReport, nullptr) == 0;
}

}  // namespace kiln
