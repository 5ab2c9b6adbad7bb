// Operations on values of exact built-in classes: a helper does them at once, without a frame, as long as no Python code has to run
// and nothing raises. Else the region is left before the instruction, and CPython does it; a site where that is frequent is opaque.
#include "jit/frontend/build_plain.h"

#include <opcode.h>

#include <algorithm>
#include <set>

#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

constexpr int kFirstInplace = NB_INPLACE_ADD;

// Of either row: an operator may belong to its right operand.
bool combines(int operation, PyTypeObject* left, PyTypeObject* right) {
    return operationsOf(left).combines(operation, left, right) || operationsOf(right).combines(operation, left, right);
}

// What helpers may know how to handle.
bool isBuiltinValue(PyTypeObject* cls) {
    return operationsOf(cls).isContainer() || cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type || cls == Py_TYPE(Py_None);
}

// Its class is known to suit, or suited each time.
template <typename Suits>
bool isAlways(RegionBuilder& b, int below, const ClassSet& seen, const Suits& suits) {
    const AbstractValue& value = b.top(below);
    if (PyTypeObject* cls = value.knownClass()) {
        return suits(cls);
    }
    bool known = value.kind == Kind::kObject && value.cls == nullptr && !seen.empty() && !seen.others();
    for (int index = 0; known && index < seen.size(); index++) {
        known = seen[index] != nullptr && suits(seen[index]);
    }
    return known;
}

bool isMutable(PyTypeObject* cls) {
    return cls == &PyList_Type || cls == &PySet_Type || cls == &PyDict_Type;
}

bool isBound(const AbstractValue& value) {
    return value.isIntLike() || value.kind == Kind::kNone;
}

Id boundOf(RegionBuilder& b, const AbstractValue& value, int64_t missing) {
    return value.isIntLike() ? asInt(b, value) : b.constInt(missing);
}

}  // namespace

// An object that was of one built-in class each time is guarded to be: from then on its class is known.
void knowBuiltin(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    AbstractValue& value = b.top(below);
    PyTypeObject* cls = seen.only();
    if (b.siteOf(in).generic || value.kind != Kind::kObject || value.cls != nullptr || cls == nullptr ||
        (!operationsOf(cls).isContainer() && operationsOf(cls).item == notNative)) {
        return;
    }
    if (isDictSubclass(cls)) {
        if (!ObservedClasses::instance().mayRelyOn(cls)) {
            return;
        }
        dependOn(b, cls);  // it may come to have other methods
    }
    b.guardClass(value.value, cls, ExitReason::k_type);
    markClass(b, value.value, cls);
}

bool isBuiltinKey(RegionBuilder& b, int below, const ClassSet& seen) {
    return isAlways(b, below, seen, [](PyTypeObject* cls) { return isBuiltinValue(cls) || isKeyedByIdentity(cls); });
}

// The region may hold variables of a namespace that the namespace's own dict does not have yet: an entry that is this dict, by
// chance, is CPython's. False when that can't be asked.
bool guardNoNamespace(RegionBuilder& b, int below) {
    const AbstractValue& value = b.top(below);
    PyTypeObject* cls = value.knownClass();
    if (b.state().names.empty() || (cls != nullptr && cls != &PyDict_Type)) {
        return true;
    }
    if (cls == nullptr) {
        return false;
    }
    guardOtherDict(b, boxEntry(b, below));
    return true;
}

void guardOtherDict(RegionBuilder& b, Id object) {
    std::set<const void*> dicts;
    for (const AbstractName& name : b.state().names) {
        const void* dict = b.result().region.nameDicts[static_cast<size_t>(name.name)];
        if (dicts.insert(dict).second) {
            Id same = b.emit(ir::Op::k_object_is,
                             {object, b.emit(ir::Op::k_const_object, {}, b.objectIndex(dict, "namespace"))});
            b.emitExiting(ir::Op::k_guard_false, {same}, ExitReason::k_plain);
        }
    }
}

