// A region after compilation: what its exits need, and what keeps it valid.
#pragma once

#include <Python.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "interp/bytecode.h"
#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_request.h"
#include "jit/codegen_interface.h"
#include "jit/native_interface.h"
#include "jit/quick/quick_code.h"
#include "profiler/sample_tier.h"

namespace kiln {

class CompiledRegion;

// Visits the snapshots of the region's `suspend`s.
template <typename Visit>
void forEachWait(const ir::Region& region, const Visit& visit) {
    for (const ir::Block& block : region.blocks) {
        for (const ir::Instruction& in : block.instructions) {
            if (in.op == ir::Op::k_suspend) {
                visit(region.snapshots[static_cast<size_t>(in.snapshot)]);
            }
        }
    }
}

// Told what compiled code meets: decides on recording and recompiling. Needs the GIL; runs no Python code.
class ExitListener {
   public:
    virtual ~ExitListener() = default;
    virtual void exitTaken(CompiledRegion& region, int exit) = 0;
    // Quick code has used its budget up. True when there is better code by now.
    virtual bool budgetSpent(CompiledRegion& region) = 0;
};

// Of polls and calls: never spent.
inline constexpr int64_t kUnlimitedBudget = int64_t{1} << 62;

class CompiledRegion {
   public:
    CompiledRegion(BuildResult&& built, PyCodeObject* code, ExitListener& listener)
        : region(std::move(built.region)), exits(std::move(built.exits)), dependencies(std::move(built.dependencies)),
          functions(std::move(built.functions)), codes(std::move(built.codes)), classes(std::move(built.classes)), opaque(std::move(built.opaque)),
          keptAlive(std::move(built.keptAlive)), needsFrame(built.needsFrame), instructions(built.instructions),
          code(code), listener(listener) {}

    // Its root has a frame from the first time that somebody may look; until then, and while it runs, nobody sees a position.
    bool makesFrameLate() const { return region.isFunction && !needsFrame; }
    // Sizes what is kept by snapshot, once passes have had the region.
    void settleSnapshots() {
        exitCounts.resize(region.snapshots.size());
        stressNext.resize(region.snapshots.size());
        for (size_t snapshot = 0; snapshot < region.snapshots.size(); snapshot++) {
            const ir::Snapshot& waiting = region.snapshots[snapshot];
            bool lacksFrames = makesFrameLate() || waiting.frames.size() > 1;
            const void* discarded = waiting.failure == Failure::kDiscarded ? region.objects[static_cast<size_t>(waiting.discarded)] : nullptr;
            callSites.push_back({this, static_cast<int32_t>(snapshot), lacksFrames, waiting.failure, discarded});
        }
        settleActivation();
    }

    // The record has room for what each `suspend` stores, and behind that for the shadow frames.
    void settleActivation() {
        forEachWait(region, [&](const ir::Snapshot& waiting) {
            size_t words = sizeof(Activation) / sizeof(int64_t);
            ir::forEachSnapshotValue(region, waiting, [&](ir::ValueId) { words++; });
            activationWords = std::max(activationWords, words);
            shadowFrames = std::max(shadowFrames, waiting.frames.size());
        });
        activationWords += shadowFrames * kShadowFrameWords;
    }

    // Of its activation record: room for what a snapshot names.
    size_t valueWords() const { return activationWords - sizeof(Activation) / sizeof(int64_t) - shadowFrames * kShadowFrameWords; }

    // In a forked child: what the compile thread may have been changing is given up unread.
    void loseGraph() {
        new (&region) ir::Region;
        new (&exitCounts) std::vector<uint64_t>;
        new (&stressNext) std::vector<uint32_t>;
        new (&callSites) std::vector<CallSite>;
        valid = 0;
    }

    // Which of its code runs when it is entered.
    ReportTier runningTier() const { return isWatched || tier == Tier::kQuick ? ReportTier::kQuick : ReportTier::kThorough; }
    const ExitPlace& place(int exit) const { return exits[static_cast<size_t>(region.snapshots[exit].place)]; }

    // Of the root's code. Needs the GIL.
    const Bytecode& bytecode() {
        if (!bytecode_) {
            bytecode_ = std::make_unique<Bytecode>(code);
        }
        return *bytecode_;
    }

    // Of quick code: polls and calls so far.
    uint64_t polls() const { return static_cast<uint64_t>(granted - budget); }
    void grantBudget(int64_t fresh) {
        granted += fresh - std::exchange(budget, fresh);
    }
    // Of a function root.
    Callee callee() const { return {code, globals, builtins}; }
    // Of a name: the namespace's dict and the key there. Borrowed.
    PyObject* dictOf(int name) const { return static_cast<PyObject*>(const_cast<void*>(region.nameDicts[static_cast<size_t>(name)])); }
    PyObject* keyOf(int name) const { return static_cast<PyObject*>(const_cast<void*>(region.nameKeys[static_cast<size_t>(name)])); }
    // Of a frame in one of its snapshots: what its function had when it was called.
    PyCodeObject* codeOf(const ir::FrameSnapshot& frame) const {
        return static_cast<PyCodeObject*>(const_cast<void*>(region.codes[static_cast<size_t>(frame.code)]));
    }

    // Of quick code: where in its native frame lies what a snapshot names, a word each. Needs the GIL.
    const std::vector<int32_t>& nativeWords(size_t snapshot) {
        nativeWords_.resize(region.snapshots.size());
        std::vector<int32_t>& words = nativeWords_[snapshot];
        if (words.empty()) {
            ir::forEachSnapshotValue(region, region.snapshots[snapshot], [&](ir::ValueId value) { words.push_back(nativeFrame.wordOf(value)); });
        }
        return words;
    }

