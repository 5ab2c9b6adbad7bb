// From a recorded root to installed code: build, passes, code generation; and what throws code away again.
#include <algorithm>
#include <utility>

#include "interp/config.h"
#include "interp/python_text.h"
#include "interp/support/log.h"
#include "interp/support/monotonic_clock.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/region_builder.h"
#include "jit/engine/coverage.h"
#include "jit/engine/engine.h"
#include "jit/engine/hotness.h"
#include "jit/engine/perf_names.h"
#include "jit/engine/sampled_places.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/memory_reserve.h"
#include "profiler/observed_callees.h"
#include "profiler/observed_classes.h"
#include "profiler/sampler.h"
#include "profiler/timeline_events.h"

namespace kiln {
namespace {

// What CPython itself makes for *args and **kwargs, the last parameters.
PyTypeObject* collectedClass(const PyCodeObject* code, int parameter) {
    int named = code->co_argcount + code->co_kwonlyargcount;
    if (parameter < named) {
        return nullptr;
    }
    return parameter == named && (code->co_flags & CO_VARARGS) ? &PyTuple_Type : &PyDict_Type;
}

bool takesObject(const CompiledRegion& version, size_t parameter) {
    return version.region.argumentTypes[parameter] == ir::Type::kObject;
}

bool anyTakes(const Root& root, size_t parameter, bool object) {
    return std::any_of(root.versions.begin(), root.versions.end(), [&](const CompiledRegion* version) { return takesObject(*version, parameter) == object; });
}

// A parameter is a number for one version and an object for another, as where it may be None: there could be a version for each combination of these, so that
// the last one is for all.
bool endsCombinations(const Root& root) {
    bool combines = false;
    for (size_t parameter = 0; parameter < static_cast<size_t>(parameterCount(root.record->code)); parameter++) {
        combines = combines || (anyTakes(root, parameter, true) && anyTakes(root, parameter, false));
    }
    return combines && root.versions.size() + 1 >= kMostVersions;
}

// Also where the root is: a function has several.
std::string symbolOf(PyCodeObject* code, int line) {
    return "py::" + textOf(code->co_qualname) + ":" + textOf(code->co_filename) + ":" + std::to_string(line);
}

}  // namespace

PyObject* namespaceOf(KilnFrame* frame) {
    return (kiln_frame_code(frame)->co_flags & CO_OPTIMIZED) ? nullptr : kiln_frame_locals(frame);
}

static Kind bareKind(PyObject* object) {
    return object == nullptr              ? Kind::kNull
           : object == Py_None            ? Kind::kNone
           : PyFloat_CheckExact(object)   ? Kind::kFloat
           : PyBool_Check(object)         ? Kind::kBool
           : PyLong_CheckExact(object) && !isBigInt(object) ? Kind::kInt
                                          : Kind::kObject;
}

void JitEngine::noteEntry(Root& root, KilnFrame* frame) {
    PyObject** slots = kiln_frame_slots(frame);
    auto locals = static_cast<size_t>(root.record->code->co_nlocalsplus);
    const bool isFirst = root.entryKinds.empty();
    root.entryKinds.resize(locals, Kind::kNull);
    for (size_t local = 0; local < locals; local++) {
        Kind& known = root.entryKinds[local];
        auto isNumber = [](Kind kind) { return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kBool; };
        const Kind now = bareKind(slots[local]);
        const bool isOther = known == Kind::kAny || isNumber(known) != isNumber(now);
        known = isOther && !isFirst ? Kind::kAny : now;
    }
}

// The frame stands at the loop's header with `depth` entries on its operand stack.
void JitEngine::buildLoop(Root& root, KilnFrame* frame, int depth, bool replaces) {
    BuildRequest request;
    request.code = root.record->code;
    request.globals = kiln_frame_globals(frame);
    request.builtins = kiln_frame_builtins(frame);
    request.locals = namespaceOf(frame);
    request.unit = root.unit;
    request.symbol = symbolOf(request.code, PyCode_Addr2Line(request.code, root.unit * 2));
    request.entersWithAnything = root.wasMissed;
    noteEntry(root, frame);
    request.entered = root.entryKinds;
    PyObject** slots = kiln_frame_slots(frame);
    for (int slot = 0; slot < request.code->co_nlocalsplus + depth; slot++) {
        AbstractValue value = kindOf(slots[slot]);
        if (value.isVirtual() && (slot < request.code->co_nlocalsplus || Py_REFCNT(slots[slot]) != 1)) {
            value = AbstractValue::object(ir::kNoId, nullptr, false);  // someone else may advance the iterator too
        }
        request.entry.push_back(value);
    }
    compile(root, request, replaces);
}

// A version that takes numbers is built again for such numbers only; one that takes objects takes all.
bool JitEngine::fitsRebuild(const Root& root, PyObject* const* parameters) const {
    if (root.outdated == nullptr) {
        return true;
    }
    const std::vector<ir::Type>& types = root.outdated->region.argumentTypes;
    for (int index = 0; index < parameterCount(root.record->code); index++) {
        ir::Type type = types[static_cast<size_t>(index)];
        if (type != ir::Type::kObject && typeOfKind(kindOf(parameters[index]).kind) != type) {
            return false;
        }
    }
    return true;
}

// `wanted`: what a compiled caller passes; NULL for calls of the interpreter.
void JitEngine::buildFunction(Root& root, PyFunctionObject* function, PyObject* const* parameters, const NativeFunction* wanted) {
    const CompiledRegion* outdated = root.rebuild ? root.outdated : nullptr;
    BuildRequest request;
    request.code = root.record->code;
    request.globals = function->func_globals;
    request.builtins = function->func_builtins;
    request.isFunction = true;
    request.symbol = symbolOf(request.code, request.code->co_firstlineno);
    const bool isLast = outdated == nullptr && endsCombinations(root);
    for (int index = 0; index < parameterCount(request.code); index++) {
        AbstractValue value = kindOf(parameters[index]);
        auto place = static_cast<size_t>(index);
        bool takesAny = outdated != nullptr ? takesObject(*outdated, place) : isLast || anyTakes(root, place, true) || (wanted != nullptr && wanted->arguments[place] == ir::Type::kObject);
        if (value.isVirtual() || value.kind == Kind::kNone || takesAny) {
            value = AbstractValue::object(ir::kNoId, nullptr, false);
        }
        value.cls = collectedClass(request.code, index);  // beyond that the boxed entry checks number classes only
        request.entry.push_back(value);
    }
    request.self = &root;
    compile(root, request, false);
}

// A root that has code already keeps it, and is not built again.
void JitEngine::refuseRegion(Root& root, Refusal refusal, const std::string& detail, int line) {
    if (root.versions.empty()) {
        refuse(root, refusal, detail, line);
        return;
    }
    root.settled = true;
    resume(root);
}

// Builds the region here; the rest is the compile thread's, and adopt() ends it. The program waits for it where code
// is wanted always, or thorough code only: such a run comes out the same each time.
void JitEngine::compile(Root& root, BuildRequest& request, bool replaces) {
    const double start = threadMilliseconds();
    root.rebuild = root.wantsVersion = false;
    root.outdated = nullptr;
    settleCells(root);
    SamplerScope scope(PyThreadState_Get(), request.code, ReportTier::kCompiling);
    TimelineScope timed(TimelineLane::kCompilations, ReportTier::kQuick, request.symbol);
    request.known = root.known;
    request.isNumeric = root.isNumeric;
    request.notesPlaces = config().reports && samplerWanted;  // code of a passing measurement would bear the cost for ever
    BuildResult built = RegionBuilder(request, *this).build();
    root.known = built.ok ? std::exchange(built.learned, {}) : root.known;
    if (!built.ok) {
        int line = built.refusalCode != nullptr ? PyCode_Addr2Line(built.refusalCode, built.refusalUnit * 2) : 0;
        refuseRegion(root, built.refusal, built.detail, line);
        return;
    }
    if (config().dumpRegion) {
        std::fprintf(stderr, "; after building the region\n%s\n", ir::print(built.region).c_str());
    }
    std::vector<int32_t> places = numbersForSampler(built.places);
    auto made = std::make_unique<CompiledRegion>(std::move(built), request.code, *this);
    CompiledRegion* region = made.get();
    regions_.emplace(region, std::move(made));
    region->places = std::move(places);
    region->entrySlots = request.entry.size();
    region->globals = request.globals;
    region->builtins = request.builtins;
    region->locals = request.locals;
    region->self = request.self;
    rootOf_[region] = &root;
    assumptions_.add(*region, root);
    if (request.isFunction) {
        expectCode(root, *region);
    }
    root.pending = region;
    root.state = root.versions.empty() ? RootState::kCompiling : RootState::kCompiled;
    auto job = jobFor(*region, firstTier(*region));
    job->replaces = replaces;
    job->milliseconds = threadMilliseconds() - start;
    if (assembleNow(*job)) {
        adopt(*job);
    } else if (config().jitAlways || config().thoroughOnly) {
        queue_.runNow(*job);
        adopt(*job);
    } else {
        queue_.submit(std::move(job));
    }
}

void JitEngine::attend() {
    if (std::exchange(forked_, false) && session_.root != nullptr && session_.thread != PyThread_get_thread_ident()) {
        abandonRecording();  // its thread is not in this process
    }
    if (session_.root == nullptr && !session_.armed.empty()) {
        stopRecording();
    }
    for (const std::unique_ptr<CompileJob>& job : queue_.take()) {
        if (!stopped_) {
            adopt(*job);
        }
    }
    records_.rearmAll();
}

// A job's end: its code is installed, or dropped if what it relied on was changed meanwhile.
void JitEngine::adopt(CompileJob& job) {
    if (job.improves) {
        adoptBetter(job);
        return;
    }
    auto found = rootOf_.find(job.region);
    if (found == rootOf_.end()) {
        job.region->codeHandle = job.result.handle;
        retire(*job.region);  // the code object is gone
        return;
    }
    Root& root = *found->second;
    root.pending = nullptr;
    if (std::exchange(root.hasChanged, false)) {
        beginAnew(root);
    }
    root.compiles++;
    root.attempts++;
    root.compileMs += job.milliseconds;
    if (job.result.ok && job.region->valid != 0 && root.state != RootState::kBlacklisted) {
        root.firstMs = root.firstMs == 0 ? job.milliseconds : root.firstMs;
        install(root, job);
    } else {
        emptyEntries(root, *job.region);
        job.region->codeHandle = job.result.handle;
        retire(*job.region);
        if (!job.result.error.empty()) {
            refuse(root, job.result.unfit ? Refusal::k_unfit : Refusal::k_compiler, job.result.error, 0);
        } else if (root.state == RootState::kCompiling) {
            root.state = RootState::kCounting;
            root.nextTry = root.count + threshold(root);
        }
    }
    if (root.record->quieted) {
        records_.rearm(*root.record);
    }
}

void JitEngine::install(Root& root, CompileJob& job) {
    watchForTools();
    CompiledRegion* region = job.region;
    region->entry = job.result.entry;
    region->boxedEntry = job.result.boxedEntry;
    region->codeHandle = job.result.handle;
    region->tier = job.request.tier;
    grantBudget(*region);
    tellPerf(*region, job.result.symbols);
    if (job.replaces) {
        dropVersions(root);
    }
    while (root.versions.size() >= kMostVersions) {
        invalidate(*root.versions.back());
    }
    root.versions.insert(root.versions.begin(), region);
    if (root.state == RootState::kCompiling || root.state == RootState::kCounting) {
        root.state = RootState::kCompiled;
    }
    openAccount(root, counters_.at(root.entries));
    root.opaque.clear();
    for (const OpaqueUse& use : region->opaque) {
        root.opaque.push_back({use.operation, PyCode_Addr2Line(use.code, use.unit * 2)});
    }
    if (region->region.isFunction) {
        fillEntries(root, *region);
        restoreCalls(root);
        if (root.record->version == 0 && !root.isForCallers()) {
            root.record->version = kiln_code_take_version(root.record->code);
        }
    }
    logMessage(LogChannel::kCompile, "%s unit %d: %s code in %.2f ms (%d instructions, %zu blocks, %zu exits)", region->region.name.c_str(),
               root.unit, tierName(region->tier), job.milliseconds, region->instructions, region->region.blocks.size(), region->region.snapshots.size());
}

// Runs inside dict, function and class watchers, before the change: touches no Python object but for reference counts.
void JitEngine::invalidate(CompiledRegion& region) {
    if (region.valid == 0 && !std::exchange(region.paused, false)) {
        return;
    }
    holdConstants(region);
    region.valid = 0;
    assumptions_.remove(region);
    auto found = rootOf_.find(&region);
    if (found == rootOf_.end()) {
        return;
    }
    Root& root = *found->second;
    if (root.pending == &region || region.improving) {
        queue_.withdraw(region);  // adopt() sees it
    }
    if (root.pending == &region) {
        return;
    }
    keepExits(root, region);
    std::erase(root.versions, &region);
    root.outdated = root.outdated == &region ? nullptr : root.outdated;
    session_.left = session_.left == &region ? nullptr : session_.left;
    emptyEntries(root, region);
    retire(region);
    if (stopped_) {
        return;  // the report tells the state in which the program left the root
    }
    if (root.versions.empty() && root.state == RootState::kCompiled) {
        root.state = root.pending != nullptr ? RootState::kCompiling : RootState::kCounting;
        root.nextTry = root.count + threshold(root);
        records_.rearmLater(*root.record);
    }
    logMessage(LogChannel::kInvalidate, "%s unit %d", region.region.name.c_str(), root.unit);
}

void JitEngine::keepExits(Root& root, CompiledRegion& region) {
    for (size_t exit = 0; exit < region.exitCounts.size(); exit++) {
        if (region.exitCounts[exit] == 0) {
            continue;
        }
        auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
        const ExitPlace& place = region.place(static_cast<int>(exit));
        ExitStatistics entry{info(reason).code, PyCode_Addr2Line(place.code, place.unit * 2), 0};
        auto same = [&](const ExitStatistics& other) { return other.reason == entry.reason && other.line == entry.line; };
        auto found = std::find_if(root.oldExits.begin(), root.oldExits.end(), same);
        if (found == root.oldExits.end()) {
            root.oldExits.push_back(entry);
            found = root.oldExits.end() - 1;
        }
        found->count += region.exitCounts[exit];
        region.exitCounts[exit] = 0;
    }
}

// A copy of the list: regions leave theirs.
void JitEngine::invalidateAll(const std::vector<CompiledRegion*>& regions) {
    for (CompiledRegion* region : regions) {
        invalidate(*region);
    }
}

void JitEngine::dropVersions(Root& root) {
    invalidateAll(std::vector<CompiledRegion*>(root.versions));
}

void JitEngine::dictChanged(PyDict_WatchEvent event, PyObject* dict, PyObject* key) {
    invalidateAll(assumptions_.nameChanged(event, dict, key));
}

void JitEngine::functionChanged(PyFunction_WatchEvent event, PyFunctionObject* function) {
    if (event == PyFunction_EVENT_DESTROY) {
        ObservedCallees::instance().functionDestroyed(function);
    } else if (event == PyFunction_EVENT_MODIFY_CODE) {
        if (isEnteredByCell(function)) {
            enterByInterpreter(function);
        }
        holdCode(function);
    }
    invalidateAll(assumptions_.ofFunction(function));
}

void JitEngine::classChanged(PyTypeObject* cls) {
    ObservedClasses::instance().changed(cls);
    invalidateAll(assumptions_.ofClass(cls));
}

void JitEngine::classDied(PyTypeObject* cls) {
    invalidateAll(assumptions_.ofClass(cls));
    assumptions_.classDied(cls);
}

// What a site could not do natively is done more generally. An attribute is looked for in values first, then in a dict too,
// then by CPython.
static void widen(Site& site, ExitReason reason) {
    switch (reason) {
        case ExitReason::k_attribute: (site.inDict ? site.generic : site.inDict) = true; break;
        case ExitReason::k_proxy: case ExitReason::k_plain: case ExitReason::k_flag: site.generic = true; break;
        case ExitReason::k_release: site.runsFinalisers = true; break;
        case ExitReason::k_raised: site.raises = true; break;
        default: site.bigInt = true; break;
    }
}

// All from which a good part of `hot` exits came: each alone would have the region built again. An inlined function that tries what
// was left there will raise, and more builds would only find that out.
void JitEngine::widenSites(const CompiledRegion& region, uint64_t hot) {
    constexpr uint64_t kPart = 16;
    for (size_t exit = 0; exit < region.exitCounts.size(); exit++) {
        const ir::Snapshot& snapshot = region.region.snapshots[exit];
        auto reason = static_cast<ExitReason>(snapshot.reason);
        if (info(reason).heat == ExitHeat::kWidens && region.exitCounts[exit] > 0 && region.exitCounts[exit] >= hot / kPart) {
            const ExitPlace& place = region.place(static_cast<int>(exit));
            CodeProfile& profile = profileOf(place.code);
            Site& site = profile.site(place.unit);
            widen(site, reason);
            bool isTried = reason == ExitReason::k_plain && snapshot.frames.size() > 1 && profile.bytecode().handlerOf(place.unit) != nullptr;
            site.raises = site.raises || isTried;
        }
    }
}

void JitEngine::exitTaken(CompiledRegion& region, int exit) {
    auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
    uint64_t count = ++region.exitCounts[exit];
    noteExit(reason);
    keepReserve();
    auto found = rootOf_.find(&region);
    if (region.valid == 0 || found == rootOf_.end()) {
        return;
    }
    Root& root = *found->second;
    if (root.kind == RootKind::kFunction) {
        root.account.addExits(1);
        if (isLosing(root, counters_.at(root.entries))) {
            judge(root);
            return;
        }
    }
    if (session_.root == &root) {
        notePass();
    }
    const uint64_t least = leastExitsUntilHot(root);
    if (config().stressDeopt || root.pending != nullptr || count % (least / 2) != 0) {
        return;
    }
    // What the program does may have changed for good, which tells by the classes of its values.
    bool forClasses = info(reason).heat == ExitHeat::kExtends && reason != ExitReason::k_cold_path;
    bool isChange = forClasses && isLeftInEachRound(region, exit, count, least) && hasPaid(root);
    uint64_t hot = isChange ? least : exitsUntilHot(root);
    if (count % hot != 0 || !mayCompileAgain(root)) {
        return;
    }
    if (info(reason).heat == ExitHeat::kWidens) {
        widenSites(region, hot);
        requestRebuild(root, &region);
    } else if (info(reason).heat == ExitHeat::kExtends && !session_.extends) {
        startExtending(root, region, exit, isChange);
    }
}

}  // namespace kiln