// A helper that gives a number or answers a question: negative when CPython must.
Id askPlain(RegionBuilder& b, Helper helper, ir::Operands operands) {
    Id answer = b.emitList(ir::Op::k_pure_int, std::move(operands), static_cast<int64_t>(helper));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {answer, b.constInt(0)})}, ExitReason::k_plain);
    return answer;
}

Id plainTruth(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic || !guardNoNamespace(b, 0)) {
        return ir::kNoId;
    }
    return b.emit(ir::Op::k_int_ne, {askPlain(b, Helper::k_plain_truth, {boxEntry(b, 0)}), b.constInt(0)});
}

Id makePlain(RegionBuilder& b, Helper helper, ir::Operands operands) {
    return b.emitExitingAt(ir::Op::k_opaque_object, std::move(operands), b.snapshotBefore(ExitReason::k_plain),
                           static_cast<int64_t>(helper));
}

void changePlain(RegionBuilder& b, Helper helper, ir::Operands operands) {
    b.emitExitingAt(ir::Op::k_opaque_int, std::move(operands), b.snapshotBefore(ExitReason::k_plain),
                    static_cast<int64_t>(helper));
}

bool deletePlainItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    PyTypeObject* cls = b.top(1).knownClass();
    bool known = cls == &PyDict_Type || b.top(0).isInt();
    if (site.generic || site.runsFinalisers || !known || endsAfterStore(b.top(1)) || !isBuiltinKey(b, 0, site.rights) ||
        !guardNoNamespace(b, 1)) {
        return false;
    }
    Id container = boxEntry(b, 1);
    changePlain(b, Helper::k_plain_delete_item, {container, boxEntry(b, 0)});
    releaseTop(b, 2);
    b.state().frame().unit = in.next;
    return true;
}

bool slicePlain(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    PyTypeObject* cls = b.top(2).knownClass();
    if (site.generic || !isBound(b.top(0)) || !isBound(b.top(1))) {
        return false;
    }
    Id sequence = boxEntry(b, 2);
    Id start = boundOf(b, b.top(1), 0);
    Id made = makePlain(b, Helper::k_plain_slice, {sequence, start, boundOf(b, b.top(0), PY_SSIZE_T_MAX)});
    releaseTop(b, 3);
    pushResult(b, made, true, cls, in, in.next);
    return true;
}

// items[a:b:c]
bool steppedSlice(RegionBuilder& b, const BytecodeInstruction& in) {
    PyTypeObject* cls = b.top(1).knownClass();
    bool fits = cls == &PyList_Type || cls == &PyTuple_Type || cls == &PyUnicode_Type || cls == &PyBytes_Type;
    if (!fits || b.siteOf(in).generic || b.top(0).kind != Kind::kSlice || !std::ranges::all_of(b.top(0).parts, isBound)) {
        return false;
    }
    Id sequence = boxEntry(b, 1);
    Id made = makePlain(b, Helper::k_plain_stepped_slice, {sequence, boxEntry(b, 0)});
    releaseTop(b, 2);
    pushResult(b, made, true, cls, in, in.next);
    return true;
}

// list[a:b] = items, of a list or a tuple.
bool storeListSlice(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    PyTypeObject* items = b.top(3).knownClass();
    bool known = items == &PyList_Type || items == &PyTuple_Type;
    if (!known || site.generic || site.runsFinalisers || endsAfterStore(b.top(2)) || !isBound(b.top(0)) || !isBound(b.top(1))) {
        return false;
    }
    Id values = boxEntry(b, 3);
    Id list = boxEntry(b, 2);
    Id start = boundOf(b, b.top(1), 0);
    changePlain(b, Helper::k_plain_set_slice, {list, start, boundOf(b, b.top(0), PY_SSIZE_T_MAX), values});
    releaseTop(b, 4);
    b.state().frame().unit = in.next;
    return true;
}

