// Abstract values: stack entries, who owns a reference, boxing, and narrowing to the classes observed.
#include <algorithm>

#include "jit/frontend/region_builder.h"

namespace kiln {

bool RegionBuilder::isNativeClass(PyTypeObject* cls) {
    return cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type || cls == Py_TYPE(Py_None) ||
           cls == &PyList_Type || cls == &PyTuple_Type || cls == &PyDict_Type || cls == &PyUnicode_Type || cls == &PyBytes_Type ||
           cls == &PySet_Type || cls == &PyFrozenSet_Type;
}

AbstractValue RegionBuilder::pop() {
    AbstractValue value = std::move(state_.frame().slots.back());
    state_.frame().slots.pop_back();
    return value;
}

void RegionBuilder::push(AbstractValue value) {
    state_.frame().slots.push_back(std::move(value));
}

// A second entry for a value: an alias where the value is an object.
AbstractValue RegionBuilder::copyOf(const AbstractValue& value) {
    AbstractValue copy = value;
    copy.owned = false;
    copy.home = false;
    copy.held = false;
    copy.slot = -1;
    for (AbstractValue& part : copy.parts) {
        part = copyOf(part);
    }
    return copy;
}

// Gives ownership to another entry of the same object, a number's too, if there is one that needs it.
bool RegionBuilder::transferOwnership(AbstractState& state, Id object) {
    bool transferred = false;
    forEachEntry(state, [&](AbstractValue& value) {
        bool same = value.isReference() ? value.value == object : value.kind != Kind::kAny && value.box == object;
        if (!transferred && same && !value.owned && !value.home && !value.held) {
            value.owned = true;
            transferred = true;
        }
    });
    return transferred;
}

void RegionBuilder::own(AbstractValue& entry) {
    visitEntry(entry, [&](AbstractValue& value) {
        if (value.owned || value.home || value.held || value.kind == Kind::kAny) {
            return;
        }
        if (value.isReference()) {
            emit(ir::Op::k_incref, {value.value});
            value.owned = true;
        } else if (value.box != ir::kNoId) {
            emit(value.mayLackBox ? ir::Op::k_incref_box : ir::Op::k_incref, {value.box});
            value.owned = true;
        }
    });
}

AbstractValue RegionBuilder::virtualObject(Kind kind, std::vector<AbstractValue> parts) {
    AbstractValue value;
    value.kind = kind;
    value.identity = ++identities_;
    value.parts = std::move(parts);
    return value;
}

// Makes a virtual tuple or range real in every entry that is this object; in `before_` as well, so that an exit hands the
// very same object to the interpreter. Does nothing to other entries.
void RegionBuilder::realize(AbstractState& state, AbstractValue value) {
    if (!value.isVirtualObject()) {
        return;
    }
    for (const AbstractValue& part : value.parts) {
        realize(state, part);
    }
    forEachEntry(state, [&](AbstractValue& entry) {
        if (entry.identity == value.identity && entry.isVirtualObject()) {
            value = entry;  // its parts are real now
        }
    });
    bool fresh = false;
    AbstractValue real = AbstractValue::object(boxed(value, fresh), value.knownClass(), true);
    std::vector<AbstractValue> gone;
    int owners = 0;
    forEachEntry(state, [&](AbstractValue& entry) {
        if (entry.identity == value.identity && entry.isVirtualObject()) {
            gone.insert(gone.end(), entry.parts.begin(), entry.parts.end());
            entry = real;
            if (owners++ > 0) {
                emit(ir::Op::k_incref, {real.value});
            }
        }
    });
    forEachEntry(before_, [&](AbstractValue& entry) {
        if (entry.identity == value.identity && entry.isVirtualObject()) {
            entry = real;
            entry.owned = owners-- > 0;
        }
    });
    for (AbstractValue& part : gone) {
        Id held = part.isReference() ? part.value : part.box;
        if (held != ir::kNoId && part.owned && transferOwnership(state, held)) {
            transferOwnership(before_, held);
            continue;
        }
        releaseHeld(part);
    }
}

RegionBuilder::Id RegionBuilder::materializeTuple(const AbstractValue& value) {
    std::vector<Id> items;
    std::vector<Id> temporaries;
    for (const AbstractValue& part : value.parts) {
        bool fresh = false;
        items.push_back(boxed(part, fresh));
        if (fresh) {
            temporaries.push_back(items.back());
        }
    }
    Id tuple = emitList(ir::Op::k_pure_object, items, static_cast<int64_t>(Helper::k_build_tuple));
    for (Id temporary : temporaries) {
        emit(ir::Op::k_decref_held, {temporary});
    }
    return tuple;
}

// A reference to the value as an object; `fresh` when it is a new one that the caller must give up.
RegionBuilder::Id RegionBuilder::boxed(const AbstractValue& value, bool& fresh) {
    fresh = false;
    switch (value.kind) {
        case Kind::kInt: case Kind::kFloat: {
            AbstractValue number = copyOf(value);
            Id object = objectOf(number);
            fresh = number.owned;
            return object;
        }
        case Kind::kBool: return emit(ir::Op::k_box_bool, {value.value});
        case Kind::kNone: return constObject(Py_None);
        case Kind::kConstant: return value.value != ir::kNoId ? value.value : constObject(value.constant);
        case Kind::kTuple: fresh = true; return materializeTuple(value);
        case Kind::kObject: return value.value;
        default: fresh = true; return materializeVirtual(value);
    }
}

// A range, or an iterator that no loop has begun with.
RegionBuilder::Id RegionBuilder::materializeVirtual(const AbstractValue& value) {
    if (value.value != ir::kNoId) {
        restart_ = false;
        refuse(Refusal::k_unsupported, "an iterator escapes from its loop");
        return constObject(Py_None);
    }
    std::vector<Id> operands;
    std::vector<Id> temporaries;
    for (const AbstractValue& part : value.parts) {
        bool fresh = false;
        operands.push_back(part.isInt() ? part.value : boxed(part, fresh));
        if (fresh) {
            temporaries.push_back(operands.back());
        }
    }
    Helper helper = value.kind == Kind::kRange       ? Helper::k_build_range
                    : value.kind == Kind::kRangeIter ? Helper::k_build_range_iterator
                    : value.kind == Kind::kEnumerate ? Helper::k_build_enumerate
                    : value.kind == Kind::kZip       ? Helper::k_build_zip
                                                     : Helper::k_build_list_iterator;
    Id object = emitList(ir::Op::k_pure_object, operands, static_cast<int64_t>(helper));
    for (Id temporary : temporaries) {
        emit(ir::Op::k_decref_held, {temporary});
    }
    return object;
}

RegionBuilder::Id RegionBuilder::boxEntry(int below) {
    AbstractValue value = top(below);
    if (value.kind == Kind::kObject) {
        return value.value;
    }
    if (value.isVirtualObject()) {
        realize(state_, value);
        startHere();
        return top(below).value;
    }
    if (value.isInt() || value.isFloat()) {
        return boxNumber(below);
    }
    bool fresh = false;
    Id object = boxed(value, fresh);
    if (!fresh) {
        return object;
    }
    AbstractValue entry = AbstractValue::object(object, nullptr, true);
    top(below) = entry;
    before_.frame().top(below) = entry;
    for (AbstractValue& part : value.parts) {
        releaseHeld(part);
    }
    startHere();
    return object;
}

// The entry stays a number.
RegionBuilder::Id RegionBuilder::boxNumber(int below) {
    AbstractValue number = copyOf(top(below));
    bool forgotten = number.forgotten != 0;
    Id object = objectOf(number);
    if (forgotten) {
        top(below) = before_.frame().top(below) = number;
    }
    startHere();
    return object;
}

void RegionBuilder::boxTop(int count, std::vector<Id>& operands) {
    for (int below = count - 1; below >= 0; below--) {
        operands.push_back(boxEntry(below));
    }
}

RegionBuilder::Id RegionBuilder::asInt(const AbstractValue& value) {
    return value.isBool() ? emit(ir::Op::k_bool_to_int, {value.value}) : value.value;
}

RegionBuilder::Id RegionBuilder::asFloat(const AbstractValue& value) {
    return value.isFloat() ? value.value : emit(ir::Op::k_int_to_float, {asInt(value)});
}

// The top entry is an object known to be of class `cls`: takes its native form.
void RegionBuilder::becomeClass(PyTypeObject* cls, bool bigInt) {
    AbstractValue object = top();
    AbstractValue value;
    if (cls == &PyFloat_Type) {
        value = AbstractValue::number(Kind::kFloat, emit(ir::Op::k_unbox_float, {object.value}));
    } else if (cls == &PyLong_Type && !bigInt) {
        top().cls = cls;
        ir::SnapshotId exit = here(ExitReason::k_overflow);
        value = AbstractValue::number(Kind::kInt, emitExitingAt(ir::Op::k_unbox_int, {object.value}, exit));
    } else if (cls == &PyBool_Type) {
        value = AbstractValue::number(Kind::kBool, emit(ir::Op::k_unbox_bool, {object.value}));
    } else if (cls == Py_TYPE(Py_None)) {
        value = AbstractValue::none();
    } else {
        top().cls = isNativeClass(cls) ? cls : nullptr;
        ownTop();
        return;
    }
    if (value.hasIdentity()) {
        keepIdentity(value, object);
        return;
    }
    top() = value;
    if (object.owned && !transferOwnership(state_, object.value)) {
        emit(ir::Op::k_decref_number, {object.value});
    }
}

// The top entry becomes a number that was unboxed from it, and is that object as long as somebody can see it.
void RegionBuilder::keepIdentity(AbstractValue number, const AbstractValue& object) {
    number.box = object.value;
    number.owned = object.owned;
    top() = number;
    forgetUnseen(state_.frame());
    own(top());
}

void RegionBuilder::refineTop(const Site& site, int next) {
    refineTop(site, [&] { goTo(next); });
}

// The top entry is an object result of the instruction at `site`: guards the classes observed there. With several, each
// goes on in a block of its own: `onward` ends that one, and not at the place of the guards. States that share a place may
// forget the class, and would ask for it for ever.
void RegionBuilder::refineTop(const Site& site, const std::function<void()>& onward) {
    giveUp();
    const ClassSet& classes = site.results;
    std::vector<PyTypeObject*> native;
    bool others = classes.others() || classes.empty();
    for (int index = 0; index < classes.size(); index++) {
        if (isNativeClass(classes[index])) {
            native.push_back(classes[index]);
        } else {
            others = true;
        }
    }
    for (size_t index = 0; index < native.size(); index++) {
        PyTypeObject* cls = native[index];
        Id object = top().value;
        if (index + 1 == native.size() && !others) {
            ir::SnapshotId exit = here(ExitReason::k_type);
            emitExitingAt(ir::Op::k_guard_class, {object}, exit, objectIndex(cls, cls->tp_name));
            becomeClass(cls, site.bigInt);
            return;
        }
        branchAside(classIs(object, cls), true, [&] {
            becomeClass(cls, site.bigInt);
            onward();
        });
    }
    ownTop();
}

void RegionBuilder::pushResult(Id value, bool owned, PyTypeObject* cls, const BytecodeInstruction& in, int next) {
    const Site& site = siteOf(in);
    push(AbstractValue::object(value, cls, owned));
    state_.frame().unit = next;
    giveUp();
    if (cls != nullptr) {
        becomeClass(cls, site.bigInt);
    } else {
        refineTop(site, next);
    }
}

// The truth of a value as a bool; kNoId when only CPython can tell.
RegionBuilder::Id RegionBuilder::truth(const AbstractValue& value) {
    switch (value.kind) {
        case Kind::kBool: return value.value;
        case Kind::kInt: return emit(ir::Op::k_int_ne, {value.value, constInt(0)});
        case Kind::kFloat: return emit(ir::Op::k_float_ne, {value.value, constFloat(0.0)});
        case Kind::kNone: return emit(ir::Op::k_const_bool, {}, 0);
        case Kind::kTuple: return emit(ir::Op::k_const_bool, {}, !value.parts.empty());
        case Kind::kObject: case Kind::kConstant: {
            Id length = builtinLength(value);
            return length != ir::kNoId ? emit(ir::Op::k_int_ne, {length, constInt(0)}) : ir::kNoId;
        }
        default: return ir::kNoId;
    }
}

}  // namespace kiln
