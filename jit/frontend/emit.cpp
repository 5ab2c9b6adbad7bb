// Emission: instructions, constants, snapshots, and the blocks that states meet in.
#include "jit/frontend/emit.h"

#include <opcode.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "interp/numpy_types.h"
#include "interp/python_text.h"
#include "jit/frontend/dead_locals.h"
#include "jit/frontend/merge_states.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "jit/native_interface.h"

namespace kiln {
namespace {

// Calls visit(Id&) for each value of the entry that a block is handed. What tells of an array at home was made on the way.
template <typename Value, typename Visit>
void forEachCrossing(Value& value, const Visit& visit) {
    if (value.value != ir::kNoId && !value.home) {
        visit(value.value);
    }
    if (value.box != ir::kNoId && (!value.home || value.array.isKnown())) {
        visit(value.box);
    }
}

// Entries that cross into another block hold their own reference: aliases are only known within one block.
void ownAliases(RegionBuilder& b, AbstractState& state) {
    for (size_t index = 0; index < state.frames.size(); index++) {
        if (!isSettled(state, index)) {
            AbstractFrame& frame = state.frames.change(index);
            own(b, frame.callee);
            std::ranges::for_each(frame.slots, [&](AbstractValue& slot) { own(b, slot); });
        }
    }
    for (AbstractName& name : state.names) {
        own(b, name.value);
    }
}

// Nothing that a jump does to the entries of frames that wait is left to do.
void settle(const AbstractState& state) {
    for (size_t index = 0; index + 1 < state.frames.size(); index++) {
        state.frames[index].isSettled = true;
    }
}

}  // namespace

bool isSettled(const AbstractState& state, size_t frame) {
    return frame + 1 < state.frames.size() && state.frames[frame].isSettled;
}

ir::Type typeOfKind(Kind kind) {
    switch (kind) {
        case Kind::kInt: return ir::Type::kInt;
        case Kind::kFloat: return ir::Type::kFloat;
        case Kind::kBool: return ir::Type::kBool;
        case Kind::kObject: return ir::Type::kObject;
        default: return ir::Type::kNone;
    }
}

Id RegionBuilder::emitExitingAt(ir::Op op, ir::Operands operands, ir::SnapshotId snapshot, int64_t immediate,
                                ir::Type type) {
    ir::Instruction instruction{.op = op, .snapshot = snapshot, .place = place_, .immediate = immediate, .operands = std::move(operands)};
    char letter = ir::info(op).result;
    instruction.type = letter == '*' ? type : ir::typeOfLetter(letter);
    if (instruction.type != ir::Type::kNone) {
        instruction.result = result_.region.newValue(instruction.type);
    }
    Id result = instruction.result;
    result_.region.blocks[block_].instructions.push_back(std::move(instruction));
    return result;
}

Id RegionBuilder::emit(ir::Op op, std::initializer_list<Id> operands, int64_t immediate, ir::Type type) {
    return emitExitingAt(op, operands, ir::kNoId, immediate, type);
}

Id RegionBuilder::emitList(ir::Op op, ir::Operands operands, int64_t immediate, ir::Type type) {
    return emitExitingAt(op, std::move(operands), ir::kNoId, immediate, type);
}

Id RegionBuilder::emitExiting(ir::Op op, std::initializer_list<Id> operands, ExitReason reason, int64_t immediate) {
    return emitExitingAt(op, operands, snapshotBefore(reason), immediate);
}

Id RegionBuilder::classIs(Id object, PyTypeObject* cls) {
    return emit(ir::Op::k_class_is, {object}, objectIndex(cls, cls->tp_name));
}

void RegionBuilder::guardClass(Id object, PyTypeObject* cls, ExitReason reason) {
    emitExiting(ir::Op::k_guard_class, {object}, reason, objectIndex(cls, cls->tp_name));
}

Id RegionBuilder::constInt(int64_t value) {
    Id constant = emit(ir::Op::k_const_int, {}, value);
    constantInts_[constant] = value;
    return constant;
}

std::optional<int64_t> RegionBuilder::knownInt(Id value) const {
    auto found = constantInts_.find(value);
    return found != constantInts_.end() ? std::optional(found->second) : std::nullopt;
}

Id RegionBuilder::constFloat(double value) {
    return emit(ir::Op::k_const_float, {}, std::bit_cast<int64_t>(value));
}

Id RegionBuilder::constObject(PyObject* object) {
    return emit(ir::Op::k_const_object, {}, objectIndex(object, Py_TYPE(object)->tp_name));
}

// Not for what may lead to the program's namespaces, and so to the region: nothing of these would ever die.
void RegionBuilder::keepAlive(PyObject* constant) {
    result_.keptAlive.push_back(Ref<>::borrow(constant));
}

// Entries of the object table are Python objects unless the op says otherwise; they live as long as the region.
int RegionBuilder::objectIndex(const void* object, const std::string& name) {
    auto [found, added] = objectIndices_.try_emplace(object, static_cast<int>(result_.region.objects.size()));
    if (added) {
        result_.region.objects.push_back(object);
        result_.region.objectNames.push_back(name);
    }
    return found->second;
}

int RegionBuilder::codeIndex(PyCodeObject* code) {
    auto [found, added] = codeIndices_.try_emplace(code, static_cast<int>(result_.region.codes.size()));
    if (added) {
        result_.region.codes.push_back(code);
        result_.region.codeNames.push_back(textOf(code->co_qualname));
    }
    return found->second;
}

void RegionBuilder::endBlock(ir::Op op, ir::Operands operands, std::vector<ir::Target> targets,
                             ir::SnapshotId snapshot) {
    ir::Block& block = result_.region.blocks[block_];
    block.instructions.push_back({.op = op, .snapshot = snapshot, .operands = std::move(operands)});
    block.targets = std::move(targets);
    open_ = false;
}

void RegionBuilder::branchAside(Id condition, bool when, const std::function<void()>& aside) {
    giveUp(*this);
    ir::BlockId yes = newBlock();
    ir::BlockId no = newBlock();
    endBlock(ir::Op::k_branch, {condition}, {{yes, {}}, {no, {}}});
    AbstractState saved = state_;
    AbstractState savedBefore = before_;  // what is made real on one side is not on the other
    auto start = std::pair(releases_.startBlock, releases_.startIndex);
    enterBlock(when ? yes : no);
    aside();
    state_ = std::move(saved);
    before_ = std::move(savedBefore);
    std::tie(releases_.startBlock, releases_.startIndex) = start;
    enterBlock(when ? no : yes);
}

// A number as the object that it is; without one, it gets one.
ir::SlotSource RegionBuilder::numberSource(const AbstractValue& number) {
    ir::SlotSource bare{.kind = ir::SlotKind::kValue, .value = number.value};
    if (number.constant != nullptr) {
        return {.kind = ir::SlotKind::kConstant, .constant = objectIndex(number.constant, Py_TYPE(number.constant)->tp_name)};
    }
    if (number.box == ir::kNoId) {
        return bare;
    }
    ir::SlotSource source{.kind = ir::SlotKind::kValue, .owned = number.owned, .value = number.box};
    if (number.mayLackBox) {
        source.kind = ir::SlotKind::kNumber;
        source.parts.push_back(bare);
    }
    return source;
}

namespace {

// Of what an exit makes by a class or dtype.
ir::SlotKind kindWithType(Kind kind) {
    return kind == Kind::kScalar ? ir::SlotKind::kScalar : kind == Kind::kView ? ir::SlotKind::kView
           : kind == Kind::kComplex ? ir::SlotKind::kComplex : ir::SlotKind::kInstance;
}

// Of a number or an instance its class, of a view its dtype.
int typeIndex(RegionBuilder& b, const AbstractValue& value) {
    Element element = value.array.element;
    return value.kind == Kind::kView ? b.objectIndex(NumPyTypes::known()->dtype(element), info(element).name)
                                     : b.objectIndex(value.cls, value.cls->tp_name);
}

}  // namespace

ir::SlotSource RegionBuilder::slotSource(const AbstractValue& value) {
    if (value.home && !value.isVirtual() && (value.isInFrame() || !value.hasIdentity())) {
        return {};
    }
    if (value.hasIdentity()) {
        return numberSource(value);
    }
    ir::SlotSource source{.owned = value.owned, .value = value.value, .unit = value.unit};
    switch (value.kind) {
        case Kind::kAny: {
            ir::SlotSource bits{.kind = ir::SlotKind::kValue, .value = value.value};
            return {.kind = ir::SlotKind::kAny, .owned = value.owned, .value = value.box, .parts = {bits}};
        }
        case Kind::kNull:
            source = {};
            source.kind = ir::SlotKind::kNull;
            break;
        case Kind::kNone:
            source = {};
            source.kind = ir::SlotKind::kConstant;
            source.constant = objectIndex(Py_None, "None");
            break;
        case Kind::kConstant:
            if (value.value != ir::kNoId) {
                source.kind = ir::SlotKind::kValue;
                break;
            }
            source = {};
            source.kind = ir::SlotKind::kConstant;
            source.constant = objectIndex(value.constant, Py_TYPE(value.constant)->tp_name);
            break;
        case Kind::kScalar: case Kind::kComplex: case Kind::kView: case Kind::kInstance:
            source.kind = kindWithType(value.kind);
            source.constant = typeIndex(*this, value);
            break;
        case Kind::kTuple: source.kind = ir::SlotKind::kTuple; break;
        case Kind::kSlice: source.kind = ir::SlotKind::kSlice; break;
        case Kind::kList: source.kind = ir::SlotKind::kList; break;
        case Kind::kKeywords: source.kind = ir::SlotKind::kKeywords; break;
        case Kind::kMethod: case Kind::kFlat: source.kind = ir::SlotKind::kMethod; break;
        case Kind::kRange: source.kind = ir::SlotKind::kRange; break;
        case Kind::kRangeIter: source.kind = ir::SlotKind::kRangeIterator; break;
        case Kind::kListIter: case Kind::kTupleIter: case Kind::kArrayIter: case Kind::kBufferIter: source.kind = ir::SlotKind::kListIterator; break;
        case Kind::kEnumerate: source.kind = ir::SlotKind::kEnumerate; break;
        case Kind::kZip: source.kind = ir::SlotKind::kZip; break;
        case Kind::kGenerator: source.kind = ir::SlotKind::kGenerator; break;
        default: source.kind = ir::SlotKind::kValue; break;
    }
    source.home = value.home;
    source.identity = value.isVirtualObject() ? value.identity : 0;
    for (const AbstractValue& part : value.parts) {
        ir::SlotSource partSource = slotSource(part);
        if (part.home && !part.isVirtual() && !part.hasIdentity()) {
            partSource.kind = ir::SlotKind::kValue;  // a part has no slot of its own: a copy
            partSource.value = part.value;
        }
        source.parts.push_back(std::move(partSource));
    }
    return source;
}

// Leaves with an exception set, at the very instruction: a KW_NAMES before it is not repeated.
ir::SnapshotId RegionBuilder::raising() {
    AbstractState state = before_;
    state.frame().unit = unit_;
    return snapshot(state, ExitReason::k_exception, true);
}

ir::SnapshotId RegionBuilder::snapshot(const AbstractState& state, ExitReason reason, bool raises) {
    if (progress_.isDoomed && !result_.region.snapshots.empty()) {
        return 0;
    }
    ir::Snapshot snapshot{.reason = static_cast<int>(reason), .raises = raises};
    int values = 0;
    snapshot.frames.reserve(state.frames.size());
    for (size_t index = 0; index < state.frames.size(); index++) {
        snapshot.frames.push_back(savedFrame(state, index));
        values += frameValues_[static_cast<size_t>(snapshot.frames.back())];
    }
    for (const AbstractName& name : state.names) {
        if (name.dirty || name.value.owned) {
            snapshot.names.push_back({.name = name.name, .source = slotSource(name.value), .write = name.dirty});
            ir::forEachValue(snapshot.names.back().source, [&](Id) { values++; });
        }
    }
    if (values > kMostExitValues) {
        refuse(Refusal::k_too_large, "an exit with too many values");
    }
    const AbstractFrame& inner = state.frames.back();
    ExitPlace place{inner.code, before_.frame().unit, inner.unit};
    snapshot.reason = static_cast<int>(reasonOf(snapshot, place, raises));
    if (ir::SnapshotId same = recentSnapshot(snapshot, place); same != ir::kNoId) {
        return same;
    }
    snapshot.place = static_cast<int32_t>(result_.exits.size());
    result_.region.snapshots.push_back(std::move(snapshot));
    result_.exits.push_back(place);
    return static_cast<ir::SnapshotId>(result_.region.snapshots.size()) - 1;
}

// What stands for a frame in snapshots. It is made once for a frame that waits while its callee runs, and for the state before an
// instruction, from which several guards leave.
ir::FrameId RegionBuilder::savedFrame(const AbstractState& state, size_t index) {
    const AbstractFrame& frame = state.frames[index];
    bool waits = index + 1 < state.frames.size();
    bool repeats = waits && state.frames[index + 1].use == ResultUse::k_truth;
    bool isFed = waits && state.frames.back().consumer != Consumer::kLoop;  // holds what the call has made of the items so far
    bool stays = !repeats && !isFed && (waits || &state == &before_);
    if (stays && frame.saved != ir::kNoId) {
        return frame.saved;
    }
    ir::FrameId saved = newFrame(frameSource(frame, index > 0, repeats));
    if (stays) {
        frame.saved = saved;
    }
    return saved;
}

ir::FrameSnapshot RegionBuilder::frameSource(const AbstractFrame& frame, bool isInlined, bool repeats) {
    int unit = repeats ? bytecodeOf(frame.code).at(frame.unit)->next : frame.unit;  // it waits in the instruction before
    ir::FrameSnapshot source{.code = codeIndex(frame.code), .unit = unit, .use = frame.use, .detail = frame.detail};
    source.exhausted = frame.exhausted;
    source.consumer = frame.consumer;
    if (frame.text != nullptr) {
        source.detail = objectIndex(frame.text, "text");
    }
    if (isInlined) {  // the root's frame is there, or made for the function it runs for
        source.function = slotSource(frame.callee);
    }
    source.slots.reserve(frame.slots.size());
    for (const AbstractValue& slot : frame.slots) {
        source.slots.push_back(slotSource(slot));
    }
    return source;
}

// One of those made last, if it is equal.
ir::FrameId RegionBuilder::newFrame(ir::FrameSnapshot source) {
    constexpr size_t kLookBack = 4;
    const std::vector<ir::FrameSnapshot>& frames = result_.region.frames;
    for (size_t back = 1; back <= std::min(kLookBack, frames.size()); back++) {
        if (frames[frames.size() - back] == source) {
            return static_cast<ir::FrameId>(frames.size() - back);
        }
    }
    int values = 0;
    ir::forEachFrameValue(source, [&](Id) { values++; });
    frameValues_.push_back(values);
    return result_.region.newFrame(std::move(source));
}

// An exception that is not handled in the region leads on in the bytecode, or out of the function. What would raise does so where that
// is handled.
ExitReason RegionBuilder::reasonOf(const ir::Snapshot& snapshot, ExitPlace& place, bool raises) {
    auto reason = static_cast<ExitReason>(snapshot.reason);
    const Bytecode& code = bytecodeOf(place.code);
    const ExceptionHandler* handler = code.handlerOf(place.resumeUnit);
    bool isInlined = snapshot.frames.size() > 1;
    if (raises && (handler == nullptr || isInlined)) {
        return request_.isFunction || isInlined ? ExitReason::k_raised : reason;
    }
    if (raises && !environment_.profileOf(place.code).reached(handler->target)) {
        place.resumeUnit = handler->target;
        return ExitReason::k_cold_path;
    }
    bool fails = handler != nullptr && (reason == ExitReason::k_index || reason == ExitReason::k_domain);
    const BytecodeInstruction* in = fails ? code.at(place.unit) : nullptr;
    bool hasOtherWay = in != nullptr && (in->opcode == BINARY_OP || in->opcode == BINARY_SUBSCR);
    return hasOtherWay ? ExitReason::k_plain : reason;
}

// The guards of one instruction mostly leave with the same state: each exit costs code.
ir::SnapshotId RegionBuilder::recentSnapshot(const ir::Snapshot& wanted, const ExitPlace& place) const {
    constexpr size_t kLookBack = 4;
    const std::vector<ir::Snapshot>& snapshots = result_.region.snapshots;
    for (size_t back = 1; back <= std::min(kLookBack, snapshots.size()); back++) {
        const ir::Snapshot& known = snapshots[snapshots.size() - back];
        if (known.reason == wanted.reason && known.raises == wanted.raises && result_.exits[known.place] == place &&
            known.frames == wanted.frames && known.names == wanted.names) {
            return static_cast<ir::SnapshotId>(snapshots.size() - back);
        }
    }
    return ir::kNoId;
}

void RegionBuilder::sideExit(ExitReason reason) {
    endBlock(ir::Op::k_exit, {}, {}, snapshotBefore(reason));
}

void RegionBuilder::exitHere(ExitReason reason) {
    giveUp(*this);
    endBlock(ir::Op::k_exit, {}, {}, snapshotHere(reason));
}

void RegionBuilder::goTo(int unit) {
    state_.frame().unit = unit;
    giveUp(*this);
    carryNumbers(*this);
    ownAliases(*this, state_);
    ir::Target target = targetForState();
    if (open_) {
        endBlock(ir::Op::k_jump, {}, {std::move(target)});
    }
}

// The block for the state, and the values to pass. A place with too many versions gets a general one: what becomes an object then may
// be known to other entries by another name, so it is the builder's own state that is made general.
ir::Target RegionBuilder::targetForState() {
    if (!mergeVersions(*this)) {
        exitHere(ExitReason::k_versions);
        return {};
    }
    ownAliases(*this, state_);
    settle(state_);
    ir::Target target{.block = blockFor(state_)};
    forEachEntry(state_, [&](const AbstractValue& value) {
        forEachCrossing(value, [&](Id id) { target.arguments.push_back(id); });
    });
    return target;
}

ir::BlockId RegionBuilder::blockFor(const AbstractState& state) {
    auto [found, isNew] = blocks_.byKey.try_emplace(stateKey(state), ir::kNoId);
    if (!isNew) {
        return found->second;
    }
    ir::BlockId block = found->second = newBlock();
    blocks_.versions[placeKey(state)].push_back(block);
    ir::Region& region = result_.region;
    AbstractState& entered = blocks_.states[block];
    entered = state;
    changeAllEntries(entered, [&](AbstractValue& value) {
        forEachCrossing(value, [&](Id& id) {
            id = region.newValue(region.valueTypes[id]);
            region.blocks[block].parameters.push_back(id);
        });
    });
    settle(entered);
    blocks_.pending.push_back(block);
    return block;
}

}  // namespace kiln
