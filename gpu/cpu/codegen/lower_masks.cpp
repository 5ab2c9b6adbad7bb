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
}

llvm::Value* FunctionLowering::anyIn(const Mask& mask) {
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* any = entry.CreateAlloca(builder_.getInt8Ty());
    builder_.CreateStore(builder_.getInt8(0), any);
    forEachThread(
        [&] {
            llvm::Value* seen = builder_.CreateLoad(builder_.getInt8Ty(), any);
            llvm::Value* mine = inParallel(builder_.CreateLoad(builder_.getInt8Ty(), maskAt(mask)));
            builder_.CreateStore(builder_.CreateOr(seen, mine), any);
        },
        false);
    return builder_.CreateICmpNE(builder_.CreateLoad(builder_.getInt8Ty(), any), builder_.getInt8(0));
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
    builder_.CreateBr(head);
    masks_.pop_back();
    builder_.SetInsertPoint(exit);
}

}  // namespace kiln::gpu
