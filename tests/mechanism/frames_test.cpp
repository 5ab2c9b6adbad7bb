// Mechanisms of leaving compiled code into a frame made for it, and of linking CPython into the executable.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

KilnFrame* pushWithLocals(const Ref& names, const char* function, std::initializer_list<PyObject*> locals) {
    auto* object = reinterpret_cast<PyFunctionObject*>(lookUp(names, function));
    KilnFrame* frame = kiln_frame_push(PyThreadState_Get(), object, reinterpret_cast<PyCodeObject*>(object->func_code), 0);
    PyObject** slot = kiln_frame_slots(frame);
    for (PyObject* local : locals) {
        *slot++ = local;
    }
    return frame;
}

// Row: leave compiled code: fill a frame and let the interpreter go on in the middle of a function, operands on the
// stack.
TEST(Mechanism, ResumesInTheMiddleOfAFunction) {
    Ref names = runModule(R"(
import sys
log = []
def work(a, b):
    log.append('skipped')
    try:
        total = a + b * 2
        return total, sys._getframe().f_lineno
    finally:
        log.append('finally')
)");
    ASSERT_TRUE(names);
    PyObject* code = PyFunction_GetCode(lookUp(names, "work"));
    PyThreadState* tstate = PyThreadState_Get();
    for (int k = 0; k < 100; k++) {
        KilnFrame* before = kiln_current_frame(tstate);
        KilnFrame* frame = pushWithLocals(names, "work", {PyLong_FromLong(k), PyLong_FromLong(7)});
        int base = kiln_frame_code(frame)->co_nlocalsplus;
        // Before `a + ...`: the stack holds a and b * 2.
        kiln_frame_slots(frame)[base] = PyLong_FromLong(k);
        kiln_frame_slots(frame)[base + 1] = PyLong_FromLong(14);
        kiln_frame_set_stacktop(frame, base + 2);
        kiln_frame_set_last_unit(frame, unitOf(code, "BINARY_OP", 1) - 1);
        Ref result(kiln_frame_run(tstate, frame, false));
        ASSERT_TRUE(result);
        EXPECT_EQ(kiln_current_frame(tstate), before);
        EXPECT_EQ(PyLong_AsLong(PyTuple_GetItem(result.get(), 0)), k + 14);
        EXPECT_EQ(PyLong_AsLong(PyTuple_GetItem(result.get(), 1)), 8);
    }
    ASSERT_TRUE(runIn(names.get(), "right = int(log == ['finally'] * 100)"));
    EXPECT_EQ(intNamed(names, "right"), 1);
}

// Same row with an exception: handlers, `finally` and the traceback's line come out exact.
TEST(Mechanism, RaisesInTheMiddleOfAFunction) {
    Ref names = runModule(R"(
import traceback
log = []
def work(a):
    try:
        a = a.missing
        return 'not reached'
    except ValueError as error:
        log.append('caught')
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)]
        return lines, str(error), str(error.__context__)
    finally:
        log.append('finally')
)");
    ASSERT_TRUE(names);
    PyThreadState* tstate = PyThreadState_Get();
    KilnFrame* frame = pushWithLocals(names, "work", {PyLong_FromLong(1)});
    kiln_frame_set_stacktop(frame, kiln_frame_code(frame)->co_nlocalsplus);
    kiln_frame_set_last_unit(frame, unitOf(PyFunction_GetCode(lookUp(names, "work")), "LOAD_ATTR"));
    PyErr_SetString(PyExc_ValueError, "from native code");
    Ref result(kiln_frame_run(tstate, frame, true));
    ASSERT_TRUE(result);
    PyDict_SetItemString(names.get(), "result", result.get());
    ASSERT_TRUE(runIn(names.get(),
                      "right = int(result == ([6], 'from native code', 'None') and log == ['caught', 'finally'])"));
    EXPECT_EQ(intNamed(names, "right"), 1);
}

