// Guards: one that fails goes to a side exit.
#include <llvm/IR/InlineAsm.h>

#include <algorithm>

#include "jit/codegen/lowering.h"

namespace kiln {
namespace {

// A native call makes fewer frames than this: the caller's inlined ones and the callee's.
constexpr uint32_t kMostCallFrames = 16;

constexpr int64_t kWordBytes = 8;

}  // namespace

void Lowering::exitWhen(Value* condition, ir::SnapshotId snapshot) {
    if (snapshot == ir::kNoId) {
        defer(condition);
        return;
    }
    if (environment_.stressDeopt && !region_.snapshots[snapshot].raises) {
        Value* forced = callRuntime(RuntimeFunction::k_stress, i64_, {pointerConstant(request_.owner), builder_.getInt32(snapshot)});
        condition = builder_.CreateOr(condition, builder_.CreateICmpNE(forced, builder_.getInt64(0)));
    }
    exitWhenFailed(condition, snapshot);
}

// Never by force: where the operation succeeded, it must not be done again.
void Lowering::exitWhenFailed(Value* condition, ir::SnapshotId snapshot) {
    auto* next = llvm::BasicBlock::Create(context_, "go_on", function_);
    builder_.CreateCondBr(condition, exitBlock(snapshot), next, weightsOf(Odds::kUnlikely));
    builder_.SetInsertPoint(next);
}

void Lowering::exitUnless(Value* condition, ir::SnapshotId snapshot) {
    exitWhen(builder_.CreateNot(condition), snapshot);
}

llvm::Value* Lowering::loadClass(Value* object) {
    return load(pointer_, object, Field::k_ob_type, Memory::kClass);
}

// Ints of one 30-bit digit are unboxed in line, longer ones by the runtime.
llvm::Value* Lowering::unboxInt(Value* object, ir::SnapshotId snapshot) {
    Value* tagWord = load(i64_, object, Field::k_long_tag, Memory::kLong);
    Value* compact = builder_.CreateICmpULT(tagWord, builder_.getInt64(16));
    auto small = [&] {
        Value* digit = builder_.CreateZExt(load(i32_, object, Field::k_long_digit, Memory::kLong), i64_);
        Value* isNegative = builder_.CreateICmpNE(builder_.CreateAnd(tagWord, builder_.getInt64(2)), builder_.getInt64(0));
        return builder_.CreateSelect(isNegative, builder_.CreateNeg(digit), digit);
    };
    auto large = [&] {
        llvm::CallInst* fits = callRuntime(RuntimeFunction::k_unbox_int, i64_, {object, scratch_});
        fits->setMemoryEffects(llvm::MemoryEffects::argMemOnly());
        Value* number = builder_.CreateLoad(i64_, scratch_);
        exitUnless(builder_.CreateICmpNE(fits, builder_.getInt64(0)), snapshot);
        return number;
    };
    return choose(compact, small, large, Odds::kLikely);
}

// Other threads set it. To LLVM an atomic or volatile load may write anything, so none of a loop's loads could move out
// of it; this one touches nothing else that LLVM knows, and still happens each time.
llvm::Value* Lowering::evalBreaker() {
    auto* type = llvm::FunctionType::get(i32_, {pointer_}, false);
    auto* code = llvm::InlineAsm::get(type, "movl ($1), $0", "=r,r", /*hasSideEffects=*/true);
    llvm::CallInst* breaker = builder_.CreateCall(type, code, {pointerConstant(environment_.evalBreaker)});
    breaker->setDoesNotThrow();
    breaker->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    return breaker;
}

llvm::Value* Lowering::regionIsValid() {
    llvm::LoadInst* flag = builder_.CreateLoad(builder_.getInt8Ty(), pointerConstant(request_.validFlag));
    flag->setVolatile(true);
    return builder_.CreateICmpNE(flag, builder_.getInt8(0));
}

// Takes one off the budget of quick code.
llvm::Value* Lowering::betterCodeIsThere() {
    Value* budget = pointerConstant(request_.budget);
    Value* left = builder_.CreateSub(builder_.CreateLoad(i64_, budget), builder_.getInt64(1));
    builder_.CreateStore(left, budget);
    auto ask = [&] {
        Value* there = callRuntime(RuntimeFunction::k_budget_spent, i64_, {pointerConstant(request_.owner)});
        return builder_.CreateICmpNE(there, builder_.getInt64(0));
    };
    return choose(builder_.CreateICmpSLT(left, builder_.getInt64(0)), ask, [&] { return builder_.getFalse(); }, Odds::kUnlikely);
}

// A list has its length and items: LLVM may read them before a loop, also where they are read behind a guard in it.
void Lowering::assumeReadable(Value* list) {
    const int64_t size = std::max(environment_.fields[static_cast<int>(Field::k_list_items)], environment_.fields[static_cast<int>(Field::k_ob_size)]) + kWordBytes;
    auto known = [&](const char* what, int64_t bytes) {
        return llvm::OperandBundleDef(what, std::vector<Value*>{list, builder_.getInt64(static_cast<uint64_t>(bytes))});
    };
    builder_.CreateAssumption(builder_.getTrue(), {known("dereferenceable", size), known("align", kWordBytes)});
}

bool Lowering::lowerGuard(const ir::Instruction& in) {
    auto operand = [&](int index) { return value(in.operands[index]); };
    switch (in.op) {
        case ir::Op::k_guard_class:
            exitUnless(builder_.CreateICmpEQ(loadClass(operand(0)), object(in)), in.snapshot);
            if (environment_.listClass != nullptr && region_.objects[in.immediate] == environment_.listClass) {
                assumeReadable(operand(0));
            }
            return true;
        case ir::Op::k_guard_is: exitUnless(builder_.CreateICmpEQ(operand(0), object(in)), in.snapshot); return true;
        case ir::Op::k_guard_set: exitWhen(builder_.CreateIsNull(operand(0)), in.snapshot); return true;
        case ir::Op::k_guard_true: exitUnless(operand(0), in.snapshot); return true;
        case ir::Op::k_guard_false: exitWhen(operand(0), in.snapshot); return true;
        case ir::Op::k_guard_exact: {
            Value* shifted = builder_.CreateAdd(operand(0), builder_.getInt64(int64_t{1} << 53));
            exitUnless(builder_.CreateICmpULE(shifted, builder_.getInt64(int64_t{1} << 54)), in.snapshot);
            return true;
        }
        case ir::Op::k_safepoint:
            exitUnless(builder_.CreateAnd(regionIsValid(), builder_.CreateICmpEQ(evalBreaker(), builder_.getInt32(0))), in.snapshot);
            return true;
        case ir::Op::k_poll: {
            Value* isAskedFor = builder_.CreateICmpNE(evalBreaker(), builder_.getInt32(0));
            exitWhen(request_.budget == nullptr ? isAskedFor : builder_.CreateOr(isAskedFor, betterCodeIsThere()), in.snapshot);
            return true;
        }
        case ir::Op::k_guard_stack: {
            Value* limit = builder_.CreateLoad(i64_, contextField(offsetof(NativeContext, stackLimit)));
            Value* here = builder_.CreatePtrToInt(scratch_, i64_);
            Value* thread = builder_.CreateLoad(pointer_, contextArgument_);
            Value* room = load(i32_, thread, Field::k_thread_recursion, Memory::kFrame);
            Value* bad = builder_.CreateOr(builder_.CreateICmpULT(here, limit), builder_.CreateICmpSLT(room, builder_.getInt32(kMostCallFrames)));
            exitWhen(builder_.CreateOr(bad, builder_.CreateICmpNE(evalBreaker(), builder_.getInt32(0))), in.snapshot);
            return true;
        }
        case ir::Op::k_bare_box: {
            llvm::CallInst* box = callRuntime(RuntimeFunction::k_bare_box, i64_, {operand(0)});
            exitWhen(builder_.CreateICmpEQ(box, builder_.getInt64(static_cast<uint64_t>(kNotBare))), in.snapshot);
            define(in, fromWord(box, ir::Type::kObject));
            return true;
        }
        case ir::Op::k_bare_bits: define(in, callRuntime(RuntimeFunction::k_bare_bits, i64_, {operand(0)})); return true;
        case ir::Op::k_unbox_int: define(in, unboxInt(operand(0), in.snapshot)); return true;
        default: return false;
    }
}

}  // namespace kiln
