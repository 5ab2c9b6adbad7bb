// Drives the building of a region: attempts, blocks, and one instruction after the other.
#include "jit/frontend/region_builder.h"

#include <opcode.h>

#include <algorithm>
#include <array>

namespace kiln {
namespace {

constexpr int kMostAttempts = 16;
// Attempts that only learned which numbers' objects are seen.
constexpr int kMostLessons = 6;
// Attempts that only learned which dead locals differ where paths meet.
constexpr int kMostJoinLessons = 3;
// One opaque operation in so many instructions, and compiled code has nothing to win.
constexpr int kInstructionsPerOpaque = 8;
constexpr size_t kFewOpaque = 4;

bool storesLocal(int opcode) {
    return opcode == STORE_FAST || opcode == DELETE_FAST || opcode == LOAD_FAST_AND_CLEAR;
}

bool onlyPushes(int opcode) {
    return opcode == LOAD_FAST || opcode == LOAD_CONST || opcode == PUSH_NULL || opcode == NOP || opcode == RESUME;
}

bool namesLocal(int opcode) {
    switch (opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_CLOSURE: case LOAD_DEREF: case STORE_DEREF: case DELETE_DEREF:
        case LOAD_FROM_DICT_OR_DEREF: case MAKE_CELL:
            return true;
        default: return storesLocal(opcode);
    }
}

}  // namespace

RegionBuilder::RegionBuilder(const BuildRequest& request, BuildEnvironment& environment)
    : request_(request), environment_(environment), knowledge_{request.known} {}

BuildResult RegionBuilder::build() {
    for (int round = 0; round < kMostAttempts; round++) {
        if (attempt()) {
            result_.ok = result_.refusal == Refusal::kNone;
            result_.needsFrame = knowledge_.needsFrame;
            result_.learned = knowledge_;
            return std::move(result_);
        }
    }
    refuse(Refusal::k_too_large, "the region did not settle");
    return std::move(result_);
}

// One pass over the paths; false when it must start again with more knowledge.
bool RegionBuilder::attempt() {
    restart_ = isDoomed_ = reliesOnNoFrame_ = reliesOnQuietReturn_ = false;
    result_ = BuildResult();
    state_ = AbstractState();
    givenUp_.clear();
    blocks_.clear();
    versions_.clear();
    alike_.clear();
    splits_.clear();
    blockStates_.clear();
    pending_.clear();
    objectIndices_.clear();
    codeIndices_.clear();
    nameIndices_.clear();
    constantInts_.clear();
    identities_ = 0;
    forgotten_.clear();
    if (regrets_) {
        liveness_.clear();  // the profiles know more now
    }
    regrets_ = joins_ = false;
    keywordNames_ = nullptr;
    emitted_ = 0;
    result_.region.name = request_.symbol;
    result_.region.isFunction = request_.isFunction;
    if (!hasPlainNames(request_.globals) || !hasPlainNames(request_.builtins) || !hasPlainNames(request_.locals)) {
        refuse(Refusal::k_names, "a namespace that is no plain dict of strings");
    } else if (request_.isFunction) {
        startFunction();
    } else {
        startLoop();
    }
    while (!pending_.empty() && !stopped()) {
        ir::BlockId block = pending_.back();
        pending_.pop_back();
        processBlock(block);
    }
    bool opaque = result_.opaque.size() >= kFewOpaque &&
                  static_cast<int>(result_.opaque.size()) * kInstructionsPerOpaque > emitted_;
    if (!stopped() && !isDoomed_ && opaque) {
        std::string count = std::to_string(result_.opaque.size());
        refuse(Refusal::k_mostly_opaque, count + " of " + std::to_string(emitted_) + " instructions are CPython's");
    }
    if (regrets_ && result_.refusal == Refusal::kNone && lessons_ < kMostLessons) {
        lessons_++;
        restart();
    }
    if (joins_ && !restart_ && result_.refusal == Refusal::kNone && joinLessons_ < kMostJoinLessons) {
        joinLessons_++;
        restart();
    }
    restart_ = restart_ || (isDoomed_ && result_.refusal == Refusal::kNone);
    if (!restart_ && request_.isFunction) {
        bool returns = knowledge_.returnType != ir::Type::kNone;
        result_.region.returnType = returns ? knowledge_.returnType : ir::Type::kObject;
    }
    return !restart_;
}

Site& RegionBuilder::siteOf(const BytecodeInstruction& in) {
    return environment_.profileOf(state_.frame().code).site(in.unit);
}

void RegionBuilder::refuse(Refusal refusal, const std::string& detail) {
    if (result_.refusal == Refusal::kNone) {
        result_.refusal = refusal;
        result_.detail = detail;
        result_.refusalCode = state_.frames.empty() ? request_.code : state_.frame().code;
        result_.refusalUnit = state_.frames.empty() ? request_.unit : state_.frame().unit;
    }
}

// A loop is entered on a live frame: slots the loop never stores to stay in its memory, the others move into the region. What
// locals hold that the loop never names, or does not read before it stores to them, is nobody's concern.
void RegionBuilder::startLoop() {
    AbstractFrame frame{.code = request_.code, .globals = request_.globals, .builtins = request_.builtins, .unit = request_.unit};
    state_.frames.push_back(frame);
    const BytecodeLoop* loop = bytecode().loopAt(request_.unit);
    const BytecodeInstruction* header = bytecode().at(request_.unit);
    if (loop == nullptr || header == nullptr || header->depth < 0) {
        refuse(Refusal::k_unsupported, "not a loop header");
        return;
    }
    loopEnd_ = loop->end;
    int slots = static_cast<int>(request_.entry.size());
    state_.frame().localCount = slots - header->depth;
    std::vector<bool> stored(slots, false);
    std::vector<bool> named(slots, false);
    std::fill(named.begin() + state_.frame().localCount, named.end(), true);  // the operand stack
    for (const BytecodeInstruction& in : bytecode().instructions()) {
        if (loop->mayRun(in) && namesLocal(in.opcode)) {
            stored[in.oparg] = stored[in.oparg] || storesLocal(in.opcode);
            named[in.oparg] = true;
        }
    }
    enterBlock(newBlock());
    for (int slot = 0; slot < slots; slot++) {
        state_.frame().slots.push_back({.home = true, .slot = slot});
    }
    before_ = state_;
    AbstractState entered = state_;
    std::vector<bool> dead(slots, false);
    for (int slot = 0; slot < state_.frame().localCount; slot++) {
        dead[slot] = isDead(state_, 0, slot);
    }
    for (int slot = 0; slot < slots; slot++) {
        if (named[slot] && !dead[slot]) {
            entered.frame().slots[slot] = enterSlot(slot, request_.entry[slot]);
        } else if (stored[slot]) {
            enterDead(slot, entered.frame().slots[slot]);
        }
    }
    prepareNames();
    entered.names = state_.names;
    for (int slot = 0; slot < slots; slot++) {
        AbstractValue& value = entered.frame().slots[slot];
        if (stored[slot]) {
            takeSlot(slot, value, value.hasIdentity() && isSeen(entered.frame(), static_cast<size_t>(slot)));
        }
    }
    state_ = entered;
    before_ = state_;
    goTo(request_.unit);
}

// The loop stores to the slot: what it holds moves into the region. `seen`: a number, and which object it is.
void RegionBuilder::takeSlot(int slot, AbstractValue& value, bool seen) {
    if (value.kind == Kind::kAny) {
        takeDead(slot, value);
        return;
    }
    if (value.kind == Kind::kObject || seen) {
        (seen ? value.box : value.value) = emit(ir::Op::k_take_slot, {}, slot);
        value.owned = true;
    }
    value.home = false;
    value.slot = -1;
}

// Loads one slot of the live frame and guards that it holds what the region is built for.
AbstractValue RegionBuilder::enterSlot(int slot, const AbstractValue& expected) {
    AbstractValue value = expected;
    value.home = true;
    value.slot = slot;
    Id object = emit(ir::Op::k_load_slot, {}, slot);
    if (expected.kind == Kind::kNull) {
        emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_is_null, {object})}, ExitReason::k_entry);
        return value;
    }
    enterObject(object, value);
    return value;
}

