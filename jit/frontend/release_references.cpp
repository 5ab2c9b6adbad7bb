// References that an instruction gives up. The last one of an object may run Python code: a finaliser, the callback of a weak
// reference, whatever a C class does. Such code sees frames and names, and may change whatever the region takes for granted.
//
// So a guard at the instruction's start, while nothing has taken effect yet, asks whether what would end runs code, and then
// leaves: CPython does the instruction. At a place that leaves so often, and after opaque operations, the references are given up
// while the activation waits, as if by a callee.
#include "jit/frontend/release_references.h"

#include <algorithm>

#include "jit/frontend/array_views.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// The root frame's memory holds the entry itself, or nothing of a part that another one holds.
void releaseHome(RegionBuilder& b, int slot) {
    if (slot < 0) {
        return;
    }
    if (b.releases().isWaiting) {
        b.emit(ir::Op::k_drop, {b.emit(ir::Op::k_take_slot, {}, slot)});
        return;
    }
    if (givesUpToCallees(b)) {
        b.releases().givenUp.push_back({ir::kNoId, false, slot});
        return;
    }
    Id held = b.emit(ir::Op::k_load_slot, {}, slot);
    guardDisplaced(b, held);
    b.emit(ir::Op::k_take_slot, {}, slot);
    b.emit(ir::Op::k_xdecref, {held});
}

void insertAtStart(RegionBuilder& b, ir::Instruction instruction) {
    std::vector<ir::Instruction>& instructions = b.result().region.blocks[b.releases().startBlock].instructions;
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(b.releases().startIndex),
                        std::move(instruction));
}

Id emitAtStart(RegionBuilder& b, ir::Op op, Id operand, int64_t immediate = 0) {
    Id result = b.result().region.newValue(ir::Type::kObject);
    insertAtStart(
        b, {.op = op, .type = ir::Type::kObject, .result = result, .immediate = immediate, .operands = {operand}});
    b.releases().startIndex++;
    return result;
}

// What the guard at the start may ask about.
std::vector<Id> knownAtStart(RegionBuilder& b, const std::vector<GivenUp>& references) {
    std::vector<Id> objects;
    for (const GivenUp& given : references) {
        Id none = given.any ? b.objectIndex(Py_None, "None") : ir::kNoId;
        objects.push_back(
            given.any ? emitAtStart(b, ir::Op::k_or_object, emitAtStart(b, ir::Op::k_counted, given.object), none)
                      : given.object);
    }
    return objects;
}

// Mostly it is none.
void giveUpOneAny(RegionBuilder& b, Id box) {
    Id object = emitAtStart(b, ir::Op::k_counted, box);
    insertAtStart(
        b,
        {.op = ir::Op::k_guard_displaced, .snapshot = b.snapshotBefore(ExitReason::k_release), .operands = {object}});
    b.emit(ir::Op::k_xdecref, {object});
}

// What the other side of a branch has asked about at the start, maybe the same; nullptr: it has not.
ir::Operands* askedAtStart(RegionBuilder& b) {
    std::vector<ir::Instruction>& instructions = b.result().region.blocks[b.releases().startBlock].instructions;
    bool isAsked = b.releases().startIndex < instructions.size() &&
                   instructions[b.releases().startIndex].op == ir::Op::k_guard_quiet;
    return isAsked ? &instructions[b.releases().startIndex].operands : nullptr;
}

// One question is for all that is given up together, and has so many operands at most: quick code has stencils for these.
bool areTooMany(RegionBuilder& b, const std::vector<GivenUp>& references) {
    constexpr size_t kMostAsked = 16;
    const ir::Operands* asked = askedAtStart(b);
    return references.size() + (asked != nullptr ? asked->size() : 0) > kMostAsked;
}

void askAtStart(RegionBuilder& b, const std::vector<Id>& objects) {
    ir::Operands* before = askedAtStart(b);
    if (before == nullptr) {
        insertAtStart(
            b, {.op = ir::Op::k_guard_quiet, .snapshot = b.snapshotBefore(ExitReason::k_release), .operands = objects});
        return;
    }
    ir::Operands& asked = *before;
    for (Id object : objects) {
        auto wanted = std::count(objects.begin(), objects.end(), object);
        if (std::count(asked.begin(), asked.end(), object) < wanted) {
            asked.push_back(object);
        }
    }
}

// A frame that returned is gone by now: its caller's is the one that waits.
void giveUpToCallees(RegionBuilder& b, const std::vector<GivenUp>& references) {
    bool returned = b.state().frames.size() < b.before().frames.size();
    int position = returned ? b.state().frame().unit - 1 : b.unit();
    noteOpaque(b, "the end of an object");
    needsRealFrame(b, position);
    flushNames(b);
    Id version = namesVersion(b);
    asCallee(b, position + 1, [&] {
        for (const GivenUp& given : references) {
            b.emit(ir::Op::k_drop, {referenceIn(b, given)});
        }
    });
    afterOpaque(b, version);
}

}  // namespace

void startHere(RegionBuilder& b) {
    b.releases().startBlock = b.block();
    b.releases().startIndex = b.result().region.blocks[b.block()].instructions.size();
}

void repeatFromHere(RegionBuilder& b) {
    int unit = b.before().frame().unit;
    b.before() = b.state();
    b.before().frame().unit = unit;
    startHere(b);
}

