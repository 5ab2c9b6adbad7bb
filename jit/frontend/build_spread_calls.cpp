// What `*arguments` and `**keywords` of calls are collected in (the calls: build_star_call.cpp).
#include "jit/frontend/build_spread_calls.h"

#include <opcode.h>

#include <algorithm>
#include <iterator>

#include "jit/frontend/build_container.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_leaf.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr int kListToTuple = 6;  // INTRINSIC_LIST_TO_TUPLE
constexpr size_t kMostCollected = 16;

// Behind the instruction nothing is done but collected until the call, or until a tuple is made.
bool isForCall(RegionBuilder& b, const BytecodeInstruction& in, bool names) {
    const Bytecode& bytecode = b.bytecodeOf(b.state().frame().code);
    for (const BytecodeInstruction* next = bytecode.at(in.next); next != nullptr && !next->leader; next = bytecode.at(next->next)) {
        switch (next->opcode) {
            case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_CONST: case LOAD_DEREF: case LOAD_GLOBAL: case LIST_APPEND: case LIST_EXTEND:
            case BUILD_MAP: case BUILD_CONST_KEY_MAP: case DICT_MERGE:
                break;
            case CALL_INTRINSIC_1: return !names && next->oparg == kListToTuple;
            case CALL_FUNCTION_EX: return names;
            default: return false;
        }
    }
    return false;
}

bool extendCollected(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top(in.oparg).kind != Kind::kList) {
        return false;
    }
    std::vector<AbstractValue> items;
    size_t had = b.top(in.oparg).parts.size();
    if (in.oparg != 1 || had > kMostCollected || !takeItems(b, items)) {
        boxEntry(b, in.oparg);
        return false;
    }
    std::ranges::move(items, std::back_inserter(b.top().parts));
    b.state().frame().unit = in.next;
    return true;
}

bool appendCollected(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top(in.oparg).kind != Kind::kList) {
        return false;
    }
    if (in.oparg != 1 || isVirtualIterator(b.top()) || b.top().hasItems()) {
        boxEntry(b, in.oparg);
        return false;
    }
    own(b, b.top());
    AbstractValue item = b.pop();
    b.top().parts.push_back(std::move(item));
    b.state().frame().unit = in.next;
    return true;
}

bool areTexts(PyObject* const* names, Py_ssize_t count) {
    return std::all_of(names, names + count, [](PyObject* name) { return PyUnicode_CheckExact(name); });
}

// The values lie on top.
void pushKeywords(RegionBuilder& b, const BytecodeInstruction& in, PyObject* names) {
    auto count = static_cast<int>(PyTuple_GET_SIZE(names));
    buildItems(b, Kind::kKeywords, count);
    b.top().parts.insert(b.top().parts.begin(), AbstractValue::constantObject(names));
    b.state().frame().unit = in.next;
}

bool startKeywords(RegionBuilder& b, const BytecodeInstruction& in) {
    if (in.oparg > 1 || (in.oparg == 1 && b.top(1).kind != Kind::kConstant) || !isForCall(b, in, true)) {
        return false;
    }
    std::vector<PyObject*> names;
    if (in.oparg == 1) {
        names.push_back(b.top(1).constant);
    }
    if (!areTexts(names.data(), in.oparg) || (in.oparg == 1 && b.top(1).value != ir::kNoId)) {
        return false;
    }
    pushKeywords(b, in, keptNames(b, names));
    if (in.oparg == 1) {
        b.top(1) = std::move(b.top());
        b.state().frame().slots.pop_back();
    }
    return true;
}

bool startKeywordsOf(RegionBuilder& b, const BytecodeInstruction& in) {
    PyObject* names = b.top().constant;
    bool isKnown = static_cast<size_t>(in.oparg) <= kMostCollected && b.top().value == ir::kNoId && areTexts(&PyTuple_GET_ITEM(names, 0), in.oparg);
    if (!isKnown || !isForCall(b, in, true)) {
        return false;
    }
    flattenItems(b, 1, in.oparg);
    b.pop();
    pushKeywords(b, in, names);
    return true;
}

PyObject* namesOf(const AbstractValue& keywords) {
    return keywords.parts[0].constant;
}

