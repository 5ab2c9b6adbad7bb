// The engine's record of one code object: its profile and its roots.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"
#include "jit/engine/entry_cell.h"
#include "jit/engine/exit_account.h"
#include "jit/runtime/compiled_region.h"
#include "profiler/code_profile.h"
#include "profiler/root.h"

namespace kiln {

struct CodeRecord;

// A loop header or a function entry. States and transitions: profiler/root.h.
struct Root {
    CodeRecord* record = nullptr;
    RootKind kind = RootKind::kLoop;
    int unit = 0;
    RootState state = RootState::kCounting;
    uint64_t count = 0;          // since the last state change
    uint64_t threshold = 0;      // 0: not weighed yet
    bool isNumeric = false;      // when it was recorded
    bool handlesArrays = false;  // of NumPy's, when it was weighed
    uint64_t nextTry = 0;        // count at which it is recorded (again)
    uint64_t interpreted = 0;
    size_t place = 0;            // of a loop: 0 for the one that the code's entry has, then among `moreLoops_`, from 1
    uint64_t granted = 0;        // events, of which some may be left
    int counter = -1;            // index of the native iterations' counter
    int entries = -1;            // of a function: index of the counter of its region's entries, which its account needs
    int compiles = 0;
    int attempts = 0;            // those since its code last ran for so long that building it paid
    int failures = 0;
    uint64_t entryMisses = 0;    // since one was worth a version
    uint64_t missesInRow = 0;    // of a loop, since it was entered
    int changes = 0;             // how often code that paid was built again for what the program did then
    bool wasMissed = false;      // one was
    std::vector<Kind> entryKinds;  // of a loop: what its locals were where it was entered; kAny: a number at one time, something else at another
    int deferrals = 0;           // of a generator's loop: how often its rounds were counted as those of the code that takes its items
    int losses = 0;              // how often its code was thrown away since it was left too often, among the attempts
    double compileMs = 0;
    double firstMs = 0;     // the same of the first code that it got
    bool settled = false;        // better code than it has was tried for in vain
    bool wanted = false;         // a function that compiled code calls, or that takes all items of a generator: worth code that calls by the interpreter would not be
    Root* around = nullptr;      // of a loop of few rounds: what was to be compiled in its stead
    bool rebuild = false;        // a site was widened, or a callee is not as expected: build again without recording
    const CompiledRegion* outdated = nullptr;  // the version that is to be built again; NULL: any
    bool hasChanged = false;     // what is built next is for something that the program did not do before
    bool wantsVersion = false;   // of a loop: what is new was recorded; one more version is to be built where none fits
    Refusal refusal = Refusal::kNone;
    std::string refusalDetail;
    int refusalLine = 0;
    CompiledRegion* pending = nullptr;       // being compiled; it has no code yet
    std::vector<ExitPlace> futile;           // exits behind which recording shows nothing new
    RootKnowledge known;                     // to those who build its regions
    ExitAccount account;                     // of the newest version and those beside it
    std::vector<CompiledRegion*> versions;   // valid ones, the last used first
    std::vector<std::unique_ptr<NativeFunction>> natives;  // function roots: what callers are compiled against
    std::vector<EntryCellRef> cells;         // of its functions, by namespaces
    std::vector<ExitStatistics> oldExits;    // of versions that are gone
    std::vector<OpaqueStatistics> opaque;    // of the newest version

    // Where its code begins and ends, in units.
    std::pair<int, int> units() const;
    // A loop in which a generator or coroutine is left and resumed, or all of such a function.
    bool yields() const;
    // A function that gains for compiled callers only: the interpreter calls it as it would without code.
    bool isForCallers() const;
    // Counts the events that have gone by unseen. None go by any more.
    void settle();
    // And one that was seen.
    void countEvent();
    // So many may.
    void grant(uint64_t events);

   private:
    uint32_t& left();
    void add(uint64_t events);
};

// A generator, a coroutine, or both. Of such code only loops can be roots.
bool isSuspendable(const PyCodeObject* code);
// All of these but plain generators.
bool isAsynchronous(const PyCodeObject* code);

struct CodeRecord : KilnCodeRecord {
    explicit CodeRecord(PyCodeObject* code) : KilnCodeRecord{}, code(code) {}
    PyCodeObject* code;          // borrowed: the record dies with it
    KilnCodeEntry* entry = &nowhere_;  // by which the code object leads here
    bool doesLittle = false;     // no loop, no call of itself, and fewer operations than the way in from the interpreter costs: a root for compiled callers only
    uint32_t events = 0;         // of kiln's tool while it is not recorded
    const EntryCell* fromC = nullptr;  // of the function that C code called last, in `function`
    const EntryCell* entered = nullptr;  // of the one that compiled code called last though its vectorcall is CPython's
    std::unique_ptr<Root> function;
    std::map<int, std::unique_ptr<Root>> loops;
    Ref<> unitsBefore;           // of recorded code: its instructions as they were specialised before
    bool armed = false;          // INSTRUCTION events are on
    uint32_t version = 0;        // taken from the code while the function root is entered by vectorcall
    bool quieted = false;        // some location fires no events any more

    // Made when it is first asked for: most code is never looked at.
    CodeProfile& profile();
    // It has compiled code, and what was recorded for that is still there.
    bool isKnown() const;
    // Gives up what it holds.
    void forgetProfile() { profile_.reset(); }
    Root& functionRoot();
    Root& loopRoot(int unit);
    void settleAll();
    uint64_t callsInterpreted() const { return function ? function->interpreted : 0; }

   private:
    friend struct Root;
    KilnCodeEntry nowhere_ = {.loop = {.unit = KILN_NO_LOOP}};  // of a code object that could not be given one
    std::vector<KilnLoopGrant> moreLoops_;
    std::unique_ptr<CodeProfile> profile_;
};

}  // namespace kiln
