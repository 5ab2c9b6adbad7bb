// Abstract values: stack entries, who owns a reference, boxing, and narrowing to the classes observed.
#include "jit/frontend/values.h"

#include <algorithm>

#include "interp/buffers.h"
#include "interp/numpy_types.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/instance_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"

namespace kiln {
namespace {

Id materializeComplex(RegionBuilder& b, const AbstractValue& value) {
    std::vector<Id> words = {b.constObject(reinterpret_cast<PyObject*>(value.cls))};
    for (const AbstractValue& part : value.parts) {
        words.push_back(b.emit(ir::Op::k_float_bits, {part.value}));
    }
    return b.emitList(ir::Op::k_pure_object, words, static_cast<int64_t>(Helper::k_build_complex));
}

Helper builderOf(Kind kind) {
    switch (kind) {
        case Kind::kTuple: return Helper::k_build_tuple;
        case Kind::kSlice: return Helper::k_build_slice;
        case Kind::kList: return Helper::k_build_list;
        case Kind::kKeywords: return Helper::k_build_keywords;
        default: return Helper::k_build_method;
    }
}

// A range, a view, or an iterator that no loop has begun with.
Id materializeVirtual(RegionBuilder& b, const AbstractValue& value) {
    if (value.value != ir::kNoId) {
        b.progress().restart = false;
        b.refuse(Refusal::k_unsupported, "an iterator escapes from its loop");
        return b.constObject(Py_None);
    }
    if (value.kind == Kind::kGenerator) {
        return materializeGenerator(b, value);
    }
    ir::Operands operands;
    std::vector<Id> temporaries;
    if (value.kind == Kind::kView) {
        operands.push_back(b.constObject(NumPyTypes::known()->dtype(value.array.element)));
    }
    for (const AbstractValue& part : value.parts) {
        bool fresh = false;
        operands.push_back(part.isInt() ? part.value : boxed(b, part, fresh));
        if (fresh) {
            temporaries.push_back(operands.back());
        }
    }
    Helper helper = value.kind == Kind::kRange       ? Helper::k_build_range
                    : value.kind == Kind::kView      ? Helper::k_build_view
                    : value.kind == Kind::kRangeIter ? Helper::k_build_range_iterator
                    : value.kind == Kind::kEnumerate ? Helper::k_build_enumerate
                    : value.kind == Kind::kZip       ? Helper::k_build_zip
                                                     : Helper::k_build_list_iterator;
    Id object = b.emitList(ir::Op::k_pure_object, operands, static_cast<int64_t>(helper));
    for (Id temporary : temporaries) {
        b.emit(ir::Op::k_decref_held, {temporary});
    }
    return object;
}

// Where the state has it, it becomes that object there.
Id realInstance(RegionBuilder& b, const AbstractValue& value, bool& fresh) {
    fresh = true;
    forEachEntry(b.state(), [&](const AbstractValue& entry) {
        fresh = fresh && !(entry.kind == Kind::kInstance && entry.identity == value.identity);
    });
    return fresh ? materializeInstance(b, value) : realize(b, b.state(), value);
}

// The entry stays a number.
Id boxNumber(RegionBuilder& b, int below) {
    AbstractValue number = copyOf(b.top(below));
    bool forgotten = number.forgotten != 0;
    Id object = objectOf(b, number);
    if (forgotten) {
        b.top(below) = b.before().frame().top(below) = number;
    }
    startHere(b);
    return object;
}

// The top entry becomes a number that was unboxed from it, and is that object as long as somebody can see it.
void keepIdentity(RegionBuilder& b, AbstractValue number, const AbstractValue& object) {
    number.box = object.value;
    number.owned = object.owned;
    b.top() = number;
    forgetUnseen(b, b.state().frame());
    own(b, b.top());
}

// The top entry is an object known to be of class `cls`: takes its native form.
void becomeClass(RegionBuilder& b, PyTypeObject* cls, bool bigInt) {
    AbstractValue object = b.top();
    AbstractValue value;
    if (cls == &PyFloat_Type) {
        value = AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_unbox_float, {object.value}));
    } else if (cls == &PyLong_Type && !bigInt) {
        b.top().cls = cls;
        ir::SnapshotId exit = b.snapshotHere(ExitReason::k_overflow);
        value = AbstractValue::number(Kind::kInt, b.emitExitingAt(ir::Op::k_unbox_int, {object.value}, exit));
    } else if (cls == &PyBool_Type) {
        value = AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_unbox_bool, {object.value}));
    } else if (cls == Py_TYPE(Py_None)) {
        value = AbstractValue::none();
    } else {
        b.top().cls = isNativeClass(cls) ? cls : nullptr;
        ownTop(b);
        return;
    }
    if (value.hasIdentity()) {
        keepIdentity(b, value, object);
        return;
    }
    b.top() = value;
    if (object.owned && !transferOwnership(b.state(), object.value)) {
        b.emit(ir::Op::k_decref_number, {object.value});
    }
}

