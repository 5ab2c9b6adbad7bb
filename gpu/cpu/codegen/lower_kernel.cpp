// A kernel: a loop over blocks, in it the control flow that holds barriers, in it loops over the threads of a block.
#include <algorithm>
#include <cstddef>

#include "gpu/cpu/codegen/kernel_lowering.h"
#include "gpu/cpu/strided_loops.h"
#include "gpu/cpu/thread_ranges.h"
#include "gpu/cpu/uniform_loops.h"
#include "gpu/ir/argument_layout.h"

namespace kiln::gpu {

// Reads what all blocks share: the arguments, the shape of the launch, the places in the scratch memory.
void FunctionLowering::prepareKernel() {
    llvm::Value* arguments = target_->getArg(0);
    llvm::Value* shape = target_->getArg(1);
    llvm::Type* word = builder_.getInt32Ty();
    threads_ = int64(1);
    for (unsigned axis = 0; axis < 3; axis++) {
        geometry_[9 + axis] = builder_.CreateLoad(word, builder_.CreateConstGEP1_32(word, shape, axis));
        const int32_t* block = module_.block();
        geometry_[6 + axis] = block != nullptr ? static_cast<llvm::Value*>(builder_.getInt32(static_cast<uint32_t>(block[axis])))
                                               : builder_.CreateLoad(word, builder_.CreateConstGEP1_32(word, shape, 3 + axis));
        threads_ = builder_.CreateMul(threads_, builder_.CreateZExt(geometry_[6 + axis], builder_.getInt64Ty()));
    }
    llvm::Value* dynamic = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), shape, offsetof(LaunchShape, dynamicBytes));
    dynamicBytes_ = builder_.CreateLoad(builder_.getInt64Ty(), dynamic);
    shared_ = target_->getArg(4);
    std::vector<int64_t> offsets = argumentOffsets(function_.parameters);
    for (const Instruction& instruction : function_.body.code) {
        if (instruction.op != Op::kParameter) {
            continue;
        }
        Parts parts;
        int64_t offset = offsets[instruction.index];
        for (llvm::Type* type : partTypes(instruction.type, true)) {
            llvm::Value* address = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), arguments, static_cast<uint64_t>(offset));
            parts.push_back(fromMemory(builder_.CreateLoad(type, address), instruction.type));
            offset += 8;
        }
        define(instruction, parts);
    }
}

int64_t FunctionLowering::runKernel() {
    for (const auto& callee : module_.source().functions) {
        for (uint32_t i = 0; i < callee->arrays.size(); i++) {
            if (callee->isCalled && callee->arrays[i].type->space == Space::kShared) {
                module_.sharedOffset(*callee, i);
            }
        }
    }
    prepareKernel();
    llvm::Value* end = builder_.CreateAdd(dynamicBytes_, int64(module_.sharedBytes() + 63));
    threadMemory_ = builder_.CreateGEP(builder_.getInt8Ty(), shared_, builder_.CreateAnd(end, int64(-64)));
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* head = newBlock("block");
    llvm::BasicBlock* body = newBlock("body");
    llvm::BasicBlock* done = newBlock("done");
    branchTo(head);
    llvm::PHINode* block = builder_.CreatePHI(builder_.getInt64Ty(), 2, "block");
    block->addIncoming(target_->getArg(2), before);
    builder_.CreateCondBr(builder_.CreateICmpSLT(block, target_->getArg(3)), body, done);
    builder_.SetInsertPoint(body);
    poll();
    llvm::Value* rest = block;
    for (int axis = 0; axis < 3; axis++) {
        llvm::Value* size = builder_.CreateZExt(geometry_[9 + axis], builder_.getInt64Ty());
        geometry_[3 + axis] = builder_.CreateTrunc(axis < 2 ? builder_.CreateURem(rest, size) : rest, builder_.getInt32Ty());
        rest = builder_.CreateUDiv(rest, size);
    }
    noteBlock(block);
    auto threads = [&] {
        if (plan_.hasBarriers() && plan_.hasReturns()) {
            masks_.push_back(newMask());
            copyMask({nullptr}, masks_.back());
        }
        lowerRegion(function_.body);
    };
    isSplit_ ? forEachGroup(threads) : threads();
    noteBlockEnd();
    block->addIncoming(builder_.CreateAdd(block, int64(1)), builder_.GetInsertBlock());
    builder_.CreateBr(head);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    return threadBytes_;
}

