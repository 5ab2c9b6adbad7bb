// Mechanisms over PEP 669 events of one code object: counting, recording, and leaving no trace of either.
#include <gtest/gtest.h>
#include <opcode.h>

#include <algorithm>
#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

constexpr uint32_t kCountingEvents = KILN_EVENT_PY_START | KILN_EVENT_JUMP;

struct Counts {
    int starts = 0;
    int jumps = 0;
};
Counts counts;

PyObject* countStart(PyObject*, PyObject* const*, Py_ssize_t) {
    counts.starts++;
    Py_RETURN_NONE;
}

PyObject* countJump(PyObject*, PyObject* const*, Py_ssize_t) {
    counts.jumps++;
    Py_RETURN_NONE;
}

// Called by the test's own loops to change events while their frame runs.
PyObject* changeEvents(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    auto* code = reinterpret_cast<PyCodeObject*>(arguments[0]);
    auto events = static_cast<uint32_t>(PyLong_AsLong(arguments[1]));
    if (kiln_monitor_set(code, events) < 0) {
        return nullptr;
    }
    Py_RETURN_NONE;
}

PyMethodDef countStartDef = defineFastCall("count_start", countStart);
PyMethodDef countJumpDef = defineFastCall("count_jump", countJump);
PyMethodDef changeEventsDef = defineFastCall("change_events", changeEvents);

int armNewCode(PyCodeEvent event, PyCodeObject* code) {
    return event == PY_CODE_EVENT_CREATE ? kiln_monitor_set(code, kCountingEvents) : 0;
}

void registerCounters() {
    counts = {};
    kiln_monitor_register(KILN_EVENT_PY_START, makeCallable(&countStartDef).get());
    kiln_monitor_register(KILN_EVENT_JUMP, makeCallable(&countJumpDef).get());
}

// As the interpreter sees it.
bool holdsOpcode(PyCodeObject* code, int opcode) {
    auto* units = reinterpret_cast<const _Py_CODEUNIT*>(code->co_code_adaptive);
    return std::any_of(units, units + Py_SIZE(code), [&](const _Py_CODEUNIT& unit) { return unit.op.code == opcode; });
}

bool isSubstring(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

constexpr const char* kCountedModule = R"(
def add_up(n):
    total = 0
    i = 0
    while True:
        if i >= n: break
        total += i
        i += 1
    return total
plain_code = add_up.__code__.co_code
)";