bool containsPlain(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (site.generic || !isBuiltinKey(b, 1, site.rights) || !guardNoNamespace(b, 0)) {
        return false;
    }
    Id container = boxEntry(b, 0);
    bool byInt = b.top(1).isInt();
    Id item = byInt ? b.top(1).value : boxEntry(b, 1);
    Id found = askPlain(b, byInt ? Helper::k_plain_contains_int : Helper::k_plain_contains, {container, item});
    Id result = b.emit(in.oparg ? ir::Op::k_int_eq : ir::Op::k_int_ne, {found, b.constInt(0)});
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, result));
    return true;
}

bool isText(const AbstractValue& value, const ClassSet& seen) {
    return value.knownClass() == &PyUnicode_Type || (value.kind == Kind::kObject && value.cls == nullptr && seen.only() == &PyUnicode_Type);
}

// a == b, a != b
bool compareTexts(RegionBuilder& b, const BytecodeInstruction& in, bool equal) {
    const Site& site = b.siteOf(in);
    if (site.generic || !isText(b.top(1), site.receivers) || !isText(b.top(0), site.rights)) {
        return false;
    }
    knowBuiltin(b, in, 1, site.receivers);
    knowBuiltin(b, in, 0, site.rights);
    Id left = boxEntry(b, 1);
    Id right = boxEntry(b, 0);
    Id result = b.emit(ir::Op::k_text_equal, {left, right});
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, equal ? result : b.emit(ir::Op::k_bool_not, {result})));
    return true;
}

bool plainCompare(RegionBuilder& b, const BytecodeInstruction& in, int operation) {
    const Site& site = b.siteOf(in);
    bool equality = operation == Py_EQ || operation == Py_NE;
    if (equality && compareTexts(b, in, operation == Py_EQ)) {
        return true;
    }
    auto suits = [&](PyTypeObject* cls) { return isBuiltinValue(cls) || (equality && comparesByIdentity(cls)); };
    bool builtin = !site.generic && isAlways(b, 1, site.receivers, suits) && isAlways(b, 0, site.rights, suits);
    if (!builtin || !guardNoNamespace(b, 1) || !guardNoNamespace(b, 0)) {
        return false;
    }
    Id left = boxEntry(b, 1);
    Id right = boxEntry(b, 0);
    Id answer = askPlain(b, Helper::k_plain_compare, {b.constInt(operation), left, right});
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_int_ne, {answer, b.constInt(0)})));
    return true;
}

// How many items a container has; kNoId for a value whose row in class_operations.def doesn't say.
Id builtinLength(RegionBuilder& b, const AbstractValue& value) {
    PyTypeObject* cls = value.knownClass();
    bool isObject = value.kind == Kind::kObject || value.kind == Kind::kConstant;
    const ClassOperations& known = operationsOf(isObject ? cls : nullptr);
    if (!known.isContainer() || (cls == &PyDict_Type && !b.state().names.empty())) {
        return ir::kNoId;
    }
    bool fresh = false;
    return b.emit(ir::Op::k_load_field, {boxed(b, value, fresh)}, static_cast<int64_t>(known.length));
}

bool plainBinary(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    bool inplace = in.oparg >= kFirstInplace;
    int operation = inplace ? in.oparg - kFirstInplace : in.oparg;
    knowBuiltin(b, in, 1, site.receivers);
    knowBuiltin(b, in, 0, site.rights);
    PyTypeObject* left = b.top(1).knownClass();
    PyTypeObject* right = b.top(0).knownClass();
    if (site.generic || left == nullptr || right == nullptr || (inplace && isMutable(left)) || !combines(operation, left, right)) {
        return false;
    }
    PyTypeObject* cls = operation == NB_MULTIPLY && left == &PyLong_Type ? right : left;
    Id first = boxEntry(b, 1);
    Id second = boxEntry(b, 0);
    Id made = makePlain(b, Helper::k_plain_binary, {b.constInt(operation), first, second});
    releaseTop(b, 2);
    pushResult(b, made, true, cls, in, in.next);
    return true;
}

}  // namespace kiln
