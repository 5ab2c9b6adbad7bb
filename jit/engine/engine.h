// The JIT engine: decides what is recorded, built, compiled, entered and thrown away. One per process, main interpreter only.
#pragma once

#include <Python.h>

#include <map>
#include <optional>
#include <memory>

#include "jit/engine/assumptions.h"
#include "jit/engine/code_records.h"
#include "jit/engine/compile_queue.h"
#include "jit/engine/entry_cell.h"
#include "jit/engine/native_counters.h"
#include "jit/engine/retired_code.h"
#include "jit/record/recorder.h"
#include "profiler/frame_window.h"

namespace kiln {

// False for functions that are only interpreted; loops in them need not be.
bool fitsFunctionRoot(PyCodeObject* code);

// The dict that code which is no function's stores its names to; nullptr for a function's. Borrowed.
PyObject* namespaceOf(KilnFrame* frame);

// A function root's parameters: the first slots of its frame, *args and **kwargs included.
int parameterCount(const PyCodeObject* code);

// Versions of a root that are kept.
inline constexpr size_t kMostVersions = 4;

class JitEngine final : public BuildEnvironment, public ExitListener {
   public:
    static JitEngine& instance() {
        static auto* engine = new JitEngine();
        return *engine;
    }
    // Registers watchers and events. Needs the GIL, in the main interpreter.
    bool start();

    // The interpreter is about to end: throws all code away and releases every object, so that modules die as they would.
    void stop();

    // ---- events (engine_events.cpp): may run compiled code, hence any Python code
    PyObject* jumped(PyCodeObject* code, int fromUnit, int toUnit);
    PyObject* started(PyCodeObject* code);
    PyObject* instruction(PyCodeObject* code, int unit);
    // Its calls and loops are counted from now on.
    void countFrom(PyCodeObject* code);
    void othersChanged();
    void codeDestroyed(CodeRecord* record);
    // What the compile thread and the watchers left to do: installs finished code, switches events on again.
    void attend();
    CompileQueue& queue() { return queue_; }
    // Around a fork (engine_memory.cpp).
    void beforeFork();
    void afterForkInParent() { queue_.afterForkInParent(); }
    void afterForkInChild();
    void dictChanged(PyDict_WatchEvent event, PyObject* dict, PyObject* key);
    void functionCreated(PyFunctionObject* function);
    void functionChanged(PyFunction_WatchEvent event, PyFunctionObject* function);
    // Also when an instance is about to become another class's.
    void classChanged(PyTypeObject* cls);
    void classDied(PyTypeObject* cls);
    PyObject* vectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names);
    // Calls that compiled code makes: the references to the arguments are for the callee. Of callTaking() there is one for each
    // parameter, and `wanted` is what the caller was compiled against; callGiving() leaves None in their stead.
    PyObject* callTaking(PyFunctionObject* function, PyObject** parameters, const NativeFunction& wanted);
    PyObject* callGiving(PyFunctionObject* function, PyObject** arguments, size_t given, PyObject* names);
    // What the next two need of the function; NULL when a call of it enters no compiled code.
    const EntryCell* cellEntered(PyFunctionObject* function);
    // As callGiving() in the caller's stay, whose frames need not be real; kNotEntered, and nothing happened, where that is not possible.
    NativeResult callWithin(NativeContext* context, const EntryCell& cell, PyFunctionObject* function, PyObject** arguments, size_t given);
    // The root whose code enterWithin() may enter now, for the function with bound parameters, whose references it takes but at
    // kNotEntered; NULL when there is none. What CallBinding does to bind them runs no Python code.
    Root* enterable(PyThreadState* thread, const EntryCell& cell, PyFunctionObject* function);
    NativeResult enterWithin(NativeContext* context, PyFunctionObject* function, Root& root, PyObject** parameters);

    // ---- BuildEnvironment, ExitListener
    CodeProfile& profileOf(PyCodeObject* code) override;
    bool isStableName(PyObject* dict, PyObject* key) override;
    NativeFunction* nativeFunction(const Callee& callee, const std::vector<ir::Type>& arguments, const std::vector<int>& boxed,
                                   ir::Type expected) override;
    ir::Type returnType(NativeFunction* function) override { return function->returnType; }
    NativeFunction* anyCallable(Called called, size_t words) override;
    void wantCode(PyCodeObject* code) override;
    int counterFor(PyCodeObject* code, int unit) override;
    void exitTaken(CompiledRegion& region, int exit) override;
    bool budgetSpent(CompiledRegion& region) override;