// Row: count calls and back-edges, by local events set when a code object is created.
TEST(Mechanism, CountsCallsAndBackEdges) {
    registerCounters();
    int watcher = PyCode_AddWatcher(armNewCode);
    ASSERT_GE(watcher, 0);
    Ref names = runModule(kCountedModule);
    ASSERT_EQ(PyCode_ClearWatcher(watcher), 0);
    ASSERT_TRUE(names);
    counts = {};
    ASSERT_TRUE(runIn(names.get(), R"(
import sys
for _ in range(4): add_up(100)
tool = sys.monitoring.get_tool(sys.monitoring.OPTIMIZER_ID)
hidden = int(tool is None and add_up.__code__.co_code == plain_code and 'INSTRUMENTED' not in repr(list(__import__('dis').get_instructions(add_up))))
)"));
    EXPECT_EQ(counts.starts, 4);
    EXPECT_EQ(counts.jumps, 400);
    EXPECT_EQ(intNamed(names, "hidden"), 1);
}

// Same row: counting ends without residue at a threshold and begins again, in a frame that is running as well.
TEST(Mechanism, StopsAndRearmsCounting) {
    registerCounters();
    Ref names = runModule("");
    PyDict_SetItemString(names.get(), "change_events", makeCallable(&changeEventsDef).get());
    ASSERT_TRUE(runIn(names.get(), R"(
def loop(n, stop, again, counting):
    i = 0
    while True:
        if i >= n: break
        if i == stop: change_events(code, 0)
        if i == again: change_events(code, counting)
        i += 1
    return i
code = loop.__code__
for _ in range(50): loop(20, -1, -1, 0)
)"));
    PyCodeObject* code = codeNamed(names, "loop");
    ASSERT_EQ(kiln_monitor_set(code, kCountingEvents), 0);
    EXPECT_TRUE(holdsOpcode(code, LOAD_FAST__LOAD_FAST));  // counting splits no superinstructions
    ASSERT_TRUE(runIn(names.get(), "result = loop(1000, 100, 400, 0b10000001)"));
    EXPECT_EQ(intNamed(names, "result"), 1000);
    EXPECT_EQ(counts.starts, 1);
    EXPECT_EQ(counts.jumps, 100 + 600);

    ASSERT_EQ(kiln_monitor_set(code, 0), 0);
    ASSERT_TRUE(runIn(names.get(), "for _ in range(50): loop(20, -1, -1, 0)"));
    EXPECT_EQ(counts.jumps, 700);
    std::string instructions = instructionsNow(PyFunction_GetCode(lookUp(names, "loop")));
    EXPECT_FALSE(isSubstring(instructions, "INSTRUMENTED")) << instructions;
    EXPECT_TRUE(isSubstring(instructions, "LOAD_FAST__LOAD_FAST")) << instructions;
    EXPECT_TRUE(isSubstring(instructions, "COMPARE_OP_INT")) << instructions;
}

struct Recording {
    int additionUnit = 0;
    int steps = 0;
    int wrongStacktops = 0;
    std::vector<std::pair<long, long>> operands;
};
Recording recording;

// Reads what `total + i` is about to add: the loop's iterator is below its two operands.
PyObject* recordInstruction(PyObject*, PyObject* const* arguments, Py_ssize_t) {
    recording.steps++;
    KilnFrame* frame = kiln_current_frame(PyThreadState_Get());
    recording.wrongStacktops += kiln_frame_stacktop(frame) != -1;
    if (PyLong_AsLong(arguments[1]) / 2 == recording.additionUnit) {
        PyObject** stack = kiln_frame_slots(frame) + kiln_frame_code(frame)->co_nlocalsplus;
        recording.operands.emplace_back(PyLong_AsLong(stack[1]), PyLong_AsLong(stack[2]));
        if (recording.operands.size() == 24) {
            kiln_monitor_set(kiln_frame_code(frame), 0);
        }
    }
    Py_RETURN_NONE;
}

PyObject* startRecording(PyObject*, PyObject* const* arguments, Py_ssize_t) {
    if (++counts.jumps == 10) {
        kiln_monitor_set(reinterpret_cast<PyCodeObject*>(arguments[0]), KILN_EVENT_INSTRUCTION);
    }
    Py_RETURN_NONE;
}

PyMethodDef recordDef = defineFastCall("record", recordInstruction);
PyMethodDef startDef = defineFastCall("start", startRecording);

// Row: record by INSTRUCTION events, armed from a JUMP callback in the running frame.
TEST(Mechanism, RecordsOperandsBeforeEachInstruction) {
    counts = {};
    recording = {};
    Ref names = runModule(R"(
def add_up(values):
    total = 0
    for i in values:
        total = total + i
    return total
)");
    ASSERT_TRUE(names);
    recording.additionUnit = unitOf(PyFunction_GetCode(lookUp(names, "add_up")), "BINARY_OP");
    kiln_monitor_register(KILN_EVENT_JUMP, makeCallable(&startDef).get());
    kiln_monitor_register(KILN_EVENT_INSTRUCTION, makeCallable(&recordDef).get());
    ASSERT_EQ(kiln_monitor_set(codeNamed(names, "add_up"), KILN_EVENT_JUMP), 0);
    ASSERT_TRUE(runIn(names.get(), "result = add_up(list(range(1000)))"));
    EXPECT_EQ(intNamed(names, "result"), 499500);
    EXPECT_EQ(recording.wrongStacktops, 0);
    EXPECT_GE(recording.steps, 24 * 5);
    ASSERT_EQ(recording.operands.size(), 24u);
    for (long k = 0; k < 24; k++) {
        long i = recording.operands[0].second + k;
        EXPECT_EQ(recording.operands[k], std::make_pair(i * (i - 1) / 2, i));
    }
    ASSERT_TRUE(runIn(names.get(), "for _ in range(50): add_up(list(range(20)))"));
    std::string instructions = instructionsNow(PyFunction_GetCode(lookUp(names, "add_up")));
    EXPECT_FALSE(isSubstring(instructions, "INSTRUMENTED")) << instructions;
    EXPECT_TRUE(isSubstring(instructions, "BINARY_OP_ADD_INT")) << instructions;
}

// Row: the type prior is the specialised instruction; cold code has none, and recording wipes it.
TEST(Mechanism, SpecialisedInstructionsTellTypes) {
    Ref names = runModule(R"(
def ints(n, step):
    total = n
    for i in range(20): total = total + step
    return total
def floats(n, step):
    total = n
    for i in range(20): total = total + step
    return total
def cold(n, step):
    return n + step
for _ in range(20): ints(1, 2); floats(1.0, 2.0)
)");
    ASSERT_TRUE(names);
    std::string ints = instructionsNow(PyFunction_GetCode(lookUp(names, "ints")));
    EXPECT_TRUE(isSubstring(ints, "BINARY_OP_ADD_INT")) << ints;
    EXPECT_TRUE(isSubstring(ints, "FOR_ITER_RANGE")) << ints;
    std::string floats = instructionsNow(PyFunction_GetCode(lookUp(names, "floats")));
    EXPECT_TRUE(isSubstring(floats, "BINARY_OP_ADD_FLOAT")) << floats;
    std::string cold = instructionsNow(PyFunction_GetCode(lookUp(names, "cold")));
    EXPECT_FALSE(isSubstring(cold, "BINARY_OP_")) << cold;

    ASSERT_EQ(kiln_monitor_set(codeNamed(names, "ints"), KILN_EVENT_INSTRUCTION), 0);
    std::string recorded = instructionsNow(PyFunction_GetCode(lookUp(names, "ints")));
    EXPECT_FALSE(isSubstring(recorded, "BINARY_OP_ADD_INT")) << recorded;
    ASSERT_EQ(kiln_monitor_set(codeNamed(names, "ints"), 0), 0);
}

}  // namespace
}  // namespace kiln::mechanism
