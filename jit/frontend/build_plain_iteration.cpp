// Loops over dicts, their views, sets and strings: CPython's iterator moves on by a helper, and an item of a dict is two values, not a
// tuple, unless somebody wants one.
#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/region_builder.h"

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

}  // namespace

bool RegionBuilder::plainIterator(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    bool isObject = top().kind == Kind::kObject || top().kind == Kind::kConstant;
    PyTypeObject* cls = top().knownClass();
    PyTypeObject* seen = cls != nullptr ? cls : site.receivers.only();
    if (site.generic || !isObject || seen == nullptr || !hasIterator(seen)) {
        return false;
    }
    Id iterable = boxEntry(0);
    if (cls == nullptr) {
        guardClass(iterable, seen, ExitReason::k_type);
    }
    if (isView(seen)) {
        guardOtherDict(emit(ir::Op::k_load_reference, {iterable}, static_cast<int64_t>(Field::k_dict_view_dict)));
    } else if (seen == &PyDict_Type) {
        guardOtherDict(iterable);
    }
    Id iterator = makePlain(Helper::k_plain_iterator, {iterable});
    releaseTop(1);
    push(AbstractValue::object(iterator, iteratorOf(seen), true));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::plainForIter(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    if (site.generic || site.runsFinalisers || top().kind != Kind::kObject) {
        return false;
    }
    PyTypeObject* cls = top().cls;
    if (cls == nullptr && isIterator(site.receivers.only())) {
        cls = site.receivers.only();
        guardClass(top().value, cls, ExitReason::k_type);
        markClass(top().value, cls);
    }
    if (!isIterator(cls)) {
        return false;
    }
    kiln_is_text_iterator(cls) ? iterateText(in) : iterateTable(in, cls);
    return true;
}

// Once the iterator has moved, nothing leaves with the state before.
void RegionBuilder::iterateTable(const BytecodeInstruction& in, PyTypeObject* cls) {
    constexpr int64_t kValueOffset = sizeof(PyObject*);
    Id iterator = top().value;
    if (kiln_is_dict_iterator(cls)) {
        guardOtherDict(emit(ir::Op::k_load_reference, {iterator}, static_cast<int64_t>(Field::k_dict_iter_dict)));
    }
    ir::SnapshotId exit = before(ExitReason::k_plain);
    Id entry = emitExitingAt(ir::Op::k_opaque_int, {iterator}, exit, static_cast<int64_t>(Helper::k_plain_next_entry));
    branchAside(emit(ir::Op::k_int_eq, {entry, constInt(0)}), true, [&] {
        startHere();  // not in each round
        release(pop());
        goTo(in.target);
    });
    auto load = [&](int64_t offset) {
        return AbstractValue::object(emit(ir::Op::k_load_attribute, {entry}, offset), nullptr, false);
    };
    if (cls == &PyDictIterItem_Type) {
        AbstractValue key = load(0);
        finishIteration(in, virtualObject(Kind::kTuple, {key, load(kValueOffset)}));
    } else {
        finishIteration(in, load(cls == &PyDictIterValue_Type ? kValueOffset : 0));
    }
}

void RegionBuilder::iterateText(const BytecodeInstruction& in) {
    Id character = emitList(ir::Op::k_pure_object, {top().value}, static_cast<int64_t>(Helper::k_plain_next_character));
    branchAside(emit(ir::Op::k_is_null, {character}), true, [&] {
        startHere();
        release(pop());
        goTo(in.target);
    });
    push(AbstractValue::object(character, &PyUnicode_Type, true));
    state_.frame().unit = in.next;
}

}  // namespace kiln
