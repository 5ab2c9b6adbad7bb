#include "jit/engine/engine.h"

#include <pthread.h>

#include "interp/config.h"
#include "interp/cpython/sampling.h"
#include "interp/instance_classes.h"
#include "interp/support/log.h"
#include "jit/engine/codegen_loader.h"
#include "jit/engine/coverage.h"
#include "jit/engine/event_callback.h"
#include "jit/jit_engine.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/native_scope.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

PyObject* onJump(PyObject*, PyObject* const* arguments, size_t, PyObject*) {
    int from = static_cast<int>(PyLong_AsLong(arguments[1]) / 2);
    int to = static_cast<int>(PyLong_AsLong(arguments[2]) / 2);
    return JitEngine::instance().jumped(reinterpret_cast<PyCodeObject*>(arguments[0]), from, to);
}

PyObject* onStart(PyObject*, PyObject* const* arguments, size_t, PyObject*) {
    return JitEngine::instance().started(reinterpret_cast<PyCodeObject*>(arguments[0]));
}

// CPython's iterators over released memoryviews are made with an exception, which is raised by what is executed next.
PyObject* onInstruction(PyObject*, PyObject* const* arguments, size_t, PyObject*) {
    if (PyErr_Occurred() != nullptr) {
        return nullptr;
    }
    int unit = static_cast<int>(PyLong_AsLong(arguments[1]) / 2);
    return JitEngine::instance().instruction(reinterpret_cast<PyCodeObject*>(arguments[0]), unit);
}

int onCode(PyCodeEvent event, PyCodeObject* code) {
    if (event == PY_CODE_EVENT_CREATE) {
        JitEngine::instance().countFrom(code);
    }
    return 0;
}

int onDict(PyDict_WatchEvent event, PyObject* dict, PyObject* key, PyObject*) {
    JitEngine::instance().dictChanged(event, dict, key);
    return 0;
}

int onFunction(PyFunction_WatchEvent event, PyFunctionObject* function, PyObject*) {
    if (event == PyFunction_EVENT_CREATE) {
        JitEngine::instance().functionCreated(function);
    } else {
        JitEngine::instance().functionChanged(event, function);
    }
    return 0;
}

int onClass(PyTypeObject* cls) {
    JitEngine::instance().classChanged(cls);
    return 0;
}

void onClassDied(PyTypeObject* cls) {
    JitEngine::instance().classDied(cls);
}

void onCodeFreed(void* record) {
    JitEngine::instance().codeDestroyed(static_cast<CodeRecord*>(static_cast<KilnCodeRecord*>(record)));
}

void onProgramEnd() {
    JitEngine::instance().stop();
}

int onAttention(void*) {
    JitEngine::instance().attend();
    return 0;
}

bool registerCallback(int event, vectorcallfunc function) {
    Ref<> callback = makeEventCallback(function);
    return callback && kiln_monitor_register(event, callback.get()) == 0;
}

}  // namespace

// From any thread, without the GIL.
bool JitEngine::requestAttention() {
    return kiln_request_call(onAttention, nullptr) == 0;
}

// Never destroyed: code objects outlive static destructors.
JitEngine::JitEngine() : queue_(requestAttention), records_(requestAttention) {}

// The report counts everything, and in mode always everything is compiled: from its beginning. Else what runs more than a few times.
bool JitEngine::countCode() {
    kiln_count_events([](PyCodeObject* code) { instance().countFrom(code); });
    kiln_enter_from_c([](PyThreadState* thread, KilnCodeRecord* record, PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject** result) {
        return instance().enterFromC(thread, static_cast<CodeRecord&>(*record), function, arguments, given, result);
    });
    return (!config().reports && !config().jitAlways) || PyCode_AddWatcher(onCode) >= 0;
}

bool JitEngine::start() {
    keepReserve();
    kiln_show_frames_by(showPosition, showLocals);
    kiln_make_frames_by(makeWaitingFrames, [](void* record) { keepValues(static_cast<Activation*>(record)); });
    othersWatch_ = kiln_monitor_others_active(PyThreadState_Get(), nullptr);
    kiln_watch_others([] { instance().othersChanged(); });
    watchStays();
    kiln_code_hide_events([](PyCodeObject* code) { return instance().unitsBefore(code); });
    queue_.setEnvironment(makeCodegenEnvironment());
    pthread_atfork([] { instance().beforeFork(); }, [] { instance().afterForkInParent(); },
                   [] { instance().afterForkInChild(); });
    bool keepsRecords = records_.start(onCodeFreed);
    int dictWatcher = PyDict_AddWatcher(onDict);
    int typeWatcher = PyType_AddWatcher(onClass);
    assumptions_.setWatchers(dictWatcher, typeWatcher);
    ObservedClasses::instance().start(onClassDied);
    kiln_at_program_end(onProgramEnd);
    if (!findInstanceDestructor() || !prepareRaiser() || kiln_monitor_hide() != 0) {
        return false;
    }
    return keepsRecords && dictWatcher >= 0 && typeWatcher >= 0 && PyFunction_AddWatcher(onFunction) >= 0 &&
           registerCallback(KILN_EVENT_JUMP, onJump) && registerCallback(KILN_EVENT_PY_START, onStart) &&
           registerCallback(KILN_EVENT_INSTRUCTION, onInstruction) && countCode();
}

void JitEngine::stop() {
    stopped_ = true;
    writeCoverage();
    queue_.stop();
    if (session_.root != nullptr) {
        abandonRecording();
    }
    invalidateAll(allRegions());
    for (const auto& [address, region] : regions_) {  // what was being compiled
        std::vector<Ref<>> released = std::exchange(region->keptAlive, {});
    }
    retired_.releaseObjects();  // to the others a greenlet or thread may still come back
    records_.stop();
}

PyObject* JitEngine::unitsBefore(PyCodeObject* code) const {
    CodeRecord* record = records_.find(code);
    return record != nullptr ? record->unitsBefore.get() : nullptr;
}

CodeProfile& JitEngine::profileOf(PyCodeObject* code) {
    return records_.of(code).profile();
}

bool JitEngine::isStableName(PyObject* dict, PyObject* key) {
    return assumptions_.isStable(dict, key);
}

int JitEngine::counterFor(PyCodeObject* code, int unit) {
    if (unit != kEntries && !config().reports) {
        return -1;
    }
    int index = counters_.indexOf(code, unit);
    if (index < 0) {
        return -1;
    }
    CodeRecord& record = records_.of(code);
    if (unit == kEntries) {
        record.functionRoot().entries = index;
    } else {
        (unit == 0 ? record.functionRoot() : record.loopRoot(unit)).counter = index;
    }
    return index;
}

void startJit() {
    if (!JitEngine::instance().start()) {
        PyErr_Clear();
        logMessage(LogChannel::kCompile, "the JIT could not start; running interpreted");
    }
}

std::vector<CodeStatistics> jitStatistics() {
    return JitEngine::instance().statistics();
}

}  // namespace kiln
