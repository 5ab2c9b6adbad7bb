// Which object a number is. A number taken out of an object stays that object while its value is not computed anew; one that was
// computed becomes an object when it first needs to be one, and is that one from then on, under each of its names.
//
// Only what the program can see is kept: where a slot is not identity-live (identity_liveness.h), the object is forgotten. Where
// blocks meet, a number that is seen crosses with its object, if it has one yet.
#include "jit/frontend/number_identity.h"

#include <optional>

#include "jit/frontend/emit.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr size_t kMostCalleesAsked = 4;  // one within another

// The names of one number that has no object for certain.
bool isSame(const AbstractValue& a, const AbstractValue& b) {
    return a.hasIdentity() && b.hasIdentity() && a.kind == b.kind && a.value == b.value && a.constant == nullptr &&
           b.constant == nullptr;
}

bool hasObject(const AbstractValue& number) {
    return number.constant != nullptr || (number.box != ir::kNoId && !number.mayLackBox);
}

const IdentityLiveness& livenessOf(RegionBuilder& b, PyCodeObject* code, bool resultSeen) {
    std::unique_ptr<IdentityLiveness>& known = b.identities().liveness[{code, resultSeen}];
    if (known == nullptr) {
        // While it is not known, as for recursions, parameters are seen.
        b.identities().livenessPending.insert({code, resultSeen});
        IdentityLiveness::ParameterSeen parameterSeen = [&b](PyCodeObject* callee, int parameter, bool seen) {
            bool open = b.identities().livenessPending.contains({callee, seen}) ||
                        b.identities().livenessPending.size() > kMostCalleesAsked;
            return open || livenessOf(b, callee, seen).at(b.bytecodeOf(callee).entryUnit(), parameter);
        };
        auto made =
            std::make_unique<IdentityLiveness>(code, b.environment().profileOf(code), resultSeen, &parameterSeen);
        b.identities().livenessPending.erase({code, resultSeen});
        b.identities().liveness[{code, resultSeen}] = std::move(made);
    }
    return *b.identities().liveness[{code, resultSeen}];
}

void forget(RegionBuilder& b, AbstractValue& number, int place) {
    AbstractValue object = number;
    number.box = ir::kNoId;
    number.constant = nullptr;
    number.owned = number.home = number.mayLackBox = false;
    number.forgotten = place;
    release(b, std::move(object));
}

// Every entry that is this number gets the object. One of them holds its one reference, unless somebody else does: others that held
// one count in `spare`.
bool identify(AbstractState& state, const AbstractValue& number, Id object, bool held, int& spare) {
    AbstractValue* first = nullptr;
    auto isIt = [number](const AbstractValue& entry) { return isSame(entry, number); };
    changeEntries(state, isIt, [&](AbstractValue& entry) {
        entry.box = object;
        entry.mayLackBox = entry.home = false;
        spare += entry.owned && held;
        entry.owned = entry.owned && !held;
        held = held || entry.owned;
        first = first != nullptr ? first : &entry;
    });
    if (first != nullptr && !held) {
        first->owned = true;
    }
    return first != nullptr;
}

// Some other entry is this number, too.
bool hasOtherName(RegionBuilder& b, const AbstractValue& number) {
    bool found = false;
    forEachEntry(b.state(), [&](const AbstractValue& entry) { found = found || isSame(entry, number); });
    return found;
}

void carry(RegionBuilder& b, AbstractValue& number) {
    if (number.box == ir::kNoId) {
        number.box = constantBox(b, number);
        number.constant = nullptr;
    } else if (!number.owned) {
        b.emit(number.mayLackBox ? ir::Op::k_incref_box : ir::Op::k_incref, {number.box});
    }
    number.owned = number.mayLackBox = true;
}

// Forgets the numbers of an entry that are not seen from the frame's place on, as its slot.
void forgetUnseenIn(RegionBuilder& b, const AbstractFrame& frame, size_t slot, AbstractValue& entry) {
    bool counts = entry.isVirtual() && !entry.hasItems();  // positions and bounds, which nobody sees
    bool asked = false;
    bool seen = false;
    visitEntry(entry, [&](AbstractValue& value) {
        if (!value.hasIdentity() || value.isInFrame()) {
            return;
        }
        seen = asked ? seen : !counts && isSeen(b, frame, slot);
        asked = true;
        if (!seen) {
            b.identities().forgotten.push_back({frame.code, {frame.unit, static_cast<int>(slot)}});
            forget(b, value, counts ? AbstractValue::kNobodyAsks : static_cast<int>(b.identities().forgotten.size()));
        }
    });
}

