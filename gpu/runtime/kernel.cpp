// One kernel: finding or making the form for the arguments, and launching it.
#include "gpu/runtime/kernel.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "gpu/frontend/linked_code.h"
#include "gpu/frontend/object_text.h"
#include "gpu/ir/argument_layout.h"
#include "gpu/ir/block_limits.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/faults.h"
#include "gpu/runtime/host_arrays.h"
#include "gpu/runtime/kernel_report.h"
#include "interp/config.h"
#include "interp/support/log.h"
#include "profiler/timeline_events.h"

namespace kiln::gpu {
namespace {

// CUDA's limits for arrays of constant shape; the same on the CPU.
Failure checkArrays(const Module& module) {
    constexpr double kMostShared = 48 << 10;
    constexpr double kMostLocal = 512 << 10;
    double shared = 0;
    double local = 0;
    for (const auto& function : module.functions) {
        for (const StaticArray& array : function->arrays) {
            double bytes = array.type->element->bytes();
            for (int64_t size : array.shape) {
                bytes *= static_cast<double>(size);
            }
            (array.type->space == Space::kShared ? shared : local) += bytes;
        }
    }
    auto count = [](double bytes) { return std::to_string(static_cast<int64_t>(std::min(bytes, 9e18))); };
    std::string start = "kernel " + module.kernel().pythonName + ": its ";
    if (local > kMostLocal) {
        return {"LinkerError", start + "local arrays take " + count(local) + " bytes a thread, and at most " + count(kMostLocal) + " fit"};
    }
    return shared <= kMostShared ? Failure()
                                 : Failure{"LinkerError", start + "shared arrays take " + count(shared) + " bytes a block, and at most " +
                                                              count(kMostShared) +
                                                              " fit; a launch can have more as dynamic shared memory: cuda.shared.array(0, ...)"};
}

}  // namespace

void LaunchCounters::noteShape(const LaunchShape& shape) {
    constexpr int64_t kWarp = 32;
    mostBlocks = std::max(mostBlocks, shape.blocks());
    lastShape = shape;
    if (shape.threads() % kWarp != 0) {
        oddLaunches++;
        oddShape = shape;
    }
}

double LaunchClock::now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

FrontendOptions loopOptions(const KernelOptions& kernel) {
    FrontendOptions options;
    options.debug = true;
    options.checksDivision = !kernel.divides;
    options.checksBounds = true;
    options.isLoop = true;
    return options;
}

Kernel::Kernel(PyObject* function, const KernelOptions& options, std::vector<Ref<>> watchers)
    : function_(function), options_(options), watchers_(std::move(watchers)) {
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
    name_ = textOrEmpty(code->co_qualname);
    file_ = textOrEmpty(code->co_filename);
    line_ = code->co_firstlineno;
    noteKernel(this);
}

Kernel::~Kernel() {
    forgetKernel(this);
}

Specialisation* Kernel::build(const std::vector<Value>& types) {
    FrontendOptions options;
    options.debug = options_.debug;
    options.checksDivision = options_.debug && !options_.fastmath;
    options.isDevice = options_.isDevice;
    options.checksBounds = options.checksAccesses = config().debugText == "1";
    if (options_.isLoop) {
        options = loopOptions(options_);
    }
    FrontendResult result = compileFrontend(function_, types, options);
    if (result.module == nullptr) {
        raise(result.error);
        return nullptr;
    }
    if (Failure failure = checkArrays(*result.module)) {
        raise(failure);
        return nullptr;
    }
    if (config().dumpText.find("ir") != std::string::npos) {
        std::fputs(print(*result.module).c_str(), stderr);
    }
    for (const LinkedCode& code : options_.links) {
        addLinkedCode(code, result.module->links);
    }
    result.module->reorders = options_.isLoop && options_.fastmath;
    auto made = std::make_unique<Specialisation>();
    made->types = types;
    made->module = std::move(result.module);
    made->offsets = argumentOffsets(made->module->kernel().parameters);
    made->exceptions = std::move(result.exceptions);
    made->kept = std::move(result.kept);
    made->bindings = std::move(result.bindings);
    made->watchers = watchers_;
    for (const Ref<>& watcher : result.watchers) {
        addWatcher(watcher.get(), made->watchers);
    }
    specialisations_.push_back(std::move(made));
    return specialisations_.back().get();
}

bool Kernel::addSignature(const std::vector<Value>& types, bool isFinal) {
    hasSignatures_ = hasSignatures_ || isFinal;
    return specialise(types) != nullptr;
}

Specialisation* Kernel::specialise(const std::vector<Value>& types) {
    for (const auto& candidate : specialisations_) {
        if (sameTypes(candidate->types, types)) {
            return candidate.get();
        }
    }
    return build(types);
}

bool Kernel::recompile() {
    auto before = std::move(specialisations_);
    specialisations_.clear();
    bool done = true;
    for (const auto& form : before) {
        Specialisation* made = done ? specialise(form->types) : nullptr;
        done = made != nullptr;
    }
    std::move(before.begin(), before.end(), std::back_inserter(retired_));
    return done;
}

// With one signature, that one, so that the error names the argument; else the one that takes the least conversions.
Specialisation* Kernel::bestOfSignatures(const ArgumentList& arguments) {
    if (specialisations_.size() == 1) {
        return specialisations_.front().get();
    }
    std::string given = describeTypes(arguments.types());
    std::vector<Specialisation*> best;
    int64_t least = INT64_MAX;
    for (const auto& candidate : specialisations_) {
        int64_t distance = arguments.distanceTo(candidate->module->kernel().parameters);
        if (distance < 0 || distance > least) {
            continue;
        }
        if (distance < least) {
            best.clear();
        }
        least = distance;
        best.push_back(candidate.get());
    }
    if (best.size() == 1) {
        return best.front();
    }
    if (best.empty()) {
        PyErr_Format(PyExc_TypeError, "No matching definition for argument type(s) %s", given.c_str());
        return nullptr;
    }
    std::string candidates;
    for (const Specialisation* candidate : best) {
        candidates += "\n(" + describeTypes(candidate->types) + ") -> none";
    }
    PyErr_Format(PyExc_TypeError, "Ambiguous overloading for %s (%s):%s", name_.c_str(), given.c_str(),
                 candidates.c_str());
    return nullptr;
}

Specialisation* Kernel::find(ArgumentList& arguments) {
    if (hasSignatures_) {
        return bestOfSignatures(arguments);
    }
    for (const auto& candidate : specialisations_) {
        bool isForThem = candidate->key == arguments.key() && candidate->module->areApart == arguments.areApart();
        if (isForThem && stillHolds(candidate->bindings)) {
            return candidate.get();
        }
    }
    Specialisation* made = options_.isLoop ? build(arguments.types()) : specialise(arguments.types());
    if (made != nullptr) {
        made->key = arguments.key();
        made->module->areApart = arguments.areApart();
    }
    return made;
}

// Where the backend loads code, so that there is something to tell the watchers of.
static bool isWatched(const Specialisation& form, Backend& backend) {
    return !form.watchers.empty() && !backend.isHost();
}

static CompiledForm* madeFor(Specialisation& form, Backend& backend) {
    int device = backend.selectedDevice();
    for (CompiledForm& made : form.compiled) {
        if (made.backend == &backend && made.device == device) {
            return &made;
        }
    }
    return nullptr;
}

CompiledForm* Kernel::compiledFor(Specialisation& form, Backend& backend, const LaunchShape& shape) {
    if (CompiledForm* made = madeFor(form, backend)) {
        return made;
    }
    if (!isWatched(form, backend)) {
        return compile(form, backend, shape);
    }
    std::unique_lock<std::recursive_mutex> lock(watched_, std::defer_lock);
    Py_BEGIN_ALLOW_THREADS lock.lock();
    Py_END_ALLOW_THREADS CompiledForm* made = madeFor(form, backend);
    return made != nullptr ? made : compile(form, backend, shape);
}

// Has numba.cuda.linking tell the watchers. Null with an exception.
static Ref<> tellOfLoading(const std::vector<Ref<>>& watchers, uint64_t handle) {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("numba.cuda.linking"));
    Ref<> list = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(watchers.size())));
    for (size_t i = 0; list && i < watchers.size(); i++) {
        PyTuple_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), Py_NewRef(watchers[i].get()));
    }
    return Ref<>::steal(module && list ? PyObject_CallMethod(module.get(), "loaded", "KO", static_cast<unsigned long long>(handle), list.get())
                                       : nullptr);
}