namespace {

constexpr int64_t kFewestLanes = 8;

// What threads print must come one thread after another, local arrays are on the stack, one for all, and a loop that waits for what
// another thread does behind the cut would wait for ever.
bool maySplit(const ModuleLowering& module, const Function& function) {
    bool may = function.isKernel && module.block() != nullptr && module.block()[0] % kFewestLanes == 0 && !waits(function) &&
               function.arrays.empty() && !module.hasLocalArrays() && module.source().accesses.empty() &&
               module.source().faults.empty();
    for (const auto& callee : module.source().functions) {
        may = may && callee->prints.empty();
        forEach(callee->body, [&](const Instruction& instruction) { may = may && instruction.op != Op::kWhile; });
    }
    return may;
}

// Whether loops of a block may be cut, with a part of each thread's in an array by thread. The order of what threads print, and loops in
// which one waits for another, count here too, where the threads did not wait for each other before.
bool mayCut(const ModuleLowering& module, const Function& function) {
    constexpr int64_t kFewestThreads = 8;
    const int32_t* block = module.block();
    bool may = function.isKernel && block != nullptr && int64_t(block[0]) * block[1] * block[2] >= kFewestThreads &&
               !module.hasLocalArrays() && module.source().accesses.empty() && module.source().faults.empty();
    for (const StaticArray& array : function.arrays) {
        may = may && array.type->space == Space::kShared;
    }
    for (const auto& callee : module.source().functions) {
        may = may && callee->prints.empty();
        forEach(callee->body, [&](const Instruction& instruction) {
            bool hasBarrier = false;
            for (const auto& nested : instruction.blocks) {
                forEach(*nested, [&](const Instruction& inner) { hasBarrier = hasBarrier || opInfo(inner.op).effect == Effect::kSync; });
            }
            may = may && (instruction.op != Op::kWhile || hasBarrier);
        });
    }
    return may;
}

bool isOne(const llvm::Value* size) {
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(size);
    return known != nullptr && known->isOne();
}

}  // namespace

// Loops that threads go through by strides are passes of the whole block, so that it goes through memory in order. Where there are loops
// that threads go through together, which groups of threads make vectors of, these groups go through the others too.
BarrierPlan FunctionLowering::planOf(const ModuleLowering& module, const Function& function) {
    BarrierPlan::Loops loops = stridedLoops(function);
    if (maySplit(module, function)) {
        BarrierPlan::Loops uniform = uniformLoops(function);
        if (!uniform.empty()) {
            loops.merge(uniform);
            return BarrierPlan(function, loops);
        }
    }
    return mayCut(module, function) ? BarrierPlan(function, loops, false) : BarrierPlan(function);
}

// A group is as large as half of the processor's vector registers have room for what lives from pass to pass: sums of many
// threads do not wait for each other. Where something is no vectors' business, it is as large as straight code for each thread can be.
int64_t FunctionLowering::lanesOf(const ModuleLowering& module, const Function& function, const BarrierPlan& plan) {
    constexpr int64_t kMostLanes = 32;
    constexpr int64_t kRegisterBits = 256;
    constexpr int64_t kRegisters = 8;
    int64_t bits = 0;
    for (uint32_t i = 0; i < function.variables.size(); i++) {
        bool isKept = plan.crossesVariable(i) && !plan.isOnceVariable(i) && function.variables[i].type->isScalar();
        bits += isKept ? function.variables[i].type->bits : 0;
    }
    for (ValueId i = 0; i < function.values.size(); i++) {
        bool isKept = plan.crosses(i) && !plan.isOnce(i) && function.values[i] != nullptr && function.values[i]->isScalar();
        bits += isKept ? function.values[i]->bits : 0;
    }
    int64_t lanes = kMostLanes;
    while (lanes > kFewestLanes && (module.block()[0] % lanes != 0 || bits * lanes > kRegisterBits * kRegisters)) {
        lanes /= 2;
    }
    bool isPlain = stridedLoops(function).empty();
    forEach(function.body, [&](const Instruction& instruction) {
        isPlain = isPlain && isVectorOp(instruction) && (instruction.op != Op::kFor || plan.isRegion(instruction));
    });
    return isPlain ? lanes : kFewestLanes;
}

