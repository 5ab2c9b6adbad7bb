// What emitted code does under a condition, and where its ways meet again.
#include <llvm/IR/MDBuilder.h>

#include "jit/codegen/lowering.h"

namespace kiln {

llvm::MDNode* Lowering::weightsOf(Odds odds) {
    llvm::MDBuilder metadata(context_);
    switch (odds) {
        case Odds::kUnlikely: return metadata.createBranchWeights(1, 1 << 20);
        case Odds::kLikely: return metadata.createBranchWeights(1 << 10, 1);
        default: return nullptr;
    }
}

llvm::Value* Lowering::choose(Value* condition, const Choice& whenTrue, const Choice& whenFalse, Odds odds) {
    auto* yes = llvm::BasicBlock::Create(context_, "yes", function_);
    auto* no = llvm::BasicBlock::Create(context_, "no", function_);
    auto* next = llvm::BasicBlock::Create(context_, "next", function_);
    builder_.CreateCondBr(condition, yes, no, weightsOf(odds));
    auto end = [&](llvm::BasicBlock* start, const Choice& choice) {
        builder_.SetInsertPoint(start);
        Value* value = choice();
        llvm::BasicBlock* from = builder_.GetInsertBlock();
        builder_.CreateBr(next);
        return std::pair(value, from);
    };
    auto [one, oneEnd] = end(yes, whenTrue);
    auto [other, otherEnd] = end(no, whenFalse);
    builder_.SetInsertPoint(next);
    if (one == nullptr) {
        return nullptr;
    }
    llvm::PHINode* result = builder_.CreatePHI(one->getType(), 2);
    result->addIncoming(one, oneEnd);
    result->addIncoming(other, otherEnd);
    return result;
}

void Lowering::when(Value* condition, const std::function<void()>& body, Odds odds) {
    auto nothing = [] { return static_cast<Value*>(nullptr); };
    choose(condition, [&] { body(); return nothing(); }, nothing, odds);
}

}  // namespace kiln