CompiledForm* Kernel::compile(Specialisation& form, Backend& backend, const LaunchShape& shape) {
    Failure failure;
    std::unique_ptr<CompiledKernel> compiled;
    if (backend.isHost() && config().dumpText.find("cuda") != std::string::npos) {
        std::fputs(backend.source(*form.module, options_, false, failure).c_str(), stderr);
    }
    Py_BEGIN_ALLOW_THREADS compiled = backend.compile(*form.module, options_, shape, failure);
    Py_END_ALLOW_THREADS if (compiled == nullptr) {
        raise(failure);
        return nullptr;
    }
    Ref<> loaded = isWatched(form, backend) ? tellOfLoading(form.watchers, compiled->handle()) : Ref<>();
    if (isWatched(form, backend) && !loaded) {
        return nullptr;
    }
    if (logEnabled(LogChannel::kOffload)) {
        logMessage(LogChannel::kOffload, "%s(%s) compiled for the %s in %.1f ms", name_.c_str(),
                   describeTypes(form.types).c_str(), backend.name(), compiled->milliseconds.load());
    }
    return &form.compiled.emplace_back(CompiledForm{&backend, backend.selectedDevice(), std::move(compiled), std::move(loaded), {}});
}

static int traverseForms(const std::vector<std::unique_ptr<Specialisation>>& forms, visitproc visit, void* arg) {
    for (const auto& form : forms) {
        for (const Ref<>& watcher : form->watchers) {
            Py_VISIT(watcher.get());
        }
        for (const Exception& exception : form->exceptions) {
            Py_VISIT(exception.type.get());
            Py_VISIT(exception.arguments.get());
        }
        for (const Ref<>& object : form->kept) {
            Py_VISIT(object.get());
        }
        for (const Binding& binding : form->bindings) {
            Py_VISIT(binding.holder.get());
            Py_VISIT(binding.value.get());
        }
    }
    return 0;
}

