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

void Lowering::either(Value* condition, const Body& whenTrue, const Body& whenFalse, Odds odds) {
    auto* yes = llvm::BasicBlock::Create(context_, "yes", function_);
    auto* no = llvm::BasicBlock::Create(context_, "no", function_);
    auto* next = llvm::BasicBlock::Create(context_, "next", function_);
    builder_.CreateCondBr(condition, yes, no, weightsOf(odds));
    builder_.SetInsertPoint(yes);
    whenTrue();
    builder_.CreateBr(next);
    builder_.SetInsertPoint(no);
    whenFalse();
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
}

void Lowering::when(Value* condition, const Body& body, Odds odds) {
    either(condition, body, [] {}, odds);
}

llvm::Value* Lowering::choose(Value* condition, const Choice& whenTrue, const Choice& whenFalse, Odds odds) {
    std::vector<std::pair<Value*, llvm::BasicBlock*>> ends;
    auto take = [&](const Choice& choice) {
        Value* value = choice();
        ends.emplace_back(value, builder_.GetInsertBlock());
    };
    either(condition, [&] { take(whenTrue); }, [&] { take(whenFalse); }, odds);
    llvm::PHINode* result = builder_.CreatePHI(ends[0].first->getType(), 2);
    for (const auto& [value, from] : ends) {
        result->addIncoming(value, from);
    }
    return result;
}

}  // namespace kiln
