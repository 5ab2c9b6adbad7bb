// Which object a number is. A number taken out of an object stays that object while its value is not computed anew; one that was
// computed becomes an object when it first needs to be one, and is that one from then on, under each of its names.
//
// Only what the program can see is kept: where a slot is not identity-live (identity_liveness.h), the object is forgotten. Where
// blocks meet, a number that is seen crosses with its object, if it has one yet.
#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

constexpr size_t kMostCalleesAsked = 4;  // one within another

// The names of one number that has no object for certain.
bool isSame(const AbstractValue& a, const AbstractValue& b) {
    return a.hasIdentity() && b.hasIdentity() && a.kind == b.kind && a.value == b.value && a.constant == nullptr && b.constant == nullptr;
}

bool hasObject(const AbstractValue& number) {
    return number.constant != nullptr || (number.box != ir::kNoId && !number.mayLackBox);
}

}  // namespace

const IdentityLiveness& RegionBuilder::livenessOf(PyCodeObject* code, bool resultSeen) {
    std::unique_ptr<IdentityLiveness>& known = liveness_[{code, resultSeen}];
    if (known == nullptr) {
        // While it is not known, as for recursions, parameters are seen.
        livenessPending_.insert({code, resultSeen});
        IdentityLiveness::ParameterSeen parameterSeen = [this](PyCodeObject* callee, int parameter, bool seen) {
            bool open = livenessPending_.contains({callee, seen}) || livenessPending_.size() > kMostCalleesAsked;
            return open || livenessOf(callee, seen).at(bytecodeOf(callee).entryUnit(), parameter);
        };
        auto made = std::make_unique<IdentityLiveness>(code, environment_.profileOf(code), resultSeen, &parameterSeen);
        livenessPending_.erase({code, resultSeen});
        liveness_[{code, resultSeen}] = std::move(made);
    }
    return *liveness_[{code, resultSeen}];
}

// Before the frame's next instruction.
bool RegionBuilder::isSeen(const AbstractFrame& frame, size_t slot) {
    return livenessOf(frame.code, frame.resultSeen).at(frame.unit, static_cast<int>(slot));
}

std::vector<int> RegionBuilder::boxedParameters(PyCodeObject* code, const std::vector<ir::Type>& types) {
    std::vector<int> boxed;
    IdentityLiveness liveness(code, environment_.profileOf(code), true, nullptr);
    for (size_t parameter = 0; parameter < types.size(); parameter++) {
        bool number = types[parameter] == ir::Type::kInt || types[parameter] == ir::Type::kFloat;
        if (number && liveness.at(bytecodeOf(code).entryUnit(), static_cast<int>(parameter))) {
            boxed.push_back(static_cast<int>(parameter));
        }
    }
    return boxed;
}

void RegionBuilder::forget(AbstractValue& number, int place) {
    AbstractValue object = number;
    number.box = ir::kNoId;
    number.constant = nullptr;
    number.owned = number.home = number.mayLackBox = false;
    number.forgotten = place;
    release(std::move(object));
}

// The frame's numbers whose objects nobody can see any more.
void RegionBuilder::forgetUnseen(AbstractFrame& frame) {
    for (size_t slot = 0; slot < frame.slots.size(); slot++) {
        AbstractValue& entry = frame.slots[slot];
        bool counts = entry.isVirtual() && !(entry.kind == Kind::kTuple);  // positions and bounds, which nobody sees
        bool asked = false;
        bool seen = false;
        visitEntry(entry, [&](AbstractValue& value) {
            if (!value.hasIdentity() || value.isInFrame()) {
                return;
            }
            seen = asked ? seen : !counts && isSeen(frame, slot);
            asked = true;
            if (!seen) {
                forgotten_.push_back({frame.code, {frame.unit, static_cast<int>(slot)}});
                forget(value, counts ? AbstractValue::kNobodyAsks : static_cast<int>(forgotten_.size()));
            }
        });
    }
}

// An object was asked for that had been forgotten: the next attempt, and all later ones, will keep it.
void RegionBuilder::regret(const AbstractValue& number) {
    if (number.forgotten > 0) {
        const auto& [code, place] = forgotten_[static_cast<size_t>(number.forgotten) - 1];
        regrets_ = environment_.profileOf(code).noteIdentitySeen(place) || regrets_;
    }
}

// Every entry that is this number gets the object. One of them holds its one reference, unless somebody else does: others that held
// one count in `spare`.
bool RegionBuilder::identify(AbstractState& state, const AbstractValue& number, Id object, bool held, int& spare) {
    AbstractValue* first = nullptr;
    forEachEntry(state, [&](AbstractValue& entry) {
        if (isSame(entry, number)) {
            entry.box = object;
            entry.mayLackBox = entry.home = false;
            spare += entry.owned && held;
            entry.owned = entry.owned && !held;
            held = held || entry.owned;
            first = first != nullptr ? first : &entry;
        }
    });
    if (first != nullptr && !held) {
        first->owned = true;
    }
    return first != nullptr;
}

