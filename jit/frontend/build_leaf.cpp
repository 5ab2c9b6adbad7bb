// Operations of CPython that can't run Python code: no frame is made, no position stored, no assumption checked again.
#include <algorithm>
#include <cstring>

#include "jit/frontend/region_builder.h"

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

}  // namespace

bool isLeafFunction(PyObject* callee) {
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    const char* owner = ownerOf(function);
    const auto* found = std::ranges::find_if(kLeafFunctions, [&](const LeafFunction& row) {
        return owner != nullptr && std::strcmp(row.owner, owner) == 0 &&
               (row.name[0] == '*' || std::strcmp(row.name, function->m_ml->ml_name) == 0);
    });
    return found != std::end(kLeafFunctions) && found->isLeaf;
}

// A container of the topmost entries.
void RegionBuilder::buildLeaf(const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls) {
    std::vector<Id> operands;
    boxTop(items, operands);
    leafOperation(in, helper, std::move(operands), items, cls);
}

// Pops the operands, pushes the result. An exception leaves the region.
void RegionBuilder::leafOperation(const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped,
                                  PyTypeObject* cls) {
    ir::SnapshotId raise = raising();
    Id value = emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(helper));
    if (helper == Helper::k_call_leaf || helper == Helper::k_list_to_tuple) {
        releaseTop(popped);
    } else {
        for (int entry = 0; entry < popped; entry++) {
            releaseHeld(pop());  // by what was made
        }
    }
    pushResult(value, true, cls, in, in.next);
}

bool RegionBuilder::callLeaf(const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (!isLeafFunction(callee)) {
        return false;
    }
    for (int argument = 0; argument < arguments; argument++) {
        if (!top(argument).isNumber()) {
            return false;
        }
    }
    std::vector<Id> operands = {constObject(callee)};
    boxTop(arguments, operands);
    leafOperation(in, Helper::k_call_leaf, std::move(operands), arguments + 2);
    return true;
}

}  // namespace kiln