    // ---- statistics (engine_statistics.cpp)
    std::vector<CodeStatistics> statistics();
    CodeStatistics statisticsOf(CodeRecord* record);

   private:
    // One root being recorded.
    struct Session {
        Root* root = nullptr;
        unsigned long thread = 0;
        int passes = 0;
        int rounds = 0;
        int events = 0;
        int eventsSeen = 0;       // when another root last asked for the recorder
        std::vector<PyCodeObject*> armed;
        bool extends = false;     // code that exists is recorded from an exit on, which is:
        ExitPlace wanted;
        bool wantsPath = false;   // it left for a path, else for a class
        int knownClasses = 0;     // where it left
        bool addsVersion = false; // no exit: entries fail
        const CompiledRegion* left = nullptr;  // the code itself, unless it is gone
    };

    Root& rootOfFunction(PyFunctionObject* function) { return records_.of(reinterpret_cast<PyCodeObject*>(function->func_code)).functionRoot(); }
    PyObject* unitsBefore(PyCodeObject* code) const;

    // recording (engine_recording.cpp)
    void startRecording(Root& root);
    void arm(PyCodeObject* code);
    void beginSession(Root& root);
    bool takeRecorder();
    bool recordedEnough();
    void watchCall(KilnFrame* frame, const CodeProfile& profile, int unit);
    void stopRecording();
    void abandonRecording();
    static bool hasCodeFor(const Root& root, const NativeFunction& wanted);
    void emptyCalls(Root& root);
    void restoreCalls(Root& root);
    void resume(Root& root);
    void tryRecord(Root& root);
    void backOff(Root& root);
    void refuse(Root& root, Refusal refusal, const std::string& detail, int line);

    // recording from an exit on (engine_extending.cpp)
    void outdateSeen(Root& root);
    bool recordAnew(Root& root);
    void startExtending(Root& root, const CompiledRegion& region, int exit, bool isChange);
    bool sawWanted();
    bool mayShowWanted(const CodeProfile& profile, int unit);
    bool extendedEnough();
    void finishExtending();
    void notePass(bool isRound = false);

    // compiling (engine_compiling.cpp)
    // Which locals of a loop are numbers at some entries and something else at others.
    void noteEntry(Root& root, KilnFrame* frame);
    void buildLoop(Root& root, KilnFrame* frame, int depth, bool replaces);
    bool fitsRebuild(const Root& root, PyObject* const* parameters) const;
    void buildFunction(Root& root, PyFunctionObject* function, PyObject* const* parameters, const NativeFunction* wanted);
    void compile(Root& root, BuildRequest& request, bool replaces);
    void refuseRegion(Root& root, Refusal refusal, const std::string& detail, int line);
    void adopt(CompileJob& job);
    void install(Root& root, CompileJob& job);
    void judge(Root& root);
    void invalidate(CompiledRegion& region);
    void invalidateAll(const std::vector<CompiledRegion*>& regions);
    void dropVersions(Root& root);
    static void holdConstants(CompiledRegion& region);
    void holdCode(PyFunctionObject* function);
    std::vector<CompiledRegion*> allRegions() const;
    void retire(CompiledRegion& region);
    void forget(Root& root);
    void releaseRetired();
    void keepExits(Root& root, CompiledRegion& region);

    // from quick code to thorough code (engine_tier_up.cpp)
    static Tier firstTier(const CompiledRegion& region);
    bool assembleNow(CompileJob& job);
    std::unique_ptr<CompileJob> jobFor(CompiledRegion& region, Tier tier);
    void grantBudget(CompiledRegion& region);
    void adoptBetter(CompileJob& job);
    void replaceCode(Root& root, CompiledRegion& region, const CodegenResult& code);

    // native entries (engine_natives.cpp)
    NativeFunction& entryOf(Root& root, const Callee& callee, const std::vector<ir::Type>& arguments, const std::vector<int>& boxed,
                            ir::Type result);
    NativeFunction& entryOf(Root& root, const CompiledRegion& region);
    void expectCode(Root& root, CompiledRegion& region);
    void fillEntries(Root& root, CompiledRegion& region);
    static void replaceEntries(Root& root, const CompiledRegion& region, const void* before);
    static void emptyEntries(Root& root, CompiledRegion& region);
    static void settleCells(Root& root);
    void widenSites(const CompiledRegion& region, uint64_t hot);
    void requestRebuild(Root& root, const CompiledRegion* outdated);
    void rebuildCallers(const NativeFunction& callee);

