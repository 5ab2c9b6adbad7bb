// Operations on values of exact built-in classes: a helper does them at once, without a frame, as long as no Python code has to run
// and nothing raises. Else the region is left before the instruction, and CPython does it; a site where that is frequent is opaque.
#include <opcode.h>

#include <set>

#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

constexpr int kFirstInplace = NB_INPLACE_ADD;

bool isSequence(PyTypeObject* cls) {
    return cls == &PyUnicode_Type || cls == &PyBytes_Type || cls == &PyList_Type || cls == &PyTuple_Type;
}

bool isSet(PyTypeObject* cls) {
    return cls == &PySet_Type || cls == &PyFrozenSet_Type;
}

bool isContainer(PyTypeObject* cls) {
    return isSequence(cls) || isSet(cls) || cls == &PyDict_Type;
}

// What helpers may know how to handle.
bool isBuiltinValue(PyTypeObject* cls) {
    return isContainer(cls) || cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type || cls == Py_TYPE(Py_None);
}

bool isMutable(PyTypeObject* cls) {
    return cls == &PyList_Type || cls == &PySet_Type || cls == &PyDict_Type;
}

// Operators of two values for which a helper may have the result.
bool combines(int operation, PyTypeObject* a, PyTypeObject* b) {
    switch (operation) {
        case NB_ADD: return a == b && isSequence(a);
        case NB_MULTIPLY: return (isSequence(a) && b == &PyLong_Type) || (isSequence(b) && a == &PyLong_Type);
        case NB_AND: case NB_OR: case NB_XOR: case NB_SUBTRACT: return isSet(a) && isSet(b);
        default: return false;
    }
}

}  // namespace

// An object that was of one built-in class each time is guarded to be: from then on its class is known.
void RegionBuilder::knowBuiltin(const BytecodeInstruction& in, int below, const ClassSet& seen) {
    AbstractValue& value = top(below);
    PyTypeObject* cls = seen.only();
    if (siteOf(in).generic || value.kind != Kind::kObject || value.cls != nullptr || cls == nullptr || !isContainer(cls)) {
        return;
    }
    guardClass(value.value, cls, ExitReason::k_type);
    markClass(value.value, cls);
}

// Its class is known to be built-in, or was built-in each time: then helpers find out.
bool RegionBuilder::isBuiltin(int below, const ClassSet& seen) {
    const AbstractValue& value = top(below);
    if (PyTypeObject* cls = value.knownClass()) {
        return isBuiltinValue(cls);
    }
    bool known = value.kind == Kind::kObject && value.cls == nullptr && !seen.empty() && !seen.others();
    for (int index = 0; known && index < seen.size(); index++) {
        known = isBuiltinValue(seen[index]);
    }
    return known;
}

// The region may hold variables of a namespace that the namespace's own dict does not have yet: an entry that is this dict, by
// chance, is CPython's. False when that can't be asked.
bool RegionBuilder::guardNoNamespace(int below) {
    const AbstractValue& value = top(below);
    PyTypeObject* cls = value.knownClass();
    if (state_.names.empty() || (cls != nullptr && cls != &PyDict_Type)) {
        return true;
    }
    if (cls == nullptr) {
        return false;
    }
    guardOtherDict(boxEntry(below));
    return true;
}

void RegionBuilder::guardOtherDict(Id object) {
    std::set<const void*> dicts;
    for (const AbstractName& name : state_.names) {
        const void* dict = result_.region.nameDicts[static_cast<size_t>(name.name)];
        if (dicts.insert(dict).second) {
            Id same = emit(ir::Op::k_object_is, {object, emit(ir::Op::k_const_object, {}, objectIndex(dict, "namespace"))});
            emitExiting(ir::Op::k_guard_false, {same}, ExitReason::k_plain);
        }
    }
}