// Both are virtual, and have no name in common.
bool mergeKeywords(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top(in.oparg).kind != Kind::kKeywords) {
        return false;
    }
    std::vector<PyObject*> names;
    bool mayMerge = in.oparg == 1 && b.top().kind == Kind::kKeywords;
    for (int below = 1; mayMerge && below >= 0; below--) {
        PyObject* tuple = namesOf(b.top(below));
        names.insert(names.end(), &PyTuple_GET_ITEM(tuple, 0), &PyTuple_GET_ITEM(tuple, 0) + PyTuple_GET_SIZE(tuple));
    }
    auto isTwice = [&](PyObject* name) {
        return std::ranges::count_if(names, [&](PyObject* other) { return PyUnicode_Compare(name, other) == 0; }) > 1;
    };
    if (!mayMerge || names.size() > kMostCollected || std::ranges::any_of(names, isTwice)) {
        boxEntry(b, in.oparg);
        return false;
    }
    std::vector<AbstractValue> added = b.pop().parts;
    std::vector<AbstractValue> values = b.pop().parts;
    values.erase(values.begin());
    std::move(added.begin() + 1, added.end(), std::back_inserter(values));
    b.push(virtualKeywords(b, names, std::move(values)));
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace

bool takeItems(RegionBuilder& b, std::vector<AbstractValue>& items) {
    const AbstractValue& added = b.top();
    if (added.kind == Kind::kTuple && added.value == ir::kNoId) {
        items = b.pop().parts;
        return true;
    }
    if (added.kind != Kind::kConstant || added.value != ir::kNoId || !PyTuple_CheckExact(added.constant)) {
        return false;
    }
    PyObject* tuple = b.pop().constant;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(tuple); index++) {
        items.push_back(constantValue(b, PyTuple_GET_ITEM(tuple, index)));
    }
    return true;
}

PyObject* keptNames(RegionBuilder& b, const std::vector<PyObject*>& names) {
    auto isIt = [&](const Ref<>& kept) {
        return PyTuple_CheckExact(kept.get()) &&
               std::equal(names.begin(), names.end(), &PyTuple_GET_ITEM(kept.get(), 0), &PyTuple_GET_ITEM(kept.get(), 0) + PyTuple_GET_SIZE(kept.get()));
    };
    auto known = std::ranges::find_if(b.result().keptAlive, isIt);
    if (known != b.result().keptAlive.end()) {
        return known->get();
    }
    Ref<> tuple = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
    for (size_t index = 0; index < names.size(); index++) {
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(index), Py_NewRef(names[index]));
    }
    b.keepAlive(tuple.get());
    return tuple.get();
}

AbstractValue virtualKeywords(RegionBuilder& b, const std::vector<PyObject*>& names, std::vector<AbstractValue> values) {
    values.insert(values.begin(), AbstractValue::constantObject(keptNames(b, names)));
    return virtualObject(b, Kind::kKeywords, std::move(values));
}

bool collectForCall(RegionBuilder& b, const BytecodeInstruction& in) {
    switch (in.opcode) {
        case BUILD_LIST: {
            if (static_cast<size_t>(in.oparg) > kMostCollected || !isForCall(b, in, false)) {
                return false;
            }
            buildItems(b, Kind::kList, in.oparg);
            b.state().frame().unit = in.next;
            return true;
        }
        case LIST_EXTEND: return extendCollected(b, in);
        case LIST_APPEND: return appendCollected(b, in);
        case BUILD_MAP: return startKeywords(b, in);
        case BUILD_CONST_KEY_MAP: return startKeywordsOf(b, in);
        default: return false;
    }
}

// Dicts with keys that are strings, of which none is there twice: Python code has no part in it.
bool mergeDicts(RegionBuilder& b, const BytecodeInstruction& in) {
    if (mergeKeywords(b, in)) {
        return true;
    }
    const AbstractValue& target = b.top(in.oparg);
    if (b.siteOf(in).generic || b.siteOf(in).runsFinalisers || target.kind != Kind::kObject ||
        target.cls != &PyDict_Type) {
        return false;
    }
    Id dict = target.value;
    changePlain(b, in.opcode == DICT_MERGE ? Helper::k_plain_merge : Helper::k_plain_update, {dict, boxEntry(b, 0)});
    releaseTop(b, 1);
    b.state().frame().unit = in.next;
    return true;
}

bool listToTuple(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top().kind == Kind::kList) {
        b.top().kind = Kind::kTuple;
        b.state().frame().unit = in.next;
        return true;
    }
    const AbstractValue& list = b.top();
    if (list.kind != Kind::kObject || list.cls != &PyList_Type) {
        return false;
    }
    leafOperation(b, in, Helper::k_list_to_tuple, {list.value}, 1, &PyTuple_Type);
    return true;
}

}  // namespace kiln