    // calls from the interpreter (engine_calls.cpp)
    class BoundCall;
    // `gives`: the callee takes the arguments' references.
    struct Caller {
        bool isInterpreter = false;
        bool gives = false;
        bool looks = false;         // at the evaluation breaker behind the call, as it would not had it entered the callee itself
        PyObject* tuple = nullptr;  // of a CALL_FUNCTION_EX with keywords, and held by nobody else
        PyObject* dict = nullptr;
        void emptyHolders() const;
    };
    Caller callerOf(KilnFrame* frame, PyObject* callable, PyObject* const* arguments, size_t count);
    bool mayEnter(PyThreadState* thread, PyFunctionObject* function, Root& root, int charge);
    PyObject* call(PyThreadState* thread, PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names, const Caller& caller);
    PyObject* callBound(PyThreadState* thread, PyFunctionObject* function, Root* root, PyObject** parameters, int charge);
    void unswapAll();
    static void unswap(Root& root);
    static EntryCell* cellFor(PyFunctionObject* function, Root& root);
    static void swap(PyFunctionObject* function, Root& root);
    Root* rootForCallers(PyFunctionObject* function) const;
    static Root* rootForCallers(const CodeRecord& record);
    CodeRecord* recordForCallers(PyFunctionObject* function) const;
    Root* rootEntered(PyFunctionObject* function);
    bool isHeldBack(PyThreadState* thread, int charge) const;
    bool isOpen(PyThreadState* thread, int charge) const;
    bool enterByCell(PyThreadState* thread, const EntryCell& cell, PyFunctionObject* function, PyObject** parameters, int charge, PyObject** result);
    const EntryCell* cellForC(CodeRecord& record, PyFunctionObject* function);
    bool enterFromC(PyThreadState* thread, CodeRecord& record, PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject** result);
    PyObject* left(PyObject* result);
    PyObject* callBoundByInterpreter(PyFunctionObject* function, PyObject* const* arguments, size_t given, PyObject* names, int charge);
    bool runNative(PyThreadState* thread, PyFunctionObject* function, Root& root, PyObject** parameters, int charge, PyObject** result);
    void missed(PyFunctionObject* function, Root& root, PyObject* const* parameters, const NativeFunction* wanted);

    // entering (engine_events.cpp)
    void enterFromBackEdge(Root& root, PyCodeObject* code);
    std::optional<int> enterLoop(Root& root, KilnFrame* frame);
    std::optional<int> runVersion(Root& root, CompiledRegion& region, KilnFrame* frame);
    static bool requestAttention();
    void watchForTools();
    void giveWayToTools();
    // A profiler, a tracer or another frame-evaluation hook must see every call: no code is entered.
    bool isWatched(PyThreadState* thread, PyCodeObject* code) const {
        bool byTool = othersWatch_ || (toolsMayBePresent_ && kiln_monitor_others_active(thread, code));
        return byTool || (kiln_has_frame_hook(thread) && FrameWindow::isTaken(thread));
    }
    bool toolsPresent();
    void warmEnclosing(CodeRecord& record, int unit);
    void want(Root& root);
    bool isConsumersWork(Root& root, KilnFrame* frame);
    bool yieldsOften(const Root& root);
    bool warmConsumer(KilnFrame* generator, uint64_t rounds);
    JitEngine();
    bool countCode();

    Root& rootAround(Root& loop);

    bool stopped_ = false;
    bool forked_ = false;             // in a child, until attend()
    bool toolsMayBePresent_ = false;  // a monitoring tool registered a callback
    bool othersWatch_ = false;        // a profiler or tracer does
    Session session_;
    Recorder recorder_;
    CompileQueue queue_;
    CodeRecords records_;
    Assumptions assumptions_;
    std::map<CompiledRegion*, std::unique_ptr<CompiledRegion>> regions_;  // but for those retired
    RetiredCode retired_;
    std::map<CompiledRegion*, Root*> rootOf_;               // of versions, and of what is being compiled
    std::vector<std::unique_ptr<NativeFunction>> anyCallables_;  // by their words; the first takes spread arguments
    std::vector<CodeStatistics> dead_;
    NativeCounters counters_;
};

}  // namespace kiln
