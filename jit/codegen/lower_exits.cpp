// Side exits: what a snapshot names goes to the exit buffer, and its number to the runtime, which restores the interpreter's frames.
//
// Most of a large region is exits, and neighbours name mostly the same: what all of several exits store stands once, behind them.
#include <algorithm>

#include "jit/codegen/lowering.h"

namespace kiln {

// What the exit stores, by its place in the buffer.
struct Lowering::ExitWords {
    ir::SnapshotId snapshot = ir::kNoId;
    std::vector<ir::ValueId> words;
};

// Where exits go on: at a block that stores what is theirs in common, or at the tail of all.
struct Lowering::ExitTarget {
    llvm::BasicBlock* block = nullptr;
    llvm::PHINode* number = nullptr;
    std::vector<ir::ValueId> stored;  // from there on, by place; kNoId: not
};

// Its stores are written last, when it is known what other exits store.
llvm::BasicBlock* Lowering::exitBlock(ir::SnapshotId snapshot) {
    llvm::BasicBlock*& block = exitBlocks_[snapshot];
    if (block == nullptr) {
        block = llvm::BasicBlock::Create(context_, "exit" + std::to_string(snapshot), function_);
    }
    return block;
}

void Lowering::lowerExits() {
    std::vector<ExitWords> exits;
    for (size_t snapshot = 0; snapshot < exitBlocks_.size(); snapshot++) {
        if (exitBlocks_[snapshot] != nullptr) {
            exits.push_back({static_cast<ir::SnapshotId>(snapshot), {}});
            ir::forEachSnapshotValue(region_, region_.snapshots[snapshot], [&](ir::ValueId id) { exits.back().words.push_back(id); });
        }
    }
    if (!exits.empty()) {
        lowerExits(exits, exitTail());
    }
}

// Neighbours in the program are neighbours here.
void Lowering::lowerExits(llvm::ArrayRef<ExitWords> exits, const ExitTarget& target) {
    if (places_ != nullptr) {
        places_->begin(builder_, exits[0].snapshot);
    }
    if (exits.size() == 1) {
        builder_.SetInsertPoint(exitBlocks_[exits[0].snapshot]);
        storeExitWords(exits[0].words, target);
        target.number->addIncoming(builder_.getInt32(static_cast<uint32_t>(exits[0].snapshot)), builder_.GetInsertBlock());
        return;
    }
    ExitTarget shared{.stored = exits[0].words};
    for (const ExitWords& exit : exits) {
        shared.stored.resize(std::min(shared.stored.size(), exit.words.size()));
        for (size_t place = 0; place < shared.stored.size(); place++) {
            shared.stored[place] = shared.stored[place] == exit.words[place] ? exit.words[place] : ir::kNoId;
        }
    }
    constexpr int kWorthOfBlock = 2;  // stores
    int more = 0;
    for (size_t place = 0; place < shared.stored.size(); place++) {
        more += shared.stored[place] != ir::kNoId && !isStoredAt(target, place);
    }
    const bool isWorthIt = more >= kWorthOfBlock;
    if (isWorthIt) {
        shared.block = llvm::BasicBlock::Create(context_, "exits", function_);
        builder_.SetInsertPoint(shared.block);
        shared.number = builder_.CreatePHI(i32_, 2);
        storeExitWords(shared.stored, target);
        target.number->addIncoming(shared.number, shared.block);
    }
    const size_t half = exits.size() / 2;
    lowerExits(exits.take_front(half), isWorthIt ? shared : target);
    lowerExits(exits.drop_front(half), isWorthIt ? shared : target);
}

bool Lowering::isStoredAt(const ExitTarget& target, size_t place) {
    return place < target.stored.size() && target.stored[place] != ir::kNoId;
}

// What is not stored from the target on; then goes there.
void Lowering::storeExitWords(llvm::ArrayRef<ir::ValueId> words, const ExitTarget& target) {
    for (size_t place = 0; place < words.size(); place++) {
        if (words[place] != ir::kNoId && !isStoredAt(target, place)) {
            Value* word = toWord(value(words[place]));
            builder_.CreateStore(word, builder_.CreateConstGEP1_32(i64_, exitBuffer_, static_cast<unsigned>(place)));
        }
    }
    builder_.CreateBr(target.block);
}

// Where all exits meet: hands the stored values and the exit's number to the runtime, and returns.
Lowering::ExitTarget Lowering::exitTail() {
    ExitTarget tail{.block = llvm::BasicBlock::Create(context_, "leave", function_)};
    builder_.SetInsertPoint(tail.block);
    tail.number = builder_.CreatePHI(i32_, 8);
    unlinkFrames();
    Value* activation = activation_ != nullptr ? activation_ : llvm::ConstantPointerNull::get(pointer_);
    std::vector<Value*> arguments = {contextArgument_, frame_, activation, pointerConstant(request_.owner), tail.number, exitBuffer_};
    if (region_.isFunction) {
        arguments.insert(arguments.begin() + 2, rootFunction_);
        llvm::CallInst* made = callRuntime(RuntimeFunction::k_exit_function, resultType_, arguments);
        made->addFnAttr(llvm::Attribute::Cold);
        builder_.CreateRet(made);
    } else {
        llvm::CallInst* made = callRuntime(RuntimeFunction::k_exit_loop, llvm::Type::getVoidTy(context_), arguments);
        made->addFnAttr(llvm::Attribute::Cold);
        builder_.CreateRetVoid();
    }
    return tail;
}

}  // namespace kiln
