// References that an instruction gives up. The last one of an object may run Python code: a finaliser, the callback of a weak
// reference, whatever a C class does. Such code sees frames and names, and may change whatever the region takes for granted.
//
// So a guard at the instruction's start, while nothing has taken effect yet, asks whether what would end runs code, and then
// leaves: CPython does the instruction. At a place that leaves so often, and after opaque operations, the references are given up
// while the activation waits, as if by a callee.
#include <algorithm>

#include "jit/frontend/region_builder.h"

namespace kiln {

void RegionBuilder::startHere() {
    startBlock_ = block_;
    startIndex_ = result_.region.blocks[block_].instructions.size();
}

void RegionBuilder::release(AbstractValue value) {
    if (value.kind == Kind::kAny) {
        if (value.owned) {
            letGo(value.box, true);
        }
    } else if (value.hasIdentity() && !value.isInFrame()) {
        if (value.owned && !transferOwnership(state_, value.box)) {
            emit(value.mayLackBox ? ir::Op::k_decref_box : ir::Op::k_decref_number, {value.box});
        }
    } else if (value.home) {
        releaseHome(value.kind == Kind::kNull ? -1 : value.slot);
    } else if (value.isReference() && value.owned && !transferOwnership(state_, value.value)) {
        if (value.cls == &PyLong_Type || value.cls == &PyFloat_Type) {
            emit(ir::Op::k_decref_number, {value.value});
        } else {
            letGo(value.value);
        }
    } else if (value.isVirtual() && value.value != ir::kNoId && value.owned) {
        letGo(value.value);
    }
    std::for_each(value.parts.rbegin(), value.parts.rend(), [&](AbstractValue& part) { release(part); });  // as a tuple's
}

// Before a store into the object it can't be told what ends with it, if it ends with the instruction: then CPython does it all.
bool RegionBuilder::endsAfterStore(const AbstractValue& object) {
    return object.isReference() && object.owned;
}

// The root frame's memory holds the entry itself, or nothing of a part that another one holds.
void RegionBuilder::releaseHome(int slot) {
    if (slot < 0) {
        return;
    }
    if (isWaiting_) {
        emit(ir::Op::k_drop, {emit(ir::Op::k_take_slot, {}, slot)});
        return;
    }
    Id held = emit(ir::Op::k_load_slot, {}, slot);
    guardDisplaced(held);
    emit(ir::Op::k_take_slot, {}, slot);
    emit(ir::Op::k_xdecref, {held});
}

void RegionBuilder::letGo(Id object, bool any) {
    if (isWaiting_) {
        emit(ir::Op::k_drop, {referenceIn({object, any})});
    } else {
        givenUp_.push_back({object, any});
    }
}

// Never NULL: of a box that is none, None.
RegionBuilder::Id RegionBuilder::referenceIn(const GivenUp& given) {
    return given.any ? emit(ir::Op::k_or_object, {emit(ir::Op::k_counted, {given.object})}, objectIndex(Py_None, "None")) : given.object;
}

void RegionBuilder::releaseTop(int count) {
    std::vector<AbstractValue>& slots = state_.frame().slots;
    std::vector<AbstractValue> popped(slots.end() - count, slots.end());
    slots.resize(slots.size() - static_cast<size_t>(count));
    for (AbstractValue& value : popped) {
        release(std::move(value));
    }
}

void RegionBuilder::releaseHeld(AbstractValue value) {
    if (value.hasIdentity()) {
        release(value);
    } else if (value.isReference() && !value.home && value.owned && !transferOwnership(state_, value.value)) {
        emit(ir::Op::k_decref_held, {value.value});
    }
    std::for_each(value.parts.rbegin(), value.parts.rend(), [&](AbstractValue& part) { releaseHeld(part); });
}

// True when what the instruction being built gives up ran Python code before.
bool RegionBuilder::givesUpToCallees() {
    const AbstractFrame& frame = before_.frame();
    return environment_.profileOf(frame.code).site(frame.unit).runsFinalisers;
}

// The instruction is done but for what it gives up, and the state is the one after it.
void RegionBuilder::giveUp() {
    std::vector<GivenUp> references = std::exchange(givenUp_, {});
    if (references.empty() || stopped()) {
        return;
    }
    if (givesUpToCallees()) {
        giveUpToCallees(references);
        return;
    }
    if (references.size() == 1 && references[0].any) {
        giveUpOneAny(references[0].object);
        return;
    }
    std::vector<Id> objects = knownAtStart(references);
    askAtStart(objects);
    for (Id object : objects) {
        emit(ir::Op::k_decref, {object});
    }
}

void RegionBuilder::insertAtStart(ir::Instruction instruction) {
    std::vector<ir::Instruction>& instructions = result_.region.blocks[startBlock_].instructions;
    instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(startIndex_), std::move(instruction));
}

RegionBuilder::Id RegionBuilder::emitAtStart(ir::Op op, Id operand, int64_t immediate) {
    Id result = result_.region.newValue(ir::Type::kObject);
    insertAtStart({.op = op, .type = ir::Type::kObject, .result = result, .immediate = immediate, .operands = {operand}});
    startIndex_++;
    return result;
}

// What the guard at the start may ask about.
std::vector<RegionBuilder::Id> RegionBuilder::knownAtStart(const std::vector<GivenUp>& references) {
    std::vector<Id> objects;
    for (const GivenUp& given : references) {
        Id none = given.any ? objectIndex(Py_None, "None") : ir::kNoId;
        objects.push_back(given.any ? emitAtStart(ir::Op::k_or_object, emitAtStart(ir::Op::k_counted, given.object), none) : given.object);
    }
    return objects;
}

// Mostly it is none.
void RegionBuilder::giveUpOneAny(Id box) {
    Id object = emitAtStart(ir::Op::k_counted, box);
    insertAtStart({.op = ir::Op::k_guard_displaced, .snapshot = before(ExitReason::k_release), .operands = {object}});
    emit(ir::Op::k_xdecref, {object});
}

void RegionBuilder::askAtStart(const std::vector<Id>& objects) {
    std::vector<ir::Instruction>& instructions = result_.region.blocks[startBlock_].instructions;
    bool isAsked = startIndex_ < instructions.size() && instructions[startIndex_].op == ir::Op::k_guard_quiet;
    if (!isAsked) {
        insertAtStart({.op = ir::Op::k_guard_quiet, .snapshot = before(ExitReason::k_release), .operands = objects});
        return;
    }
    // The other side of a branch has asked, maybe for the same.
    std::vector<Id>& asked = instructions[startIndex_].operands;
    for (Id object : objects) {
        auto wanted = std::count(objects.begin(), objects.end(), object);
        if (std::count(asked.begin(), asked.end(), object) < wanted) {
            asked.push_back(object);
        }
    }
}

// A frame that returned is gone by now: its caller's is the one that waits.
void RegionBuilder::giveUpToCallees(const std::vector<GivenUp>& references) {
    bool returned = state_.frames.size() < before_.frames.size();
    int position = returned ? state_.frame().unit - 1 : unit_;
    noteOpaque("the end of an object");
    if (!needsRealFrame(position)) {
        return;
    }
    flushNames();
    Id version = namesVersion();
    asCallee(position + 1, [&] {
        for (const GivenUp& given : references) {
            emit(ir::Op::k_drop, {referenceIn(given)});
        }
    });
    afterOpaque(version);
}

void RegionBuilder::asCallee(int next, const std::function<void()>& body) {
    suspend(next);
    isWaiting_ = true;
    body();
    isWaiting_ = false;
    emit(ir::Op::k_resume, {});
}

}  // namespace kiln
