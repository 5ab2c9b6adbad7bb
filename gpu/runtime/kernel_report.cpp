// What the report tells of kernels.
#include "gpu/runtime/kernel_report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "gpu/runtime/backend.h"
#include "gpu/runtime/kernel_advice.h"
#include "profiler/report_columns.h"
#include "profiler/report_text.h"

namespace kiln::gpu {
namespace {

// What tells rows apart, and what is added up when rows of several processes meet.
constexpr std::array<const char*, 7> kNames = {"name", "file", "line", "types", "where", "device", "why"};
constexpr std::array<const char*, 3> kSums = {"device_ms", "overhead_ms", "compile_ms"};
constexpr std::array<const char*, 2> kCopies = {"copies_in", "copies_out"};

std::set<Kernel*>& living() {
    static std::set<Kernel*>& kernels = *new std::set<Kernel*>;
    return kernels;
}

// Rows of kernels that are gone.
JsonValue& past() {
    static JsonValue& rows = *new JsonValue(JsonValue::array());
    return rows;
}

JsonValue copies(int64_t bytes, double milliseconds) {
    return JsonValue::object().set("bytes", JsonValue::integer(bytes)).set("ms", JsonValue::number(milliseconds));
}

JsonValue adviceRows(const Kernel& kernel, const Specialisation& form, const CompiledForm& compiled) {
    JsonValue rows = JsonValue::array();
    if (kernel.options().isLoop) {  // whose grid is kiln's choice
        return rows;
    }
    for (const Advice& advice : adviceFor(form, compiled)) {
        rows.append(JsonValue::object().set("code", JsonValue::text(advice.code)).set("text", JsonValue::text(advice.text)));
    }
    return rows;
}

// What either process was told, each code once.
JsonValue joinedAdvice(const JsonValue& a, const JsonValue& b) {
    JsonValue all = JsonValue::array();
    std::set<std::string> codes;
    for (const JsonValue* rows : {&a, &b}) {
        for (const JsonValue& row : rows->items()) {
            if (codes.insert(row["code"].asText()).second) {
                all.append(row);
            }
        }
    }
    return all;
}

JsonValue rowOf(const Kernel& kernel, const Specialisation& form, const CompiledForm& compiled) {
    Backend& where = *compiled.backend;
    where.finishTimings(*compiled.kernel);
    const LaunchCounters& counters = compiled.counters;
    double device = static_cast<double>(compiled.kernel->deviceNanoseconds.load()) / 1e6;
    double overhead = std::max(0.0, counters.issueMs - (where.isHost() ? device : 0));
    return JsonValue::object()
        .set("name", JsonValue::text(kernel.name()))
        .set("file", JsonValue::text(kernel.file()))
        .set("line", JsonValue::integer(kernel.line()))
        .set("types", JsonValue::text(describeTypes(form.types)))
        .set("where", JsonValue::text(where.name()))
        .set("device", JsonValue::text(where.device(compiled.device).name))
        .set("why", JsonValue::text(kernel.options().isLoop ? "loops over prange always do" : backendReason()))
        .set("launches", JsonValue::integer(static_cast<int64_t>(counters.launches)))
        .set("device_ms", JsonValue::number(device))
        .set("overhead_ms", JsonValue::number(overhead))
        .set("compile_ms", JsonValue::number(compiled.kernel->milliseconds.load()))
        .set("cached", JsonValue::boolean(compiled.kernel->fromCache))
        .set("copies_in", copies(counters.bytesIn, counters.inMs))
        .set("copies_out", copies(counters.bytesOut, counters.outMs))
        .set("advice", adviceRows(kernel, form, compiled));
}

constexpr const char* kInOrder = "in order";

// Loops that run as Python has them.
JsonValue& loopsInOrder() {
    static JsonValue& rows = *new JsonValue(JsonValue::array());
    return rows;
}

JsonValue rowInOrder(const std::string& name, const std::string& file, int line, const std::string& why) {
    return JsonValue::object()
        .set("name", JsonValue::text(name))
        .set("file", JsonValue::text(file))
        .set("line", JsonValue::integer(line))
        .set("types", JsonValue::text(""))
        .set("where", JsonValue::text(kInOrder))
        .set("device", JsonValue::text(""))
        .set("why", JsonValue::text(why))
        .set("launches", JsonValue::integer(0))
        .set("device_ms", JsonValue::number(0))
        .set("overhead_ms", JsonValue::number(0))
        .set("compile_ms", JsonValue::number(0))
        .set("cached", JsonValue::boolean(false))
        .set("copies_in", copies(0, 0))
        .set("copies_out", copies(0, 0))
        .set("advice", JsonValue::array());
}

void addRows(Kernel& kernel, JsonValue& rows) {
    Backend* now = chosenBackend();
    for (const auto& form : kernel.specialisations()) {
        for (const CompiledForm& compiled : form->compiled) {
            if (compiled.counters.launches > 0 && (compiled.backend == now || kernel.options().isLoop)) {
                rows.append(rowOf(kernel, *form, compiled));
            }
        }
    }
}

JsonValue collect() {
    JsonValue rows = past();
    for (Kernel* kernel : living()) {
        addRows(*kernel, rows);
    }
    for (const JsonValue& row : loopsInOrder().items()) {
        rows.append(row);
    }
    return rows;
}

bool isSame(const JsonValue& a, const JsonValue& b) {
    return std::all_of(kNames.begin(), kNames.end(), [&](const char* name) {
        return a[name].asText() == b[name].asText() && a[name].asInteger() == b[name].asInteger();
    });
}

JsonValue sumOf(const JsonValue& a, const JsonValue& b) {
    JsonValue sum = JsonValue::object();
    for (const char* name : kNames) {
        sum.set(name, a[name]);
    }
    sum.set("launches", JsonValue::integer(a["launches"].asInteger() + b["launches"].asInteger()));
    for (const char* name : kSums) {
        sum.set(name, JsonValue::number(a[name].asNumber() + b[name].asNumber()));
    }
    sum.set("cached", JsonValue::boolean(a["cached"].asInteger() != 0 && b["cached"].asInteger() != 0));
    for (const char* name : kCopies) {
        sum.set(name, copies(a[name]["bytes"].asInteger() + b[name]["bytes"].asInteger(),
                             a[name]["ms"].asNumber() + b[name]["ms"].asNumber()));
    }
    sum.set("advice", joinedAdvice(a["advice"], b["advice"]));
    return sum;
}

void merge(JsonValue& rows, const JsonValue& other) {
    std::vector<JsonValue> all = rows.items();
    for (const JsonValue& row : other.items()) {
        auto same = std::find_if(all.begin(), all.end(), [&](const JsonValue& known) { return isSame(known, row); });
        same == all.end() ? all.push_back(row) : void(*same = sumOf(*same, row));
    }
    rows = JsonValue::array();
    for (JsonValue& row : all) {
        rows.append(std::move(row));
    }
}

std::string fixed(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string megabytes(const JsonValue& copies) {
    return copies["bytes"].asInteger() == 0 ? "-" : fixed(static_cast<double>(copies["bytes"].asInteger()) / 1e6, 1);
}

std::string milliseconds(const JsonValue& copies) {
    return copies["bytes"].asInteger() == 0 ? "-" : fixed(copies["ms"].asNumber(), 1);
}

std::string joinCells(const std::array<std::string, 8>& cells) {
    static constexpr std::array<int, 8> kWidths = {8, 9, 9, 9, 8, 8, 8, 8};
    std::string line;
    for (size_t i = 0; i < cells.size(); i++) {
        line += padLeft(cells[i], kWidths[i]) + " ";
    }
    return line;
}

std::string baseName(const std::string& file) {
    size_t slash = file.rfind('/');
    return slash == std::string::npos ? file : file.substr(slash + 1);
}

std::string rowText(const JsonValue& row) {
    auto launches = static_cast<uint64_t>(std::max<int64_t>(row["launches"].asInteger(), 1));
    std::string line = joinCells({shortCount(launches), fixed(row["device_ms"].asNumber(), 2),
                                  fixed(row["overhead_ms"].asNumber() * 1000 / static_cast<double>(launches), 1),
                                  fixed(row["compile_ms"].asNumber(), 1) + (row["cached"].asInteger() != 0 ? "*" : " "),
                                  megabytes(row["copies_in"]), milliseconds(row["copies_in"]), megabytes(row["copies_out"]),
                                  milliseconds(row["copies_out"])});
    std::string place = baseName(row["file"].asText()) + ":" + std::to_string(row["line"].asInteger());
    std::string second = "       " + place + " (" + row["types"].asText() + ")";
    std::string text = cutEnd(line + " " + printable(row["name"].asText()), kReportColumns) + "\n" +
                       cutEnd(printable(second), kReportColumns) + "\n";
    for (const JsonValue& advice : row["advice"].items()) {
        std::string told = "       " + advice["code"].asText() + " " + advice["text"].asText();
        text += cutEnd(printable(told), kReportColumns) + "\n";
    }
    return text;
}

// Where and why; a reason of several lines is cut to its first.
std::string headOf(const JsonValue& row) {
    std::string where = printable("kernels on the " + row["where"].asText() + " (" + row["device"].asText() + "):");
    std::string why = printable(row["why"].asText().substr(0, row["why"].asText().find('\n')));
    bool fits = columnsOf(where) + 1 + columnsOf(why) <= kReportColumns;
    return cutEnd(where, kReportColumns) + (fits ? " " + why : "\n" + cutEnd("       " + why, kReportColumns)) + "\n";
}

// A loop that runs in order, and the first line of why.
std::string textInOrder(const JsonValue& row) {
    std::string place = baseName(row["file"].asText()) + ":" + std::to_string(row["line"].asInteger());
    std::string why = row["why"].asText().substr(0, row["why"].asText().find('\n'));
    return cutEnd(printable("prange in order: " + row["name"].asText() + " " + place), kReportColumns) + "\n" +
           cutEnd(printable("       " + why), kReportColumns) + "\n";
}

// Rows that ran at the same place stand together under a line that says where and why.
std::string render(const JsonValue& rows) {
    std::vector<JsonValue> sorted;
    std::string inOrder;
    for (const JsonValue& row : rows.items()) {
        row["where"].asText() == kInOrder ? void(inOrder += textInOrder(row)) : sorted.push_back(row);
    }
    auto place = [](const JsonValue& row) { return row["where"].asText() + row["device"].asText() + row["why"].asText(); };
    std::sort(sorted.begin(), sorted.end(), [&](const JsonValue& a, const JsonValue& b) {
        return place(a) != place(b) ? place(a) < place(b) : a["device_ms"].asNumber() > b["device_ms"].asNumber();
    });
    std::string text = rows.items().empty() ? "" : "\n";  // stands apart from the functions
    bool cached = false;
    for (size_t i = 0; i < sorted.size(); i++) {
        if (i == 0 || place(sorted[i]) != place(sorted[i - 1])) {
            text += headOf(sorted[i]);
            text += joinCells({"launches", "device ms", "us/launch", "compile", "MB in", "ms in", "MB out", "ms out"}) + " kernel\n";
        }
        text += rowText(sorted[i]);
        cached = cached || sorted[i]["cached"].asInteger() != 0;
    }
    return text + inOrder + (cached ? "* the kernel was taken from the cache on disk\n" : "");
}

void restart() {
    past() = JsonValue::array();
    for (Kernel* kernel : living()) {
        kernel->forgetCounters();
    }
}

}  // namespace

void noteLoopInOrder(const std::string& name, const std::string& file, int line, const std::string& why) {
    if (timesLaunches()) {
        JsonValue rows = JsonValue::array();
        rows.append(rowInOrder(name, file, line, why));
        merge(loopsInOrder(), rows);
    }
}

void noteKernel(Kernel* kernel) {
    living().insert(kernel);
}

void forgetKernel(Kernel* kernel) {
    if (timesLaunches()) {
        JsonValue rows = JsonValue::array();
        addRows(*kernel, rows);
        merge(past(), rows);
    }
    living().erase(kernel);
}

const ReportSection& kernelSection() {
    static const ReportSection section = {"kernels", collect, merge, render, restart};
    return section;
}

}  // namespace kiln::gpu
