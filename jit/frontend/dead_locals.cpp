// Locals that compiled code does not read any more before it stores to them.
//
// Such a local keeps its value, and the object its reference, but it does not matter what it is. So the entry of a loop asks nothing
// of it, and where blocks meet, states that differ in such locals only share a version: there the local is of kind kAny, a box that may
// be none beside the bits of a number, so that numbers need no object. A NumPy scalar needs none either: its box is its class, as a
// constant's is. So `best = 1e9` before a loop that sets it to an element makes no second version of what comes behind.
#include "jit/frontend/dead_locals.h"

#include <algorithm>

#include "interp/numpy_types.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/region_builder.h"
#include "jit/runtime/numpy_scalars.h"

namespace kiln {
namespace {

// A scalar that no other entry is. One of bools is an object already, numpy.True_ or numpy.False_.
bool isLoneScalar(const AbstractState& state, const AbstractValue& value) {
    if (!value.isScalar() || !hasWord(value.cls)) {
        return false;
    }
    int names = 0;
    forEachEntry(state, [&](const AbstractValue& other) { names += other.isVirtualNumber() && other.identity == value.identity; });
    return names == 1;
}

// The box of a class of scalars stands for a scalar, not for the class.
bool isClassOfScalars(const AbstractValue& value) {
    return value.kind == Kind::kConstant && isScalarClass(reinterpret_cast<PyTypeObject*>(value.constant));
}

bool canBeAny(const AbstractState& state, const AbstractValue& value) {
    return !value.home && !value.held && (!value.isVirtual() || isLoneScalar(state, value)) && !isClassOfScalars(value);
}

// Its box may be a reference.
bool isCounted(const AbstractValue& value) {
    return value.owned;
}

// A version with `theirs` takes what `ours` is.
bool takesIn(const AbstractValue& theirs, const AbstractValue& ours) {
    return entryKey(theirs) == entryKey(ours) || (theirs.kind == Kind::kAny && (isCounted(theirs) || !isCounted(ours)));
}

// Where states with other dead locals were met in an attempt before, the first one is of kind kAny at once. At a loop's header it is the
// second one: the first round has a version of its own.
void applyLessons(RegionBuilder& b, const StateKey& key, const std::vector<AbstractValue*>& entries) {
    for (size_t index = 0; index < entries.size() && !b.knowledge().anyLocals.empty(); index++) {
        auto known = b.knowledge().anyLocals.find({key, index});
        if (known != b.knowledge().anyLocals.end()) {
            *entries[index] = asAny(b, *entries[index], known->second || isCounted(*entries[index]));
        }
    }
}

void learnAny(RegionBuilder& b, const StateKey& key, size_t index, bool counted) {
    auto [known, isNew] = b.knowledge().anyLocals.try_emplace({key, index}, counted);
    b.deadLocals().joins = b.deadLocals().joins || isNew || known->second != counted;
    known->second = known->second || counted;
}

// Of a loop's own frame only what the loop itself reads counts.
const LocalLiveness& livenessOf(RegionBuilder& b, PyCodeObject* code, size_t frame) {
    bool isLoop = frame == 0 && !b.request().isFunction;
    std::unique_ptr<LocalLiveness>& known = b.deadLocals().liveness[{code, isLoop}];
    if (known == nullptr) {
        const Bytecode& bytecode = b.bytecodeOf(code);
        int end = bytecode.instructions().empty() ? 0 : bytecode.instructions().back().next;
        known = std::make_unique<LocalLiveness>(code, bytecode, isLoop ? b.loop()->begin : 0, isLoop ? b.loop()->end : end);
    }
    return *known;
}

}  // namespace

bool isDead(RegionBuilder& b, const AbstractState& state, size_t frame, size_t local) {
    return !livenessOf(b, state.frames[frame].code, frame).at(state.frames[frame].unit, static_cast<int>(local));
}

void enterDead(RegionBuilder& b, int slot, AbstractValue& entry) {
    const AbstractValue& now = b.request().entry[static_cast<size_t>(slot)];
    bool isScalar = now.kind == Kind::kObject && hasWord(now.cls);
    bool isBare = now.isNumber() || isScalar || now.kind == Kind::kNone || now.kind == Kind::kNull;
    entry = {.kind = Kind::kAny};
    if (isBare && !b.request().entersWithAnything && !isSeen(b, b.state().frame(), static_cast<size_t>(slot))) {
        Id object = b.emit(ir::Op::k_load_slot, {}, slot);
        entry.box = b.emitExiting(ir::Op::k_bare_box, {object}, ExitReason::k_entry);
        entry.value = b.emit(ir::Op::k_bare_bits, {object});
    }
}

void takeDead(RegionBuilder& b, int slot, AbstractValue& entry) {
    Id object = b.emit(ir::Op::k_take_slot, {}, slot);
    if (entry.box != ir::kNoId) {
        Id number = b.emit(ir::Op::k_or_object, {object}, b.objectIndex(Py_None, "None"));
        b.emit(ir::Op::k_decref_number, {number});
        return;
    }
    entry = {.kind = Kind::kAny, .owned = true, .value = b.constInt(0), .box = object};
}

std::vector<AbstractValue*> deadEntries(RegionBuilder& b, AbstractState& state) {
    std::vector<AbstractValue*> entries;
    for (size_t frame = 0; frame < state.frames.size(); frame++) {
        const LocalLiveness& liveness = livenessOf(b, state.frames[frame].code, frame);
        for (int local = 0; local < state.frames[frame].localCount; local++) {
            AbstractValue& entry = state.frames[frame].slots[static_cast<size_t>(local)];
            if (canBeAny(state, entry) && !liveness.at(state.frames[frame].unit, local)) {
                entries.push_back(&entry);
            }
        }
    }
    return entries;
}

StateKey liveKey(RegionBuilder& b, AbstractState& state) {
    return stateKey(state, deadEntries(b, state));
}

AbstractValue asAny(RegionBuilder& b, const AbstractValue& value, bool counted) {
    AbstractValue any{.kind = Kind::kAny, .owned = counted, .value = value.value, .box = value.box};
    switch (value.kind) {
        case Kind::kAny: return any;
        case Kind::kInt:
            any.box = any.box != ir::kNoId ? any.box : constantBox(b, value);
            return any;
        case Kind::kFloat:
            any.value = b.emit(ir::Op::k_float_bits, {value.value});
            any.box = b.emit(ir::Op::k_float_box, {any.box != ir::kNoId ? any.box : constantBox(b, value)});
            return any;
        case Kind::kNull: any.box = b.emit(ir::Op::k_const_unbound, {}); break;
        case Kind::kNone: any.box = b.emit(ir::Op::k_const_box, {}, b.objectIndex(Py_None, "None")); break;
        case Kind::kBool: any.box = b.emit(ir::Op::k_box_bool, {value.value}); break;
        case Kind::kScalar:
            any.box = b.emit(ir::Op::k_const_box, {}, b.objectIndex(reinterpret_cast<PyObject*>(value.cls), value.cls->tp_name));
            any.value = value.parts[0].isFloat() ? b.emit(ir::Op::k_float_bits, {value.parts[0].value}) : value.parts[0].value;
            return any;
        case Kind::kConstant: any.box = value.value != ir::kNoId ? value.value : constantBox(b, value); break;
        default: any.box = value.value; break;
    }
    any.value = b.constInt(0);
    return any;
}

void joinDeadLocals(RegionBuilder& b, AbstractState& state) {
    std::vector<AbstractValue*> entries = deadEntries(b, state);
    StateKey key = stateKey(state, entries);
    const std::vector<ir::BlockId>& versions = b.blocks().alike[key];
    bool isHeader = b.bytecode().loopAt(state.frame().unit) != nullptr;
    if (!b.request().isNumeric && !isHeader) {
        for (AbstractValue* entry : entries) {
            *entry = asAny(b, *entry, true);
        }
    }
    if (!isHeader || (!versions.empty() && !b.blocks().byKey.contains(stateKey(state)))) {
        applyLessons(b, key, entries);
    }
    if (versions.empty() || b.blocks().byKey.contains(stateKey(state))) {
        return;
    }
    std::vector<bool> differs(entries.size());
    std::vector<bool> counted(entries.size());
    for (ir::BlockId version : versions) {
        std::vector<AbstractValue*> theirs = deadEntries(b, b.blocks().states[version]);
        bool fits = true;
        for (size_t index = 0; index < entries.size(); index++) {
            fits = fits && takesIn(*theirs[index], *entries[index]);
            differs[index] = differs[index] || entryKey(*theirs[index]) != entryKey(*entries[index]);
            counted[index] = counted[index] || isCounted(*theirs[index]) || isCounted(*entries[index]);
        }
        if (fits) {
            for (size_t index = 0; index < entries.size(); index++) {
                *entries[index] = theirs[index]->kind == Kind::kAny ? asAny(b, *entries[index], theirs[index]->owned)
                                                                    : *entries[index];
            }
            return;
        }
    }
    for (size_t index = 0; index < entries.size(); index++) {
        if (isHeader && versions.size() == 1 && differs[index] && counted[index]) {
            return;
        }
    }
    for (size_t index = 0; index < entries.size(); index++) {
        if (differs[index]) {
            *entries[index] = asAny(b, *entries[index], counted[index]);
            learnAny(b, key, index, counted[index]);
        }
    }
}

}  // namespace kiln