// A helper that gives a number or answers a question: negative when CPython must.
RegionBuilder::Id RegionBuilder::askPlain(Helper helper, std::vector<Id> operands) {
    Id answer = emitList(ir::Op::k_pure_int, std::move(operands), static_cast<int64_t>(helper));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ge, {answer, constInt(0)})}, ExitReason::k_plain);
    return answer;
}

// A helper that makes an object.
RegionBuilder::Id RegionBuilder::makePlain(Helper helper, std::vector<Id> operands) {
    return emitExitingAt(ir::Op::k_opaque_object, std::move(operands), before(ExitReason::k_plain), static_cast<int64_t>(helper));
}

// A helper that changes something.
void RegionBuilder::changePlain(Helper helper, std::vector<Id> operands) {
    emitExitingAt(ir::Op::k_opaque_int, std::move(operands), before(ExitReason::k_plain), static_cast<int64_t>(helper));
}

// ---- items

bool RegionBuilder::plainSubscript(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    PyTypeObject* cls = top(1).knownClass();
    if (site.generic || top(1).isVirtual()) {
        return false;
    }
    if (cls == &PyDict_Type && isBuiltin(0, site.rights) && guardNoNamespace(1)) {
        dictItem(in);
        return true;
    }
    if ((cls != &PyUnicode_Type && cls != &PyBytes_Type) || !top(0).isIntLike()) {
        return false;
    }
    std::vector<Id> operands = {boxEntry(1), asInt(top(0))};
    if (cls == &PyBytes_Type) {
        finishCall(in, 2, AbstractValue::number(Kind::kInt, askPlain(Helper::k_plain_byte, std::move(operands))));
        return true;
    }
    Id made = makePlain(Helper::k_plain_character, std::move(operands));
    releaseTop(2);
    pushResult(made, true, &PyUnicode_Type, in, in.next);
    return true;
}

void RegionBuilder::dictItem(const BytecodeInstruction& in) {
    Id dict = boxEntry(1);
    bool byInt = top(0).isInt();
    Id key = byInt ? top(0).value : boxEntry(0);
    Helper helper = byInt ? Helper::k_plain_item_by_int : Helper::k_plain_item;
    Id item = emitList(ir::Op::k_read_object, {dict, key}, static_cast<int64_t>(helper));
    emitExiting(ir::Op::k_guard_set, {item}, ExitReason::k_plain);
    release(pop());
    AbstractValue owner = pop();
    // Borrowed from the dict: where that goes away here, the item needs a reference first.
    bool owned = owner.isReference() && owner.owned;
    if (owned) {
        emit(ir::Op::k_incref, {item});
    }
    release(std::move(owner));
    pushResult(item, owned, nullptr, in, in.next);
}

