// One kernel: finding or making the form for the arguments, and launching it.
#include "gpu/runtime/kernel.h"

#include <chrono>

#include "gpu/runtime/errors.h"
#include "gpu/runtime/faults.h"
#include "gpu/runtime/host_arrays.h"
#include "gpu/runtime/kernel_report.h"
#include "interp/config.h"
#include "interp/support/log.h"

namespace kiln::gpu {
namespace {

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string textOf(PyObject* text) {
    const char* bytes = text != nullptr && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : nullptr;
    PyErr_Clear();
    return bytes != nullptr ? bytes : "";
}

}  // namespace

Kernel::Kernel(PyObject* function, const KernelOptions& options)
    : function_(Ref<>::borrow(function)), options_(options) {
    auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
    name_ = textOf(code->co_qualname);
    place_ = textOf(code->co_filename) + ":" + std::to_string(code->co_firstlineno);
    noteKernel(this);
}

Kernel::~Kernel() {
    forgetKernel(this);
}

Specialisation* Kernel::build(const std::vector<Value>& types) {
    FrontendOptions options;
    options.debug = options_.debug;
    options.checksBounds = config().debugText == "1";
    FrontendResult result = compileFrontend(function_.get(), types, options);
    if (result.module == nullptr) {
        raise(result.error);
        return nullptr;
    }
    if (config().dumpText.find("ir") != std::string::npos) {
        std::fputs(print(*result.module).c_str(), stderr);
    }
    auto made = std::make_unique<Specialisation>();
    made->types = types;
    made->module = std::move(result.module);
    made->exceptions = std::move(result.exceptions);
    specialisations_.push_back(std::move(made));
    return specialisations_.back().get();
}

bool Kernel::addSignature(const std::vector<Value>& types) {
    hasSignatures_ = true;
    return build(types) != nullptr;
}

Specialisation* Kernel::specialise(const std::vector<Value>& types) {
    for (const auto& candidate : specialisations_) {
        if (describeTypes(candidate->types) == describeTypes(types)) {
            return candidate.get();
        }
    }
    return build(types);
}

// With signatures: the first that the arguments fit; with one signature, that one, so that the error names the argument.
Specialisation* Kernel::find(ArgumentList& arguments) {
    if (hasSignatures_) {
        std::vector<uint8_t> packed;
        for (const auto& candidate : specialisations_) {
            bool exact = describeTypes(candidate->types) == describeTypes(arguments.types());
            if (exact || specialisations_.size() == 1) {
                return candidate.get();
            }
        }
        for (const auto& candidate : specialisations_) {
            if (arguments.pack(candidate->module->kernel().parameters, packed)) {
                return candidate.get();
            }
            PyErr_Clear();
        }
        PyErr_Format(PyExc_TypeError, "No matching definition for argument type(s) %s", describeTypes(arguments.types()).c_str());
        return nullptr;
    }
    for (const auto& candidate : specialisations_) {
        if (candidate->key == arguments.key()) {
            return candidate.get();
        }
    }
    Specialisation* made = build(arguments.types());
    if (made != nullptr) {
        made->key = arguments.key();
    }
    return made;
}

bool Kernel::compile(Specialisation& target, Backend& backend) {
    Failure failure;
    std::unique_ptr<CompiledKernel> compiled;
    if (config().dumpText.find("cuda") != std::string::npos) {
        std::fputs(backend.source(*target.module, options_, false, failure).c_str(), stderr);
    }
    Py_BEGIN_ALLOW_THREADS
    compiled = backend.compile(*target.module, options_, failure);
    Py_END_ALLOW_THREADS
    if (compiled == nullptr) {
        raise(failure);
        return false;
    }
    if (logEnabled(LogChannel::kOffload)) {
        logMessage(LogChannel::kOffload, "%s(%s) compiled for the %s in %.1f ms", name_.c_str(),
                   describeTypes(target.types).c_str(), backend.name(), compiled->milliseconds);
    }
    target.compiled = std::move(compiled);
    return true;
}

bool Kernel::launch(PyObject* const* arguments, size_t count, const LaunchShape& shape, uintptr_t stream) {
    ArgumentList list;
    for (size_t i = 0; i < count; i++) {
        if (!list.add(arguments[i])) {
            return false;
        }
    }
    Specialisation* target = find(list);
    if (target == nullptr) {
        return false;
    }
    Failure failure;
    Backend* where = backend(failure);
    if (where == nullptr) {
        raise(failure);
        return false;
    }
    if (target->compiled == nullptr && !compile(*target, *where)) {
        return false;
    }
    return run(*target, list, *where, shape, stream);
}

bool Kernel::run(Specialisation& target, ArgumentList& arguments, Backend& backend, const LaunchShape& shape, uintptr_t stream) {
    const Function& function = target.module->kernel();
    std::vector<uint8_t> packed;
    Failure failure;
    FaultRecord fault;
    double start = now();
    HostArrays copies(backend, stream);
    if (!backend.isHost()) {
        Py_BEGIN_ALLOW_THREADS
        failure = copies.copyIn(arguments.flat(), function.writes);
        Py_END_ALLOW_THREADS
    }
    if (failure || !arguments.pack(function.parameters, packed)) {
        return failure ? raise(failure) != nullptr : false;
    }
    Py_BEGIN_ALLOW_THREADS
    failure = backend.launch(*target.compiled, packed.data(), static_cast<int64_t>(packed.size()), shape, stream);
    if (!failure && !target.module->faults.empty()) {
        failure = backend.takeFault(*target.compiled, stream, fault);
    }
    if (!failure && fault.fault == 0) {
        failure = copies.copyOut();
    }
    Py_END_ALLOW_THREADS
    target.bytesIn += copies.bytesIn();
    target.bytesOut += copies.bytesOut();
    target.milliseconds += now() - start;
    target.launches++;
    if (failure) {
        raise(failure);
        return false;
    }
    return fault.fault == 0 || raiseFault(*target.module, target.exceptions, fault);
}

// CUDA's limits on all devices that are supported; the same on the CPU, so that what runs there runs on a GPU too.
std::string checkShape(const LaunchShape& shape) {
    constexpr int64_t kMostThreads = 1024;
    constexpr int32_t kMostBlock[] = {1024, 1024, 64};
    constexpr int32_t kMostGrid[] = {2147483647, 65535, 65535};
    static constexpr const char* kAxes[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; axis++) {
        if (shape.block[axis] < 1 || shape.block[axis] > kMostBlock[axis]) {
            return std::string("the block's ") + kAxes[axis] + " dimension is " + std::to_string(shape.block[axis]) +
                   "; it must be 1 to " + std::to_string(kMostBlock[axis]);
        }
        if (shape.grid[axis] < 1 || shape.grid[axis] > kMostGrid[axis]) {
            return std::string("the grid's ") + kAxes[axis] + " dimension is " + std::to_string(shape.grid[axis]) +
                   "; it must be 1 to " + std::to_string(kMostGrid[axis]);
        }
    }
    if (shape.threads() > kMostThreads) {
        return "a block of " + std::to_string(shape.threads()) + " threads is too large: at most " + std::to_string(kMostThreads) +
               " threads fit a block";
    }
    return "";
}

}  // namespace kiln::gpu
