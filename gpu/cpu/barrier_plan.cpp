// How a kernel with barriers becomes loops over the threads of a block.
#include "gpu/cpu/barrier_plan.h"

#include <algorithm>
#include <utility>

namespace kiln::gpu {
namespace {

bool isSync(Op op) {
    return opInfo(op).effect == Effect::kSync;
}

bool isLoop(Op op) {
    return op == Op::kWhile || op == Op::kFor;
}

// Whether a break or continue in the block leaves a loop around it.
bool holdsJump(const Block& block, int depth) {
    for (const Instruction& instruction : block.code) {
        if (depth == 0 && (instruction.op == Op::kBreak || instruction.op == Op::kContinue)) {
            return true;
        }
        for (const auto& nested : instruction.blocks) {
            if (holdsJump(*nested, depth + isLoop(instruction.op))) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

bool waits(const Function& function) {
    bool found = false;
    forEach(function.body, [&](const Instruction& instruction) { found = found || isSync(instruction.op); });
    return found;
}

bool BarrierPlan::isCut(const Instruction& instruction) const {
    auto cuts = [this](const Instruction& at) { return isSync(at.op) || cutLoops_.count(&at) > 0; };
    bool found = cuts(instruction);
    for (const auto& block : instruction.blocks) {
        forEach(*block, [&](const Instruction& nested) { found = found || cuts(nested); });
    }
    return found;
}

BarrierPlan::BarrierPlan(const Function& function, Loops cutLoops, bool isGroup)
    : cutLoops_(std::move(cutLoops)),
      isGroup_(isGroup && !cutLoops_.empty()),
      uniformValues_(function.values.size(), true),
      uniformVariables_(function.variables.size(), true),
      onceValues_(function.values.size()),
      onceVariables_(function.variables.size(), true),
      crossing_(function.values.size()),
      crossingVariables_(function.variables.size()),
      cheap_(function.values.size()),
      segmentOfValue_(function.values.size(), -1),
      segmentOfVariable_(function.variables.size(), -1),
      assignedIn_(function.variables.size(), -1),
      isExposed_(function.variables.size()),
      definitions_(definitionsOf(function)) {
    hasBarriers_ = !cutLoops_.empty() || waits(function);
    forEach(function.body, [&](const Instruction& instruction) {
        hasReturns_ = hasReturns_ || instruction.op == Op::kReturn;
    });
    if (!hasBarriers_) {
        onceVariables_.assign(function.variables.size(), false);
        return;
    }
    std::vector<const Instruction*> loops;
    if (!cutLoops_.empty()) {
        std::vector<bool> isOwn(function.variables.size(), true);
        Loops broken;
        findWhole(function.body, loops, isOwn, broken);
        std::erase_if(whole_, [&](const Instruction* loop) { return !isOwn[loop->index] || broken.count(loop) > 0; });
    }
    findRegions(function.body, loops);
    do {
        decideOnce(function);
    } while (findDivergent(function.body));
    forEach(function.body, [&](const Instruction& instruction) { findCheap(instruction); });
    findSegments(function.body, false);
    for (size_t i = 0; i < crossingVariables_.size(); i++) {
        crossingVariables_[i] = crossingVariables_[i] && isExposed_[i];
    }
}

// What is the same for all threads, and what of it is computed once.
void BarrierPlan::decideOnce(const Function& function) {
    std::vector<std::pair<const Instruction*, bool>> loops;
    for (changed_ = true; changed_;) {
        changed_ = false;
        findUniform(function.body, true, loops);
    }
    for (size_t i = 0; i < uniformVariables_.size(); i++) {
        onceVariables_[i] = uniformVariables_[i];
    }
    for (changed_ = true; changed_;) {
        changed_ = false;
        once_.clear();
        onceValues_.assign(function.values.size(), false);
        findOnce(function.body);
    }
}

// Where the bounds of a loop are the same for all threads, but each thread computes them, it counts by them itself. True when there was one.
bool BarrierPlan::findDivergent(const Block& block) {
    bool found = false;
    for (const Instruction& instruction : block.code) {
        if (regions_.count(&instruction) == 0) {
            continue;
        }
        bool isOnceForAll = std::all_of(instruction.operands.begin(), instruction.operands.end(),
                                        [this](ValueId operand) { return onceValues_[operand]; });
        if (instruction.op == Op::kFor && !isOnceForAll) {
            found = divergentLoops_.insert(&instruction).second || found;
        }
        for (const auto& nested : instruction.blocks) {
            found = findDivergent(*nested) || found;
        }
    }
    return found;
}

// isOwn: of variables that only count passes, and are read in these passes only.
void BarrierPlan::findWhole(const Block& block, std::vector<const Instruction*>& loops, std::vector<bool>& isOwn, Loops& broken) {
    auto counts = [&](uint32_t variable) {
        return std::any_of(loops.begin(), loops.end(), [&](const Instruction* loop) { return loop->op == Op::kFor && loop->index == variable; });
    };
    for (const Instruction& instruction : block.code) {
        if (instruction.op == Op::kSet || (instruction.op == Op::kGet && !counts(instruction.index)) ||
            (instruction.op == Op::kFor && counts(instruction.index))) {
            isOwn[instruction.index] = false;
        }
        if (opInfo(instruction.op).effect == Effect::kJump && instruction.op != Op::kYield) {
            broken.insert(loops.begin(), loops.end());
        }
        if (instruction.op == Op::kFor) {
            whole_.insert(&instruction);
        }
        if (isLoop(instruction.op)) {
            loops.push_back(&instruction);
        }
        for (const auto& nested : instruction.blocks) {
            findWhole(*nested, loops, isOwn, broken);
        }
        if (isLoop(instruction.op)) {
            loops.pop_back();
        }
    }
}

void BarrierPlan::findRegions(const Block& block, std::vector<const Instruction*>& loops) {
    for (const Instruction& instruction : block.code) {
        bool jumpsOut = false;
        for (const auto& nested : instruction.blocks) {
            jumpsOut = jumpsOut || (!loops.empty() && holdsJump(*nested, isLoop(instruction.op)));
        }
        bool isJump = instruction.op == Op::kBreak || instruction.op == Op::kContinue;
        if (isJump && instruction.op == Op::kContinue) {
            continued_.insert(loops.back());
        }
        if (!isJump && !jumpsOut && !isCut(instruction)) {
            continue;
        }
        regions_.insert(&instruction);
        if (isLoop(instruction.op)) {
            loops.push_back(&instruction);
        }
        for (const auto& nested : instruction.blocks) {
            findRegions(*nested, loops);
        }
        if (isLoop(instruction.op)) {
            loops.pop_back();
        }
    }
}

// `uniform`: all threads that come here come together. loops: those around, and whether control was uniform there.
void BarrierPlan::findUniform(const Block& block, bool uniform, std::vector<std::pair<const Instruction*, bool>>& loops) {
    for (const Instruction& instruction : block.code) {
        if (instruction.op == Op::kBreak || instruction.op == Op::kContinue) {
            if (!uniform && divergentLoops_.insert(loops.back().first).second) {
                changed_ = true;
            }
            continue;
        }
        if (instruction.blocks.empty()) {
            decideUniform(instruction, uniform);
            continue;
        }
        bool sameForAll = std::all_of(instruction.operands.begin(), instruction.operands.end(),
                                      [this](ValueId operand) { return uniformValues_[operand]; });
        bool inner = uniform && sameForAll;
        // Those that come to such a loop go through it together, also where not all come.
        bool isTogether = inner || (sameForAll && isGroup_ && whole_.count(&instruction) > 0);
        if (instruction.op == Op::kWhile) {
            const Instruction& end = instruction.blocks[0]->code.back();
            if (!uniformValues_[end.operands[0]]) {
                divergentLoops_.insert(&instruction);
            }
        }
        if (instruction.op == Op::kFor && !isTogether) {
            divergentLoops_.insert(&instruction);
        }
        bool isDivergent = divergentLoops_.count(&instruction) > 0;
        inner = inner && !isDivergent;
        if (instruction.op == Op::kFor && (!isTogether || isDivergent) && uniformVariables_[instruction.index]) {
            uniformVariables_[instruction.index] = false;
            changed_ = true;
        }
        if (isLoop(instruction.op)) {
            loops.push_back({&instruction, uniform});
        }
        for (const auto& nested : instruction.blocks) {
            findUniform(*nested, inner, loops);
        }
        if (isLoop(instruction.op)) {
            loops.pop_back();
        }
    }
}

void BarrierPlan::decideUniform(const Instruction& instruction, bool uniform) {
    if (instruction.op == Op::kSet) {
        bool same = uniform && uniformValues_[instruction.operands[0]];
        if (uniformVariables_[instruction.index] && !same) {
            uniformVariables_[instruction.index] = false;
            changed_ = true;
        }
        return;
    }
    if (instruction.result == kNoValue || !uniformValues_[instruction.result]) {
        return;
    }
    bool same = opInfo(instruction.op).effect == Effect::kPure &&
                (instruction.op != Op::kThreadIndex || (isGroup_ && instruction.index != 0)) &&
                instruction.op != Op::kLane && instruction.op != Op::kLocalArray && instruction.op != Op::kCallResult;
    same = same || (instruction.op == Op::kGet && uniformVariables_[instruction.index]) ||
           instruction.op == Op::kBarrierReduce;
    for (ValueId operand : instruction.operands) {
        same = same && (uniformValues_[operand] || instruction.op == Op::kBarrierReduce);
    }
    if (!same) {
        uniformValues_[instruction.result] = false;
        changed_ = true;
    }
}

bool BarrierPlan::mayBeOnce(const Instruction& instruction) const {
    for (ValueId operand : instruction.operands) {
        if (!onceValues_[operand]) {
            return false;
        }
    }
    switch (instruction.op) {
    case Op::kGet:
    case Op::kSet: return onceVariables_[instruction.index];
    default: break;
    }
    return opInfo(instruction.op).effect == Effect::kPure && uniformValues_[instruction.result];
}

// A variable is kept once for the block if all its assignments are made once.
void BarrierPlan::findOnce(const Block& block) {
    for (const Instruction& instruction : block.code) {
        if (regions_.count(&instruction) > 0) {
            if (instruction.op == Op::kBarrierReduce) {
                onceValues_[instruction.result] = true;
            }
            if (instruction.op == Op::kFor && onceVariables_[instruction.index] && divergentLoops_.count(&instruction) > 0) {
                onceVariables_[instruction.index] = false;
                changed_ = true;
            }
            for (const auto& nested : instruction.blocks) {
                findOnce(*nested);
            }
            continue;
        }
        if (instruction.blocks.empty() && mayBeOnce(instruction)) {
            once_.insert(&instruction);
            if (instruction.result != kNoValue) {
                onceValues_[instruction.result] = true;
            }
            continue;
        }
        auto givesUp = [&](const Instruction& nested) {
            bool assigns = nested.op == Op::kSet || nested.op == Op::kFor;
            if (assigns && onceVariables_[nested.index]) {
                onceVariables_[nested.index] = false;
                changed_ = true;
            }
        };
        givesUp(instruction);
        for (const auto& nested : instruction.blocks) {
            forEach(*nested, givesUp);
        }
    }
}

void BarrierPlan::findCheap(const Instruction& instruction) {
    if (instruction.result == kNoValue || opInfo(instruction.op).effect != Effect::kPure) {
        return;
    }
    switch (instruction.op) {
    case Op::kMath:
    case Op::kPower:
    case Op::kFloorDivide:
    case Op::kModulo:
    case Op::kDivide:
    case Op::kCallResult: return;
    default: break;
    }
    bool cheap = true;
    for (ValueId operand : instruction.operands) {
        cheap = cheap && (cheap_[operand] || onceValues_[operand]);
    }
    cheap_[instruction.result] = cheap;
}

void BarrierPlan::noteVariable(uint32_t variable, int segment, bool inLoop) {
    if (segmentOfVariable_[variable] == -1) {
        segmentOfVariable_[variable] = segment;
        crossingVariables_[variable] = inLoop;
    } else if (segmentOfVariable_[variable] != segment) {
        crossingVariables_[variable] = true;
    }
}

void BarrierPlan::visitUses(const Instruction& instruction, int segment, bool inLoop) {
    std::vector<ValueId> pending = instruction.operands;
    while (!pending.empty()) {  // a cheap operand is computed here, from its own operands
        ValueId operand = pending.back();
        pending.pop_back();
        if (onceValues_[operand] || segmentOfValue_[operand] == segment || segmentOfValue_[operand] == -1) {
            continue;
        }
        if (cheap_[operand]) {
            const auto& further = definitions_[operand]->operands;
            pending.insert(pending.end(), further.begin(), further.end());
            continue;
        }
        crossing_[operand] = true;
    }
    if (instruction.op == Op::kGet || instruction.op == Op::kSet || instruction.op == Op::kFor) {
        noteVariable(instruction.index, segment, inLoop);
    }
    if (instruction.op == Op::kGet && assignedIn_[instruction.index] != segment) {
        isExposed_[instruction.index] = true;
    }
    if (instruction.op == Op::kSet) {
        assignedIn_[instruction.index] = segment;
    }
    if (instruction.result != kNoValue) {
        segmentOfValue_[instruction.result] = segment;
    }
    if (!instruction.blocks.empty()) {
        visitBlocks(instruction, segment, inLoop);
    }
}

// Behind control flow a variable has a value if it had one before, or gets one in both branches of an if.
void BarrierPlan::visitBlocks(const Instruction& instruction, int segment, bool inLoop) {
    std::vector<int> before = assignedIn_;
    std::vector<int> ends[2];
    for (size_t i = 0; i < instruction.blocks.size(); i++) {
        if (instruction.op == Op::kIf) {
            assignedIn_ = before;
        }
        if (instruction.op == Op::kFor) {
            assignedIn_[instruction.index] = segment;
        }
        for (const Instruction& nested : instruction.blocks[i]->code) {
            visitUses(nested, segment, inLoop);
        }
        ends[i] = assignedIn_;
    }
    assignedIn_ = before;
    for (size_t i = 0; instruction.op == Op::kIf && i < before.size(); i++) {
        if (ends[0][i] == segment && ends[1][i] == segment) {
            assignedIn_[i] = segment;
        }
    }
}

// Numbers the segments as the lowering will make them. An assignment made once ends the segment before it.
void BarrierPlan::findSegments(const Block& block, bool inLoop) {
    segment_++;
    for (const Instruction& instruction : block.code) {
        if (regions_.count(&instruction) == 0) {
            if (once_.count(&instruction) == 0) {
                visitUses(instruction, segment_, inLoop);
            } else if (instruction.op == Op::kSet) {
                segment_++;
            }
            continue;
        }
        int own = ++segment_;
        for (ValueId operand : instruction.operands) {
            crossing_[operand] = crossing_[operand] || !onceValues_[operand];
        }
        if (instruction.op == Op::kFor) {
            noteVariable(instruction.index, own, true);
        }
        if (instruction.result != kNoValue) {
            segmentOfValue_[instruction.result] = own;
            crossing_[instruction.result] = !onceValues_[instruction.result];
        }
        for (const auto& nested : instruction.blocks) {
            findSegments(*nested, inLoop || isLoop(instruction.op));
        }
        if (instruction.op == Op::kWhile) {
            const Instruction& end = instruction.blocks[0]->code.back();
            crossing_[end.operands[0]] = crossing_[end.operands[0]] || !onceValues_[end.operands[0]];
        }
        segment_++;
    }
}

}  // namespace kiln::gpu