bool RegionBuilder::plainStoreSubscript(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    knowBuiltin(in, 1, site.receivers);
    bool isDict = top(1).knownClass() == &PyDict_Type;
    if (site.generic || site.runsFinalisers || !isDict || endsAfterStore(top(1)) || !isBuiltin(0, site.rights) || !guardNoNamespace(1)) {
        return false;
    }
    Id value = boxEntry(2);
    Id dict = boxEntry(1);
    changePlain(Helper::k_plain_set_item, {value, dict, boxEntry(0)});
    release(pop());
    AbstractValue owner = pop();
    releaseHeld(pop());
    release(std::move(owner));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::plainDelete(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    knowBuiltin(in, 1, site.receivers);
    PyTypeObject* cls = top(1).knownClass();
    bool known = cls == &PyDict_Type || (cls == &PyList_Type && top(0).isInt());
    if (site.generic || site.runsFinalisers || !known || endsAfterStore(top(1)) || !isBuiltin(0, site.rights) || !guardNoNamespace(1)) {
        return false;
    }
    Id container = boxEntry(1);
    changePlain(Helper::k_plain_delete_item, {container, boxEntry(0)});
    releaseTop(2);
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::plainSlice(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    knowBuiltin(in, 2, site.receivers);
    PyTypeObject* cls = top(2).knownClass();
    auto isBound = [](const AbstractValue& value) { return value.isIntLike() || value.kind == Kind::kNone; };
    if (site.generic || !isSequence(cls) || !isBound(top(0)) || !isBound(top(1))) {
        return false;
    }
    auto bound = [&](const AbstractValue& value, int64_t missing) { return value.isIntLike() ? asInt(value) : constInt(missing); };
    Id sequence = boxEntry(2);
    Id start = bound(top(1), 0);
    Id made = makePlain(Helper::k_plain_slice, {sequence, start, bound(top(0), PY_SSIZE_T_MAX)});
    releaseTop(3);
    pushResult(made, true, cls, in, in.next);
    return true;
}

// ---- questions

bool RegionBuilder::plainContains(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    knowBuiltin(in, 0, site.receivers);
    PyTypeObject* cls = top(0).knownClass();
    if (site.generic || !isContainer(cls) || !isBuiltin(1, site.rights) || !guardNoNamespace(0)) {
        return false;
    }
    Id container = boxEntry(0);
    bool byInt = top(1).isInt();
    Id item = byInt ? top(1).value : boxEntry(1);
    Id found = askPlain(byInt ? Helper::k_plain_contains_int : Helper::k_plain_contains, {container, item});
    Id result = emit(in.oparg ? ir::Op::k_int_eq : ir::Op::k_int_ne, {found, constInt(0)});
    finishCall(in, 2, AbstractValue::number(Kind::kBool, result));
    return true;
}

bool RegionBuilder::plainCompare(const BytecodeInstruction& in, int operation) {
    const Site& site = siteOf(in);
    bool builtin = !site.generic && isBuiltin(1, site.receivers) && isBuiltin(0, site.rights);
    if (!builtin || !guardNoNamespace(1) || !guardNoNamespace(0)) {
        return false;
    }
    Id left = boxEntry(1);
    Id right = boxEntry(0);
    Id answer = askPlain(Helper::k_plain_compare, {constInt(operation), left, right});
    finishCall(in, 2, AbstractValue::number(Kind::kBool, emit(ir::Op::k_int_ne, {answer, constInt(0)})));
    return true;
}

// How many items a container has that is no sequence of a known layout; kNoId for any other value.
RegionBuilder::Id RegionBuilder::builtinLength(const AbstractValue& value) {
    PyTypeObject* cls = value.knownClass();
    bool isObject = value.kind == Kind::kObject || value.kind == Kind::kConstant;
    if (!isObject || cls == nullptr || (cls == &PyDict_Type && !state_.names.empty())) {
        return ir::kNoId;
    }
    bool fresh = false;
    auto field = [&](Field name) { return emit(ir::Op::k_load_field, {boxed(value, fresh)}, static_cast<int64_t>(name)); };
    if (cls == &PyDict_Type) {
        return field(Field::k_dict_used);
    }
    if (isSet(cls)) {
        return field(Field::k_set_used);
    }
    if (cls == &PyUnicode_Type) {
        return field(Field::k_unicode_length);
    }
    return isSequence(cls) ? field(Field::k_ob_size) : ir::kNoId;
}

// ---- operators

bool RegionBuilder::plainBinary(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    bool inplace = in.oparg >= kFirstInplace;
    int operation = inplace ? in.oparg - kFirstInplace : in.oparg;
    knowBuiltin(in, 1, site.receivers);
    knowBuiltin(in, 0, site.rights);
    PyTypeObject* left = top(1).knownClass();
    PyTypeObject* right = top(0).knownClass();
    if (site.generic || left == nullptr || right == nullptr || (inplace && isMutable(left)) || !combines(operation, left, right)) {
        return false;
    }
    PyTypeObject* cls = operation == NB_MULTIPLY && left == &PyLong_Type ? right : left;
    Id a = boxEntry(1);
    Id b = boxEntry(0);
    Id made = makePlain(Helper::k_plain_binary, {constInt(operation), a, b});
    releaseTop(2);
    pushResult(made, true, cls, in, in.next);
    return true;
}

}  // namespace kiln