// Of a generator that waits: as in its frame where it goes on.
void forgetUnseenOf(RegionBuilder& b, AbstractValue& generator) {
    PyCodeObject* code = generator.callee->code;
    AbstractFrame frame{.code = code};
    for (size_t part = 1; part < generator.parts.size(); part++) {
        frame.unit = unitBehind(b.bytecodeOf(code), generator);
        AbstractValue& entry = generator.parts[part];
        entry.kind == Kind::kGenerator ? forgetUnseenOf(b, entry) : forgetUnseenIn(b, frame, part - 1, entry);
    }
}

// Names of one scalar become scalars by themselves where nobody can see that they are one object: what a name is does not have to
// be known then, as for `best = d` in some rounds only.
void forgetSharing(RegionBuilder& b, AbstractFrame& frame) {
    for (size_t slot = 0; slot < frame.slots.size(); slot++) {
        AbstractValue& entry = frame.slots[slot];
        if (!entry.isVirtualNumber()) {
            continue;
        }
        int names = 0;
        forEachEntry(b.state(), [&](const AbstractValue& other) {
            names += other.isVirtualNumber() && other.identity == entry.identity;
        });
        if (names > 1 && !isSeen(b, frame, slot)) {
            b.identities().forgotten.push_back({frame.code, {frame.unit, static_cast<int>(slot)}});
            entry.identity = ++b.identities().count;
            entry.forgotten = static_cast<int>(b.identities().forgotten.size());
        }
    }
}

// Nobody counts the references to it.
bool isImmortal(const AbstractValue& value) {
    return value.isBool() || value.kind == Kind::kNone || (value.kind == Kind::kConstant && value.constant != nullptr && _Py_IsImmortal(value.constant));
}

}  // namespace

bool isSeen(RegionBuilder& b, const AbstractFrame& frame, size_t slot) {
    return livenessOf(b, frame.code, frame.resultSeen).at(frame.unit, static_cast<int>(slot));
}

bool makeSharedObjects(RegionBuilder& b, int count) {
    bool made = false;
    for (int below = 0; below < count; below++) {
        AbstractValue number = copyOf(b.top(below));
        int names = 0;
        forEachEntry(b.state(), [&](const AbstractValue& entry) { names += isSame(entry, number); });
        if (names > 1 && !hasObject(number)) {
            objectOf(b, number);
            made = true;
        }
    }
    return made;
}

std::vector<int> boxedParameters(RegionBuilder& b, PyCodeObject* code, const std::vector<ir::Type>& types) {
    std::vector<int> boxed;
    std::optional<IdentityLiveness> liveness;  // takes a while, and most parameters are objects
    for (size_t parameter = 0; parameter < types.size(); parameter++) {
        if (types[parameter] != ir::Type::kInt && types[parameter] != ir::Type::kFloat) {
            continue;
        }
        if (!liveness) {
            liveness.emplace(code, b.environment().profileOf(code), true, nullptr);
        }
        if (liveness->at(b.bytecodeOf(code).entryUnit(), static_cast<int>(parameter))) {
            boxed.push_back(static_cast<int>(parameter));
        }
    }
    return boxed;
}

void forgetUnseen(RegionBuilder& b, AbstractFrame& frame) {
    forgetUnseen(b, frame, frame.slots.size());
}

void forgetUnseen(RegionBuilder& b, AbstractFrame& frame, size_t count) {
    for (size_t slot = 0; slot < count; slot++) {
        AbstractValue& entry = frame.slots[slot];
        entry.kind == Kind::kGenerator ? forgetUnseenOf(b, entry) : forgetUnseenIn(b, frame, slot, entry);
    }
}

// The instruction that asks is noted, too: all that leads there is seen then, and not found out one by one.
void regret(RegionBuilder& b, const AbstractValue& number) {
    if (number.forgotten <= 0) {
        return;
    }
    auto note = [&](PyCodeObject* code, CodeProfile::Place place) {
        b.identities().regrets = b.environment().profileOf(code).noteIdentitySeen(place) || b.identities().regrets;
    };
    const auto& [code, place] = b.identities().forgotten[static_cast<size_t>(number.forgotten) - 1];
    note(code, place);
    const AbstractFrame& asking = std::as_const(b.before()).frame();
    for (auto slot = static_cast<size_t>(asking.localCount); slot < asking.slots.size(); slot++) {
        bool isIn = false;
        visitEntry(asking.slots[slot], [&](const AbstractValue& value) {
            isIn = isIn || (value.kind == number.kind && value.value == number.value && value.forgotten > 0);
        });
        if (isIn) {
            note(asking.code, {asking.unit, static_cast<int>(slot)});
        }
    }
}