void release(RegionBuilder& b, AbstractValue value) {
    if (value.kind == Kind::kGenerator) {
        mustEnd(b, value);
    }
    if (value.kind == Kind::kAny) {
        if (value.owned) {
            letGo(b, value.box, true);
        }
    } else if (value.hasIdentity() && !value.isInFrame()) {
        if (value.owned && !transferOwnership(b.state(), value.box)) {
            b.emit(value.mayLackBox ? ir::Op::k_decref_box : ir::Op::k_decref_number, {value.box});
        }
    } else if (value.home) {
        releaseHome(b, value.kind == Kind::kNull ? -1 : value.slot);
    } else if (value.isReference() && value.owned && !transferOwnership(b.state(), value.value)) {
        if (value.cls == &PyLong_Type || value.cls == &PyFloat_Type || value.cls == &PyComplex_Type || isScalarClass(value.cls)) {
            b.emit(ir::Op::k_decref_number, {value.value});
        } else {
            letGo(b, value.value);
        }
    } else if (value.isVirtual() && value.value != ir::kNoId && value.owned) {
        letGo(b, value.value);
    }
    std::for_each(value.parts.rbegin(), value.parts.rend(),
                  [&](AbstractValue& part) { release(b, part); });  // as a tuple's
}

bool endsAfterStore(const AbstractValue& object) {
    if (object.kind == Kind::kFlat) {
        return endsAfterStore(object.parts[1]);
    }
    return object.kind == Kind::kView ? endsAfterStore(object.parts[0]) : object.isReference() && object.owned;
}

void guardShared(RegionBuilder& b, Id object, ExitReason reason) {
    Id count = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_ob_refcnt));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_gt, {count, b.constInt(1)})}, reason);
}

void guardKept(RegionBuilder& b, int below, ir::Operands& operands) {
    if (endsAfterStore(b.top(below))) {
        guardShared(b, b.top(below).value, ExitReason::k_release);
        operands.push_back(b.constInt(1));
    }
}

void releaseKept(RegionBuilder& b, AbstractValue value) {
    endsAfterStore(value) ? releaseHeld(b, std::move(value)) : release(b, std::move(value));
}

void guardExchange(RegionBuilder& b, Id displaced, const AbstractValue& value, AbstractValue& container) {
    if (container.owned && transferOwnership(b.state(), container.value)) {
        container.owned = false;
    }
    if (container.owned) {
        Id stored = value.isReference() ? value.value : b.constObject(Py_None);
        b.emitExiting(ir::Op::k_guard_exchange, {displaced, stored, container.value}, ExitReason::k_release);
    } else if (!isBareFloat(b, value)) {
        guardDisplaced(b, displaced);
    }
}

AbstractValue giveUpContainer(RegionBuilder& b, AbstractValue container) {
    if (!container.owned) {
        return container;
    }
    b.emit(ir::Op::k_decref_held, {container.value});
    return AbstractValue::null();
}

void letGo(RegionBuilder& b, Id object, bool any) {
    if (b.releases().isWaiting) {
        b.emit(ir::Op::k_drop, {referenceIn(b, {object, any})});
    } else {
        b.releases().givenUp.push_back({object, any});
    }
}

Id referenceIn(RegionBuilder& b, const GivenUp& given) {
    if (given.slot >= 0) {
        return b.emit(ir::Op::k_take_slot, {}, given.slot);
    }
    return given.any ? b.emit(ir::Op::k_or_object, {b.emit(ir::Op::k_counted, {given.object})},
                              b.objectIndex(Py_None, "None"))
                     : given.object;
}

void releaseTop(RegionBuilder& b, int count) {
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    std::vector<AbstractValue> popped(slots.end() - count, slots.end());
    slots.resize(slots.size() - static_cast<size_t>(count));
    for (AbstractValue& value : popped) {
        release(b, std::move(value));
    }
}

void releaseHeld(RegionBuilder& b, AbstractValue value) {
    if (value.hasIdentity()) {
        release(b, value);
    } else if (value.isReference() && !value.home && value.owned && !transferOwnership(b.state(), value.value)) {
        b.emit(ir::Op::k_decref_held, {value.value});
    }
    std::for_each(value.parts.rbegin(), value.parts.rend(), [&](AbstractValue& part) { releaseHeld(b, part); });
}

bool givesUpToCallees(RegionBuilder& b) {
    const AbstractFrame& frame = b.before().frame();
    return b.environment().profileOf(frame.code).site(frame.unit).runsFinalisers;
}

void giveUp(RegionBuilder& b) {
    std::vector<GivenUp> references = std::exchange(b.releases().givenUp, {});
    if (references.empty() || b.stopped()) {
        return;
    }
    if (givesUpToCallees(b) || areTooMany(b, references)) {
        giveUpToCallees(b, references);
        return;
    }
    if (references.size() == 1 && references[0].any) {
        giveUpOneAny(b, references[0].object);
        return;
    }
    std::vector<Id> objects = knownAtStart(b, references);
    askAtStart(b, objects);
    for (Id object : objects) {
        b.emit(ir::Op::k_decref, {object});
    }
}

void asCallee(RegionBuilder& b, int next, const std::function<void()>& body) {
    realizeChangeable(b);
    suspend(b, next);
    b.releases().isWaiting = true;
    body();
    b.releases().isWaiting = false;
    b.emit(ir::Op::k_resume, {});
    forgetArrays(b.state());
}

}  // namespace kiln
