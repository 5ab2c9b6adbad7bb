// What a call of a function with compiled code needs, in one cache line that the function object leads to: the way by code object,
// record, root, region and native function touches a dozen.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "jit/native_interface.h"
#include "profiler/sample_tier.h"

namespace kiln {

struct Root;

// Of one root's functions with the same namespaces.
struct alignas(64) EntryCell {
    const void* code = nullptr;     // theirs, borrowed; nullptr: the cell is nobody's
    Root* root = nullptr;
    const void* globals = nullptr;  // borrowed
    const void* builtins = nullptr;
    BoxedEntry entry = nullptr;     // of the code that is tried first; nullptr while calls must ask the root
    uint64_t numbers = 0;           // as in NativeFunction
    int parameters = -1;            // given by position, or by default; -1: binding arguments takes more
    ReportTier tier = ReportTier::kQuick;

    // Of functions with its code.
    bool serves(const PyFunctionObject* function) const { return globals == function->func_globals && builtins == function->func_builtins; }
};
static_assert(sizeof(EntryCell) == 64);

// Gives the cell back.
struct EntryCellReturn {
    void operator()(EntryCell* cell) const;
};
using EntryCellRef = std::unique_ptr<EntryCell, EntryCellReturn>;

// Empty when there are too many.
EntryCellRef takeEntryCell();

// The functions' vectorcall from now on is kilnVectorcall, and leads to the cell; an empty one is as good as none.
void enterByCell(PyFunctionObject* function, const EntryCell* cell);
// As CPython made it.
void enterByInterpreter(PyFunctionObject* function);
bool isEnteredByCell(PyFunctionObject* function);
// Of a function that is entered by one; a cell without an entry when it was given none.
EntryCell& cellOf(PyFunctionObject* function);

// The vectorcall of functions that have compiled code.
PyObject* kilnVectorcall(PyObject* function, PyObject* const* arguments, size_t nargsf, PyObject* names);

}  // namespace kiln