Id objectOf(RegionBuilder& b, AbstractValue& number) {
    if (hasObject(number)) {
        return number.constant != nullptr ? b.constObject(number.constant) : number.box;
    }
    bool known = false;
    forEachEntry(b.state(), [&](const AbstractValue& entry) {
        if (!known && !number.owned && isSame(entry, number) && hasObject(entry)) {
            number = copyOf(entry);
            known = true;
        }
    });
    if (known) {
        return number.box;
    }
    regret(b, number);
    Id object;
    bool held = number.owned;
    if (number.box == ir::kNoId) {
        object = b.emit(number.isInt() ? ir::Op::k_box_int : ir::Op::k_box_float, {number.value});
    } else {
        bool elsewhere = false;
        forEachEntry(b.state(), [&](const AbstractValue& entry) {
            elsewhere = elsewhere || (entry.owned && entry.box == number.box);
        });
        if (!held && !elsewhere) {
            b.emit(ir::Op::k_incref_box, {number.box});
        }
        object = b.emitList(ir::Op::k_ensure_box, {number.box, number.value});
    }
    int spare = 0;
    int spareBefore = 0;
    bool shared = identify(b.state(), number, object, held, spare);
    identify(b.before(), number, object, false, spareBefore);
    for (; spare > 0; spare--) {
        b.emit(ir::Op::k_decref_box, {number.box});
    }
    startHere(b);
    number.box = object;
    number.mayLackBox = number.home = false;
    number.owned = held || !shared;
    number.forgotten = 0;
    return object;
}

Id takeReference(RegionBuilder& b, AbstractValue value) {
    bool fresh = false;
    Id object = value.isNumber() && !value.isBool() ? objectOf(b, value) : boxed(b, value, fresh);
    bool moves = fresh || (value.owned && !transferOwnership(b.state(), object));
    if (!moves && !isImmortal(value)) {
        b.emit(ir::Op::k_incref, {object});
    }
    return object;
}

Id takeBox(RegionBuilder& b, AbstractValue number) {
    if (!number.mayLackBox) {
        return takeReference(b, std::move(number));
    }
    if (!number.owned || transferOwnership(b.state(), number.box)) {
        b.emit(ir::Op::k_incref_box, {number.box});
    }
    return number.box;
}

Id boxFor(RegionBuilder& b, const AbstractValue& number) {
    return number.box != ir::kNoId ? number.box : constantBox(b, number);
}

Id constantBox(RegionBuilder& b, const AbstractValue& number) {
    PyObject* constant = number.constant;
    return constant == nullptr ? b.emit(ir::Op::k_const_no_box, {})
                               : b.emit(ir::Op::k_const_box, {}, b.objectIndex(constant, Py_TYPE(constant)->tp_name));
}

AbstractValue sameNumber(RegionBuilder& b, const AbstractValue& number) {
    AbstractValue same = copyOf(number);
    own(b, same);
    return same;
}

AbstractValue asInteger(RegionBuilder& b, const AbstractValue& value) {
    return value.isInt() ? sameNumber(b, value) : AbstractValue::number(Kind::kInt, asInt(b, value));
}

bool isResultSeen(RegionBuilder& b, const BytecodeInstruction& in, int popped) {
    const AbstractFrame& frame = b.state().frame();
    return livenessOf(b, frame.code, frame.resultSeen).at(in.next, static_cast<int>(frame.slots.size()) - popped);
}

bool isBareFloat(RegionBuilder& b, const AbstractValue& value) {
    if (value.isFloat()) {
        regret(b, value);
    }
    return value.isFloat() && value.constant == nullptr && value.box == ir::kNoId && !hasOtherName(b, value);
}

void carryNumbers(RegionBuilder& b) {
    AbstractFrames& frames = b.state().frames;
    for (size_t index = 0; index < frames.size(); index++) {
        if (!isSettled(b.state(), index)) {
            AbstractFrame& frame = frames.change(index);
            forgetUnseen(b, frame);
            forgetSharing(b, frame);
        }
    }
    std::vector<AbstractValue> shared;
    forEachEntry(b.state(), [&](const AbstractValue& entry) {
        int names = 0;
        bool lacks = entry.hasIdentity() && !hasObject(entry);
        if (lacks) {
            forEachEntry(b.state(), [&](const AbstractValue& other) { names += isSame(entry, other); });
        }
        if (names > 1) {
            shared.push_back(copyOf(entry));
        }
    });
    for (AbstractValue& number : shared) {
        bool done = true;
        forEachEntry(b.state(),
                     [&](const AbstractValue& entry) { done = done && (!isSame(entry, number) || hasObject(entry)); });
        if (!done) {
            objectOf(b, number);
        }
    }
    auto isCarried = [](const AbstractValue& entry) { return entry.hasIdentity() && !entry.home && !(entry.owned && entry.mayLackBox); };
    changeEntries(b.state(), isCarried, [&](AbstractValue& entry) { carry(b, entry); });
}

}  // namespace kiln
