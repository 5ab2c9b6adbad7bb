// The front end's entry: a Python function and the types of its arguments become a module of kernel IR.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/frontend/value.h"

namespace kiln::gpu {

// The user's mistake, as a class of numba.core.errors (or a builtin exception) and a message.
struct CompileError {
    bool isSet = false;
    std::string errorClass;
    std::string message;
};

// What a row of Module::faults raises on the host.
struct Exception {
    Ref<> type;
    Ref<> arguments;    // a tuple; null: of an index that is out of bounds
    std::string array;  // of such an index
    int axis = 0;
};

// What a name meant when the code was compiled: an entry of a dict, or the content of a cell.
struct Binding {
    Ref<> holder;
    Ref<> name;  // of an entry
    Ref<> value;

    // Whether it still does. Needs the GIL.
    bool holds() const;
};

bool stillHolds(const std::vector<Binding>& bindings);

struct FrontendResult {
    std::unique_ptr<Module> module;  // nullptr with `error` set
    CompileError error;
    std::vector<Exception> exceptions;  // by row of Module::faults
    std::vector<Ref<>> kept;            // objects whose memory the code refers to
    std::vector<Ref<>> watchers;        // whom to tell when the machine code is loaded, and when it goes
    std::vector<Binding> bindings;      // of a loop: what it took for constant
    Value returned;                  // of a device function: types only
};

struct FrontendOptions {
    bool isDevice = false;  // the function is compiled as one that returns values
    bool debug = false;     // assert and raise work
    bool checksDivision = false;  // a division by zero raises
    bool checksBounds = false;
    bool checksAccesses = false;  // on the CPU: races, and values that nothing wrote
    bool isLoop = false;  // runs in the program's own process as a part of a function: see FrontendResult::bindings
};

// Arguments are types: scalars, arrays, tuples, none. Needs the GIL; may run Python (linecache).
FrontendResult compileFrontend(PyObject* function, const std::vector<Value>& arguments, const FrontendOptions& options);

// The message of the exception that is set, which is cleared.
std::string takeMessage();

}  // namespace kiln::gpu
