// What the region builder is asked for, what it may look up, and what it gives back.
#pragma once

#include <Python.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interp/py_ref.h"
#include "jit/frontend/abstract_state.h"
#include "jit/ir/region.h"
#include "jit/reasons.h"
#include "profiler/code_profile.h"

namespace kiln {

struct NativeFunction;
enum class Called : uint8_t;

// A global, builtin or attribute of a class that the region takes for constant: it is thrown away when dict[key] changes.
// Until then the dict keeps the value alive, if there is one: the region holds no reference, which the program could see.
struct NameDependency {
    PyObject* dict = nullptr;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
};

// Where an exit leaves to: the innermost frame's code and unit, to count by line and to widen the site.
struct ExitPlace {
    PyCodeObject* code = nullptr;
    int unit = 0;       // of the instruction that left
    int resumeUnit = 0; // of the instruction the interpreter goes on with

    bool operator==(const ExitPlace&) const = default;
};

// Where an instruction comes from: code and unit of each frame, outermost first.
using SourcePlace = std::vector<std::pair<PyCodeObject*, int>>;

struct OpaqueUse {
    PyCodeObject* code = nullptr;
    int unit = 0;
    std::string operation;
};

// What the functions of one native entry have in common. Borrowed.
struct Callee {
    PyCodeObject* code = nullptr;
    PyObject* globals = nullptr;
    PyObject* builtins = nullptr;

    static Callee of(PyFunctionObject* function) {
        return {reinterpret_cast<PyCodeObject*>(function->func_code), function->func_globals, function->func_builtins};
    }
    bool operator==(const Callee&) const = default;
};

// Looks up what is known outside the region. Implemented by the engine; needs the GIL.
class BuildEnvironment {
   public:
    virtual ~BuildEnvironment() = default;
    virtual CodeProfile& profileOf(PyCodeObject* code) = 0;
    // True when names of this dict may be taken for constant.
    virtual bool isStableName(PyObject* dict, PyObject* key) = 0;
    // The native entry of functions for these argument types, compiled or to be compiled: then `expected` is what it is
    // expected to return. nullptr for functions that stay interpreted.
    // `boxed`: the parameters whose boxes are passed too.
    virtual NativeFunction* nativeFunction(const Callee& callee, const std::vector<ir::Type>& arguments, const std::vector<int>& boxed,
                                           ir::Type expected) = 0;
    virtual ir::Type returnType(NativeFunction* function) = 0;
    // For calls of whatever comes with so many words of names and arguments, or spread ones; nullptr: through CPython.
    virtual NativeFunction* anyCallable(Called, size_t) { return nullptr; }
    // The code's functions are called from here, but by CPython: worth code that such calls find.
    virtual void wantCode(PyCodeObject*) {}
    // Counter index for iterations of the loop at `unit` of `code` (or calls of it, unit 0); -1 when nobody counts. The
    // entries of a function's own region, without calls that were inlined, are counted always.
    static constexpr int kEntries = -1;
    virtual int counterFor(PyCodeObject* code, int unit) = 0;
};

// What one build learned of a root that the next need not learn again. Codes are compared only: they may be gone.
struct RootKnowledge {
    std::set<PyCodeObject*> notInlined;
    bool needsFrame = false;
    bool dropsAtReturn = false;  // what the root gives up as it returns may break an assumption
    int frugality = 0;           // how much less is taken in, as the region grew too large
};

// What one region may take in. There is less for each degree of frugality.
struct BuildLimits {
    int instructions;  // specialised ones, in all
    int inlined;       // instructions of a callee that is inlined
    size_t depth;      // of inlined callees
    size_t versions;   // specialised copies of one place; past this they are merged into a general one
};
inline constexpr int kFrugalities = 3;

struct BuildRequest {
    PyCodeObject* code = nullptr;
    PyObject* globals = nullptr;
    PyObject* builtins = nullptr;
    PyObject* locals = nullptr;            // the namespace dict of module code
    bool isFunction = false;
    int unit = 0;                          // loop header; a function starts at its entry
    bool isNumeric = false;                // a dead local's kind is then kept as long as paths agree on it
    std::vector<Kind> entered;             // loop: what its locals were before, kAny for a number at one time and something else at another
    bool entersWithAnything = false;       // loop: dead locals may hold objects, which costs tests where they are given up
    std::vector<AbstractValue> entry;      // loop: kinds of every slot now; function: kinds of the parameters
    const void* self = nullptr;            // function root: stands for the region itself, for direct recursion
    std::string symbol;
    bool notesPlaces = false;              // instructions are to tell where they come from
    RootKnowledge known;
};

struct BuildResult {
    bool ok = false;
    Refusal refusal = Refusal::kNone;
    std::string detail;
    PyCodeObject* refusalCode = nullptr;
    int refusalUnit = 0;
    ir::Region region;
    bool needsFrame = false;               // function root: pushes a real frame
    int instructions = 0;                  // of the bytecode that it was built from, once for each version of a place
    std::vector<ExitPlace> exits;          // by Snapshot::place
    std::vector<SourcePlace> places;       // by Instruction::place; with `notesPlaces` only
    std::vector<NameDependency> dependencies;
    std::vector<PyFunctionObject*> functions;  // whose code and defaults were taken for constant; borrowed
    std::vector<PyCodeObject*> codes;          // inlined, called natively, or compared with; borrowed
    std::vector<PyTypeObject*> classes;        // the program's, taken for what they are; borrowed
    std::vector<OpaqueUse> opaque;
    std::vector<Ref<>> keptAlive;          // constants that lead to nothing of the program's
    RootKnowledge learned;
};

}  // namespace kiln
