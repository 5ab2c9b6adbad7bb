// Operations of CPython that can't run Python code: no frame is made, no position stored, no assumption checked again.
#include "jit/frontend/build_leaf.h"

#include <algorithm>
#include <cstring>

#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

struct LeafFunction {
    const char* owner;
    const char* name;
    bool isLeaf;
};

constexpr LeafFunction kLeafFunctions[] = {
#define KILN_LEAF(owner, name) {owner, name, true},
#define KILN_NO_LEAF(owner, name) {owner, name, false},
#include "jit/frontend/leaf_functions.def"
#undef KILN_LEAF
#undef KILN_NO_LEAF
};

// The module's name, or for a bound method the name of the static class that defines it; nullptr when neither is known.
const char* ownerOf(PyCFunctionObject* function) {
    if (function->m_module != nullptr && PyUnicode_Check(function->m_module)) {
        return PyUnicode_AsUTF8(function->m_module);
    }
    if (function->m_self == nullptr || PyModule_Check(function->m_self)) {
        return nullptr;
    }
    // Subclasses made by programs inherit the C method; one that overrides it would not have given this callee.
    PyTypeObject* cls = Py_TYPE(function->m_self);
    while (cls != nullptr && cls->tp_methods == nullptr) {
        cls = cls->tp_base;
    }
    return cls != nullptr ? cls->tp_name : nullptr;
}

bool isListed(const char* owner, const char* name) {
    const auto* found = std::ranges::find_if(kLeafFunctions, [&](const LeafFunction& row) {
        return owner != nullptr && std::strcmp(row.owner, owner) == 0 && (row.name[0] == '*' || std::strcmp(row.name, name) == 0);
    });
    return found != std::end(kLeafFunctions) && found->isLeaf;
}

// The topmost entries are numbers.
bool areNumbers(RegionBuilder& b, int count) {
    for (int below = 0; below < count; below++) {
        if (!b.top(below).isNumber() && b.top(below).knownClass() != &PyComplex_Type) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool isLeafFunction(PyObject* callee) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    return isListed(ownerOf(function), function->m_ml->ml_name);
}

void buildLeaf(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls) {
    ir::Operands operands;
    boxTop(b, items, operands);
    leafOperation(b, in, helper, std::move(operands), items, cls);
}

void leafOperation(RegionBuilder& b, const BytecodeInstruction& in, Helper helper, ir::Operands operands, int popped,
                   PyTypeObject* cls) {
    ir::SnapshotId raise = b.raising();
    Id value = b.emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(helper));
    if (helper == Helper::k_call_leaf || helper == Helper::k_list_to_tuple) {
        releaseTop(b, popped);
    } else {
        for (int entry = 0; entry < popped; entry++) {
            releaseHeld(b, b.pop());  // by what was made
        }
    }
    pushResult(b, value, true, cls, in, in.next);
}

bool callLeaf(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (!isLeafFunction(callee) || !areNumbers(b, arguments)) {
        return false;
    }
    ir::Operands operands = {b.constObject(callee)};
    boxTop(b, arguments, operands);
    leafOperation(b, in, Helper::k_call_leaf, std::move(operands), arguments + 2);
    return true;
}

bool callLeafMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method, int arguments) {
    auto* descriptor = reinterpret_cast<PyMethodDescrObject*>(method);
    bool isLeaf = Py_IS_TYPE(method, &PyMethodDescr_Type) && isListed(PyDescr_TYPE(method)->tp_name, descriptor->d_method->ml_name);
    if (!isLeaf || !areNumbers(b, arguments) || b.keywordNames() != nullptr) {
        return false;
    }
    ir::Operands operands = {b.constObject(method)};
    boxTop(b, arguments + 1, operands);
    leafOperation(b, in, Helper::k_call_leaf, std::move(operands), arguments + 2);
    return true;
}

}  // namespace kiln