// Row: internals that libpython3.12.so does not export are linked in, and stock extension modules find every symbol.
TEST(Mechanism, LoadsStockExtensionModules) {
    Ref names = runModule(R"(
import importlib, os, sysconfig
folder = next(p for p in __import__('sys').path if p.endswith('lib-dynload'))
suffix = '.' + sysconfig.get_config_var('SOABI') + '.so'
modules = sorted(n.removesuffix(suffix) for n in os.listdir(folder) if n.endswith(suffix))
private = ('_test', '_xx', 'xx', '_ctypes_test', '_tkinter', 'nis')
wanted = [m for m in modules if not m.startswith(private)]
for module in wanted: importlib.import_module(module)
import ctypes, decimal, json
right = int(len(wanted) >= 15 and json.loads('[1.5]') == [1.5] and str(decimal.Decimal(1) / 8) == '0.125'
            and ctypes.pythonapi.Py_IsInitialized() == 1)
)");
    ASSERT_TRUE(names);
    EXPECT_EQ(intNamed(names, "right"), 1);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        EXPECT_EQ(line.find("libpython3"), std::string::npos) << "a second CPython is loaded: " << line;
    }
}

// Row: frames. A record is found from the frame, which forgets it when it runs or is popped; its chunk tells of its end.
TEST(Mechanism, AFrameLeadsToItsRecord) {
    Ref names = runModule("def f(a, b): return a + b\n");
    ASSERT_TRUE(names);
    PyThreadState* thread = PyThreadState_Get();
    auto* function = reinterpret_cast<PyFunctionObject*>(lookUp(names, "f"));
    KilnFrame* frame = kiln_frame_push(thread, function, reinterpret_cast<PyCodeObject*>(function->func_code), 8);
    EXPECT_EQ(kiln_frame_record(frame), nullptr);
    kiln_frame_attach(frame, kiln_frame_behind(frame));
    EXPECT_EQ(kiln_frame_record(frame), kiln_frame_behind(frame));
    int64_t onNativeStack = 0;
    kiln_frame_attach(frame, &onNativeStack);
    EXPECT_EQ(kiln_frame_record(frame), &onNativeStack);
    kiln_frame_set_stacktop(frame, -1);
    EXPECT_EQ(kiln_frame_record(frame), nullptr);
    kiln_frame_attach(frame, kiln_frame_behind(frame));
    kiln_frame_pop(thread, frame);

    void* chunk = kiln_stack_chunk(thread);
    void* room = kiln_data_stack_push(thread, 100'000);
    ASSERT_NE(room, nullptr);
    EXPECT_NE(kiln_stack_chunk(thread), chunk);
    kiln_data_stack_pop(thread, room);
    EXPECT_EQ(kiln_stack_chunk(thread), chunk);
}

// Row: frames. A chunk of a data stack that frames leave by returning is not told of; one that goes with its thread is.
TEST(Mechanism, AChunkTellsOfItsEnd) {
    static std::vector<void*> gone;
    kiln_watch_stack_chunks([](void* chunk) { gone.push_back(chunk); });
    PyThreadState* thread = PyThreadState_Get();
    kiln_data_stack_pop(thread, kiln_data_stack_push(thread, 100'000));
    EXPECT_TRUE(gone.empty());
    PyThreadState* other = PyThreadState_New(PyInterpreterState_Get());
    void* chunk = kiln_stack_chunk(other);
    PyThreadState_Clear(other);
    PyThreadState_Delete(other);
    EXPECT_EQ(std::count(gone.begin(), gone.end(), chunk), 1);
}

// Row: frames. The first chunk stays as long as its thread, whatever lies above it; of its end one hears before it is unmapped, with
// or without a current thread.
TEST(Mechanism, TheFirstChunkStays) {
    static std::vector<const void*> freed;
    kiln_watch_stack_chunks([](void*) {});
    ASSERT_TRUE(kiln_watch_root_chunks([](const void* memory, size_t size) {
        freed.push_back(memory);
        EXPECT_EQ(msync(const_cast<void*>(memory), size, MS_ASYNC), 0) << "unmapped";
    }));
    PyThreadState* other = PyThreadState_New(PyInterpreterState_Get());
    const void* root = nullptr;
    size_t size = 1;
    kiln_root_chunk(other, &root, &size);
    EXPECT_EQ(size, 0u);
    void* chunk = kiln_stack_chunk(other);
    void* room = kiln_data_stack_push(other, 100'000);
    ASSERT_NE(room, nullptr);
    kiln_root_chunk(other, &root, &size);
    EXPECT_EQ(root, chunk);
    EXPECT_GE(size, size_t{16} << 10);
    kiln_data_stack_pop(other, room);
    EXPECT_TRUE(freed.empty());
    PyThreadState_Clear(other);
    PyThreadState* own = PyThreadState_Swap(nullptr);
    PyThreadState_Delete(other);
    PyThreadState_Swap(own);
    EXPECT_EQ(std::count(freed.begin(), freed.end(), root), 1);
    kiln_watch_root_chunks(nullptr);
}

// Row: frames. Frames that come and go at the end of a chunk map no memory: the chunk behind it is the same each time.
TEST(Mechanism, AChunkIsKeptForTheNext) {
    kiln_watch_stack_chunks([](void*) {});
    PyThreadState* thread = PyThreadState_Get();
    void* full = kiln_data_stack_push(thread, 1000);
    void* first = nullptr;
    for (int round = 0; round < 3; round++) {
        void* room = kiln_data_stack_push(thread, 1500);  // beyond what a chunk of 16 KiB has left
        void* chunk = kiln_stack_chunk(thread);
        kiln_data_stack_pop(thread, room);
        EXPECT_NE(kiln_stack_chunk(thread), chunk);
        first = round == 0 ? chunk : first;
        EXPECT_EQ(chunk, first);
        EXPECT_EQ(msync(chunk, 1, MS_ASYNC), 0) << "unmapped";
    }
    kiln_data_stack_pop(thread, full);
}

// Row: code. Between two fields there is room for the number of an entry; CPython neither reads nor writes it.
TEST(Mechanism, ACodeObjectLeadsToItsEntry) {
    const char* source = "for i in range(9): pass";
    Ref first(Py_CompileString(source, "entry.py", Py_file_input));
    Ref second(Py_CompileString(source, "entry.py", Py_file_input));
    ASSERT_TRUE(first && second);
    auto* code = reinterpret_cast<PyCodeObject*>(first.get());
    auto* other = reinterpret_cast<PyCodeObject*>(second.get());
    EXPECT_EQ(kiln_code_entry(code), nullptr);
    KilnCodeRecord record = {};
    KilnCodeEntry* entry = kiln_take_code_entry(code, &record);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->record, &record);
    EXPECT_EQ(entry->calls_left, 0U);
    EXPECT_EQ(entry->loop.unit, KILN_NO_LOOP);
    uint32_t number = *kiln_entry_number(code);
    Ref names(PyDict_New());
    Ref done(PyEval_EvalCode(first.get(), names.get(), names.get()));
    EXPECT_TRUE(done);
    ASSERT_EQ(kiln_monitor_set(code, KILN_EVENT_PY_START | KILN_EVENT_JUMP), 0);
    done = Ref(PyEval_EvalCode(first.get(), names.get(), names.get()));
    EXPECT_EQ(kiln_code_entry(code), entry);
    *kiln_entry_number(other) = number;  // whatever stands there
    EXPECT_EQ(kiln_code_entry(other), nullptr);
    *kiln_entry_number(other) = UINT32_MAX;
    EXPECT_EQ(kiln_code_entry(other), nullptr);
    kiln_give_code_entry_back(entry);
    EXPECT_EQ(kiln_code_entry(code), nullptr);
    EXPECT_EQ(kiln_take_code_entry(other, &record), entry) << "used again";
    EXPECT_EQ(*kiln_entry_number(other), number);
    EXPECT_EQ(kiln_code_entry(code), nullptr);
    kiln_give_code_entry_back(entry);
    EXPECT_EQ(kiln_thread(), PyThreadState_Get());
}

}  // namespace
}  // namespace kiln::mechanism