int Kernel::traverse(visitproc visit, void* arg) const {
    for (const Ref<>& watcher : watchers_) {
        Py_VISIT(watcher.get());
    }
    int stop = traverseForms(specialisations_, visit, arg);
    return stop != 0 ? stop : traverseForms(retired_, visit, arg);
}

int Kernel::bestBlock(PyObject* const* arguments, size_t count, int64_t dynamicBytes) {
    constexpr int kUsual = 256;
    ArgumentList list;
    for (size_t i = 0; i < count; i++) {
        if (!list.add(arguments[i])) {
            return -1;
        }
    }
    Failure failure;
    Specialisation* form = find(list);
    Backend* where = form != nullptr ? backend(failure) : nullptr;
    if (where != nullptr && where->isHost()) {
        return kUsual;
    }
    CompiledForm* target = where != nullptr ? compiledFor(*form, *where, LaunchShape()) : nullptr;
    if (target == nullptr) {
        return failure ? raise(failure), -1 : -1;
    }
    int best = where->bestBlock(*target->kernel, dynamicBytes);
    return best > 0 ? best : kUsual;
}

int64_t Kernel::attribute(Specialisation& form, const std::string& what) {
    Failure failure;
    Backend* where = backend(failure);
    CompiledForm* target = where != nullptr ? compiledFor(form, *where, LaunchShape()) : nullptr;
    if (target == nullptr) {
        return failure ? raise(failure), -1 : -1;
    }
    return where->attribute(*target->kernel, what);
}