    // By frame of a snapshot: how many of its values are those of frames further out, and so which word an activation has for the frame's function.
    // Needs the GIL.
    const std::vector<int32_t>& functionWords(size_t snapshot) {
        functionWords_.resize(region.snapshots.size());
        std::vector<int32_t>& words = functionWords_[snapshot];
        int32_t count = 0;
        for (size_t depth = 0; words.size() < region.snapshots[snapshot].frames.size(); depth++) {
            words.push_back(count);
            ir::forEachFrameValue(std::as_const(region).framesOf(region.snapshots[snapshot])[depth], [&](ir::ValueId) { count++; });
        }
        return words;
    }

    ir::Region region;
    std::vector<ExitPlace> exits;          // by Snapshot::place
    std::vector<NameDependency> dependencies;
    std::vector<PyFunctionObject*> functions;
    std::vector<PyCodeObject*> codes;
    std::vector<PyTypeObject*> classes;
    std::vector<OpaqueUse> opaque;
    std::vector<Ref<>> keptAlive;
    std::vector<int32_t> places;           // by ir::Instruction::place: numbers for the sampler; empty without KILN_REPORT
    std::vector<CallSite> callSites;       // by snapshot
    size_t activationWords = 0;            // of its activation record; 0: it never waits
    size_t shadowFrames = 0;               // in that record
    std::vector<uint64_t> exitCounts;
    std::vector<uint32_t> stressNext;      // KILN_STRESS=deopt: executions left until the guard is forced
    bool stressForced = false;             // the guard that failed last was forced to
    size_t entrySlots = 0;                 // of a loop root: slots of the live frame at its header
    bool needsFrame;
    int instructions;                      // of bytecode
    // What names were looked up in: only code that runs with the same is entered. Borrowed; `locals` of module code only.
    PyObject* globals = nullptr;
    PyObject* builtins = nullptr;
    PyObject* locals = nullptr;
    PyCodeObject* code;                    // the root's; borrowed
    ExitListener& listener;
    uint8_t valid = 1;
    int running = 0;                       // of a loop: entries that have not returned; some never do
    bool paused = false;                   // not valid while somebody watches calls
    void* entry = nullptr;
    void* boxedEntry = nullptr;
    void* codeHandle = nullptr;
    const void* self = nullptr;            // object-table entry that means this very function
    Tier tier = Tier::kQuick;              // of `entry`
    std::unique_ptr<QuickCode> quick;      // by stencils; LLVM's has a handle
    bool isCredited = false;               // that it won back what building it took was made use of
    int watchedExit = -1;                  // the exit whose count was half of what is worth a build last, and
    uint64_t watchedPolls = 0;             // the polls until then
    bool isWatched = false;                // quick code runs in place of thorough code, to count rounds
    NativeFrameLayout nativeFrame;         // of quick code
    int64_t budget = 0;                    // of quick code: polls and calls left until it asks for better code
    int64_t granted = 0;                   // of such in all
    bool improving = false;                // the compile thread reads the region for better code

   private:
    std::unique_ptr<Bytecode> bytecode_;   // made at the first exit with an exception
    std::vector<std::vector<int32_t>> nativeWords_;  // by snapshot, made when it is first asked for; and
    std::vector<std::vector<int32_t>> functionWords_;
};

// ---- side exits (side_exit.cpp): called by compiled code
void exitLoop(NativeContext* context, void* frame, Activation* activation, CompiledRegion* region, int exit, int64_t* values);
NativeResult exitFunction(NativeContext* context, void* frame, PyFunctionObject* function, Activation* activation,
                          CompiledRegion* region, int exit, int64_t* values);

// ---- runtime functions and helpers, by their tables
void fillRuntimeFunctions(const void** table);
void fillHelpers(const void** table);
void fillNumberHelpers(const void** table);
void fillArrayHelpers(const void** table);
void fillListHelpers(const void** table);
void fillDrawHelpers(const void** table);
void fillBuiltinHelpers(const void** table);
void fillBuildingHelpers(const void** table);
void fillGeneratorHelpers(const void** table);
void fillCallHelpers(const void** table);
void fillExceptionHelpers(const void** table);
void fillPatternHelpers(const void** table);
void fillImportHelpers(const void** table);
// The helper call_by_table (builtin_calls.cpp).
int64_t callBuiltinByTable(const int64_t* words, int64_t count);
// What it gives when the table has it and no Python code will run, not even as callee and arguments are given up behind it. NULL where
// CPython must do it: nothing is done then.
PyObject* callWithoutPython(PyObject* callee, PyObject* const* arguments, size_t count);

// ---- raising (raiser.cpp)
// Once, at the start: it makes a class. False with a Python error when it can't.
bool prepareRaiser();
// Arranges that the interpreter, going on with the instruction at `unit` of a frame whose operands are in place, raises
// the pending exception there. Takes the exception.
void raiseAtInstruction(KilnFrame* frame, const BytecodeInstruction& in);
// The same where FOR_ITER is done again, whose iterator is on the stack.
void raiseAtNext(KilnFrame* frame);
// The same for an instruction that called Python code and whose operands are gone already.
void raiseAtCall(KilnFrame* frame, const BytecodeInstruction& in);
// Put there by one of these.
bool isRaiser(const PyObject* object);

}  // namespace kiln
