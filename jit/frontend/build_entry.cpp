// Entering a region: what it expects of the live frame, or of the arguments, is guarded and taken in.
#include "jit/frontend/build_entry.h"

#include <opcode.h>

#include <algorithm>

#include "jit/frontend/array_iteration.h"
#include "jit/frontend/buffer_values.h"
#include "jit/frontend/build_cells.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/dead_locals.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

bool storesLocal(int opcode) {
    return opcode == STORE_FAST || opcode == DELETE_FAST || opcode == LOAD_FAST_AND_CLEAR;
}

bool namesLocal(int opcode) {
    switch (opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_CLOSURE: case LOAD_DEREF: case STORE_DEREF: case DELETE_DEREF:
        case LOAD_FROM_DICT_OR_DEREF: case MAKE_CELL:
            return true;
        default: return storesLocal(opcode);
    }
}

// Loads one slot of the live frame and guards that it holds what the region is built for.
AbstractValue enterSlot(RegionBuilder& b, int slot, const AbstractValue& expected) {
    AbstractValue value = expected;
    value.home = true;
    value.slot = slot;
    Id object = b.emit(ir::Op::k_load_slot, {}, slot);
    if (expected.kind == Kind::kNull) {
        b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_is_null, {object})}, ExitReason::k_entry);
        return value;
    }
    enterObject(b, object, value);
    return value;
}

// What the loop stores to, and was now this, now that, is entered as the object that the frame has.
AbstractValue expectedIn(RegionBuilder& b, int slot, bool isStored) {
    const AbstractValue& expected = b.request().entry[static_cast<size_t>(slot)];
    const std::vector<Kind>& entered = b.request().entered;
    bool varies = static_cast<size_t>(slot) < entered.size() && entered[static_cast<size_t>(slot)] == Kind::kAny;
    if (isStored && varies && (expected.isNumber() || expected.kind == Kind::kNone)) {
        return AbstractValue::object(ir::kNoId, nullptr, false);
    }
    return expected.kind == Kind::kGenerator ? enterableGenerator(b, expected) : expected;
}

// The loop stores to the slot: what it holds moves into the region. `seen`: a number, and which object it is.
void takeSlot(RegionBuilder& b, int slot, AbstractValue& value, bool seen) {
    if (value.kind == Kind::kAny) {
        takeDead(b, slot, value);
        return;
    }
    if (value.kind == Kind::kObject || seen) {
        (seen ? value.box : value.value) = b.emit(ir::Op::k_take_slot, {}, slot);
        value.owned = true;
    }
    value.home = false;
    value.slot = -1;
}

// The objects that arguments are, as far as the function can show them: borrowed from the caller, who holds them all the time.
void enterBoxes(RegionBuilder& b, ir::BlockId entry) {
    AbstractFrame& frame = b.state().frame();
    b.result().region.boxedParameters = boxedParameters(b, b.request().code, b.result().region.argumentTypes);
    for (int parameter : b.result().region.boxedParameters) {
        AbstractValue& value = frame.slots[static_cast<size_t>(parameter)];
        value.box = b.result().region.newValue(ir::Type::kObject);
        value.mayLackBox = true;
        auto stores = [&](const BytecodeInstruction& in) { return storesLocal(in.opcode) && in.oparg == parameter; };
        const std::vector<BytecodeInstruction>& instructions = b.bytecode().instructions();
        value.home = std::none_of(instructions.begin(), instructions.end(), stores);
        b.result().region.argumentTypes.push_back(ir::Type::kObject);
        b.result().region.blocks[entry].parameters.push_back(value.box);
    }
    for (size_t slot = 0; slot < frame.slots.size(); slot++) {
        AbstractValue& value = frame.slots[slot];
        if (value.hasIdentity() && value.box == ir::kNoId && isSeen(b, frame, slot)) {
            b.identities().forgotten.push_back({frame.code, {frame.unit, static_cast<int>(slot)}});
            value.forgotten = static_cast<int>(b.identities().forgotten.size());
            regret(b, value);
        }
    }
}

}  // namespace

// Guards that `object` is what `value` says and fills in the values. `object` stays with whoever holds it.
void enterObject(RegionBuilder& b, Id object, AbstractValue& value) {
    if (value.kind == Kind::kRangeIter) {
        b.emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_entry);
        b.guardClass(object, &PyRangeIter_Type, ExitReason::k_entry);
        value.value = object;
        enterRangeIterator(b, object, value);
        return;
    }
    b.emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_entry);
    PyTypeObject* cls = value.knownClass();
    if (cls != nullptr) {
        b.guardClass(object, cls, ExitReason::k_entry);
    }
    switch (value.kind) {
        case Kind::kInt: value.value = b.emitExiting(ir::Op::k_unbox_int, {object}, ExitReason::k_entry); break;
        case Kind::kFloat: value.value = b.emit(ir::Op::k_unbox_float, {object}); break;
        case Kind::kBool: value.value = b.emit(ir::Op::k_unbox_bool, {object}); break;
        case Kind::kListIter: case Kind::kTupleIter: enterListIterator(b, object, value); break;
        case Kind::kArrayIter: enterArrayIterator(b, object, value); break;
        case Kind::kBufferIter: enterBufferIterator(b, object, value); break;
        case Kind::kEnumerate: enterEnumerate(b, object, value); break;
        case Kind::kZip: enterZip(b, object, value); break;
        case Kind::kGenerator: enterGenerator(b, object, value); break;
        default: value.value = object; break;
    }
    value.box = value.isInt() || value.isFloat() ? object : ir::kNoId;
    if (value.kind == Kind::kObject && value.array.isKnown()) {
        value.box = guardArray(b, object, value.array, b.snapshotBefore(ExitReason::k_entry));
    }
}