int64_t Kernel::mostCooperativeBlocks(Specialisation& form, int64_t threads, int64_t dynamicBytes) {
    Failure failure;
    Backend* where = backend(failure);
    CompiledForm* target = where != nullptr ? compiledFor(form, *where, LaunchShape()) : nullptr;
    if (target == nullptr) {
        return failure ? raise(failure), -1 : -1;
    }
    return where->mostCooperativeBlocks(*target->kernel, threads, dynamicBytes);
}

// A warning of numba's; false when the program made an exception of it.
static bool warnOfCopies() {
    Ref<> config = Ref<>::steal(PyImport_ImportModule("numba.core.config"));
    Ref<> wanted = Ref<>::steal(config ? PyObject_GetAttrString(config.get(), "CUDA_WARN_ON_IMPLICIT_COPY") : nullptr);
    Ref<> errors = Ref<>::steal(wanted && PyObject_IsTrue(wanted.get()) == 1 ? PyImport_ImportModule("numba.core.errors") : nullptr);
    Ref<> category = Ref<>::steal(errors ? PyObject_GetAttrString(errors.get(), "NumbaPerformanceWarning") : nullptr);
    if (!category) {
        PyErr_Clear();
        return true;
    }
    return PyErr_WarnEx(category.get(), "Host array used in CUDA kernel will incur copy overhead to/from device.", 1) == 0;
}

bool Kernel::launch(PyObject* const* arguments, size_t count, const LaunchShape& shape, uintptr_t stream) {
    LaunchClock clock(timesLaunches());
    ArgumentList list(count);
    for (size_t i = 0; i < count; i++) {
        if (!list.add(arguments[i])) {
            return false;
        }
    }
    double before = clock.lap();
    Specialisation* form = find(list);
    if (form == nullptr) {
        return false;
    }
    Failure failure;
    Backend* where = backend(failure);
    if (where == nullptr) {
        raise(failure);
        return false;
    }
    if (Failure elsewhere = list.checkPlaces(*where)) {
        raise(elsewhere);
        return false;
    }
    if (!where->isHost() && list.anyImplicit() && !warnOfCopies()) {
        return false;
    }
    CompiledForm* target = compiledFor(*form, *where, shape);
    if (target == nullptr) {
        return false;
    }
    clock.lap();  // compiling is no part of a launch
    target->counters.issueMs += before;
    return run(*form, *target, list, shape, stream, clock);
}

bool Kernel::runLoop(ArgumentList& arguments, const LaunchShape& shape, std::string& refusal) {
    constexpr size_t kMostForms = 64;
    LaunchClock clock(timesLaunches());
    if (specialisations_.size() >= kMostForms) {
        refusal = "what it uses keeps changing";
        return false;
    }
    Failure failure;
    Specialisation* form = find(arguments);
    Backend* where = form != nullptr ? cpuBackend(failure) : nullptr;
    CompiledForm* target = where != nullptr ? compiledFor(*form, *where, shape) : nullptr;
    if (target == nullptr) {
        refusal = failure ? failure.message : takeMessage();
        return false;
    }
    clock.lap();
    return run(*form, *target, arguments, shape, 0, clock);
}

