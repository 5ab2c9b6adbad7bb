// Where a place has several versions: which state may share one, and how states that differ become one.
#include "jit/frontend/merge_states.h"

#include "jit/frontend/dead_locals.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// Versions that a place may have for the sake of the program's classes alone: the loop's first round, and the others.
constexpr size_t kVersionsByClass = 2;

// States that cannot be joined, as some locals are unbound in one of them, have versions of their own: so many times.
constexpr size_t kMostShapes = 3;

bool looksAlike(const AbstractValue& a, const AbstractValue& b) {
    bool alikeHeld = a.kind != Kind::kConstant || a.isReference() == b.isReference();
    return a.kind == b.kind && a.cls == b.cls && a.array == b.array && a.constant == b.constant && a.unit == b.unit && a.callee == b.callee && alikeHeld && a.owned == b.owned && a.home == b.home &&
           a.held == b.held && a.parts.size() == b.parts.size();
}

// An entry that can be a boxed object instead. Not what is unbound, in the frame's memory, or an iterator that moves on.
bool mayDiffer(const AbstractValue& a, const AbstractValue& b) {
    bool isDead = a.kind == Kind::kAny || b.kind == Kind::kAny;
    auto fixed = [&](const AbstractValue& value) {
        return (value.kind == Kind::kNull && !isDead) || value.home || (value.isVirtual() && (isDead || !value.isVirtualObject()));
    };
    return !fixed(a) && !fixed(b);
}

const AbstractValue& entryOf(const AbstractState& state, size_t frame, size_t slot) {
    return state.frames[frame].slots[slot];
}

AbstractValue& entryOf(AbstractState& state, size_t frame, size_t slot) {
    return state.frames.change(frame).slots[slot];
}

// Calls visit(entry, other's entry); what is to be written to is the state's own.
template <typename State, typename Visit>
void forEachPair(State& state, const AbstractState& other, const Visit& visit) {
    for (size_t frame = 0; frame < state.frames.size(); frame++) {
        for (size_t slot = 0; slot < std::as_const(state).frames[frame].slots.size(); slot++) {
            visit(entryOf(state, frame, slot), entryOf(other, frame, slot));
        }
    }
    for (size_t name = 0; name < state.names.size(); name++) {
        visit(state.names[name].value, other.names[name].value);
    }
}

bool canJoin(const AbstractState& state, const AbstractState& other) {
    bool joined = true;
    for (size_t frame = 0; frame < state.frames.size(); frame++) {
        joined = joined && looksAlike(state.frames[frame].callee, other.frames[frame].callee);
    }
    forEachPair(state, other, [&](const AbstractValue& a, const AbstractValue& b) { joined = joined && (looksAlike(a, b) || mayDiffer(a, b)); });
    return joined;
}

bool isInstance(const AbstractValue& value) {
    return value.kind == Kind::kObject && value.cls != nullptr && isProgramClass(value.cls);
}

StateKey keyWithoutClasses(AbstractState state) {
    changeEntries(state, isInstance, [](AbstractValue& value) { value.cls = nullptr; });
    forgetArrays(state);
    return stateKey(state);
}

// When the states differ in nothing but the program's classes, and what is known of arrays, `state` forgets those that differ.
bool forgetClasses(AbstractState& state, const AbstractState& other) {
    if (keyWithoutClasses(state) != keyWithoutClasses(other)) {
        return false;
    }
    std::vector<const AbstractValue*> others;
    forEachEntry(other, [&](const AbstractValue& value) { others.push_back(&value); });
    size_t index = 0;
    changeAllEntries(state, [&](AbstractValue& value) {
        value.cls = value.cls == others[index]->cls ? value.cls : nullptr;
        if (value.array != others[index]->array) {
            forgetArray(value);
        }
        index++;
    });
    return true;
}

// The object, owned, of a number that crosses into another block.
Id crossingObject(RegionBuilder& b, const AbstractValue& number) {
    return number.hasIdentity() ? b.emitList(ir::Op::k_ensure_box, {number.box, number.value})
                                : b.emit(number.isInt() ? ir::Op::k_box_int : ir::Op::k_box_float, {number.value});
}

// Of a virtual tuple or slice, wherever it is.
void boxItems(RegionBuilder& b, AbstractState& state, const AbstractValue& tuple) {
    auto isIt = [identity = tuple.identity](const AbstractValue& entry) { return entry.hasItems() && entry.identity == identity; };
    changeEntries(state, isIt, [&](AbstractValue& entry) {
        for (AbstractValue& item : entry.parts) {
            if (item.isInt() || item.isFloat()) {
                item = AbstractValue::object(crossingObject(b, item), nullptr, true);
            }
        }
    });
}

// Makes `state` the join with `other`, which canJoin() allows: where they differ, a boxed object of unknown class.
void generalize(RegionBuilder& b, AbstractState& state, const AbstractState& other) {
    auto join = [&](AbstractValue& value, const AbstractValue& against) {
        bool isSame = looksAlike(value, against) && (value.parts.empty() || value.isVirtualNumber());
        if (isSame || !mayDiffer(value, against)) {
            return;
        }
        if (value.kind == Kind::kAny || against.kind == Kind::kAny) {
            value = asAny(b, value, true);
            return;
        }
        if (value.isVirtualObject()) {
            boxItems(b, state, value);
            realize(b, state, value);
            value.cls = nullptr;
            return;
        }
        if (value.isInt() || value.isFloat()) {
            value = AbstractValue::object(crossingObject(b, value), nullptr, true);
            return;
        }
        bool fresh = false;
        Id object = boxed(b, value, fresh);
        if (!fresh && !value.owned) {
            b.emit(ir::Op::k_incref, {object});
        }
        value = AbstractValue::object(object, nullptr, true);
    };
    forEachPair(state, other, join);
    for (size_t name = 0; name < state.names.size(); name++) {
        state.names[name].dirty = state.names[name].dirty || other.names[name].dirty;
    }
}

}  // namespace

bool mergeVersions(RegionBuilder& b) {
    AbstractState& state = b.state();
    joinDeadLocals(b, state);
    const std::vector<ir::BlockId>& versions = b.blocks().versions[placeKey(state)];
    auto exists = [&] { return b.blocks().byKey.contains(stateKey(state)); };
    for (size_t back = versions.size(); versions.size() >= kVersionsByClass && back-- > 0 && !exists();) {
        if (forgetClasses(state, b.blocks().states[versions[back]])) {
            break;
        }
    }
    if (versions.size() < b.limits().versions || exists()) {
        return true;
    }
    for (const DeadLocal& local : deadLocals(b, state)) {
        becomeAny(b, state, local, true);
    }
    std::vector<ir::BlockId> joinable;
    for (ir::BlockId version : versions) {
        if (canJoin(state, b.blocks().states[version])) {
            joinable.push_back(version);
        }
    }
    if (joinable.size() >= b.limits().versions) {
        AbstractState widest = b.blocks().states[joinable.back()];
        generalize(b, state, widest);
        return true;
    }
    return versions.size() < kMostShapes * b.limits().versions;
}

}  // namespace kiln
