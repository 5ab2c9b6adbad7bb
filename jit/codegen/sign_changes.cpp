#include "jit/codegen/sign_changes.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <iterator>

#include "jit/codegen/lowering.h"

namespace kiln {
namespace {

bool isHidden(const llvm::Value* number) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(number);
    return load != nullptr && load->isVolatile() && load->getType()->isDoubleTy();
}

}  // namespace

// A constant of those is loaded where the function begins, so that LLVM does not know it; all else stays.
llvm::Value* Lowering::hidden(Value* number) {
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(number);
    auto isIt = [&](double change) { return constant != nullptr && constant->isExactlyValue(change); };
    const auto* found = std::find_if(std::begin(kSignChanges), std::end(kSignChanges), isIt);
    if (found == std::end(kSignChanges)) {
        return number;
    }
    hidden_.resize(std::size(kSignChanges), nullptr);
    const auto place = static_cast<size_t>(found - std::begin(kSignChanges));
    Value*& loaded = hidden_[place];
    if (loaded == nullptr) {
        llvm::IRBuilderBase::InsertPointGuard guard(builder_);
        llvm::BasicBlock& entry = function_->getEntryBlock();
        builder_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
        loaded = builder_.CreateLoad(f64_, pointerConstant(environment_.signChanges + place), true);
    }
    return loaded;
}

// LLVM sees bits that change.
llvm::Value* Lowering::negative(Value* number) {
    Value* sign = builder_.CreateBitCast(hidden(llvm::ConstantFP::get(f64_, -0.0)), i64_);
    return builder_.CreateBitCast(builder_.CreateXor(builder_.CreateBitCast(number, i64_), sign), f64_);
}

// In a block of its own the mask would be an int, and the number go to an int's register and back.
void sinkSignMasks(llvm::Module& module) {
    std::vector<llvm::BitCastInst*> masks;
    for (llvm::Function& function : module) {
        for (llvm::BasicBlock& block : function) {
            for (llvm::Instruction& instruction : block) {
                auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
                if (cast != nullptr && isHidden(cast->getOperand(0))) {
                    masks.push_back(cast);
                }
            }
        }
    }
    for (llvm::BitCastInst* mask : masks) {
        for (llvm::Use& use : llvm::make_early_inc_range(mask->uses())) {
            auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            if (!llvm::isa<llvm::PHINode>(user)) {
                llvm::Instruction* copy = mask->clone();
                copy->insertBefore(user);
                use.set(copy);
            }
        }
    }
}

}  // namespace kiln
