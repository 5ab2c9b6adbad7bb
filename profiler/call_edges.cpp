#include "profiler/call_edges.h"

#include <algorithm>

#include "interp/python_text.h"
#include "interp/recursion_budget.h"
#include "profiler/report_columns.h"

namespace kiln {
namespace {

constexpr size_t kMostEdges = 5000;
constexpr size_t kMostClasses = 4;
constexpr const char* kCounts[] = {"opened", "frames", "taken_over", "refused"};

WindowStatistics atFork;

bool isSameEdge(const JsonValue& a, const JsonValue& b) {
    bool same = true;
    for (const char* name : {"caller", "file", "callee", "callee_file"}) {
        same = same && a[name].asText() == b[name].asText();
    }
    return same && a["line"].asInteger() == b["line"].asInteger() &&
           a["callee_line"].asInteger() == b["callee_line"].asInteger();
}

void mergeEdges(JsonValue& rows, const JsonValue& other) {
    std::vector<JsonValue> all = rows.items();
    for (const JsonValue& row : other.items()) {
        auto same = std::find_if(all.begin(), all.end(), [&](const JsonValue& known) { return isSameEdge(known, row); });
        if (same == all.end()) {
            all.push_back(row);
        }
    }
    rows = JsonValue::array();
    for (JsonValue& row : all) {
        rows.append(std::move(row));
    }
}

JsonValue windowRow(const int64_t (&counts)[4]) {
    JsonValue row = JsonValue::object();
    for (int index = 0; index < 4; index++) {
        row.set(kCounts[index], JsonValue::integer(counts[index]));
    }
    return JsonValue::array().append(row);
}

JsonValue collectWindows() {
    const WindowStatistics& now = FrameWindow::statistics();
    if (now.opened + now.notFree == 0) {
        return JsonValue::array();
    }
    return windowRow({static_cast<int64_t>(now.opened - atFork.opened), static_cast<int64_t>(now.frames - atFork.frames),
                      static_cast<int64_t>(now.takenOver - atFork.takenOver),
                      static_cast<int64_t>(now.notFree - atFork.notFree)});
}

void mergeWindows(JsonValue& rows, const JsonValue& other) {
    if (other.items().empty()) {
        return;
    }
    int64_t sums[4] = {};
    for (const JsonValue* part : {&static_cast<const JsonValue&>(rows), &other}) {
        for (const JsonValue& row : part->items()) {
            for (int index = 0; index < 4; index++) {
                sums[index] += row[kCounts[index]].asInteger();
            }
        }
    }
    rows = windowRow(sums);
}

std::string renderWindows(const JsonValue& rows) {
    if (rows.items().empty()) {
        return "";
    }
    const JsonValue& row = rows.items()[0];
    if (row["taken_over"].asInteger() <= 0 && row["refused"].asInteger() <= 0) {
        return "";
    }
    auto number = [&](const char* name) { return shortCount(static_cast<uint64_t>(std::max<int64_t>(row[name].asInteger(), 0))); };
    std::string line = number("opened") + " windows of the frame hook, " + number("taken_over") + " calls taken over";
    if (row["refused"].asInteger() > 0) {
        line += ", " + number("refused") + " not: another hook is in place";
    }
    return line + "\n";
}

}  // namespace

CallEdges& CallEdges::instance() {
    static auto* edges = new CallEdges();
    return *edges;
}

void CallEdges::watch(PyThreadState* thread, int unit) {
    caller_ = kiln_current_frame(thread);
    unit_ = unit;
    // A call under the hook nests in C, and CPython's own mostly would not.
    FrameWindow::open(thread, *this, kEvaluationCost);
}

bool CallEdges::frameStarted(KilnFrame* frame, PyObject**) {
    KilnFrame* caller = kiln_current_frame(PyThreadState_Get());
    if (caller != caller_ || kiln_frame_last_unit(caller) != unit_ || edges_.size() >= kMostEdges) {
        return false;  // that instruction started none, and its frame has gone on or ended
    }
    PyCodeObject* from = kiln_frame_code(caller);
    PyCodeObject* code = kiln_frame_code(frame);
    Edge& edge = edges_[{textOf(from->co_qualname), textOf(from->co_filename), PyCode_Addr2Line(from, unit_ * 2),
                         textOf(code->co_qualname), textOf(code->co_filename), code->co_firstlineno}];
    auto parameters = static_cast<size_t>(code->co_argcount + code->co_kwonlyargcount);
    edge.classes.resize(std::max(edge.classes.size(), parameters));
    for (size_t index = 0; index < parameters; index++) {
        PyObject* argument = kiln_frame_slots(frame)[index];
        std::string cls = argument != nullptr ? Py_TYPE(argument)->tp_name : "?";
        std::vector<std::string>& classes = edge.classes[index];
        if (classes.size() < kMostClasses && std::find(classes.begin(), classes.end(), cls) == classes.end()) {
            classes.push_back(cls);
        }
    }
    return false;
}

JsonValue CallEdges::toJson() const {
    JsonValue rows = JsonValue::array();
    for (const auto& [key, edge] : edges_) {
        JsonValue arguments = JsonValue::array();
        for (const std::vector<std::string>& classes : edge.classes) {
            std::string names;
            for (const std::string& cls : classes) {
                names += (names.empty() ? "" : "|") + cls;
            }
            arguments.append(JsonValue::text(names));
        }
        const auto& [caller, file, line, callee, calleeFile, calleeLine] = key;
        rows.append(JsonValue::object()
                        .set("caller", JsonValue::text(caller))
                        .set("file", JsonValue::text(file))
                        .set("line", JsonValue::integer(line))
                        .set("callee", JsonValue::text(callee))
                        .set("callee_file", JsonValue::text(calleeFile))
                        .set("callee_line", JsonValue::integer(calleeLine))
                        .set("arguments", arguments));
    }
    return rows;
}

const ReportSection& edgeSection() {
    static const ReportSection section = {"edges", [] { return CallEdges::instance().toJson(); }, mergeEdges,
                                          [](const JsonValue&) { return std::string(); },
                                          [] { CallEdges::instance().clear(); }};
    return section;
}

const ReportSection& windowSection() {
    static const ReportSection section = {"windows", collectWindows, mergeWindows, renderWindows,
                                          [] { atFork = FrameWindow::statistics(); }};
    return section;
}

}  // namespace kiln
