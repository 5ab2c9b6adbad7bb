// Drives the building of a region: attempts, blocks, and one instruction after the other.
#include "jit/frontend/region_builder.h"

#include <opcode.h>

#include <algorithm>
#include <array>

#include "jit/frontend/build_entry.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/release_references.h"

namespace kiln {
namespace {

constexpr int kMostAttempts = 16;
// Attempts that only learned which numbers' objects are seen.
constexpr int kMostLessons = 6;
// Attempts that only learned which dead locals differ where paths meet.
constexpr int kMostJoinLessons = 3;

bool onlyPushes(int opcode) {
    return opcode == LOAD_FAST || opcode == LOAD_CONST || opcode == PUSH_NULL || opcode == NOP || opcode == RESUME;
}

constexpr auto kHandlers = [] {
    std::array<OpcodeHandler, 256> handlers{};
#define KILN_OPCODE(name, handler) handlers[name] = &handler;
#include "jit/frontend/opcodes.def"
#undef KILN_OPCODE
    return handlers;
}();

}  // namespace

RegionBuilder::RegionBuilder(const BuildRequest& request, BuildEnvironment& environment)
    : request_(request), environment_(environment), knowledge_{request.known} {}

BuildResult RegionBuilder::build() {
    for (int round = 0; round < kMostAttempts; round++) {
        if (attempt()) {
            result_.ok = result_.refusal == Refusal::kNone;
            result_.needsFrame = knowledge_.needsFrame;
            result_.instructions = emitted_;
            result_.learned = knowledge_;
            return std::move(result_);
        }
    }
    refuse(Refusal::k_too_large, "the region did not settle");
    return std::move(result_);
}

// One pass over the paths; false when it must start again with more knowledge.
bool RegionBuilder::attempt() {
    clear();
    result_.region.name = request_.symbol;
    result_.region.isFunction = request_.isFunction;
    if (!hasPlainNames(request_.globals) || !hasPlainNames(request_.builtins) || !hasPlainNames(request_.locals)) {
        refuse(Refusal::k_names, "a namespace that is no plain dict of strings");
    } else if (request_.isFunction) {
        startFunction(*this);
    } else {
        startLoop(*this);
    }
    while (!blocks_.pending.empty() && !stopped()) {
        ir::BlockId block = blocks_.pending.back();
        blocks_.pending.pop_back();
        processBlock(block);
    }
    if (identities_.regrets && result_.refusal == Refusal::kNone && lessons_ < kMostLessons) {
        lessons_++;
        restart();
    }
    // Elsewhere it would spare one more round of a loop that has a version of its own.
    if (deadLocals_.joins && request_.isNumeric && !progress_.restart && result_.refusal == Refusal::kNone &&
        joinLessons_ < kMostJoinLessons) {
        joinLessons_++;
        restart();
    }
    progress_.restart = progress_.restart || (progress_.isDoomed && result_.refusal == Refusal::kNone);
    if (!progress_.restart && request_.isFunction) {
        bool returns = knowledge_.returnType != ir::Type::kNone;
        result_.region.returnType = returns ? knowledge_.returnType : ir::Type::kObject;
    }
    return !progress_.restart;
}

void RegionBuilder::clear() {
    progress_ = {};
    result_ = {};
    place_ = ir::kNoId;
    state_ = {};
    blocks_ = {};
    nameIndices_.clear();
    releases_ = {};
    identities_.count = 0;
    identities_.forgotten.clear();
    if (identities_.regrets) {
        identities_.liveness.clear();  // the profiles know more now
    }
    identities_.regrets = deadLocals_.joins = false;
    objectIndices_.clear();
    codeIndices_.clear();
    frameValues_.clear();
    constantInts_.clear();
    keywordNames_ = nullptr;
    emitted_ = 0;
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

AbstractValue RegionBuilder::pop() {
    AbstractValue value = std::move(state_.frame().slots.back());
    state_.frame().slots.pop_back();
    return value;
}

void RegionBuilder::push(AbstractValue value) {
    state_.frame().slots.push_back(std::move(value));
}

ir::BlockId RegionBuilder::newBlock() {
    result_.region.blocks.emplace_back();
    blocks_.states.emplace_back();
    return static_cast<ir::BlockId>(result_.region.blocks.size()) - 1;
}

void RegionBuilder::enterBlock(ir::BlockId block) {
    block_ = block;
    open_ = true;
}

void RegionBuilder::processBlock(ir::BlockId block) {
    enterBlock(block);
    state_ = blocks_.states[block];
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
        notePlace();
        startHere(*this);
        step(*in);
        if (open_) {
            giveUp(*this);
        }
        if (open_ && keywordNames_ == nullptr && !stopped()) {
            forgetUnseen(*this, state_.frame());
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

void RegionBuilder::notePlace() {
    if (!request_.notesPlaces) {
        return;
    }
    SourcePlace place;
    for (size_t index = 0; index < state_.frames.size(); index++) {
        const AbstractFrame& frame = std::as_const(state_).frames[index];
        bool isInnermost = index + 1 == state_.frames.size();
        place.emplace_back(frame.code, isInnermost ? unit_ : std::max(frame.unit - 1, 0));  // who waits has its call behind it
    }
    place_ = static_cast<int32_t>(result_.places.size());
    result_.places.push_back(std::move(place));
}

// What one region may take in: less at each attempt after one that grew too large.
const BuildLimits& RegionBuilder::limits() const {
    static constexpr BuildLimits kLimits[] = {
        {.instructions = 400, .inlined = 120, .depth = 4, .versions = 6},
        {.instructions = 800, .inlined = 40, .depth = 2, .versions = 4},
        {.instructions = 2500, .inlined = 20, .depth = 1, .versions = 3},
    };
    static_assert(std::size(kLimits) == kFrugalities);
    // Loops of numbers gain by each call that is taken in, and stay in the instruction cache all the same.
    static constexpr BuildLimits kLimitsOfNumbers = {.instructions = 800, .inlined = 120, .depth = 4, .versions = 6};
    return request_.isNumeric && knowledge_.frugality == 0 ? kLimitsOfNumbers : kLimits[knowledge_.frugality];
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
    bool outside = loop_ != nullptr && isRootFrame() && !loop_->mayRun(in);
    if (outside) {
        exitHere(ExitReason::k_loop_done);
        return;
    }
    if (!environment_.profileOf(state_.frame().code).reached(in.unit)) {
        exitHere(ExitReason::k_cold_path);
        return;
    }
    OpcodeHandler handler = kHandlers[in.opcode];
    bool built = handler != nullptr && handler(*this, in);
    if (!built && open_ && !stopped()) {
        keywordNames_ = nullptr;
        before_ = onlyPushes(in.opcode) ? state_ : before_;
        sideExit(ExitReason::k_unsupported);
        return;
    }
    if (in.opcode != KW_NAMES) {
        keywordNames_ = nullptr;
    }
}

}  // namespace kiln