// Guards that `object` is what `value` says and fills in the values. `object` stays with whoever holds it.
void RegionBuilder::enterObject(Id object, AbstractValue& value) {
    if (value.kind == Kind::kRangeIter) {
        emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_entry);
        guardClass(object, &PyRangeIter_Type, ExitReason::k_entry);
        value.value = object;
        enterRangeIterator(object, value);
        return;
    }
    emitExiting(ir::Op::k_guard_set, {object}, ExitReason::k_entry);
    PyTypeObject* cls = value.knownClass();
    if (cls != nullptr) {
        guardClass(object, cls, ExitReason::k_entry);
    }
    switch (value.kind) {
        case Kind::kInt: value.value = emitExiting(ir::Op::k_unbox_int, {object}, ExitReason::k_entry); break;
        case Kind::kFloat: value.value = emit(ir::Op::k_unbox_float, {object}); break;
        case Kind::kBool: value.value = emit(ir::Op::k_unbox_bool, {object}); break;
        case Kind::kListIter: case Kind::kTupleIter: enterListIterator(object, value); break;
        case Kind::kEnumerate: enterEnumerate(object, value); break;
        case Kind::kZip: enterZip(object, value); break;
        default: value.value = object; break;
    }
    value.box = value.isInt() || value.isFloat() ? object : ir::kNoId;
}