// Its instances are not asked. A class of the program's has all three tables.
bool isAlwaysTrue(const PyTypeObject* cls) {
    return cls->tp_as_number->nb_bool == nullptr && cls->tp_as_mapping->mp_length == nullptr && cls->tp_as_sequence->sq_length == nullptr;
}

}  // namespace

Id objectOfParts(RegionBuilder& b, const AbstractValue& value, Helper helper, ir::Operands operands) {
    std::vector<Id> temporaries;
    for (const AbstractValue& part : value.parts) {
        bool fresh = false;
        operands.push_back(boxed(b, part, fresh));
        if (fresh) {
            temporaries.push_back(operands.back());
        }
    }
    Id object = b.emitList(ir::Op::k_pure_object, std::move(operands), static_cast<int64_t>(helper));
    for (Id temporary : temporaries) {
        b.emit(ir::Op::k_decref_held, {temporary});
    }
    return object;
}

bool isNativeClass(PyTypeObject* cls) {
    return cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type || cls == Py_TYPE(Py_None) ||
           cls == &PyList_Type || cls == &PyTuple_Type || cls == &PyDict_Type || cls == &PyUnicode_Type || isBufferClass(cls) ||
           cls == &PySet_Type || cls == &PyFrozenSet_Type || cls == &PyComplex_Type || isArrayClass(cls) || isScalarClass(cls);
}