// Threads of a block by groups of lanes, whose memory is on the stack, so that it can be in registers. How much that is, is known
// behind the body.
void FunctionLowering::forEachGroup(const std::function<void()>& body) {
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::AllocaInst* memory = entry.CreateAlloca(builder_.getInt8Ty(), int64(1));
    memory->setAlignment(llvm::Align(64));
    threadMemory_ = memory;
    threads_ = int64(lanes_);
    int64_t before = threadBytes_;
    std::function<void(int)> descend = [&](int axis) {
        if (axis < 0) {
            llvm::CallInst* cleared = builder_.CreateMemSet(memory, builder_.getInt8(0), int64(1), llvm::Align(64));
            body();
            llvm::Value* bytes = int64(threadBytes_ * lanes_);
            memory->setOperand(0, bytes);
            cleared->setArgOperand(2, bytes);
            return;
        }
        llvm::Value* size = geometry_[6 + axis];
        llvm::BasicBlock* from = builder_.GetInsertBlock();
        llvm::BasicBlock* head = newBlock("group");
        llvm::BasicBlock* exit = newBlock("groups_end");
        branchTo(head);
        llvm::PHINode* counter = builder_.CreatePHI(builder_.getInt32Ty(), 2);
        counter->addIncoming(builder_.getInt32(0), from);
        (axis == 0 ? group_ : geometry_[axis]) = counter;
        descend(axis - 1);
        llvm::Value* next = builder_.CreateAdd(
            counter, builder_.getInt32(axis == 0 ? static_cast<uint32_t>(lanes_) : 1), "", true, true);
        counter->addIncoming(next, builder_.GetInsertBlock());
        llvm::BranchInst* back = builder_.CreateCondBr(builder_.CreateICmpULT(next, size), head, exit);
        if (makesVectors_) {
            keepRolled(back);
        }
        builder_.SetInsertPoint(exit);
    };
    descend(2);
    threadBytes_ = before;
}

void FunctionLowering::lowerRegion(const Block& block) {
    std::vector<const Instruction*> segment;
    for (const Instruction& instruction : block.code) {
        if (instruction.op == Op::kParameter || instruction.op == Op::kYield) {
            continue;
        }
        if (plan_.isRegion(instruction)) {
            flushSegment(segment);
            lowerRegionOp(instruction);
        } else if (!plan_.isOnce(instruction)) {
            segment.push_back(&instruction);
        } else {
            if (instruction.op == Op::kSet) {
                flushSegment(segment);
            }
            lower(instruction);
        }
    }
    flushSegment(segment);
}

void FunctionLowering::flushSegment(std::vector<const Instruction*>& segment) {
    if (segment.empty()) {
        return;
    }
    std::optional<ThreadRange> range = isSplit_ ? std::nullopt : findThreadRange(segment, plan_);
    bool isPlain = std::all_of(segment.begin(), segment.end(), [](const Instruction* instruction) { return isVectorCode(*instruction); });
    isVector_ = makesVectors_ && isPlain;
    isRow_ = !isSplit_ && isPlain;
    auto body = [&] {
        enterSegment(segment);
        for (const Instruction* instruction : segment) {
            range && range->test == instruction ? lowerTest(*range) : lower(*instruction);
        }
        leaveSegment(segment);
    };
    range ? forThreadsOf(*range, body) : forEachThread(body, true);
    isVector_ = isRow_ = false;
    segment.clear();
}

// The `if` itself, for threads of the range.
void FunctionLowering::lowerTest(const ThreadRange& range) {
    if (range.rest != kNoValue) {
        lowerIfOf(range.rest, *range.test, Level::kThread);
    } else if (!range.isExit) {
        lowerBlock(*range.test->blocks[0]);
    }
}

// A loop over these alone: it is shorter, and needs no masks.
void FunctionLowering::forThreadsOf(const ThreadRange& range, const std::function<void()>& body) {
    llvm::Value* size = geometry_[6];
    llvm::Value* first = builder_.getInt32(static_cast<uint32_t>(range.first));
    llvm::Value* end = builder_.getInt32(static_cast<uint32_t>(range.end));
    if (range.endValue != kNoValue) {
        auto wide = [&](ValueId value) { return builder_.CreateSExt(scalar(value), builder_.getInt64Ty()); };
        llvm::Value* given = wide(range.endValue);
        if (range.offset != kNoValue) {
            given = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, given, wide(range.offset));
        }
        given = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, given, int64(0));
        given = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, given, builder_.CreateZExt(size, builder_.getInt64Ty()));
        end = builder_.CreateTrunc(given, builder_.getInt32Ty());
    } else {
        end = builder_.CreateSelect(builder_.CreateICmpULT(end, size), end, size);
    }
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(end);
    isRow_ = isRow_ && (known == nullptr || known->getZExtValue() >= static_cast<uint64_t>(range.first + kFewestLanes));
    llvm::BasicBlock* some = newBlock("some");
    llvm::BasicBlock* none = newBlock("none");
    builder_.CreateCondBr(builder_.CreateICmpULT(first, end), some, none);
    builder_.SetInsertPoint(some);
    forThreads(first, end, body, true);
    branchTo(none);
}