void RegionBuilder::startFunction() {
    AbstractFrame frame{.code = request_.code, .globals = request_.globals, .builtins = request_.builtins,
                        .unit = bytecodeOf(request_.code).entryUnit()};
    frame.localCount = request_.code->co_nlocalsplus;
    state_.frames.push_back(frame);
    ir::BlockId entry = newBlock();
    enterBlock(entry);
    for (const AbstractValue& argument : request_.entry) {
        AbstractValue value = argument;
        ir::Type type = typeOfKind(argument.kind);
        if (type == ir::Type::kNone) {
            refuse(Refusal::k_unsupported, "an argument that has no native form");
            return;
        }
        value.value = result_.region.newValue(type);
        result_.region.argumentTypes.push_back(type);
        result_.region.blocks[entry].parameters.push_back(value.value);
        value.owned = value.kind == Kind::kObject;  // the caller gives its reference
        knowledge_.dropsAtReturn = knowledge_.dropsAtReturn || value.owned;
        state_.frame().slots.push_back(value);
    }
    enterBoxes(entry);
    state_.frame().slots.resize(frame.localCount);
    for (AbstractValue& slot : state_.frame().slots) {
        own(slot);
    }
    enterCells(emit(ir::Op::k_root_function, {}));
    before_ = state_;  // where names are not as they should be the interpreter goes on behind RESUME, and needs the cells
    prepareNames();
    before_ = state_;
    for (int unit : {BuildEnvironment::kEntries, 0}) {
        if (int counter = environment_.counterFor(request_.code, unit); counter >= 0) {
            emit(ir::Op::k_count, {}, counter);
        }
    }
    goTo(frame.unit);
}

// The objects that arguments are, as far as the function can show them: borrowed from the caller, who holds them all the time.
void RegionBuilder::enterBoxes(ir::BlockId entry) {
    AbstractFrame& frame = state_.frame();
    result_.region.boxedParameters = boxedParameters(request_.code, result_.region.argumentTypes);
    for (int parameter : result_.region.boxedParameters) {
        AbstractValue& value = frame.slots[static_cast<size_t>(parameter)];
        value.box = result_.region.newValue(ir::Type::kObject);
        value.mayLackBox = true;
        auto stores = [&](const BytecodeInstruction& in) { return storesLocal(in.opcode) && in.oparg == parameter; };
        const std::vector<BytecodeInstruction>& instructions = bytecode().instructions();
        value.home = std::none_of(instructions.begin(), instructions.end(), stores);
        result_.region.argumentTypes.push_back(ir::Type::kObject);
        result_.region.blocks[entry].parameters.push_back(value.box);
    }
    for (size_t slot = 0; slot < frame.slots.size(); slot++) {
        AbstractValue& value = frame.slots[slot];
        if (value.hasIdentity() && value.box == ir::kNoId && isSeen(frame, slot)) {
            forgotten_.push_back({frame.code, {frame.unit, static_cast<int>(slot)}});
            value.forgotten = static_cast<int>(forgotten_.size());
            regret(value);
        }
    }
}

