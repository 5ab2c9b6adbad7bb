// A report with something of everything, for the tests of its forms.
#pragma once

#include "profiler/report_model.h"

namespace kiln {

inline ReportFunction sampleFunction(const std::string& name, double interpreted, double native) {
    ReportFunction function;
    function.code.qualifiedName = name;
    function.code.file = "/home/user/project/nbody.py";
    function.code.firstLine = 23;
    function.self.interpreted = interpreted;
    function.self.native = native;
    function.cumulativeSeconds = interpreted + native;
    function.samples = static_cast<uint64_t>((interpreted + native) * 1000);
    return function;
}

inline RootStatistics sampleLoop() {
    RootStatistics root;
    root.kind = RootKind::kLoop;
    root.state = RootState::kCompiled;
    root.line = 25;
    root.unit = 14;
    root.interpreted = 1000;
    root.native = 999000;
    root.compiles = 2;
    root.compileMs = 12.5;
    root.exits = {{"D003", 27, 1204}, {"D001", 26, 3}};
    root.opaque = {{"CALL random.random", 26}};
    return root;
}

inline RootStatistics refusedLoop() {
    RootStatistics root;
    root.state = RootState::kBlacklisted;
    root.line = 41;
    root.unit = 8;
    root.interpreted = 5000;
    root.refusal = "A001";
    root.refusalLine = 42;
    root.refusalDetail = "yield";
    return root;
}

inline Report sampleReport() {
    Report report;
    ReportFunction advance = sampleFunction("System.advance", 0.5, 7.5);
    advance.counted = true;
    advance.code.callsInterpreted = 10;
    advance.code.callsNative = 123456;
    advance.code.roots = {sampleLoop()};
    advance.lines = {{26, 5000, {0.5, 4.5, 0}}, {27, 3000, {0, 3, 0}}};
    ReportFunction stream = sampleFunction("stream", 2, 0);
    stream.code.roots = {refusedLoop()};
    report.functions = {advance, stream, sampleFunction("tiny", 0.001, 0)};
    report.samples = 10001;
    report.intervalMs = 1;
    report.overheadMs = 101;
    uint32_t outer = report.stacks.addFunction({"/home/user/project/nbody.py", 23, "stream"});
    uint32_t inner = report.stacks.addFunction({"/home/user/project/nbody.py", 23, "System.advance"});
    int32_t caller = report.stacks.child(-1, report.stacks.addFrame({outer, 40, ReportTier::kInterpreted}));
    int32_t callee = report.stacks.child(caller, report.stacks.addFrame({inner, 26, ReportTier::kQuick}));
    report.stacks.add(caller, 2000, 2);
    report.stacks.add(callee, 8000, 8);
    report.timeline = Timeline(1000, 0.5);
    report.timeline.addPart(1000.25, ReportTier::kInterpreted, 0.2);
    report.timeline.addPart(1000.75, ReportTier::kThorough, 0.5);
    report.timeline.lane(TimelineLane::kCompilations).add({1000.25, 0.001, "py::System.advance", ReportTier::kQuick});
    report.environment = JsonValue::object().set("python", JsonValue::text("3.12.1"));
    report.processes = {{77, "nbody.py", 10001, 10.5}};
    return report;
}

}  // namespace kiln
