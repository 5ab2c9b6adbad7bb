// Which threads take part: a byte for each thread, where threads disagree about control flow around barriers.
#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

FunctionLowering::Mask FunctionLowering::newMask() {
    int64_t offset = reserve(1);
    llvm::Value* base = builder_.CreateMul(threads_, int64(offset));
    return {builder_.CreateGEP(builder_.getInt8Ty(), threadMemory_, base)};
}

llvm::Value* FunctionLowering::maskAt(const Mask& mask) {
    return builder_.CreateGEP(builder_.getInt8Ty(), mask.address, thread_);
}

// From the innermost mask, or from "all threads" when there is none, into `to`.
void FunctionLowering::copyMask(const Mask& from, const Mask& to) {
    if (from.address != nullptr) {
        builder_.CreateMemCpy(to.address, llvm::Align(1), from.address, llvm::Align(1), threads_);
    } else {
        builder_.CreateMemSet(to.address, builder_.getInt8(1), threads_, llvm::Align(1));
    }
}

// result = mask and (condition == wanted), for every thread; the condition counts only for those in the mask.
void FunctionLowering::narrowMask(const Mask& mask, ValueId condition, bool wanted, const Mask& result) {
    isVector_ = makesVectors_;
    forEachThread(
        [&] {
            // For others it may come of an overflow that those in the mask cannot have.
            llvm::Value* value = builder_.CreateFreeze(scalar(condition));
            llvm::Value* taken = wanted ? value : builder_.CreateNot(value);
            llvm::Value* byte = builder_.CreateZExt(taken, builder_.getInt8Ty());
            if (mask.address != nullptr) {
                byte = builder_.CreateAnd(byte, inParallel(builder_.CreateLoad(builder_.getInt8Ty(), maskAt(mask))));
            }
            inParallel(builder_.CreateStore(byte, maskAt(result)));
        },
        false);
    isVector_ = false;
}

llvm::Value* FunctionLowering::anyIn(const Mask& mask) {
    return joinMask(mask, 0, [&](llvm::Value* seen, llvm::Value* mine) { return builder_.CreateOr(seen, mine); });
}

llvm::Value* FunctionLowering::allIn(const Mask& mask) {
    return joinMask(mask, 1, [&](llvm::Value* seen, llvm::Value* mine) { return builder_.CreateAnd(seen, mine); });
}

// The bytes of all threads, joined to the first value by a function of two.
llvm::Value* FunctionLowering::joinMask(const Mask& mask, uint8_t first, const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& join) {
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* joined = entry.CreateAlloca(builder_.getInt8Ty());
    builder_.CreateStore(builder_.getInt8(first), joined);
    isVector_ = makesVectors_;
    forEachThread(
        [&] {
            llvm::Value* seen = builder_.CreateLoad(builder_.getInt8Ty(), joined);
            llvm::Value* mine = inParallel(builder_.CreateLoad(builder_.getInt8Ty(), maskAt(mask)));
            builder_.CreateStore(join(seen, mine), joined);
        },
        false);
    isVector_ = false;
    return builder_.CreateICmpNE(builder_.CreateLoad(builder_.getInt8Ty(), joined), builder_.getInt8(0));
}

// A loop that the threads of a group go through together, and that none leaves before its end: where all of them take part, without
// masks, of which vectors of threads would have to ask for each element.
void FunctionLowering::lowerByFullGroups(const Instruction& loop) {
    llvm::BasicBlock* full = newBlock("full");
    llvm::BasicBlock* partial = newBlock("partial");
    llvm::BasicBlock* end = newBlock("end");
    builder_.CreateCondBr(allIn(masks_.back()), full, partial);
    builder_.SetInsertPoint(full);
    auto kept = std::exchange(masks_, {});
    lowerRegionFor(loop);
    builder_.CreateBr(end);
    masks_ = std::move(kept);
    builder_.SetInsertPoint(partial);
    isPartial_ = true;
    lowerRegionFor(loop);
    isPartial_ = false;
    branchTo(end);
}

// The current thread leaves all masks from this one inwards.
void FunctionLowering::clearMasks(size_t from) {
    for (size_t i = from; i < masks_.size(); i++) {
        inParallel(builder_.CreateStore(builder_.getInt8(0), maskAt(masks_[i])));
    }
}

// A loop that threads leave in different passes: `condition` narrows the mask of those still in it.
void FunctionLowering::loopWithMasks(const Instruction& loop, const std::function<void(const Mask&)>& condition,
                                     const std::function<void()>& step, const Block& body) {
    llvm::BasicBlock* head = newBlock("loop");
    llvm::BasicBlock* pass = newBlock("pass");
    llvm::BasicBlock* exit = newBlock("exit");
    Mask inLoop = newMask();
    Mask inPass = plan_.hasContinue(loop) ? newMask() : Mask{nullptr};
    copyMask(masks_.empty() ? Mask{nullptr} : masks_.back(), inLoop);
    masks_.push_back(inLoop);
    branchTo(head);
    poll();
    condition(inLoop);
    builder_.CreateCondBr(anyIn(inLoop), pass, exit);
    builder_.SetInsertPoint(pass);
    RegionLoop frame = {exit, head, masks_.size() - 1, masks_.size(), true};
    if (inPass.address != nullptr) {
        copyMask(inLoop, inPass);
        masks_.push_back(inPass);
    }
    regionLoops_.push_back(frame);
    lowerRegion(body);
    regionLoops_.pop_back();
    if (inPass.address != nullptr) {
        masks_.pop_back();
    }
    step();
    keepRolled(builder_.CreateBr(head));
    masks_.pop_back();
    builder_.SetInsertPoint(exit);
}

}  // namespace kiln::gpu
