// Strips of a loop's rounds: guards that are deferred, without branches and calls where LLVM can vectorise what is around them.
#include <algorithm>
#include <iterator>
#include <vector>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

#include "interp/numpy_elements.h"
#include "jit/codegen/lowering.h"

namespace kiln {

// A variable of the region: LLVM makes values of it.
llvm::Value* Lowering::variable(llvm::Type* type, const char* name) {
    llvm::IRBuilderBase::InsertPointGuard guard(builder_);
    llvm::BasicBlock& entry = function_->getEntryBlock();
    builder_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
    Value* place = builder_.CreateAlloca(type, nullptr, name);
    builder_.CreateStore(llvm::Constant::getNullValue(type), place);
    return place;
}

llvm::Value* Lowering::failurePlace() {
    failure_ = failure_ != nullptr ? failure_ : variable(i1_, "failure");
    return failure_;
}

llvm::Value* Lowering::exactRoundsPlace() {
    exactRounds_ = exactRounds_ != nullptr ? exactRounds_ : variable(i64_, "exact_rounds");
    return exactRounds_;
}

void Lowering::defer(Value* failed) {
    Value* before = builder_.CreateLoad(i1_, failurePlace());
    builder_.CreateStore(builder_.CreateOr(before, failed), failurePlace());
}

// The result, which wraps; that it did is deferred. Sums and differences without LLVM's intrinsics, which no vector has.
llvm::Value* Lowering::deferredInt(ir::Op op, Value* left, Value* right) {
    if (op == ir::Op::k_int_mul) {
        Value* pair = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smul_with_overflow, left, right);
        defer(builder_.CreateExtractValue(pair, 1));
        return builder_.CreateExtractValue(pair, 0);
    }
    bool isSum = op == ir::Op::k_int_add;
    Value* result = isSum ? builder_.CreateAdd(left, right) : builder_.CreateSub(left, right);
    // Where the operands' signs (of a difference: differ, and) are not the result's.
    Value* change = builder_.CreateXor(left, result);
    Value* other = isSum ? builder_.CreateXor(right, result) : builder_.CreateXor(left, right);
    defer(builder_.CreateICmpSLT(builder_.CreateAnd(change, other), builder_.getInt64(0)));
    return result;
}

bool Lowering::leavesOverflow(const ir::Instruction& in) {
    return in.op == ir::Op::k_guard_no_flag && in.snapshot == ir::kNoId && in.operands[1] != in.operands[0];
}

llvm::Value* Lowering::stripFailed() {
    Value* failed = builder_.CreateLoad(i1_, failurePlace());
    const bool asksProcessor = std::ranges::any_of(region_.blocks, [](const ir::Block& block) {
        return std::ranges::any_of(block.instructions, leavesOverflow);
    });
    if (asksProcessor) {
        failed = builder_.CreateOr(failed, hasOverflowed(failed));
    }
    if (environment_.stressDeopt) {
        Value* forced = callRuntime(RuntimeFunction::k_stress_strip, i64_, {});
        failed = builder_.CreateOr(failed, builder_.CreateICmpNE(forced, builder_.getInt64(0)));
    }
    return failed;
}

// MXCSR's flag, which stays set until it is cleared: one that is old makes one strip be repeated. The reading takes what is known of all
// results, so that LLVM computes each of them before.
llvm::Value* Lowering::hasOverflowed(Value* failed) {
    constexpr int32_t kOverflow = 1 << 3;
    llvm::Type* word = builder_.getInt32Ty();
    Value* place = variable(word, "control");
    auto run = [&](llvm::Type* type, const char* code, const char* constraints, std::vector<Value*> operands) {
        std::vector<llvm::Type*> types;
        std::ranges::transform(operands, std::back_inserter(types), [](Value* operand) { return operand->getType(); });
        llvm::FunctionType* shape = llvm::FunctionType::get(type, types, /*isVarArg=*/false);
        llvm::CallInst* call = builder_.CreateCall(shape, llvm::InlineAsm::get(shape, code, constraints, /*hasSideEffects=*/true), operands);
        call->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
        call->setDoesNotThrow();
        return call;
    };
    Value* control = run(word, "stmxcsr ($1)\n\tmovl ($1), $0", "=r,r,r", {place, builder_.CreateZExt(failed, word)});
    Value* overflowed = builder_.CreateICmpNE(builder_.CreateAnd(control, builder_.getInt32(kOverflow)), builder_.getInt32(0));
    when(overflowed, [&] { run(builder_.getVoidTy(), "andl $$-9, ($0)\n\tldmxcsr ($0)", "r,~{flags}", {place}); }, Odds::kUnlikely);
    return overflowed;
}

// In any order that suits LLVM: this it knows for a reduction.
llvm::Value* Lowering::extreme(bool isLargest, Value* left, Value* right) {
    llvm::IRBuilderBase::FastMathFlagGuard guard(builder_);
    llvm::FastMathFlags flags;
    flags.setNoNaNs();
    flags.setNoSignedZeros();
    builder_.setFastMathFlags(flags);
    Value* takesRight = isLargest ? builder_.CreateFCmpOGT(right, left) : builder_.CreateFCmpOLT(right, left);
    return builder_.CreateSelect(takesRight, right, left);
}

bool Lowering::lowerStrip(const ir::Instruction& in) {
    auto operand = [&](size_t index) { return value(in.operands[index]); };
    auto copy = [&](RuntimeFunction function) {
        Value* first = builder_.CreateIntToPtr(operand(0), pointer_);
        Value* bytes = builder_.getInt64(static_cast<uint64_t>(info(static_cast<Element>(in.immediate)).bytes));
        llvm::CallInst* made = callRuntime(function, llvm::Type::getVoidTy(context_), {first, operand(1), operand(2), bytes, operand(3)});
        made->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
    };
    switch (in.op) {
    case ir::Op::k_int_narrow: {
        auto element = static_cast<Element>(in.immediate);
        Value* low = computedIn(operand(0), element);
        define(in, info(element).kind == ElementKind::kSigned ? builder_.CreateSExt(low, i64_) : builder_.CreateZExt(low, i64_));
        return true;
    }
    case ir::Op::k_float_larger: define(in, extreme(true, operand(0), operand(1))); return true;
    case ir::Op::k_float_smaller: define(in, extreme(false, operand(0), operand(1))); return true;
    case ir::Op::k_underflow_ignored: {
        llvm::CallInst* ignored = callRuntime(RuntimeFunction::k_underflow_ignored, i64_, {});
        ignored->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
        define(in, builder_.CreateICmpNE(ignored, builder_.getInt64(0)));
        return true;
    }
    case ir::Op::k_exact_rounds: define(in, builder_.CreateLoad(i64_, exactRoundsPlace())); return true;
    case ir::Op::k_set_exact_rounds: builder_.CreateStore(operand(0), exactRoundsPlace()); return true;
    case ir::Op::k_begin_strip: builder_.CreateStore(builder_.getFalse(), failurePlace()); return true;
    case ir::Op::k_strip_failed: define(in, stripFailed()); return true;
    case ir::Op::k_save_elements: copy(RuntimeFunction::k_save_elements); return true;
    case ir::Op::k_restore_elements: copy(RuntimeFunction::k_restore_elements); return true;
    default: return false;
    }
}

}  // namespace kiln
