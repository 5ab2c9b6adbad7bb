// Loops, and the places in them where a launch can be ended: a kernel that does not end by itself must not keep the program.
#include <llvm/IR/MDBuilder.h>

#include <algorithm>

#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kFewPasses = 1 << 14;  // are over so soon that nobody needs to end them

}  // namespace

// Asks whether the launch ends here; two loads where nothing is asked for. What it may call sees none of the program's memory, so that
// loops keep elements in registers.
void FunctionLowering::poll() {
    llvm::Value* asked = nullptr;
    for (const char* word : {"kiln.stopWord", "kiln.signalWord"}) {
        llvm::Value* address = target_->getParent()->getOrInsertGlobal(word, builder_.getInt32Ty());
        llvm::Value* value = builder_.CreateLoad(builder_.getInt32Ty(), address, true);
        asked = asked == nullptr ? value : builder_.CreateOr(asked, value);
    }
    llvm::BasicBlock* slow = newBlock("asked");
    llvm::BasicBlock* end = newBlock("polled");
    builder_.CreateCondBr(builder_.CreateICmpNE(asked, builder_.getInt32(0)), slow, end,
                          llvm::MDBuilder(context_).createUnlikelyBranchWeights());
    builder_.SetInsertPoint(slow);
    auto* call = llvm::cast<llvm::CallInst>(callRuntime("kiln.poll", builder_.getVoidTy(), {}));
    call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    call->setDoesNotThrow();
    branchTo(end);
}

// A device function that may call itself may do so for as long as it likes, until the stack is full.
void FunctionLowering::pollAtEntry() {
    if (module_.bounds().isRecursive(function_)) {
        poll();
        callRuntime("kiln.checkStack", builder_.getVoidTy(), {});
    }
}

void FunctionLowering::lowerWhile(const Instruction& instruction, Level level) {
    llvm::BasicBlock* head = newBlock("while");
    llvm::BasicBlock* body = newBlock("body");
    llvm::BasicBlock* exit = newBlock("exit");
    branchTo(head);
    poll();
    lowerAt(level, *instruction.blocks[0]);
    builder_.CreateCondBr(scalar(instruction.blocks[0]->code.back().operands[0]), body, exit);
    builder_.SetInsertPoint(body);
    lowerLoopBody(level, *instruction.blocks[1], exit, head);
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
        llvm::BranchInst* back = builder_.CreateBr(head);
        if (level == Level::kRegion) {
            keepRolled(back);
        }
    }
    builder_.SetInsertPoint(exit);
}

// How many passes a range has, as an i64; the distance of int64s may need all 64 bits.
llvm::Value* FunctionLowering::tripCount(llvm::Value* start, llvm::Value* stop, llvm::Value* step, bool isSigned) {
    llvm::Type* word = builder_.getInt64Ty();
    auto widen = [&](llvm::Value* value) {
        return isSigned ? builder_.CreateSExt(value, word) : builder_.CreateZExt(value, word);
    };
    llvm::Value* zero = int64(0);
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
    start = widen(start);
    stop = widen(stop);
    step = widen(step);
    auto less = [&](llvm::Value* a, llvm::Value* b) {
        return isSigned ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
    };
    auto count = [&](llvm::Value* low, llvm::Value* high, llvm::Value* size) {
        llvm::Value* distance = builder_.CreateSub(builder_.CreateSub(high, low), int64(1));
        llvm::Value* passes = builder_.CreateAdd(builder_.CreateUDiv(distance, size), int64(1));
        return builder_.CreateSelect(less(low, high), passes, zero);
    };
    if (known != nullptr && known->isOne()) {
        return builder_.CreateSelect(less(start, stop), builder_.CreateSub(stop, start), zero);
    }
    llvm::Value* isUp = isSigned ? builder_.CreateICmpSGT(step, zero) : builder_.CreateICmpNE(step, zero);
    llvm::Value* size = builder_.CreateSelect(isUp, step, builder_.CreateNeg(step));
    llvm::Value* divisor = builder_.CreateSelect(builder_.CreateICmpEQ(size, zero), int64(1), size);
    llvm::Value* passes = builder_.CreateSelect(isUp, count(start, stop, divisor), count(stop, start, divisor));
    return builder_.CreateSelect(builder_.CreateICmpEQ(size, zero), zero, passes);
}

// The number of passes after which a thread's loop polls; 0: never.
int64_t FunctionLowering::passesBetweenPolls(const Instruction& loop) {
    LoopBounds& bounds = module_.bounds();
    if (bounds.passesOf(function_, loop) <= kFewPasses) {
        return 0;
    }
    return std::max<int64_t>(1, kFewPasses / std::max<int64_t>(1, bounds.passesIn(function_, *loop.blocks[0])));
}