AbstractValue copyOf(const AbstractValue& value) {
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

bool transferOwnership(AbstractState& state, Id object) {
    bool transferred = false;
    auto mayTake = [&](const AbstractValue& value) {
        bool same = value.isReference() ? value.value == object : value.kind != Kind::kAny && value.box == object;
        return !transferred && same && !value.owned && !value.home && !value.held;
    };
    changeEntries(state, mayTake, [&](AbstractValue& value) { value.owned = transferred = true; });
    return transferred;
}

void own(RegionBuilder& b, AbstractValue& entry) {
    visitEntry(entry, [&](AbstractValue& value) {
        if (value.owned || value.home || value.held || value.kind == Kind::kAny) {
            return;
        }
        if (value.isReference()) {
            b.emit(ir::Op::k_incref, {value.value});
            value.owned = true;
        } else if (value.box != ir::kNoId) {
            b.emit(value.mayLackBox ? ir::Op::k_incref_box : ir::Op::k_incref, {value.box});
            value.owned = true;
        }
    });
}

AbstractValue virtualObject(RegionBuilder& b, Kind kind, std::vector<AbstractValue> parts) {
    AbstractValue value;
    value.kind = kind;
    value.identity = ++b.identities().count;
    value.parts = std::move(parts);
    return value;
}

Id realize(RegionBuilder& b, AbstractState& state, AbstractValue value) {
    if (!value.isVirtualObject()) {
        return ir::kNoId;
    }
    for (const AbstractValue& part : value.parts) {
        realize(b, state, part);
    }
    auto isIt = [identity = value.identity](const AbstractValue& entry) { return entry.identity == identity && entry.isVirtualObject(); };
    const AbstractValue* last = nullptr;
    forEachEntry(state, [&](const AbstractValue& entry) { last = isIt(entry) ? &entry : last; });
    if (last != nullptr) {
        value = *last;  // its parts are real now
    }
    if (value.isVirtualNumber()) {
        regret(b, value);
    }
    bool fresh = false;
    Id object = value.kind == Kind::kInstance ? materializeInstance(b, value) : boxed(b, value, fresh);
    AbstractValue real = AbstractValue::object(object, value.knownClass(), true);
    std::vector<AbstractValue> gone;
    int owners = 0;
    changeEntries(state, isIt, [&](AbstractValue& entry) {
        gone.insert(gone.end(), entry.parts.begin(), entry.parts.end());
        entry = real;
        if (owners++ > 0) {
            b.emit(ir::Op::k_incref, {real.value});
        }
    });
    changeEntries(b.before(), isIt, [&](AbstractValue& entry) {
        entry = real;
        entry.owned = owners-- > 0;
    });
    for (AbstractValue& part : gone) {
        Id held = part.isReference() ? part.value : part.box;
        if (held != ir::kNoId && part.owned && transferOwnership(state, held)) {
            transferOwnership(b.before(), held);
        } else if (value.kind == Kind::kView && part.isReference() && part.owned) {
            b.emit(ir::Op::k_decref_lender, {held});
        } else {
            releaseHeld(b, part);
        }
    }
    return object;
}

void realizeChangeable(RegionBuilder& b) {
    auto next = [&] {
        AbstractValue found;
        forEachEntry(b.state(), [&](const AbstractValue& entry) {
            bool mayChange = entry.kind == Kind::kView || entry.kind == Kind::kFlat || entry.kind == Kind::kInstance || entry.kind == Kind::kList || entry.kind == Kind::kKeywords;
            found = mayChange ? entry : found;
        });
        return found;
    };
    for (AbstractValue entry = next(); entry.kind != Kind::kNull; entry = next()) {
        realize(b, b.state(), entry);
        startHere(b);
    }
}

Id boxed(RegionBuilder& b, const AbstractValue& value, bool& fresh) {
    fresh = false;
    switch (value.kind) {
        case Kind::kInt: case Kind::kFloat: {
            AbstractValue number = copyOf(value);
            Id object = objectOf(b, number);
            fresh = number.owned;
            return object;
        }
        case Kind::kBool: return b.emit(ir::Op::k_box_bool, {value.value});
        case Kind::kNone: return b.constObject(Py_None);
        case Kind::kConstant: return value.value != ir::kNoId ? value.value : b.constObject(value.constant);
        case Kind::kTuple: case Kind::kSlice: case Kind::kMethod: case Kind::kFlat: case Kind::kList: case Kind::kKeywords: fresh = true; return objectOfParts(b, value, builderOf(value.kind), {});
        case Kind::kInstance: return realInstance(b, value, fresh);
        case Kind::kScalar: fresh = true; return materializeScalar(b, value);
        case Kind::kComplex: fresh = true; return materializeComplex(b, value);
        case Kind::kObject: return value.value;
        default: fresh = true; return materializeVirtual(b, value);
    }
}

Id boxEntry(RegionBuilder& b, int below) {
    AbstractValue value = b.top(below);
    if (value.kind == Kind::kObject) {
        return value.value;
    }
    if (value.isVirtualObject()) {
        realize(b, b.state(), value);
        startHere(b);
        return b.top(below).value;
    }
    if (value.isInt() || value.isFloat()) {
        return boxNumber(b, below);
    }
    bool fresh = false;
    Id object = boxed(b, value, fresh);
    if (!fresh) {
        return object;
    }
    AbstractValue entry = AbstractValue::object(object, nullptr, true);
    b.top(below) = entry;
    b.before().frame().top(below) = entry;
    for (AbstractValue& part : value.parts) {
        releaseHeld(b, part);
    }
    startHere(b);
    return object;
}

void boxTop(RegionBuilder& b, int count, ir::Operands& operands) {
    for (int below = count - 1; below >= 0; below--) {
        operands.push_back(boxEntry(b, below));
    }
}

Id asInt(RegionBuilder& b, const AbstractValue& value) {
    return value.isBool() ? b.emit(ir::Op::k_bool_to_int, {value.value}) : value.value;
}

Id asFloat(RegionBuilder& b, const AbstractValue& value) {
    if (isScalarClass(value.knownClass())) {
        return asDouble(b, *numberOf(b, value));
    }
    return value.isFloat() ? value.value : b.emit(ir::Op::k_int_to_float, {asInt(b, value)});
}

void refineTop(RegionBuilder& b, const Site& site, int next) {
    refineTop(b, site, [&] { b.goTo(next); });
}

void refineTop(RegionBuilder& b, const Site& site, const std::function<void()>& onward) {
    giveUp(b);
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
        Id object = b.top().value;
        if (index + 1 == native.size() && !others) {
            ir::SnapshotId exit = b.snapshotHere(ExitReason::k_type);
            b.emitExitingAt(ir::Op::k_guard_class, {object}, exit, b.objectIndex(cls, cls->tp_name));
            becomeClass(b, cls, site.bigInt);
            return;
        }
        b.branchAside(b.classIs(object, cls), true, [&] {
            becomeClass(b, cls, site.bigInt);
            onward();
        });
    }
    ownTop(b);
}

