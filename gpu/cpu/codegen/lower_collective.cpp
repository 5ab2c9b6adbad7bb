// What all threads of a block do together: counted loops around barriers, reductions, warp operations.
#include <utility>

#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

// Where all threads agree, one counter for the block; else one for each thread, and the mask says who still counts.
void FunctionLowering::lowerRegionFor(const Instruction& instruction) {
    if (plan_.isDivergent(instruction)) {
        lowerDivergentFor(instruction);
        return;
    }
    countedLoop(passesOf(instruction), isSplit_ ? passesBetweenPolls(instruction) : 1, [&](llvm::Value* pass, llvm::BasicBlock* exit, llvm::BasicBlock* next) {
        auto assign = [&] { storeBetweenSegments(instruction.index, counterIn(instruction, pass)); };
        if (plan_.isOnceVariable(instruction.index)) {
            assign();
        } else {
            forEachThread(assign, true);
        }
        lowerLoopBody(Level::kRegion, *instruction.blocks[0], exit, next);
    });
}

void FunctionLowering::lowerDivergentFor(const Instruction& instruction) {
    llvm::Type* word = builder_.getInt64Ty();
    int64_t passOffset = reserve(8);
    int64_t totalOffset = reserve(8);
    isScalar_ = true;
    forEachThread(
        [&] {
            builder_.CreateStore(int64(0), slotAddress(passOffset, 8));
            builder_.CreateStore(passesOf(instruction), slotAddress(totalOffset, 8));
        },
        true);
    llvm::Value* common = plan_.isUnbroken(instruction) ? commonPasses(totalOffset) : nullptr;
    isScalar_ = false;
    if (common != nullptr) {
        lowerCommonPasses(instruction, common, passOffset);
    }
    auto condition = [&](const Mask& mask) {
        isScalar_ = true;
        forEachThread(
            [&] {
                llvm::Value* pass = builder_.CreateLoad(word, slotAddress(passOffset, 8));
                llvm::Value* more = builder_.CreateICmpULT(pass, builder_.CreateLoad(word, slotAddress(totalOffset, 8)));
                builder_.CreateStore(builder_.CreateZExt(more, builder_.getInt8Ty()), maskAt(mask));
                builder_.CreateStore(builder_.CreateAdd(pass, int64(1)), slotAddress(passOffset, 8));
                llvm::BasicBlock* counts = newBlock("counts");
                llvm::BasicBlock* counted = newBlock("counted");
                builder_.CreateCondBr(more, counts, counted);  // behind the loop the variable is that of the last pass
                builder_.SetInsertPoint(counts);
                storeBetweenSegments(instruction.index, counterIn(instruction, pass));
                branchTo(counted);
            },
            true);
        isScalar_ = false;
    };
    loopWithMasks(instruction, condition, [] {}, *instruction.blocks[0]);
}

// The least number of passes that a thread of the block has; none where not all threads are here.
llvm::Value* FunctionLowering::commonPasses(int64_t totalOffset) {
    llvm::Type* word = builder_.getInt64Ty();
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* least = entry.CreateAlloca(word);
    builder_.CreateStore(int64(-1), least);
    forEachThread(
        [&] {
            llvm::Value* passes = inParallel(builder_.CreateLoad(word, slotAddress(totalOffset, 8)));
            if (!masks_.empty()) {
                llvm::Value* mask = inParallel(builder_.CreateLoad(builder_.getInt8Ty(), maskAt(masks_.back())));
                passes = builder_.CreateSelect(builder_.CreateICmpNE(mask, builder_.getInt8(0)), passes, int64(0));
            }
            llvm::Value* seen = builder_.CreateLoad(word, least);
            builder_.CreateStore(builder_.CreateSelect(builder_.CreateICmpULT(passes, seen), passes, seen), least);
        },
        false);
    return builder_.CreateLoad(word, least);
}

// The first passes, as many as all threads have: without masks, of which each thread would have to ask in each pass.
void FunctionLowering::lowerCommonPasses(const Instruction& instruction, llvm::Value* common, int64_t passOffset) {
    auto kept = std::exchange(masks_, {});
    const Instruction* outer = std::exchange(common_, &instruction);
    countedLoop(common, 1, [&](llvm::Value* pass, llvm::BasicBlock* exit, llvm::BasicBlock* next) {
        commonPass_ = pass;
        lowerLoopBody(Level::kRegion, *instruction.blocks[0], exit, next);
    });
    common_ = outer;
    masks_ = std::move(kept);
    forEachThread([&] { inParallel(builder_.CreateStore(common, slotAddress(passOffset, 8))); }, true);
}

void FunctionLowering::lowerBarrierReduce(const Instruction& instruction) {
    auto kind = static_cast<BarrierKind>(instruction.index);
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* total = entry.CreateAlloca(builder_.getInt32Ty());
    builder_.CreateStore(builder_.getInt32(kind == BarrierKind::kAnd ? 1 : 0), total);
    forEachThread(
        [&] {
            llvm::Value* mine = builder_.CreateZExt(scalar(instruction.operands[0]), builder_.getInt32Ty());
            llvm::Value* seen = builder_.CreateLoad(builder_.getInt32Ty(), total);
            llvm::Value* next = kind == BarrierKind::kCount ? builder_.CreateAdd(seen, mine)
                                : kind == BarrierKind::kAnd ? builder_.CreateAnd(seen, mine) : builder_.CreateOr(seen, mine);
            builder_.CreateStore(next, total);
        },
        true);
    noteBarrier(instruction);
    define(instruction, {builder_.CreateLoad(builder_.getInt32Ty(), total)});
}

// Every thread's operands go to arrays; the runtime works on these; the result is an array too.
void FunctionLowering::lowerWarp(const Instruction& instruction) {
    auto base = [&](int64_t offset) -> llvm::Value* {
        return builder_.CreateGEP(builder_.getInt8Ty(), threadMemory_, builder_.CreateMul(threads_, int64(offset)));
    };
    llvm::Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    llvm::Value* arrays[3] = {none, none, none};
    int64_t offsets[3] = {0, 0, 0};
    int64_t valueBytes = 0;
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        offsets[i] = reserve(8);
        arrays[i] = base(offsets[i]);
        const Type* type = function_.values[instruction.operands[i]];
        valueBytes = i == 1 ? type->bytes() : valueBytes;
    }
    forEachThread(
        [&] {
            for (size_t i = 0; i < instruction.operands.size(); i++) {
                const Type* type = function_.values[instruction.operands[i]];
                builder_.CreateStore(toMemory(scalar(instruction.operands[i]), type), slotAddress(offsets[i], type->bytes()));
            }
        },
        true);
    llvm::Value* result = none;
    if (instruction.result != kNoValue) {
        if (valueOffsets_[instruction.result] < 0) {
            valueOffsets_[instruction.result] = reserve(8);
        }
        result = base(valueOffsets_[instruction.result]);
    }
    llvm::Value* active = masks_.empty() ? none : masks_.back().address;
    callRuntime(
        "kiln.warp", builder_.getVoidTy(),
        {int64(instruction.index), threads_, active, arrays[0], arrays[1], int64(valueBytes), arrays[2], result});
    noteWarp(instruction, active, arrays[0]);
}

}  // namespace kiln::gpu
