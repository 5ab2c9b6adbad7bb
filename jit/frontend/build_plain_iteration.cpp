// Loops over dicts, their views, sets and strings: CPython's iterator moves on by a helper, and an item of a dict is two values, not a
// tuple, unless somebody wants one.
#include "jit/frontend/build_plain_iteration.h"

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

bool isView(PyTypeObject* cls) {
    return cls == &PyDictKeys_Type || cls == &PyDictValues_Type || cls == &PyDictItems_Type;
}

bool hasIterator(PyTypeObject* cls) {
    return cls == &PyDict_Type || isView(cls) || cls == &PySet_Type || cls == &PyFrozenSet_Type || cls == &PyUnicode_Type;
}

bool isIterator(PyTypeObject* cls) {
    return cls != nullptr && (kiln_is_dict_iterator(cls) || kiln_is_set_iterator(cls) || kiln_is_text_iterator(cls));
}

// nullptr for a string's, of which there are two.
PyTypeObject* iteratorOf(PyTypeObject* cls) {
    if (cls == &PyDict_Type || cls == &PyDictKeys_Type) {
        return &PyDictIterKey_Type;
    }
    bool isSet = cls == &PySet_Type || cls == &PyFrozenSet_Type;
    return cls == &PyDictValues_Type ? &PyDictIterValue_Type : cls == &PyDictItems_Type ? &PyDictIterItem_Type : isSet ? &PySetIter_Type : nullptr;
}

// Once the iterator has moved, nothing leaves with the state before.
void iterateTable(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* cls) {
    constexpr int64_t kValueOffset = sizeof(PyObject*);
    Id iterator = b.top().value;
    if (kiln_is_dict_iterator(cls)) {
        guardOtherDict(b, b.emit(ir::Op::k_load_reference, {iterator}, static_cast<int64_t>(Field::k_dict_iter_dict)));
    }
    ir::SnapshotId exit = b.snapshotBefore(ExitReason::k_plain);
    Id entry =
        b.emitExitingAt(ir::Op::k_opaque_int, {iterator}, exit, static_cast<int64_t>(Helper::k_plain_next_entry));
    b.branchAside(b.emit(ir::Op::k_int_eq, {entry, b.constInt(0)}), true, [&] {
        startHere(b);  // not in each round
        release(b, b.pop());
        b.goTo(in.target);
    });
    auto load = [&](int64_t offset) {
        return AbstractValue::object(b.emit(ir::Op::k_load_attribute, {entry}, offset), nullptr, false);
    };
    if (cls == &PyDictIterItem_Type) {
        AbstractValue key = load(0);
        finishIteration(b, in, virtualObject(b, Kind::kTuple, {key, load(kValueOffset)}));
    } else {
        finishIteration(b, in, load(cls == &PyDictIterValue_Type ? kValueOffset : 0));
    }
}

void iterateText(RegionBuilder& b, const BytecodeInstruction& in) {
    Id character =
        b.emitList(ir::Op::k_pure_object, {b.top().value}, static_cast<int64_t>(Helper::k_plain_next_character));
    b.branchAside(b.emit(ir::Op::k_is_null, {character}), true, [&] {
        startHere(b);
        release(b, b.pop());
        b.goTo(in.target);
    });
    b.push(AbstractValue::object(character, &PyUnicode_Type, true));
    b.state().frame().unit = in.next;
}

}  // namespace

bool plainIterator(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    bool isObject = b.top().kind == Kind::kObject || b.top().kind == Kind::kConstant;
    PyTypeObject* cls = b.top().knownClass();
    PyTypeObject* seen = cls != nullptr ? cls : site.receivers.only();
    if (site.generic || !isObject || seen == nullptr || !hasIterator(seen)) {
        return false;
    }
    Id iterable = boxEntry(b, 0);
    if (cls == nullptr) {
        b.guardClass(iterable, seen, ExitReason::k_type);
    }
    if (isView(seen)) {
        guardOtherDict(b, b.emit(ir::Op::k_load_reference, {iterable}, static_cast<int64_t>(Field::k_dict_view_dict)));
    } else if (seen == &PyDict_Type) {
        guardOtherDict(b, iterable);
    }
    Id iterator = makePlain(b, Helper::k_plain_iterator, {iterable});
    releaseTop(b, 1);
    b.push(AbstractValue::object(iterator, iteratorOf(seen), true));
    b.state().frame().unit = in.next;
    return true;
}

bool plainForIter(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (site.generic || site.runsFinalisers || b.top().kind != Kind::kObject) {
        return false;
    }
    PyTypeObject* cls = b.top().cls;
    if (cls == nullptr && isIterator(site.receivers.only())) {
        cls = site.receivers.only();
        b.guardClass(b.top().value, cls, ExitReason::k_type);
        markClass(b, b.top().value, cls);
    }
    if (!isIterator(cls)) {
        return false;
    }
    kiln_is_text_iterator(cls) ? iterateText(b, in) : iterateTable(b, in, cls);
    return true;
}

}  // namespace kiln