void pushResult(RegionBuilder& b, Id value, bool owned, PyTypeObject* cls, const BytecodeInstruction& in, int next) {
    const Site& site = b.siteOf(in);
    b.push(AbstractValue::object(value, cls, owned));
    b.state().frame().unit = next;
    giveUp(b);
    if (cls != nullptr) {
        becomeClass(b, cls, site.bigInt);
    } else {
        refineTop(b, site, next);
    }
}

void pushBorrowedItem(RegionBuilder& b, const BytecodeInstruction& in, Id item) {
    release(b, b.pop());
    AbstractValue owner = b.pop();
    // Where the container goes away here, the item needs a reference first.
    bool owned = owner.isReference() && owner.owned;
    if (owned) {
        b.emit(ir::Op::k_incref, {item});
    }
    release(b, std::move(owner));
    pushResult(b, item, owned, nullptr, in, in.next);
}

// The truth of a value as a bool; kNoId when only CPython can tell.
Id truth(RegionBuilder& b, const AbstractValue& value) {
    switch (value.kind) {
        case Kind::kBool: return value.value;
        case Kind::kInt: return b.emit(ir::Op::k_int_ne, {value.value, b.constInt(0)});
        case Kind::kFloat: return b.emit(ir::Op::k_float_ne, {value.value, b.constFloat(0.0)});
        case Kind::kNone: return b.emit(ir::Op::k_const_bool, {}, 0);
        case Kind::kTuple: case Kind::kSlice: case Kind::kMethod: return b.emit(ir::Op::k_const_bool, {}, !value.parts.empty());
        case Kind::kKeywords: return b.emit(ir::Op::k_const_bool, {}, value.parts.size() > 1);
        case Kind::kInstance: return isAlwaysTrue(value.cls) ? b.emit(ir::Op::k_const_bool, {}, 1) : ir::kNoId;
        case Kind::kScalar: return truth(b, value.parts[0]);
        case Kind::kComplex: return complexTruth(b, value);
        case Kind::kObject: case Kind::kConstant: {
            if (Id isNotZero = complexTruth(b, value); isNotZero != ir::kNoId) {
                return isNotZero;
            }
            Id length = builtinLength(b, value);
            return length != ir::kNoId ? b.emit(ir::Op::k_int_ne, {length, b.constInt(0)}) : ir::kNoId;
        }
        default: return ir::kNoId;
    }
}

}  // namespace kiln