// A loop is entered on a live frame: slots the loop never stores to stay in its memory, the others move into the region. What
// locals hold that the loop never names, or does not read before it stores to them, is nobody's concern.
void startLoop(RegionBuilder& b) {
    AbstractFrame frame{.code = b.request().code,
                        .globals = b.request().globals,
                        .builtins = b.request().builtins,
                        .unit = b.request().unit};
    b.state().frames.push_back(frame);
    const BytecodeLoop* loop = b.bytecode().loopAt(b.request().unit);
    const BytecodeInstruction* header = b.bytecode().at(b.request().unit);
    if (loop == nullptr || header == nullptr || header->depth < 0) {
        b.refuse(Refusal::k_unsupported, "not a loop header");
        return;
    }
    b.loop() = loop;
    int slots = static_cast<int>(b.request().entry.size());
    b.state().frame().localCount = slots - header->depth;
    std::vector<bool> stored(slots, false);
    std::vector<bool> named(slots, false);
    std::fill(named.begin() + b.state().frame().localCount, named.end(), true);  // the operand stack
    for (const BytecodeInstruction& in : b.bytecode().instructions()) {
        if (loop->mayRun(in) && namesLocal(in.opcode)) {
            stored[in.oparg] = stored[in.oparg] || storesLocal(in.opcode);
            named[in.oparg] = true;
        }
    }
    b.enterBlock(b.newBlock());
    for (int slot = 0; slot < slots; slot++) {
        b.state().frame().slots.push_back({.home = true, .slot = slot});
    }
    b.before() = b.state();
    AbstractState entered = b.state();
    std::vector<bool> dead(slots, false);
    for (int slot = 0; slot < b.state().frame().localCount; slot++) {
        dead[slot] = isDead(b, b.state(), 0, slot);
    }
    for (int slot = 0; slot < slots; slot++) {
        if (named[slot] && !dead[slot]) {
            entered.frame().slots[slot] = enterSlot(b, slot, expectedIn(b, slot, stored[slot]));
        } else if (stored[slot]) {
            enterDead(b, slot, entered.frame().slots[slot]);
        }
    }
    prepareNames(b);
    entered.names = b.state().names;
    for (int slot = 0; slot < slots; slot++) {
        AbstractValue& value = entered.frame().slots[slot];
        if (stored[slot]) {
            takeSlot(b, slot, value, value.hasIdentity() && isSeen(b, entered.frame(), static_cast<size_t>(slot)));
        }
    }
    for (AbstractValue& value : entered.frame().slots) {
        if (value.kind == Kind::kGenerator) {
            takeGenerator(b, value);
        }
    }
    b.state() = entered;
    b.before() = b.state();
    b.goTo(b.request().unit);
}

void startFunction(RegionBuilder& b) {
    AbstractFrame frame{.code = b.request().code, .globals = b.request().globals, .builtins = b.request().builtins,
                        .unit = b.bytecodeOf(b.request().code).entryUnit()};
    frame.localCount = b.request().code->co_nlocalsplus;
    b.state().frames.push_back(frame);
    ir::BlockId entry = b.newBlock();
    b.enterBlock(entry);
    for (const AbstractValue& argument : b.request().entry) {
        AbstractValue value = argument;
        value.array = {};  // asked for where it counts
        ir::Type type = typeOfKind(argument.kind);
        if (type == ir::Type::kNone) {
            b.refuse(Refusal::k_unsupported, "an argument that has no native form");
            return;
        }
        value.value = b.result().region.newValue(type);
        b.result().region.argumentTypes.push_back(type);
        b.result().region.blocks[entry].parameters.push_back(value.value);
        value.owned = value.kind == Kind::kObject;  // the caller gives its reference
        b.knowledge().dropsAtReturn = b.knowledge().dropsAtReturn || value.owned;
        b.state().frame().slots.push_back(value);
    }
    enterBoxes(b, entry);
    b.state().frame().slots.resize(frame.localCount);
    for (AbstractValue& slot : b.state().frame().slots) {
        own(b, slot);
    }
    enterCells(b, b.emit(ir::Op::k_root_function, {}));
    b.before() =
        b.state();  // where names are not as they should be the interpreter goes on behind RESUME, and needs the cells
    prepareNames(b);
    b.before() = b.state();
    for (int unit : {BuildEnvironment::kEntries, 0}) {
        if (int counter = b.environment().counterFor(b.request().code, unit); counter >= 0) {
            b.emit(ir::Op::k_count, {}, counter);
        }
    }
    b.goTo(frame.unit);
}

}  // namespace kiln