// A loop around vectors of threads, each of which is several of the processor's: straight code of several passes is only longer.
void FunctionLowering::keepRolled(llvm::Instruction* back) {
    llvm::MDNode* hint = llvm::MDNode::get(context_, llvm::MDString::get(context_, "llvm.loop.unroll.disable"));
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context_, {nullptr, hint});
    loop->replaceOperandWith(0, loop);
    back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// What is a vector or a row of threads becomes vectors before it would become straight code for each thread.
// A loop with masks is made of one vector after another: several at once is what takes longest to compile, and gains little with them.
void FunctionLowering::markParallel(llvm::Instruction* back, llvm::MDNode* group, bool hasMasks) {
    auto hint = [&](const char* name, llvm::Metadata* value) {
        std::vector<llvm::Metadata*> parts = {llvm::MDString::get(context_, name)};
        if (value != nullptr) {
            parts.push_back(value);
        }
        return llvm::MDNode::get(context_, parts);
    };
    auto number = [&](int64_t value) { return llvm::ConstantAsMetadata::get(builder_.getInt32(static_cast<uint32_t>(value))); };
    std::vector<llvm::Metadata*> hints = {nullptr, hint("llvm.loop.parallel_accesses", group)};
    if (isVector_ || isRow_ || isScalar_ || hasMasks) {
        hints.push_back(hint("llvm.loop.unroll.disable", nullptr));
    }
    if (isScalar_) {
        hints.push_back(hint("llvm.loop.vectorize.enable", llvm::ConstantAsMetadata::get(builder_.getFalse())));
    }
    if (isRow_) {  // the loop over vectors may become straight code, as it has only some of them
        llvm::MDNode* isVectorised = hint("llvm.loop.isvectorized", number(1));
        hints.push_back(hint("llvm.loop.vectorize.followup_vectorized", isVectorised));
    }
    if (isVector_) {
        hints.push_back(hint("llvm.loop.vectorize.width", number(lanes_)));
    }
    if (isVector_ || hasMasks) {
        hints.push_back(hint("llvm.loop.interleave.count", number(1)));
    }
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context_, hints);
    loop->replaceOperandWith(0, loop);
    back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// `masked`: only the threads that take part.
void FunctionLowering::forEachThread(const std::function<void()>& body, bool masked) {
    forThreads(builder_.getInt32(0), isSplit_ ? builder_.getInt32(static_cast<uint32_t>(lanes_)) : geometry_[6], body, masked);
}

// Those from `first` to before `end` along x, which is innermost; there are some. Along axes of size 1 there is no loop.
void FunctionLowering::forThreads(llvm::Value* first, llvm::Value* end, const std::function<void()>& body, bool masked) {
    llvm::PHINode* counters[3] = {};
    llvm::BasicBlock* heads[3];
    llvm::BasicBlock* exits[3];
    int outer = isSplit_ ? 0 : 2;
    for (int axis = outer; axis >= 0; axis--) {
        if (axis == 0 || !isOne(geometry_[6 + axis])) {
            heads[axis] = newBlock("thread");
            exits[axis] = newBlock("threads_end");
            llvm::BasicBlock* before = builder_.GetInsertBlock();
            branchTo(heads[axis]);
            counters[axis] = builder_.CreatePHI(builder_.getInt32Ty(), 2);
            counters[axis]->addIncoming(axis == 0 ? first : builder_.getInt32(0), before);
        }
        geometry_[axis] = counters[axis] != nullptr ? static_cast<llvm::Value*>(counters[axis]) : builder_.getInt32(0);
        if (axis == 1) {
            llvm::Value* row = builder_.CreateNSWAdd(geometry_[1], builder_.CreateNSWMul(geometry_[2], geometry_[7]));
            thread_ = builder_.CreateZExt(builder_.CreateNSWMul(row, geometry_[6]), builder_.getInt64Ty());
        }
    }
    llvm::Value* x = builder_.CreateZExt(counters[0], builder_.getInt64Ty());
    thread_ = isSplit_ ? x : builder_.CreateNSWAdd(thread_, x);
    if (isSplit_) {
        geometry_[0] = builder_.CreateAdd(group_, counters[0], "", true, true);
    }
    llvm::MDNode* group = llvm::MDNode::getDistinct(context_, {});
    lowerThread(group, body, masked);
    for (int axis = 0; axis <= outer; axis++) {
        if (counters[axis] == nullptr) {
            continue;
        }
        llvm::Value* next = builder_.CreateAdd(counters[axis], builder_.getInt32(1), "", true, true);
        counters[axis]->addIncoming(next, builder_.GetInsertBlock());
        llvm::Value* size = axis == 0 ? end : geometry_[6 + axis];
        auto* back = builder_.CreateCondBr(builder_.CreateICmpULT(next, size), heads[axis], exits[axis]);
        if (axis == 0) {
            markParallel(back, group, masked && !masks_.empty());
        } else if (isRow_) {
            keepRolled(back);
        }
        builder_.SetInsertPoint(exits[axis]);
    }
    thread_ = nullptr;
}

