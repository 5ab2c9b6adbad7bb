// Calls of functions and classes of CPython's own that are built natively: see callees.def.
#include "jit/frontend/build_builtins.h"

#include <algorithm>
#include <cstring>

#include "jit/frontend/build_math.h"
#include "jit/frontend/callee_handlers.h"
#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

// The name of a function of that module; nullptr for any other callee.
const char* nameIn(PyObject* callee, const char* module) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    bool named = function->m_module != nullptr && PyUnicode_Check(function->m_module);
    return named && PyUnicode_CompareWithASCIIString(function->m_module, module) == 0 ? function->m_ml->ml_name : nullptr;
}

struct CalleeRow {
    const char* owner;
    const char* name;
    int least;
    int most;
    CalleeHandler build;
};

constexpr CalleeRow kCallees[] = {
#define KILN_CALLEE(owner, name, least, most, handler) {owner, name, least, most, &handler},
#include "jit/frontend/callees.def"
#undef KILN_CALLEE
};

// Others may have the name of one of these.
bool isKnownClass(PyTypeObject* cls) {
    PyTypeObject* const known[] = {&PyRange_Type, &PyReversed_Type, &PyEnum_Type, &PyZip_Type, &PyBool_Type, &PyLong_Type,
                                   &PyFloat_Type, &PyComplex_Type};
    return std::ranges::find(known, cls) != std::end(known);
}

bool buildByTable(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments, const char* owner,
                  const char* name) {
    const auto* row = std::ranges::find_if(kCallees, [&](const CalleeRow& candidate) {
        return std::strcmp(candidate.owner, owner) == 0 && std::strcmp(candidate.name, name) == 0 &&
               arguments >= candidate.least && arguments <= candidate.most;
    });
    return row != std::end(kCallees) && row->build(b, in, callee, arguments);
}

bool leavesFor(const char* owner, const char* name) {
    return name != nullptr && std::ranges::any_of(kCallees, [&](const CalleeRow& row) {
               return row.build == &leaveToInterpreter && std::strcmp(row.owner, owner) == 0 && std::strcmp(row.name, name) == 0;
           });
}

}  // namespace

bool looksAtCaller(PyObject* callee) {
    if (PyType_Check(callee)) {
        auto* cls = reinterpret_cast<PyTypeObject*>(callee);
        return PyType_HasFeature(cls, Py_TPFLAGS_IMMUTABLETYPE) && leavesFor("type", cls->tp_name);
    }
    constexpr const char* kModules[] = {"builtins", "sys", "faulthandler"};
    return PyCFunction_Check(callee) &&
           std::ranges::any_of(kModules, [&](const char* module) { return leavesFor(module, nameIn(callee, module)); });
}

bool callBuiltin(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (const char* name = nameIn(callee, "math")) {
        return callMath(b, in, callee, name, arguments);
    }
    for (const char* module : {"builtins", "sys", "_operator"}) {
        if (const char* name = nameIn(callee, module)) {
            return buildByTable(b, in, callee, arguments, module, name);
        }
    }
    return false;
}

bool callClass(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    auto* cls = reinterpret_cast<PyTypeObject*>(callee);
    return isKnownClass(cls) && buildByTable(b, in, callee, arguments, "type", cls->tp_name);
}

bool leaveToInterpreter(RegionBuilder& b, const BytecodeInstruction& in, PyObject*, int) {
    b.sideExit(ExitReason::k_unsupported);
    return true;
}

// True for `sum(x, start=y)` and the like: the one keyword names the second parameter.
bool keywordsArePositional(RegionBuilder& b, PyObject* callee, int arguments) {
    if (arguments != 2 || PyTuple_GET_SIZE(b.keywordNames()) != 1) {
        return false;
    }
    bool isClass = callee == reinterpret_cast<PyObject*>(&PyEnum_Type);
    const char* name = isClass ? "enumerate" : PyCFunction_Check(callee) ? nameIn(callee, "builtins") : nullptr;
    static constexpr const char* kSecond[][2] = {{"enumerate", "start"}, {"round", "ndigits"}, {"sum", "start"}};
    for (const auto& [function, keyword] : kSecond) {
        if (name != nullptr && std::strcmp(name, function) == 0) {
            return PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(b.keywordNames(), 0), keyword) == 0;
        }
    }
    return false;
}

// A helper that may fail and raises nothing: the guard behind it leaves before the instruction, and CPython repeats it.
Id fallibleInt(RegionBuilder& b, Helper helper, ir::Operands operands, ExitReason reason) {
    Id result = b.emitList(ir::Op::k_pure_int, std::move(operands), static_cast<int64_t>(helper));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ne, {result, b.constInt(kFailedInt)})}, reason);
    return result;
}

Id fallibleFloat(RegionBuilder& b, Helper helper, ir::Operands operands, ExitReason reason) {
    Id result = b.emitList(ir::Op::k_read_float, std::move(operands), static_cast<int64_t>(helper));
    Id bits = b.emit(ir::Op::k_float_bits, {result});
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ne, {bits, b.constInt(kFailedFloatBits)})}, reason);
    return result;
}

}  // namespace kiln
