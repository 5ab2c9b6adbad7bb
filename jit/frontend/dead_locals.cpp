// Locals that compiled code does not read any more before it stores to them.
//
// Such a local keeps its value, and the object its reference, but it does not matter what it is. So the entry of a loop asks nothing
// of it, and where blocks meet, states that differ in such locals only share a version: there the local is of kind kAny, a box that may
// be none beside the bits of a number, so that numbers need no object.
#include <algorithm>

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

}  // namespace

// Before the frame's next instruction. Of a loop's own frame only what the loop itself reads counts.
bool RegionBuilder::isDead(const AbstractState& state, size_t frame, size_t local) {
    const AbstractFrame& its = state.frames[frame];
    bool isLoop = frame == 0 && !request_.isFunction;
    std::unique_ptr<LocalLiveness>& known = localLiveness_[{its.code, isLoop}];
    if (known == nullptr) {
        const Bytecode& code = bytecodeOf(its.code);
        int end = code.instructions().empty() ? 0 : code.instructions().back().next;
        known = std::make_unique<LocalLiveness>(its.code, code, isLoop ? request_.unit : 0, isLoop ? loopEnd_ : end);
    }
    return !known->at(its.unit, static_cast<int>(local));
}

// A loop is entered: numbers and None need no reference, and nothing to be asked where they are overwritten.
void RegionBuilder::enterDead(int slot, AbstractValue& entry) {
    const AbstractValue& now = request_.entry[static_cast<size_t>(slot)];
    bool isBare = now.isNumber() || now.kind == Kind::kNone || now.kind == Kind::kNull;
    entry = {.kind = Kind::kAny};
    if (isBare && !request_.entersWithAnything && !isSeen(state_.frame(), static_cast<size_t>(slot))) {
        Id object = emit(ir::Op::k_load_slot, {}, slot);
        entry.box = emitExiting(ir::Op::k_bare_box, {object}, ExitReason::k_entry);
        entry.value = emit(ir::Op::k_bare_bits, {object});
    }
}

// What it held moves into the region.
void RegionBuilder::takeDead(int slot, AbstractValue& entry) {
    Id object = emit(ir::Op::k_take_slot, {}, slot);
    if (entry.box != ir::kNoId) {
        Id number = emit(ir::Op::k_or_object, {object}, objectIndex(Py_None, "None"));
        emit(ir::Op::k_decref_number, {number});
        return;
    }
    entry = {.kind = Kind::kAny, .owned = true, .value = constInt(0), .box = object};
}

std::vector<AbstractValue*> RegionBuilder::deadEntries(AbstractState& state) {
    std::vector<AbstractValue*> entries;
    for (size_t frame = 0; frame < state.frames.size(); frame++) {
        auto locals = static_cast<size_t>(state.frames[frame].localCount);
        for (size_t local = 0; local < locals; local++) {
            AbstractValue& entry = state.frames[frame].slots[local];
            if (canBeAny(entry) && isDead(state, frame, local)) {
                entries.push_back(&entry);
            }
        }
    }
    return entries;
}

// Equal for states that differ in dead locals only.
std::string RegionBuilder::liveKey(AbstractState& state) {
    return stateKey(state, deadEntries(state));
}

// The same value as one of kind kAny; `counted`: where its box may be a reference.
AbstractValue RegionBuilder::asAny(const AbstractValue& value, bool counted) {
    AbstractValue any{.kind = Kind::kAny, .owned = counted, .value = value.value, .box = value.box};
    switch (value.kind) {
        case Kind::kAny: return any;
        case Kind::kInt:
            any.box = any.box != ir::kNoId ? any.box : constantBox(value);
            return any;
        case Kind::kFloat:
            any.value = emit(ir::Op::k_float_bits, {value.value});
            any.box = emit(ir::Op::k_float_box, {any.box != ir::kNoId ? any.box : constantBox(value)});
            return any;
        case Kind::kNull: any.box = emit(ir::Op::k_const_unbound, {}); break;
        case Kind::kNone: any.box = emit(ir::Op::k_const_box, {}, objectIndex(Py_None, "None")); break;
        case Kind::kBool: any.box = emit(ir::Op::k_box_bool, {value.value}); break;
        case Kind::kConstant: any.box = value.value != ir::kNoId ? value.value : constantBox(value); break;
        default: any.box = value.value; break;
    }
    any.value = constInt(0);
    return any;
}

// Before a version is made for `state`: where one differs from it in dead locals only, the state becomes that one, or both are of kind
// kAny from now on. Only the first round of a loop may have a version of its own: objects are given up faster where they are known.
void RegionBuilder::joinDeadLocals(AbstractState& state) {
    std::vector<AbstractValue*> entries = deadEntries(state);
    std::string key = stateKey(state, entries);
    const std::vector<ir::BlockId>& versions = alike_[key];
    bool isHeader = bytecode().loopAt(state.frame().unit) != nullptr;
    if (!request_.isNumeric && !isHeader) {
        for (AbstractValue* entry : entries) {
            *entry = asAny(*entry, true);
        }
    }
    applyLessons(key, entries);
    if (versions.empty() || blocks_.contains(stateKey(state))) {
        return;
    }
    std::vector<bool> differs(entries.size());
    std::vector<bool> counted(entries.size());
    for (ir::BlockId version : versions) {
        std::vector<AbstractValue*> theirs = deadEntries(blockStates_[version]);
        bool fits = true;
        for (size_t index = 0; index < entries.size(); index++) {
            fits = fits && takesIn(*theirs[index], *entries[index]);
            differs[index] = differs[index] || entryKey(*theirs[index]) != entryKey(*entries[index]);
            counted[index] = counted[index] || isCounted(*theirs[index]) || isCounted(*entries[index]);
        }
        if (fits) {
            for (size_t index = 0; index < entries.size(); index++) {
                *entries[index] = theirs[index]->kind == Kind::kAny ? asAny(*entries[index], theirs[index]->owned) : *entries[index];
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
            *entries[index] = asAny(*entries[index], counted[index]);
            learnAny(isHeader, key, index, counted[index]);
        }
    }
}

// Where states with other dead locals were met in an attempt before, the first one is of kind kAny at once.
void RegionBuilder::applyLessons(const std::string& key, const std::vector<AbstractValue*>& entries) {
    for (size_t index = 0; index < entries.size() && !knowledge_.anyLocals.empty(); index++) {
        auto known = knowledge_.anyLocals.find({key, index});
        if (known != knowledge_.anyLocals.end()) {
            *entries[index] = asAny(*entries[index], known->second || isCounted(*entries[index]));
        }
    }
}

void RegionBuilder::learnAny(bool isHeader, const std::string& key, size_t index, bool counted) {
    if (isHeader) {
        return;
    }
    auto [known, isNew] = knowledge_.anyLocals.try_emplace({key, index}, counted);
    joins_ = joins_ || isNew || known->second != counted;
    known->second = known->second || counted;
}

}  // namespace kiln
