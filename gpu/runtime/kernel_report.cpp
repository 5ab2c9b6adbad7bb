// What the report tells of kernels.
#include "gpu/runtime/kernel_report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "interp/config.h"

namespace kiln::gpu {
namespace {

struct Row {
    std::string name;
    std::string place;
    std::string types;
    uint64_t launches = 0;
    double milliseconds = 0;
    double compileMilliseconds = 0;
    bool fromCache = false;
    uint64_t bytesIn = 0;
    uint64_t bytesOut = 0;
};

std::set<const Kernel*>& living() {
    static std::set<const Kernel*> kernels;
    return kernels;
}

std::vector<Row>& past() {
    static std::vector<Row> rows;
    return rows;
}

void addRows(const Kernel& kernel, std::vector<Row>& rows) {
    for (const auto& form : kernel.specialisations()) {
        if (form->launches == 0 || form->compiled == nullptr) {
            continue;
        }
        rows.push_back({kernel.name(), kernel.place(), describeTypes(form->types), form->launches, form->milliseconds,
                        form->compiled->milliseconds, form->compiled->fromCache, form->bytesIn, form->bytesOut});
    }
}

std::string megabytes(uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, bytes == 0 ? "-" : "%.1f", static_cast<double>(bytes) / 1e6);
    return text;
}

void printAtExit() {
    std::string text = kernelReport();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void noteKernel(const Kernel* kernel) {
    living().insert(kernel);
}

void forgetKernel(const Kernel* kernel) {
    addRows(*kernel, past());
    living().erase(kernel);
}

std::string kernelReport() {
    std::vector<Row> rows = past();
    for (const Kernel* kernel : living()) {
        addRows(*kernel, rows);
    }
    if (rows.empty()) {
        return "";
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.milliseconds > b.milliseconds; });
    Failure failure;
    Backend* where = backend(failure);
    std::string text = std::string("\nkernels ran on the ") + (where != nullptr ? where->name() : "?") + ": " + backendReason() +
                       "\n  launches    time ms  us/launch  compile ms  MB in  MB out  kernel\n";
    for (const Row& row : rows) {
        char line[160];
        std::snprintf(line, sizeof line, "%10llu %10.1f %10.1f %10.1f%s %6s %7s  ", static_cast<unsigned long long>(row.launches),
                      row.milliseconds, row.milliseconds * 1000 / static_cast<double>(row.launches), row.compileMilliseconds,
                      row.fromCache ? "*" : " ", megabytes(row.bytesIn).c_str(), megabytes(row.bytesOut).c_str());
        text += line + row.name + "(" + row.types + ") " + row.place + "\n";
    }
    bool cached = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.fromCache; });
    return text + (cached ? "  * taken from the cache on disk\n" : "");
}

void reportKernelsAtExit() {
    if (config().enabled && config().reportText == "1") {
        Py_AtExit(printAtExit);
    }
}

}  // namespace kiln::gpu
