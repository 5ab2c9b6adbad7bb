// One kernel: a Python function, its options, and what was compiled from it for the argument types met.
#pragma once

#include <Python.h>

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/frontend/compile_kernel.h"
#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

// What launches did, for the report. Times are counted while timesLaunches().
struct LaunchCounters {
    uint64_t launches = 0;
    double issueMs = 0;  // of the host, without copies; on the CPU, with the kernel's own time
    int64_t bytesIn = 0;
    int64_t bytesOut = 0;
    double inMs = 0;
    double outMs = 0;
    uint64_t copiedLaunches = 0;  // those that copied host arrays
    int64_t mostBlocks = 0;       // of a launch
    uint64_t oddLaunches = 0;     // with blocks that are no whole warps
    LaunchShape oddShape;         // of the last of these
    LaunchShape lastShape;

    void noteShape(const LaunchShape& shape);
};

// Machine code of a form, for one device.
struct CompiledForm {
    Backend* backend = nullptr;  // another one's in a forked child
    int device = 0;
    std::unique_ptr<CompiledKernel> kernel;
    Ref<> loaded;  // whose end tells the watchers, before that of the code; null where there are none
    LaunchCounters counters;
};

// The kernel for one set of argument types.
struct Specialisation {
    std::vector<uintptr_t> key;  // of the arguments that use it; empty for one that a signature asked for
    std::vector<Value> types;
    std::unique_ptr<Module> module;
    std::vector<int64_t> offsets;  // of its packed arguments
    std::vector<Exception> exceptions;  // by row of Module::faults
    std::vector<Ref<>> kept;            // objects whose memory the code refers to
    std::vector<Ref<>> watchers;        // of linked code
    std::vector<Binding> bindings;      // of a loop: what its code took for constant
    std::deque<CompiledForm> compiled;  // at its first launch on a device
};

// The time of the steps of a launch, in milliseconds; 0 when launches are not timed.
class LaunchClock {
public:
    explicit LaunchClock(bool isOn) : isOn_(isOn), last_(isOn ? now() : 0) {}
    // Since the last call, or the beginning.
    double lap() {
        double before = last_;
        last_ = isOn_ ? now() : 0;
        return last_ - before;
    }
    bool isOn() const { return isOn_; }

private:
    static double now();

    bool isOn_;
    double last_;
};

// Needs the GIL throughout; launches release it while the kernel runs.
class Kernel {
public:
    // `function` must outlive the kernel. `watchers`: of the code that it is linked with.
    Kernel(PyObject* function, const KernelOptions& options, std::vector<Ref<>> watchers = {});
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    ~Kernel();

    // False with an exception. `stream` 0 is the default stream, on which a launch with host arrays waits.
    [[nodiscard]] bool launch(PyObject* const* arguments, size_t count, const LaunchShape& shape, uintptr_t stream);
    // Of a part of the program's own function: on the CPU, whichever backend kernels have. False with `refusal` set where it cannot be
    // compiled, and nothing has run; with an exception where it raised one.
    [[nodiscard]] bool runLoop(ArgumentList& arguments, const LaunchShape& shape, std::string& refusal);
    // A form for these types. With one or more of these given at the kernel's creation (`isFinal`), arguments must fit one of
    // them. False with an exception.
    [[nodiscard]] bool addSignature(const std::vector<Value>& types, bool isFinal);
    // The form for these types; made if there is none. nullptr with an exception.
    Specialisation* specialise(const std::vector<Value>& types);
    // Builds all forms again, with what the program's names mean now. False with an exception.
    [[nodiscard]] bool recompile();
    // The machine code of a form for the device in use; compiled if there is none. nullptr with an exception.
    CompiledForm* compiledFor(Specialisation& form, Backend& backend, const LaunchShape& shape);

    const std::vector<std::unique_ptr<Specialisation>>& specialisations() const { return specialisations_; }
    const KernelOptions& options() const { return options_; }
    const std::string& name() const { return name_; }
    const std::string& file() const { return file_; }
    int line() const { return line_; }
    // For the garbage collector: the objects that the kernel holds.
    int traverse(visitproc visit, void* arg) const;
    // The size of a block with the best occupancy for a launch with these arguments. -1 with an exception.
    int bestBlock(PyObject* const* arguments, size_t count, int64_t dynamicBytes);
    // Of the machine code of a form, compiled if it is not: see Backend::attribute(). -1 with an exception.
    int64_t attribute(Specialisation& form, const std::string& what);
    // See Backend::mostCooperativeBlocks(). -1 with an exception.
    int64_t mostCooperativeBlocks(Specialisation& form, int64_t threads, int64_t dynamicBytes);
    // The report starts again.
    void forgetCounters();

private:
    CompiledForm* compile(Specialisation& form, Backend& backend, const LaunchShape& shape);
    Specialisation* find(ArgumentList& arguments);
    Specialisation* bestOfSignatures(const ArgumentList& arguments);
    Specialisation* build(const std::vector<Value>& types);
    bool run(const Specialisation& form, CompiledForm& target, ArgumentList& arguments, const LaunchShape& shape,
             uintptr_t stream, LaunchClock& clock);

    PyObject* function_;  // borrowed
    KernelOptions options_;
    std::vector<Ref<>> watchers_;
    std::recursive_mutex watched_;  // of the thread that loads code which is watched; taken without the GIL
    std::string name_;
    std::string file_;
    int line_ = 0;
    bool hasSignatures_ = false;
    std::vector<std::unique_ptr<Specialisation>> specialisations_;
    std::vector<std::unique_ptr<Specialisation>> retired_;  // launches of them may be under way
};

// How the front end compiles loops: what Python raises is raised.
FrontendOptions loopOptions(const KernelOptions& kernel);

// Empty, or what is wrong with a launch of this shape.
std::string checkShape(const LaunchShape& shape);

}  // namespace kiln::gpu