// What the current thread does; its accesses are of that group.
void FunctionLowering::lowerThread(llvm::MDNode* group, const std::function<void()>& body, bool masked) {
    llvm::MDNode* outerGroup = std::exchange(accessGroup_, group);
    llvm::BasicBlock* outerEnd = std::exchange(threadEnd_, newBlock("thread_end"));
    uint32_t outerSegment = std::exchange(segment_, ++segments_);
    if (masked && !masks_.empty()) {
        llvm::BasicBlock* active = newBlock("active");
        llvm::Value* mask = inParallel(builder_.CreateLoad(builder_.getInt8Ty(), maskAt(masks_.back())));
        builder_.CreateCondBr(builder_.CreateICmpNE(mask, builder_.getInt8(0)), active, threadEnd_);
        builder_.SetInsertPoint(active);
    }
    body();
    branchTo(threadEnd_);
    threadEnd_ = outerEnd;
    segment_ = outerSegment;
    accessGroup_ = outerGroup;
}

void FunctionLowering::lowerRegionOp(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kBarrier:  // the cut itself
        if (instruction.index == static_cast<uint32_t>(BarrierScope::kGrid)) {
            callRuntime("kiln.gridBarrier", builder_.getVoidTy(), {});
        }
        noteBarrier(instruction);
        return;
    case Op::kBarrierReduce: lowerBarrierReduce(instruction); return;
    case Op::kWarp: lowerWarp(instruction); return;
    case Op::kIf:
        plan_.isOnce(instruction.operands[0]) ? lowerIf(instruction, Level::kRegion) : lowerMaskedIf(instruction);
        return;
    case Op::kWhile: lowerRegionWhile(instruction); return;
    case Op::kFor:
        isSplit_ && !isPartial_ && !masks_.empty() && plan_.isWholeFor(instruction) ? lowerByFullGroups(instruction)
                                                                                     : lowerRegionFor(instruction);
        return;
    default: lowerRegionJump(instruction); return;
    }
}

// Both branches are run, each by the threads that take it.
void FunctionLowering::lowerMaskedIf(const Instruction& instruction) {
    Mask outer = masks_.empty() ? Mask{nullptr} : masks_.back();
    Mask masks[2] = {newMask(), newMask()};
    for (int i = 0; i < 2; i++) {
        narrowMask(outer, instruction.operands[0], i == 0, masks[i]);
    }
    for (int i = 0; i < 2; i++) {
        if (instruction.blocks[i]->code.empty()) {
            continue;
        }
        llvm::BasicBlock* taken = newBlock("taken");
        llvm::BasicBlock* end = newBlock("end");
        builder_.CreateCondBr(anyIn(masks[i]), taken, end);
        builder_.SetInsertPoint(taken);
        masks_.push_back(masks[i]);
        lowerRegion(*instruction.blocks[i]);
        masks_.pop_back();
        branchTo(end);
    }
}

void FunctionLowering::lowerRegionWhile(const Instruction& instruction) {
    ValueId condition = instruction.blocks[0]->code.back().operands[0];
    if (plan_.isDivergent(instruction) || !plan_.isOnce(condition)) {
        loopWithMasks(
            instruction,
            [&](const Mask& mask) {
                lowerRegion(*instruction.blocks[0]);
                narrowMask(mask, condition, true, mask);
            },
            [] {}, *instruction.blocks[1]);
        return;
    }
    lowerWhile(instruction, Level::kRegion);
}

void FunctionLowering::lowerRegionJump(const Instruction& instruction) {
    const RegionLoop& loop = regionLoops_.back();
    bool isBreak = instruction.op == Op::kBreak;
    if (!loop.divergent) {
        builder_.CreateBr(isBreak ? loop.exit : loop.next);
        builder_.SetInsertPoint(newBlock("dead"));
        return;
    }
    forEachThread([&] { clearMasks(isBreak ? loop.masksInLoop : loop.masksInPass); }, true);
}

}  // namespace kiln::gpu