// A loop of `passes` passes; `body` gets the number of the pass, and where break and continue lead. Polls are in a loop around strips of
// passes, so that the loop of passes is as plain as without them.
void FunctionLowering::countedLoop(llvm::Value* passes, int64_t between, const LoopBody& body) {
    llvm::BasicBlock* exit = newBlock("exit");
    if (between <= 1) {
        passesFrom(int64(0), passes, exit, exit, [&](llvm::Value* pass, llvm::BasicBlock* end, llvm::BasicBlock* next) {
            if (between == 1) {
                poll();
            }
            body(pass, end, next);
        });
        builder_.SetInsertPoint(exit);
        return;
    }
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* strip = newBlock("strip");
    llvm::BasicBlock* stripEnd = newBlock("strip_end");
    llvm::BasicBlock* again = newBlock("again");
    branchTo(strip);
    llvm::PHINode* first = builder_.CreatePHI(builder_.getInt64Ty(), 2, "first");
    first->addIncoming(int64(0), before);
    llvm::Value* left = builder_.CreateSub(passes, first);
    llvm::Value* isLast = builder_.CreateICmpULE(left, int64(between));
    llvm::Value* end = builder_.CreateSelect(isLast, passes, builder_.CreateAdd(first, int64(between), "", true));
    passesFrom(first, end, stripEnd, exit, body);
    builder_.SetInsertPoint(stripEnd);
    builder_.CreateCondBr(isLast, exit, again);
    builder_.SetInsertPoint(again);
    poll();
    first->addIncoming(end, builder_.GetInsertBlock());
    builder_.CreateBr(strip);
    builder_.SetInsertPoint(exit);
}

// The passes from one number to before another; then to `done`.
void FunctionLowering::passesFrom(llvm::Value* first, llvm::Value* end, llvm::BasicBlock* done, llvm::BasicBlock* exit,
                                  const LoopBody& body) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* head = newBlock("for");
    llvm::BasicBlock* inside = newBlock("body");
    llvm::BasicBlock* next = newBlock("next");
    branchTo(head);
    llvm::PHINode* pass = builder_.CreatePHI(builder_.getInt64Ty(), 2, "pass");
    pass->addIncoming(first, before);
    builder_.CreateCondBr(builder_.CreateICmpULT(pass, end), inside, done);
    builder_.SetInsertPoint(inside);
    body(pass, exit, next);
    branchTo(next);
    pass->addIncoming(builder_.CreateAdd(pass, int64(1)), next);
    llvm::BranchInst* back = builder_.CreateBr(head);
    if (plan_.hasBarriers() && segment_ == 0) {
        keepRolled(back);
    }
}

// What the loop's variable is in this pass.
llvm::Value* FunctionLowering::counterIn(const Instruction& loop, llvm::Value* pass) {
    llvm::Value* start = scalar(loop.operands[0]);
    llvm::Value* offset = builder_.CreateMul(builder_.CreateTrunc(pass, start->getType()), scalar(loop.operands[2]));
    return builder_.CreateAdd(start, offset);
}

// The same, of values that are computed here, so that LLVM sees how the counters of neighbouring threads differ.
llvm::Value* FunctionLowering::counterAgain(const Instruction& loop, llvm::Value* pass) {
    auto again = [&](ValueId value) { return plan_.isCheap(value) && !plan_.isOnce(value) ? compute(*plan_.definition(value))[0] : scalar(value); };
    llvm::Value* start = again(loop.operands[0]);
    llvm::Value* offset = builder_.CreateMul(builder_.CreateTrunc(pass, start->getType()), again(loop.operands[2]));
    return builder_.CreateAdd(start, offset);
}

llvm::Value* FunctionLowering::passesOf(const Instruction& loop) {
    bool isSigned = function_.variables[loop.index].type->isSigned();
    llvm::Value* start = scalar(loop.operands[0]);
    llvm::Value* stop = scalar(loop.operands[1]);
    return tripCount(start, stop, scalar(loop.operands[2]), isSigned);
}

void FunctionLowering::lowerFor(const Instruction& instruction) {
    auto body = [&](llvm::Value* pass, llvm::BasicBlock* exit, llvm::BasicBlock* next) {
        storeVariable(instruction.index, {counterIn(instruction, pass)});
        lowerLoopBody(Level::kThread, *instruction.blocks[0], exit, next);
    };
    countedLoop(passesOf(instruction), passesBetweenPolls(instruction), body);
}

}  // namespace kiln::gpu
