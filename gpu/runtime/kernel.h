// One kernel: a Python function, its options, and what was compiled from it for the argument types met.
#pragma once

#include <Python.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/frontend/compile_kernel.h"
#include "gpu/runtime/arguments.h"
#include "gpu/runtime/backend.h"
#include "interp/py_ref.h"

namespace kiln::gpu {

// The kernel for one set of argument types.
struct Specialisation {
    std::vector<uintptr_t> key;  // of the arguments that use it; empty for one that a signature asked for
    std::vector<Value> types;
    std::unique_ptr<Module> module;
    std::vector<Exception> exceptions;  // by row of Module::faults
    std::unique_ptr<CompiledKernel> compiled;  // at its first launch
    // For the report.
    uint64_t launches = 0;
    double milliseconds = 0;
    uint64_t bytesIn = 0;
    uint64_t bytesOut = 0;
};

// Needs the GIL throughout; launches release it while the kernel runs.
class Kernel {
   public:
    Kernel(PyObject* function, const KernelOptions& options);
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;
    ~Kernel();

    // False with an exception. `stream` 0 is the default stream, on which a launch with host arrays waits.
    [[nodiscard]] bool launch(PyObject* const* arguments, size_t count, const LaunchShape& shape, uintptr_t stream);
    // A form for these types. With one or more of these, arguments must fit one of them. False with an exception.
    [[nodiscard]] bool addSignature(const std::vector<Value>& types);
    // The form for these types; made if there is none. nullptr with an exception.
    Specialisation* specialise(const std::vector<Value>& types);

    const std::vector<std::unique_ptr<Specialisation>>& specialisations() const { return specialisations_; }
    const KernelOptions& options() const { return options_; }
    const std::string& name() const { return name_; }
    const std::string& place() const { return place_; }

   private:
    Specialisation* find(ArgumentList& arguments);
    Specialisation* build(const std::vector<Value>& types);
    bool compile(Specialisation& target, Backend& backend);
    bool run(Specialisation& target, ArgumentList& arguments, Backend& backend, const LaunchShape& shape, uintptr_t stream);

    Ref<> function_;
    KernelOptions options_;
    std::string name_;
    std::string place_;
    bool hasSignatures_ = false;
    std::vector<std::unique_ptr<Specialisation>> specialisations_;
};

// Empty, or what is wrong with a launch of this shape.
std::string checkShape(const LaunchShape& shape);

}  // namespace kiln::gpu