ir::BlockId RegionBuilder::newBlock() {
    result_.region.blocks.emplace_back();
    blockStates_.emplace_back();
    return static_cast<ir::BlockId>(result_.region.blocks.size()) - 1;
}

void RegionBuilder::enterBlock(ir::BlockId block) {
    block_ = block;
    open_ = true;
}

void RegionBuilder::processBlock(ir::BlockId block) {
    enterBlock(block);
    state_ = blockStates_[block];
    bool first = true;
    while (open_ && !stopped()) {
        const BytecodeInstruction* in = bytecode().at(state_.frame().unit);
        if (in == nullptr || in->depth < 0) {
            exitHere(ExitReason::k_unsupported);
            return;
        }
        if (in->leader && !first) {
            goTo(in->firstUnit);
            return;
        }
        first = false;
        if (keywordNames_ == nullptr) {
            keepBefore(*in);
        }
        unit_ = in->unit;
        startHere();
        step(*in);
        if (open_) {
            giveUp();
        }
        if (open_ && keywordNames_ == nullptr && !stopped()) {
            forgetUnseen(state_.frame());
        }
        if (++emitted_ > limits().instructions && !stopped()) {
            tooLarge();
        }
    }
}

// Of an instruction that only puts something on the stack and never leaves, its place is enough.
void RegionBuilder::keepBefore(const BytecodeInstruction& in) {
    bool sameFrame = before_.frames.size() == state_.frames.size() && before_.frame().code == state_.frame().code;
    if (onlyPushes(in.opcode) && sameFrame) {
        before_.frame().unit = state_.frame().unit;
    } else {
        before_ = state_;
    }
}

// What one region may take in: less at each attempt after one that grew too large.
const BuildLimits& RegionBuilder::limits() const {
    static constexpr BuildLimits kLimits[] = {
        {.instructions = 400, .inlined = 120, .depth = 4, .versions = 6},
        {.instructions = 800, .inlined = 40, .depth = 2, .versions = 4},
        {.instructions = 2500, .inlined = 20, .depth = 1, .versions = 3},
    };
    static_assert(std::size(kLimits) == kFrugalities);
    return kLimits[knowledge_.frugality];
}

void RegionBuilder::tooLarge() {
    if (knowledge_.frugality + 1 < kFrugalities) {
        knowledge_.frugality++;
        restart();
        return;
    }
    refuse(Refusal::k_too_large, "too many specialised instructions");
}

void RegionBuilder::step(const BytecodeInstruction& in) {
    bool outside = !request_.isFunction && isRootFrame() && !in.inHandler && (in.unit < request_.unit || in.unit >= loopEnd_);
    if (outside) {
        exitHere(ExitReason::k_loop_done);
        return;
    }
    if (!environment_.profileOf(state_.frame().code).reached(in.unit)) {
        exitHere(ExitReason::k_cold_path);
        return;
    }
    if (!dispatch(in) && open_ && !stopped()) {
        keywordNames_ = nullptr;
        before_ = onlyPushes(in.opcode) ? state_ : before_;
        sideExit(ExitReason::k_unsupported);
        return;
    }
    if (in.opcode != KW_NAMES) {
        keywordNames_ = nullptr;
    }
}

bool RegionBuilder::dispatch(const BytecodeInstruction& in) {
    using Handler = bool (RegionBuilder::*)(const BytecodeInstruction&);
    static constexpr auto kHandlers = [] {
        std::array<Handler, 256> handlers{};
#define KILN_OPCODE(name, handler) handlers[name] = &RegionBuilder::handler;
#include "jit/frontend/opcodes.def"
#undef KILN_OPCODE
        return handlers;
    }();
    Handler handler = kHandlers[in.opcode];
    return handler != nullptr && (this->*handler)(in);
}

}  // namespace kiln
