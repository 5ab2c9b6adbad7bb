// From a recorded root to installed code: build, passes, code generation; and what throws code away again.
#include <dlfcn.h>

#include <algorithm>

#include "interp/config.h"
#include "interp/support/log.h"
#include "jit/engine/codegen_loader.h"
#include "jit/build/region_builder.h"
#include "jit/engine/engine.h"
#include "jit/engine/monotonic_clock.h"
#include "jit/engine/perf_map.h"
#include "jit/passes/pass_runner.h"
#include "profiler/observed_callees.h"
#include "profiler/sampler.h"

namespace kiln {
namespace {

constexpr size_t kMostVersions = 4;

// Also where the root is: a function has several.
std::string symbolOf(PyCodeObject* code, int line) {
    const char* name = PyUnicode_AsUTF8(code->co_qualname);
    const char* file = PyUnicode_AsUTF8(code->co_filename);
    PyErr_Clear();
    return std::string("py::") + (name ? name : "?") + ":" + (file ? file : "?") + ":" + std::to_string(line);
}

void dump(const char* stage, const std::string& text) {
    std::fprintf(stderr, "; after %s\n%s\n", stage, text.c_str());
}

}  // namespace

bool JitEngine::compilerReady() {
    if (codegen_ == nullptr && !codegenFailed_) {
        std::string error;
        codegen_ = loadCodegen(error);
        codegenFailed_ = codegen_ == nullptr;
        if (codegenFailed_) {
            logMessage(LogChannel::kCompile, "no compiler: %s", error.c_str());
        }
    }
    return codegen_ != nullptr;
}

// The frame stands at the loop's header with `depth` entries on its operand stack.
CompiledRegion* JitEngine::buildLoop(Root& root, KilnFrame* frame, int depth) {
    BuildRequest request;
    request.code = root.record->code;
    request.function = reinterpret_cast<PyFunctionObject*>(kiln_frame_function(frame));
    request.globals = kiln_frame_globals(frame);
    request.builtins = kiln_frame_builtins(frame);
    request.locals = kiln_frame_locals(frame);
    request.unit = root.unit;
    request.symbol = symbolOf(request.code, PyCode_Addr2Line(request.code, root.unit * 2));
    PyObject** slots = kiln_frame_slots(frame);
    for (int slot = 0; slot < request.code->co_nlocalsplus + depth; slot++) {
        AbstractValue value = kindOf(slots[slot]);
        if (value.isVirtual() && (slot < request.code->co_nlocalsplus || Py_REFCNT(slots[slot]) != 1)) {
            value = AbstractValue::object(ir::kNoId, nullptr, false);  // someone else may advance the iterator too
        }
        request.entry.push_back(value);
    }
    return compile(root, request);
}

CompiledRegion* JitEngine::buildFunction(Root& root, PyFunctionObject* function, PyObject* const* arguments) {
    BuildRequest request;
    request.code = root.record->code;
    request.function = function;
    request.globals = function->func_globals;
    request.builtins = function->func_builtins;
    request.isFunction = true;
    request.symbol = symbolOf(request.code, request.code->co_firstlineno);
    for (int index = 0; index < request.code->co_argcount; index++) {
        AbstractValue value = kindOf(arguments[index]);
        if (value.isVirtual() || value.kind == Kind::kNone) {
            value = AbstractValue::object(ir::kNoId, nullptr, false);
        }
        value.cls = nullptr;  // the boxed entry checks number classes only
        request.entry.push_back(value);
    }
    NativeFunction& native = natives_.emplace_back();
    native.function = function;
    request.self = &native;
    CompiledRegion* region = compile(root, request);
    if (region != nullptr) {
        native.arguments = region->region.argumentTypes;
        native.returnType = region->region.returnType;
        installFunction(root, function, region, &native);
    }
    return region;
}

CompiledRegion* JitEngine::compile(Root& root, BuildRequest& request) {
    SamplerScope scope(PyThreadState_Get(), request.code, ReportTier::kCompiling);
    double start = monotonicMilliseconds();
    root.rebuild = false;
    if (!compilerReady()) {
        refuse(root, Refusal::k_compiler, "the compiler's shared object could not be opened", 0);
        return nullptr;
    }
    BuildResult built = RegionBuilder(request, *this).build();
    if (!built.ok) {
        int line = built.refusalCode != nullptr ? PyCode_Addr2Line(built.refusalCode, built.refusalUnit * 2) : 0;
        refuse(root, built.refusal, built.detail, line);
        return nullptr;
    }
    if (config().dumpRegion) {
        dump("building the region", ir::print(built.region));
    }
    passes::runPasses(built.region, config().dumpIr ? passes::DumpHook(dump) : nullptr);
    auto owned = std::make_unique<CompiledRegion>(std::move(built), request.isFunction ? request.function : nullptr, request.code, *this);
    CompiledRegion* region = owned.get();
    region->entrySlots = request.entry.size();
    region->exitCounts.resize(region->region.snapshots.size());
    region->stressNext.resize(region->region.snapshots.size());
    CodegenRequest asked{.region = &region->region, .owner = region, .validFlag = &region->valid, .counters = counters_.data(),
                         .needsFrame = region->needsFrame, .callSites = region->callSites.data(), .self = request.self};
    CodegenResult result = codegen_->compile(asked);
    root.compiles++;
    root.compileMs += monotonicMilliseconds() - start;
    compiledMs_ += monotonicMilliseconds() - start;
    if (!result.ok) {
        refuse(root, Refusal::k_compiler, result.error, 0);
        return nullptr;
    }
    region->entry = result.entry;
    region->boxedEntry = result.boxedEntry;
    region->codeHandle = result.handle;
    addToPerfMap(result.symbols);
    regions_.push_back(std::move(owned));
    rootOf_[region] = &root;
    watch(*region);
    while (root.versions.size() >= kMostVersions) {
        keepExits(root, *root.versions.back());
        root.versions.pop_back();
    }
    root.versions.insert(root.versions.begin(), region);
    root.state = RootState::kCompiled;
    root.opaque.clear();
    for (const OpaqueUse& use : region->opaque) {
        root.opaque.push_back({use.operation, PyCode_Addr2Line(use.code, use.unit * 2)});
    }
    logMessage(LogChannel::kCompile, "%s unit %d: compiled in %.1f ms (%zu blocks, %zu exits)", region->region.name.c_str(),
               root.unit, monotonicMilliseconds() - start, region->region.blocks.size(), region->region.snapshots.size());
    return region;
}

void JitEngine::watch(CompiledRegion& region) {
    for (const NameDependency& name : region.dependencies) {
        if (watchedDicts_.insert(name.dict).second && PyDict_Watch(dictWatcher_, name.dict) != 0) {
            PyErr_Clear();
        }
        byName_[{name.dict, name.key}].push_back(&region);
    }
    for (PyFunctionObject* function : region.functions) {
        byFunction_[function].push_back(&region);
    }
}

// Runs inside dict and function watchers: touches no Python object.
void JitEngine::invalidate(CompiledRegion& region) {
    if (region.valid == 0) {
        return;
    }
    region.valid = 0;
    auto found = rootOf_.find(&region);
    if (found == rootOf_.end()) {
        return;
    }
    Root& root = *found->second;
    keepExits(root, region);
    std::erase(root.versions, &region);
    for (NativeFunction* native : root.natives) {
        if (native->owner == &region) {
            native->entry = nullptr;
            native->boxedEntry = nullptr;
        }
    }
    if (stopped_) {
        return;  // the report tells the state in which the program left the root
    }
    if (root.versions.empty() && root.state == RootState::kCompiled) {
        root.state = RootState::kCounting;
        root.nextTry = root.count + threshold(root);
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

void JitEngine::dropVersions(Root& root) {
    std::vector<CompiledRegion*> versions = root.versions;
    for (CompiledRegion* region : versions) {
        invalidate(*region);
    }
}

void JitEngine::dictChanged(PyDict_WatchEvent event, PyObject* dict, PyObject* key) {
    bool whole = event == PyDict_EVENT_CLEARED || event == PyDict_EVENT_CLONED || event == PyDict_EVENT_DEALLOCATED;
    for (auto entry = byName_.lower_bound({dict, nullptr}); entry != byName_.end() && entry->first.first == dict; ++entry) {
        if (!whole && entry->first.second != key) {
            continue;
        }
        nameChanges_[entry->first]++;
        for (CompiledRegion* region : entry->second) {
            invalidate(*region);
        }
        entry->second.clear();
    }
    if (event == PyDict_EVENT_DEALLOCATED) {
        watchedDicts_.erase(dict);
    }
}

void JitEngine::functionChanged(PyFunction_WatchEvent event, PyFunctionObject* function) {
    if (event == PyFunction_EVENT_DESTROY) {
        ObservedCallees::instance().functionDestroyed(function);
    }
    auto found = byFunction_.find(function);
    if (found == byFunction_.end()) {
        return;
    }
    std::vector<CompiledRegion*> regions = std::move(found->second);
    byFunction_.erase(found);
    for (CompiledRegion* region : regions) {
        invalidate(*region);
    }
}

void JitEngine::exitTaken(CompiledRegion& region, int exit) {
    auto reason = static_cast<ExitReason>(region.region.snapshots[exit].reason);
    uint64_t count = ++region.exitCounts[exit];
    auto found = rootOf_.find(&region);
    if (region.valid == 0 || found == rootOf_.end()) {
        return;
    }
    Root& root = *found->second;
    constexpr int kMostCompiles = 10;
    uint64_t hot = config().stressDeopt ? 1u << 20 : config().jitAlways ? 3 : 60;
    if (count % hot != 0 || root.compiles >= kMostCompiles || !withinBudget()) {
        return;
    }
    if (info(reason).heat == ExitHeat::Widens) {
        const ExitPlace& place = region.place(static_cast<int>(exit));
        profileOf(place.code).site(place.unit).bigInt = true;
        root.rebuild = true;
    } else if (info(reason).heat == ExitHeat::Extends && session_.root == nullptr) {
        startRecording(root);
        arm(region.place(static_cast<int>(exit)).code);
    }
}

}  // namespace kiln
