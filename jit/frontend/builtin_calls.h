// The table of CPython's own functions, methods and classes that compiled code calls without a frame: builtin_calls.def.
#pragma once

#include <Python.h>

#include <algorithm>
#include <array>

namespace kiln {

// Of one call.
using Arguments = PyObject* const*;

enum class BuiltinEffect { kReads, kChanges };

struct BuiltinCall {
    const char* owner;
    const char* name;
    const char* arguments;
    char result;
    BuiltinEffect effect;
    std::array<char, 8> letters;  // of `arguments`, by place: the last one is that of all further ones, '\0' where there are none

    // Which argument may be what: '\0' when there may not be so many.
    char letterFor(int argument) const { return letters[std::min<size_t>(static_cast<size_t>(argument), letters.size() - 1)]; }
    bool takes(int count) const;
    // nullptr where it varies.
    PyTypeObject* resultClass() const;
};

// What a call names is the row, and above it a bit for each argument that must be looked at.
inline constexpr int kBuiltinRowBits = 16;

// By the row's number.
const BuiltinCall& builtinCall(int row);
// The row for a builtin function, a method of a built-in class or such a class itself, called with so many arguments, of which an
// instance is the first; negative when there is none. Classes of the program's are none.
int findBuiltinCall(PyObject* callee, int arguments);
// The same for a callee that is met at run time: what was found is kept, and the callee alive.
int builtinCallOf(PyObject* callee, int arguments);

}  // namespace kiln