bool Kernel::run(const Specialisation& form, CompiledForm& target, ArgumentList& arguments, const LaunchShape& shape,
                 uintptr_t stream, LaunchClock& clock) {
    PyObject* code = PyFunction_Check(function_) ? PyFunction_GetCode(function_) : nullptr;
    SamplerScope sampled(PyThreadState_Get(), reinterpret_cast<PyCodeObject*>(code), ReportTier::kKernel);
    TimelineScope timed(TimelineLane::kLaunches, ReportTier::kKernel, name_);
    const Function& function = form.module->kernel();
    Backend& backend = *target.backend;
    LaunchCounters done;
    PackedArguments packed;
    Failure failure;
    FaultRecord fault;
    HostArrays copies(backend, stream);
    if (!backend.isHost() && arguments.anyOnHost() && arguments.flat().size() == function.parameters.size()) {
        Py_BEGIN_ALLOW_THREADS failure = copies.copyIn(arguments.flat(), function, shape);
        Py_END_ALLOW_THREADS done.inMs = clock.lap();
    }
    if (failure || !arguments.pack(function.parameters, form.offsets, packed)) {
        return failure ? raise(failure) != nullptr : false;
    }
    Py_BEGIN_ALLOW_THREADS
    if (Failure refused = backend.launch(*target.kernel, packed.data(), packed.size(), shape, stream)) {
        failure = std::move(refused);  // not for each launch: that of texts takes time
    }
    done.issueMs = clock.lap();
    if (!failure && !form.module->faults.empty()) {
        failure = backend.takeFault(*target.kernel, stream, fault);
    }
    if (!failure && fault.fault == 0 && copies.writesBack()) {
        if (clock.isOn()) {  // the kernel's own time is not that of the copies
            failure = backend.synchronize(stream);
            clock.lap();
        }
        failure = failure ? failure : copies.copyOut();
        done.outMs = clock.lap();
    }
    Py_END_ALLOW_THREADS LaunchCounters& sum = target.counters;
    sum.launches++;
    sum.noteShape(shape);
    sum.copiedLaunches += copies.bytesIn() + copies.bytesOut() > 0 ? 1 : 0;
    sum.issueMs += done.issueMs;
    sum.bytesIn += copies.bytesIn();
    sum.bytesOut += copies.bytesOut();
    sum.inMs += copies.bytesIn() > 0 ? done.inMs : 0;
    sum.outMs += done.outMs;
    if (stream != 0) {
        arguments.noteStream(stream);
    }
    if (failure) {
        raise(failure);
        return false;
    }
    if (fault.fault != 0 && options_.isLoop) {
        raiseAsPython(*form.module, form.exceptions, fault);
        return false;
    }
    return fault.fault == 0 || raiseFault(*form.module, form.exceptions, fault);
}

void Kernel::forgetCounters() {
    for (const auto& form : specialisations_) {
        for (CompiledForm& compiled : form->compiled) {
            compiled.counters = {};
            compiled.kernel->deviceNanoseconds = 0;
        }
    }
}

// CUDA's limits on all devices that are supported; the same on the CPU, so that what runs there runs on a GPU too.
std::string checkShape(const LaunchShape& shape) {
    constexpr int64_t kMostDynamic = 227 << 10;
    constexpr int32_t kMostGrid[] = {2147483647, 65535, 65535};
    static constexpr const char* kAxes[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; axis++) {
        if (shape.block[axis] < 1 || shape.block[axis] > kMostAlongAxis[axis]) {
            return std::string("the block's ") + kAxes[axis] + " dimension is " + std::to_string(shape.block[axis]) +
                   "; it must be 1 to " + std::to_string(kMostAlongAxis[axis]);
        }
        if (shape.grid[axis] < 1 || shape.grid[axis] > kMostGrid[axis]) {
            return std::string("the grid's ") + kAxes[axis] + " dimension is " + std::to_string(shape.grid[axis]) +
                   "; it must be 1 to " + std::to_string(kMostGrid[axis]);
        }
    }
    if (shape.dynamicBytes > kMostDynamic) {
        return std::to_string(shape.dynamicBytes) + " bytes of dynamic shared memory are too many; no GPU has more than " +
               std::to_string(kMostDynamic);
    }
    if (shape.threads() > kMostBlockThreads) {
        return "a block of " + std::to_string(shape.threads()) + " threads is too large: at most " +
               std::to_string(kMostBlockThreads) + " threads fit a block";
    }
    return "";
}

}  // namespace kiln::gpu