// The object of a number that is no entry of the state any more, or of a second name for one; `number.owned` tells whether it holds
// a reference, before and afterwards.
RegionBuilder::Id RegionBuilder::objectOf(AbstractValue& number) {
    if (hasObject(number)) {
        return number.constant != nullptr ? constObject(number.constant) : number.box;
    }
    bool known = false;
    forEachEntry(state_, [&](const AbstractValue& entry) {
        if (!known && !number.owned && isSame(entry, number) && hasObject(entry)) {
            number = copyOf(entry);
            known = true;
        }
    });
    if (known) {
        return number.box;
    }
    regret(number);
    Id object;
    bool held = number.owned;
    if (number.box == ir::kNoId) {
        object = emit(number.isInt() ? ir::Op::k_box_int : ir::Op::k_box_float, {number.value});
    } else {
        bool elsewhere = false;
        forEachEntry(state_, [&](const AbstractValue& entry) { elsewhere = elsewhere || (entry.owned && entry.box == number.box); });
        if (!held && !elsewhere) {
            emit(ir::Op::k_incref_box, {number.box});
        }
        object = emitList(ir::Op::k_ensure_box, {number.box, number.value});
    }
    int spare = 0;
    int spareBefore = 0;
    bool shared = identify(state_, number, object, held, spare);
    identify(before_, number, object, false, spareBefore);
    for (; spare > 0; spare--) {
        emit(ir::Op::k_decref_box, {number.box});
    }
    startHere();
    number.box = object;
    number.mayLackBox = number.home = false;
    number.owned = held || !shared;
    number.forgotten = 0;
    return object;
}

// A reference to what a popped entry is, for somebody who takes it.
RegionBuilder::Id RegionBuilder::takeReference(AbstractValue value) {
    bool fresh = false;
    Id object = value.isNumber() && !value.isBool() ? objectOf(value) : boxed(value, fresh);
    bool moves = fresh || (value.owned && !transferOwnership(state_, object));
    if (!moves) {
        emit(ir::Op::k_incref, {object});
    }
    return object;
}

// The same of a number, where it has an object yet.
RegionBuilder::Id RegionBuilder::takeBox(AbstractValue number) {
    if (!number.mayLackBox) {
        return takeReference(std::move(number));
    }
    if (!number.owned || transferOwnership(state_, number.box)) {
        emit(ir::Op::k_incref_box, {number.box});
    }
    return number.box;
}

// What a callee borrows beside the number.
RegionBuilder::Id RegionBuilder::boxFor(const AbstractValue& number) {
    return number.box != ir::kNoId ? number.box : constantBox(number);
}

RegionBuilder::Id RegionBuilder::constantBox(const AbstractValue& number) {
    PyObject* constant = number.constant;
    return constant == nullptr ? emit(ir::Op::k_const_no_box, {})
                               : emit(ir::Op::k_const_box, {}, objectIndex(constant, Py_TYPE(constant)->tp_name));
}

// Some other entry is this number, too.
bool RegionBuilder::hasOtherName(const AbstractValue& number) const {
    bool found = false;
    forEachEntry(state_, [&](const AbstractValue& entry) { found = found || isSame(entry, number); });
    return found;
}

// A second name for a number, for a result that takes its place.
AbstractValue RegionBuilder::sameNumber(const AbstractValue& number) {
    AbstractValue same = copyOf(number);
    own(same);
    return same;
}

AbstractValue RegionBuilder::asInteger(const AbstractValue& value) {
    return value.isInt() ? sameNumber(value) : AbstractValue::number(Kind::kInt, asInt(value));
}

// Of an instruction for which `popped` entries go and one comes.
bool RegionBuilder::isResultSeen(const BytecodeInstruction& in, int popped) {
    const AbstractFrame& frame = state_.frame();
    return livenessOf(frame.code, frame.resultSeen).at(in.next, static_cast<int>(frame.slots.size()) - popped);
}

// Nobody can tell the object that it becomes from another.
bool RegionBuilder::isBareFloat(const AbstractValue& value) {
    if (value.isFloat()) {
        regret(value);
    }
    return value.isFloat() && value.constant == nullptr && value.box == ir::kNoId && !hasOtherName(value);
}

// The state crosses into a block where others may come from: each number that is seen has its own reference to its object, if any.
void RegionBuilder::carryNumbers() {
    for (AbstractFrame& frame : state_.frames) {
        forgetUnseen(frame);
    }
    std::vector<AbstractValue> shared;
    forEachEntry(state_, [&](const AbstractValue& entry) {
        int names = 0;
        bool lacks = entry.hasIdentity() && !hasObject(entry);
        if (lacks) {
            forEachEntry(state_, [&](const AbstractValue& other) { names += isSame(entry, other); });
        }
        if (names > 1) {
            shared.push_back(copyOf(entry));
        }
    });
    for (AbstractValue& number : shared) {
        bool done = true;
        forEachEntry(state_, [&](const AbstractValue& entry) { done = done && (!isSame(entry, number) || hasObject(entry)); });
        if (!done) {
            objectOf(number);
        }
    }
    forEachEntry(state_, [&](AbstractValue& entry) {
        if (entry.hasIdentity() && !entry.home) {
            carry(entry);
        }
    });
}

void RegionBuilder::carry(AbstractValue& number) {
    if (number.box == ir::kNoId) {
        number.box = constantBox(number);
        number.constant = nullptr;
    } else if (!number.owned) {
        emit(number.mayLackBox ? ir::Op::k_incref_box : ir::Op::k_incref, {number.box});
    }
    number.owned = number.mayLackBox = true;
}

}  // namespace kiln
