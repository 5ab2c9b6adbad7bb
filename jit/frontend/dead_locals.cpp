// Locals that compiled code does not read any more before it stores to them.
//
// Such a local keeps its value, and the object its reference, but it does not matter what it is. So the entry of a loop asks nothing
// of it, and where blocks meet, states that differ in such locals only share a version: there the local is of kind kAny, a box that may
// be none beside the bits of a number, so that numbers need no object.
#include "jit/frontend/dead_locals.h"

#include <algorithm>

#include "jit/frontend/number_identity.h"
#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

bool canBeAny(const AbstractValue& value) {
    return !value.home && !value.held && !value.isVirtual();
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
void applyLessons(RegionBuilder& b, const StateKey& key, AbstractState& state, const std::vector<DeadLocal>& locals) {
    for (size_t index = 0; index < locals.size() && !b.knowledge().anyLocals.empty(); index++) {
        auto known = b.knowledge().anyLocals.find({key, index});
        if (known != b.knowledge().anyLocals.end()) {
            becomeAny(b, state, locals[index], known->second || isCounted(locals[index].in(state)));
        }
    }
}

// By dead local: is it something else in a version there is, and may it be a reference in either?
struct DeadDifferences {
    std::vector<bool> differs;
    std::vector<bool> counted;
};

StateKey keyWithout(const AbstractState& state, const std::vector<DeadLocal>& locals) {
    std::vector<const AbstractValue*> bare;
    for (const DeadLocal& local : locals) {
        bare.push_back(&local.in(state));
    }
    return stateKey(state, bare);
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
    bool isBare = now.isNumber() || now.kind == Kind::kNone || now.kind == Kind::kNull;
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

std::vector<DeadLocal> deadLocals(RegionBuilder& b, const AbstractState& state) {
    std::vector<DeadLocal> locals;
    for (size_t index = 0; index < state.frames.size(); index++) {
        const AbstractFrame& frame = state.frames[index];
        const LocalLiveness& liveness = livenessOf(b, frame.code, index);
        for (int local = 0; local < frame.localCount; local++) {
            if (canBeAny(frame.slots[static_cast<size_t>(local)]) && !liveness.at(frame.unit, local)) {
                locals.push_back({index, static_cast<size_t>(local)});
            }
        }
    }
    return locals;
}

void becomeAny(RegionBuilder& b, AbstractState& state, const DeadLocal& local, bool counted) {
    const AbstractValue& entry = local.in(state);
    if (entry.kind != Kind::kAny || entry.owned != counted) {
        AbstractValue any = asAny(b, entry, counted);
        state.frames.change(local.frame).slots[local.slot] = std::move(any);
    }
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
        case Kind::kConstant: any.box = value.value != ir::kNoId ? value.value : constantBox(b, value); break;
        default: any.box = value.value; break;
    }
    any.value = b.constInt(0);
    return any;
}

namespace {

// Equal for versions that differ in dead locals only.
const StateKey& liveKey(RegionBuilder& b, ir::BlockId version) {
    auto [known, isNew] = b.blocks().liveKeys.try_emplace(version);
    if (isNew) {
        const AbstractState& state = b.blocks().states[version];
        known->second = keyWithout(state, deadLocals(b, state));
    }
    return known->second;
}

// The versions of the place that differ from a state of this key in dead locals only.
std::vector<ir::BlockId> versionsAlike(RegionBuilder& b, const AbstractState& state, const StateKey& key) {
    std::vector<ir::BlockId> alike;
    for (ir::BlockId version : b.blocks().versions[placeKey(state)]) {
        if (liveKey(b, version) == key) {
            alike.push_back(version);
        }
    }
    return alike;
}

// Makes `state` one that `version` takes, if it differs from it in nothing but dead locals that may be anything there.
bool joinVersion(RegionBuilder& b, AbstractState& state, const std::vector<DeadLocal>& locals, DeadDifferences& differences, const AbstractState& version) {
    std::vector<DeadLocal> theirs = deadLocals(b, version);
    bool fits = true;
    for (size_t index = 0; index < locals.size(); index++) {
        const AbstractValue& entry = locals[index].in(state);
        const AbstractValue& other = theirs[index].in(version);
        fits = fits && takesIn(other, entry);
        differences.differs[index] = differences.differs[index] || entryKey(other) != entryKey(entry);
        differences.counted[index] = differences.counted[index] || isCounted(other) || isCounted(entry);
    }
    for (size_t index = 0; fits && index < locals.size(); index++) {
        const AbstractValue& other = theirs[index].in(version);
        if (other.kind == Kind::kAny) {
            becomeAny(b, state, locals[index], other.owned);
        }
    }
    return fits;
}

}  // namespace

void joinDeadLocals(RegionBuilder& b, AbstractState& state) {
    std::vector<DeadLocal> locals = deadLocals(b, state);
    bool isHeader = b.bytecode().loopAt(std::as_const(state).frame().unit) != nullptr;
    if (!b.request().isNumeric && !isHeader) {
        for (const DeadLocal& local : locals) {
            becomeAny(b, state, local, true);
        }
    }
    if (b.blocks().versions[placeKey(state)].empty() && (isHeader || b.knowledge().anyLocals.empty())) {
        return;  // as at most places
    }
    StateKey key = keyWithout(state, locals);
    const std::vector<ir::BlockId> versions = versionsAlike(b, state, key);
    if (!isHeader || (!versions.empty() && !b.blocks().byKey.contains(stateKey(state)))) {
        applyLessons(b, key, state, locals);
    }
    if (versions.empty() || b.blocks().byKey.contains(stateKey(state))) {
        return;
    }
    DeadDifferences differences{std::vector<bool>(locals.size()), std::vector<bool>(locals.size())};
    for (ir::BlockId version : versions) {
        if (joinVersion(b, state, locals, differences, b.blocks().states[version])) {
            return;
        }
    }
    for (size_t index = 0; index < locals.size(); index++) {
        if (isHeader && versions.size() == 1 && differences.differs[index] && differences.counted[index]) {
            return;
        }
    }
    for (size_t index = 0; index < locals.size(); index++) {
        if (differences.differs[index]) {
            becomeAny(b, state, locals[index], differences.counted[index]);
            learnAny(b, key, index, differences.counted[index]);
        }
    }
}

}  // namespace kiln
