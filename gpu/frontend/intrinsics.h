// The table of what kernels may call by a Python object (intrinsics.def), and a call of one of its rows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/frontend/syntax.h"
#include "gpu/frontend/value.h"

namespace kiln::gpu {

class FunctionBuilder;
struct Call;

// Builds a call. After an error of the program's it fails the builder, and returns poison.
using Handler = Value (*)(FunctionBuilder& build, Call& call);

struct Intrinsic {
    const char* name;
    const char* parameters;
    Handler handler;
    int payload;
};

// Payloads that the IR has no name for.
enum class UnaryOperator { kNegative, kPositive, kInverse, kNot };
enum class Reduction { kSum, kProd, kMean, kVar, kStd, kAny, kAll, kMin, kMax, kArgMin, kArgMax };
enum GridPayload { kPosition, kWidth };
enum AnglePayload { kToDegrees, kToRadians };

// Arguments are in the order of the row's parameters; what was left out at the end is not there, what was left out in the
// middle is none. Parameters behind one with * are options, by their names.
struct Call {
    const Node& node;
    const Intrinsic& row;
    const Value& callee;
    std::vector<Value> arguments;
    std::map<std::string, Value> options;

    std::string name() const { return row.name; }
    template <typename T>
    T payload() const {
        return static_cast<T>(row.payload);
    }
    size_t size() const { return arguments.size(); }
    Value& operator[](size_t i) { return arguments[i]; }
    const Value& operator[](size_t i) const { return arguments[i]; }
    bool has(size_t i) const { return i < arguments.size() && !arguments[i].isNone(); }
};

// The name under which an object of a known module is in the table: "math.sqrt", "builtins.range", "cuda.atomic.add",
// "numpy.sqrt". Empty for anything else. Needs the GIL.
std::string intrinsicName(PyObject* object);
// The row of a name, nullptr for another.
const Intrinsic* findIntrinsic(const std::string& name);
// The scalar type that an object or a text names: a type of numba's or NumPy's, a dtype, int, float, bool. nullptr for
// anything else. Needs the GIL.
const Type* typeNamedBy(const Value& value);
// The function of a device function or of one that jit marked; nullptr for another object. Borrowed.
PyObject* deviceFunction(PyObject* object);

}  // namespace kiln::gpu
