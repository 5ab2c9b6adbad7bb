// Report to JSON and back. The README of this folder lists the members.
#include "profiler/report_json.h"

#include "profiler/report_json_stacks.h"
#include "profiler/report_section.h"
#include "profiler/report_value.h"

namespace kiln {
namespace {

JsonValue count(uint64_t value) {
    return JsonValue::integer(static_cast<int64_t>(value));
}

JsonValue rootToJson(const RootStatistics& root) {
    JsonValue exits = JsonValue::array();
    for (const ExitStatistics& exit : root.exits) {
        exits.append(JsonValue::object()
                         .set("reason", JsonValue::text(exit.reason))
                         .set("line", JsonValue::integer(exit.line))
                         .set("count", count(exit.count)));
    }
    JsonValue opaque = JsonValue::array();
    for (const OpaqueStatistics& operation : root.opaque) {
        opaque.append(JsonValue::object()
                          .set("operation", JsonValue::text(operation.operation))
                          .set("line", JsonValue::integer(operation.line)));
    }
    JsonValue refusal;
    if (!root.refusal.empty()) {
        refusal = JsonValue::object()
                      .set("code", JsonValue::text(root.refusal))
                      .set("line", JsonValue::integer(root.refusalLine))
                      .set("detail", JsonValue::text(root.refusalDetail));
    }
    JsonValue iterations =
        JsonValue::object().set("interpreted", count(root.interpreted)).set("native", count(root.native));
    return JsonValue::object()
        .set("kind", JsonValue::text(root.kind == RootKind::kLoop ? "loop" : "function"))
        .set("line", JsonValue::integer(root.line))
        .set("unit", JsonValue::integer(root.unit))
        .set("state", JsonValue::text(rootStateName(root.state)))
        .set("iterations", iterations)
        .set("compiles", JsonValue::integer(root.compiles))
        .set("compile_ms", JsonValue::number(root.compileMs))
        .set("first_ms", JsonValue::number(root.firstMs))
        .set("refusal", refusal)
        .set("exits", exits)
        .set("opaque", opaque);
}

JsonValue shareToJson(const ReportShare& share) {
    return JsonValue::object()
        .set("interpreted", JsonValue::number(share.interpreted))
        .set("native", JsonValue::number(share.native))
        .set("compile", JsonValue::number(share.compile));
}

JsonValue lineToJson(const ReportLine& line) {
    return JsonValue::object()
        .set("line", JsonValue::integer(line.line))
        .set("samples", count(line.samples))
        .set("self_s", JsonValue::number(line.self.total()))
        .set("native_s", JsonValue::number(line.self.native))
        .set("compile_s", JsonValue::number(line.self.compiling));
}

JsonValue functionToJson(const ReportFunction& function) {
    const CodeStatistics& code = function.code;
    JsonValue calls = JsonValue::object()
                          .set("interpreted", function.counted ? count(code.callsInterpreted) : JsonValue())
                          .set("native", function.counted ? count(code.callsNative) : JsonValue());
    JsonValue roots = JsonValue::array();
    for (const RootStatistics& root : code.roots) {
        roots.append(rootToJson(root));
    }
    JsonValue lines = JsonValue::array();
    for (const ReportLine& line : function.lines) {
        lines.append(lineToJson(line));
    }
    return JsonValue::object()
        .set("name", JsonValue::text(code.qualifiedName))
        .set("file", JsonValue::text(code.file))
        .set("first_line", JsonValue::integer(code.firstLine))
        .set("self_s", JsonValue::number(function.self.total()))
        .set("native_s", JsonValue::number(function.self.native))
        .set("compile_s", JsonValue::number(function.self.compiling))
        .set("cumulative_s", JsonValue::number(function.cumulativeSeconds))
        .set("samples", count(function.samples))
        .set("calls", calls)
        .set("tier", JsonValue::text(tierOf(function)))
        .set("share", shareToJson(shareOf(function.self)))
        .set("roots", roots)
        .set("lines", lines);
}

JsonValue processToJson(const ReportProcess& process) {
    return JsonValue::object()
        .set("pid", JsonValue::integer(process.pid))
        .set("command", JsonValue::text(process.command))
        .set("samples", count(process.samples))
        .set("elapsed_s", JsonValue::number(process.elapsedSeconds));
}

uint64_t countFrom(const JsonValue& value) {
    return value.asInteger() < 0 ? 0 : static_cast<uint64_t>(value.asInteger());
}

int lineFrom(const JsonValue& value) {
    return static_cast<int>(value.asInteger());
}

TierSeconds secondsFrom(const JsonValue& value) {
    TierSeconds seconds;
    seconds.native = value["native_s"].asNumber();
    seconds.compiling = value["compile_s"].asNumber();
    seconds.interpreted = value["self_s"].asNumber() - seconds.native - seconds.compiling;
    return seconds;
}

RootState stateFrom(const std::string& name) {
    for (RootState state :
         {RootState::kRecording, RootState::kCompiling, RootState::kCompiled, RootState::kBlacklisted}) {
        if (name == rootStateName(state)) {
            return state;
        }
    }
    return RootState::kCounting;
}

RootStatistics rootFrom(const JsonValue& value) {
    RootStatistics root;
    root.kind = value["kind"].asText() == "function" ? RootKind::kFunction : RootKind::kLoop;
    root.state = stateFrom(value["state"].asText());
    root.line = lineFrom(value["line"]);
    root.unit = lineFrom(value["unit"]);
    root.interpreted = countFrom(value["iterations"]["interpreted"]);
    root.native = countFrom(value["iterations"]["native"]);
    root.compiles = static_cast<int>(value["compiles"].asInteger());
    root.compileMs = value["compile_ms"].asNumber();
    root.firstMs = value["first_ms"].asNumber();
    root.refusal = value["refusal"]["code"].asText();
    root.refusalLine = lineFrom(value["refusal"]["line"]);
    root.refusalDetail = value["refusal"]["detail"].asText();
    for (const JsonValue& exit : value["exits"].items()) {
        root.exits.push_back({exit["reason"].asText(), lineFrom(exit["line"]), countFrom(exit["count"])});
    }
    for (const JsonValue& operation : value["opaque"].items()) {
        root.opaque.push_back({operation["operation"].asText(), lineFrom(operation["line"])});
    }
    return root;
}

ReportFunction functionFrom(const JsonValue& value) {
    ReportFunction function;
    function.code.qualifiedName = value["name"].asText();
    function.code.file = value["file"].asText();
    function.code.firstLine = lineFrom(value["first_line"]);
    function.code.callsInterpreted = countFrom(value["calls"]["interpreted"]);
    function.code.callsNative = countFrom(value["calls"]["native"]);
    function.counted = !value["calls"]["interpreted"].isNull();
    function.samples = countFrom(value["samples"]);
    function.self = secondsFrom(value);
    function.cumulativeSeconds = value["cumulative_s"].asNumber();
    for (const JsonValue& root : value["roots"].items()) {
        function.code.roots.push_back(rootFrom(root));
    }
    for (const JsonValue& line : value["lines"].items()) {
        function.lines.push_back({lineFrom(line["line"]), countFrom(line["samples"]), secondsFrom(line)});
    }
    return function;
}

}  // namespace

std::string reportToJson(const Report& report) {
    return reportToJsonValue(report).toText();
}

JsonValue reportToJsonValue(const Report& report) {
    JsonValue functions = JsonValue::array();
    for (const ReportFunction& function : report.functions) {
        functions.append(functionToJson(function));
    }
    JsonValue processes = JsonValue::array();
    for (const ReportProcess& process : report.processes) {
        processes.append(processToJson(process));
    }
    JsonValue json =
        JsonValue::object().set("kiln_report", JsonValue::integer(kReportVersion)).set("functions", functions);
    for (size_t i = 0; i < reportSections().size(); i++) {
        json.set(reportSections()[i]->name, i < report.sections.size() ? report.sections[i] : JsonValue::array());
    }
    return json.set("samples", count(report.samples))
        .set("interval_ms", JsonValue::number(report.intervalMs))
        .set("overhead_ms", JsonValue::number(report.overheadMs))
        .set("share", shareToJson(shareOf(selfOf(report))))
        .set("processes", processes)
        .set("stacks", stacksToJson(report))
        .set("timeline", timelineToJson(report.timeline))
        .set("environment", report.environment);
}

bool reportFromJson(std::string_view text, Report& report, std::string& error) {
    JsonValue value;
    if (!parseJson(text, value, error)) {
        error = "not JSON: " + error;
        return false;
    }
    const JsonValue& version = value["kiln_report"];
    if (version.kind() != JsonValue::Kind::kInteger) {
        error = "not a kiln report: no member \"kiln_report\"";
        return false;
    }
    if (version.asInteger() != kReportVersion) {
        error = "a kiln report of version " + std::to_string(version.asInteger()) + "; this kiln reads version " +
                std::to_string(kReportVersion);
        return false;
    }
    report = Report();
    for (const JsonValue& function : value["functions"].items()) {
        report.functions.push_back(functionFrom(function));
    }
    report.stacks = stacksFromJson(value["stacks"], report);
    report.timeline = timelineFromJson(value["timeline"]);
    report.environment = value["environment"];
    report.sections = emptySections();
    for (size_t i = 0; i < report.sections.size(); i++) {
        for (const JsonValue& row : value[reportSections()[i]->name].items()) {
            report.sections[i].append(row);
        }
    }
    report.samples = countFrom(value["samples"]);
    report.intervalMs = value["interval_ms"].asNumber();
    report.overheadMs = value["overhead_ms"].asNumber();
    for (const JsonValue& process : value["processes"].items()) {
        report.processes.push_back({process["pid"].asInteger(), process["command"].asText(),
                                    countFrom(process["samples"]), process["elapsed_s"].asNumber()});
    }
    sortFunctions(report.functions);
    return true;
}

}  // namespace kiln
