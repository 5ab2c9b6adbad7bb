// Dicts and their views: items and iteration. A helper does it at once, as long as no Python code has to run.
#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/class_tables.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

Id findInDict(RegionBuilder& b, Id number) {
    Id dict = boxEntry(b, 1);
    Id key = number != ir::kNoId ? number : boxEntry(b, 0);
    Helper helper = number != ir::kNoId ? Helper::k_plain_item_by_int : Helper::k_plain_item;
    return b.emitList(ir::Op::k_read_object, {dict, key}, static_cast<int64_t>(helper));
}

bool dictItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    knowScalarClass(b, in, 0, site.rights);
    // One of NumPy's ints finds what the int finds, for it has its hash and is equal to what that is.
    Id number = b.top(0).isBool() ? ir::kNoId : indexOf(b, b.top(0));
    bool byInt = number != ir::kNoId;
    if (site.generic || (!byInt && !isBuiltinKey(b, 0, site.rights)) || !guardNoNamespace(b, 1)) {
        return false;
    }
    Id item = findInDict(b, number);
    b.emitExiting(ir::Op::k_guard_set, {item}, ExitReason::k_plain);
    pushBorrowedItem(b, in, item);
    return true;
}

bool storeDictItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (site.generic || site.runsFinalisers || !isBuiltinKey(b, 0, site.rights) ||
        !guardNoNamespace(b, 1)) {
        return false;
    }
    Id value = boxEntry(b, 2);
    Id dict = boxEntry(b, 1);
    Id key = boxEntry(b, 0);
    ir::Operands operands = {value, dict, key};
    guardKept(b, 1, operands);
    changePlain(b, Helper::k_plain_set_item, std::move(operands));
    release(b, b.pop());
    AbstractValue owner = b.pop();
    releaseHeld(b, b.pop());
    releaseKept(b, std::move(owner));
    b.state().frame().unit = in.next;
    return true;
}

bool iterateDict(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic) {
        return false;
    }
    guardOtherDict(b, boxEntry(b, 0));
    pushTableIterator(b, in, &PyDictIterKey_Type);
    return true;
}

bool iterateView(RegionBuilder& b, const BytecodeInstruction& in) {
    PyTypeObject* cls = b.top().knownClass();
    if (b.siteOf(in).generic) {
        return false;
    }
    Id view = boxEntry(b, 0);
    guardOtherDict(b, b.emit(ir::Op::k_load_reference, {view}, static_cast<int64_t>(Field::k_dict_view_dict)));
    pushTableIterator(b, in, cls == &PyDictKeys_Type     ? &PyDictIterKey_Type
                             : cls == &PyDictValues_Type ? &PyDictIterValue_Type
                                                         : &PyDictIterItem_Type);
    return true;
}

namespace {

// What lies in an entry of the dict's table.
constexpr int64_t kKeyOffset = 0;
constexpr int64_t kValueOffset = sizeof(PyObject*);

// Where the next entry lies; kNoId when the iterator is CPython's.
Id nextInDict(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!kiln_is_dict_iterator(b.top().cls)) {
        return ir::kNoId;
    }
    guardOtherDict(b, b.emit(ir::Op::k_load_reference, {b.top().value}, static_cast<int64_t>(Field::k_dict_iter_dict)));
    return nextEntry(b, in);
}

bool finishWith(RegionBuilder& b, const BytecodeInstruction& in, Id entry, int64_t offset) {
    if (entry != ir::kNoId) {
        finishIteration(b, in, loadFromEntry(b, entry, offset));
    }
    return entry != ir::kNoId;
}

}  // namespace

bool nextKey(RegionBuilder& b, const BytecodeInstruction& in) {
    return finishWith(b, in, nextInDict(b, in), kKeyOffset);
}

bool nextValue(RegionBuilder& b, const BytecodeInstruction& in) {
    return finishWith(b, in, nextInDict(b, in), kValueOffset);
}

// Two values, not a tuple, unless somebody wants one.
bool nextPair(RegionBuilder& b, const BytecodeInstruction& in) {
    Id entry = nextInDict(b, in);
    if (entry == ir::kNoId) {
        return false;
    }
    AbstractValue key = loadFromEntry(b, entry, kKeyOffset);
    finishIteration(b, in, virtualObject(b, Kind::kTuple, {key, loadFromEntry(b, entry, kValueOffset)}));
    return true;
}

}  // namespace kiln
