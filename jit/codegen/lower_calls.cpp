// Calls: opaque operations through the helper table, namespace variables, and compiled functions.
#include "jit/codegen/lowering.h"

namespace kiln {

llvm::Value* Lowering::storeArguments(const ir::Operands& operands) {
    unsigned index = 0;
    Value* room = argumentRoom(operands.size());
    for (ir::ValueId operand : operands) {
        builder_.CreateStore(toWord(value(operand)), builder_.CreateConstGEP1_32(i64_, room, index++));
    }
    return room;
}

// Helpers take their operands as words: int64_t helper(const int64_t* words, int64_t count).
void Lowering::lowerOpaque(const ir::Instruction& in) {
    Value* count = builder_.getInt64(in.operands.size());
    llvm::CallInst* result = call(environment_.helpers[in.immediate], i64_, {storeArguments(in.operands), count});
    bool object = in.type == ir::Type::kObject;
    define(in, fromWord(result, in.type));
    if (!ir::isOpaqueCall(in.op)) {
        return;
    }
    if (environment_.stressGc && kHelperCodes[in.immediate] == HelperCode::kForeign) {
        callRuntime(RuntimeFunction::k_collect, builder_.getVoidTy(), {});
    }
    if (ir::info(in.op).effect == ir::Effect::kAttempt) {
        return;
    }
    if (hasAnEnd(static_cast<Helper>(in.immediate))) {
        auto* ended = llvm::BasicBlock::Create(context_, "ended", function_);
        auto* next = llvm::BasicBlock::Create(context_, "next", function_);
        builder_.CreateCondBr(builder_.CreateICmpEQ(result, builder_.getInt64(0)), ended, next);
        builder_.SetInsertPoint(ended);
        Value* raised = callRuntime(RuntimeFunction::k_error_occurred, i64_, {});
        exitWhen(builder_.CreateICmpNE(raised, builder_.getInt64(0)), in.snapshot);
        builder_.CreateBr(next);
        builder_.SetInsertPoint(next);
        return;
    }
    Value* failed = object                           ? builder_.CreateICmpEQ(result, builder_.getInt64(0))
                    : in.type == ir::Type::kFloat ? builder_.CreateICmpEQ(result, builder_.getInt64(kFailedFloatBits))
                                                  : builder_.CreateICmpSLT(result, builder_.getInt64(0));
    exitWhenFailed(failed, in.snapshot);
}

bool Lowering::lowerCall(const ir::Instruction& in) {
    Value* owner = pointerConstant(request_.owner);
    auto index = [&] { return builder_.CreateTrunc(number(in), i32_); };
    switch (in.op) {
        case ir::Op::k_opaque_object: case ir::Op::k_opaque_int: case ir::Op::k_opaque_float: case ir::Op::k_pure_object: case ir::Op::k_pure_int:
        case ir::Op::k_read_float: case ir::Op::k_read_object: case ir::Op::k_attempt_object: case ir::Op::k_attempt_int:
            lowerOpaque(in);
            return true;
        case ir::Op::k_load_name:
            define(in, callRuntime(RuntimeFunction::k_load_name, pointer_, {owner, index()}));
            return true;
        case ir::Op::k_store_name: {
            Value* status = callRuntime(RuntimeFunction::k_store_name, i64_, {owner, index(), value(in.operands[0])});
            exitWhen(builder_.CreateICmpSLT(status, builder_.getInt64(0)), in.snapshot);
            return true;
        }
        case ir::Op::k_names_version:
            define(in, callRuntime(RuntimeFunction::k_names_version, i64_, {owner, index()}));
            return true;
        case ir::Op::k_list_append: {
            Value* status = callRuntime(RuntimeFunction::k_list_append, i64_, {value(in.operands[0]), value(in.operands[1])});
            exitWhen(builder_.CreateICmpSLT(status, builder_.getInt64(0)), in.snapshot);
            return true;
        }
        case ir::Op::k_call_native: case ir::Op::k_attempt_native: lowerNativeCall(in); return true;
        case ir::Op::k_native_boxed: {
            Value* pair = nativePair(in.operands[0]);
            if (pair == nullptr) {
                return false;  // no status of a call
            }
            define(in, builder_.CreateIntToPtr(builder_.CreateExtractValue(pair, 0), pointer_));
            return true;
        }
        case ir::Op::k_native_result: case ir::Op::k_native_number:
            return nativePair(in.operands[0]) != nullptr && (lowerNativeResult(in), true);
        case ir::Op::k_native_box:
            if (Value* pair = nativePair(in.operands[0])) {
                define(in, nativeBox(value(in.operands[0]), pair));
                return true;
            }
            return false;
        default: return false;
    }
}

// Inlined frames count like called ones.
llvm::Value* Lowering::frameCount(const ir::Instruction& in) {
    return builder_.getInt32(in.snapshot == ir::kNoId ? 1 : static_cast<uint32_t>(region_.snapshots[in.snapshot].frames.size()));
}

llvm::Value* Lowering::nativePair(ir::ValueId status) {
    return nativeStructs_[status];
}

void Lowering::defineNativePair(const ir::Instruction& in, Value* pair) {
    nativeStructs_[in.result] = pair;
}

// The callee's entry is read at each call: it changes when the callee is compiled again or thrown away.
void Lowering::lowerNativeCall(const ir::Instruction& in) {
    const void* entry = region_.objects[in.immediate];
    std::vector<Value*> arguments = {contextArgument_};
    for (ir::ValueId operand : in.operands) {
        arguments.push_back(value(operand));
    }
    Value* room = fieldPointer(builder_.CreateLoad(pointer_, contextArgument_), Field::k_thread_recursion);
    auto addToRoom = [&](Value* amount) {
        Value* now = tag(builder_.CreateLoad(i32_, room), Memory::kFrame);
        tag(builder_.CreateStore(builder_.CreateAdd(now, amount), room), Memory::kFrame);
    };
    Value* frames = frameCount(in);
    addToRoom(builder_.CreateNeg(frames));
    Value* result;
    if (entry == request_.self) {
        result = builder_.CreateCall(function_, arguments);
    } else {
        std::vector<llvm::Type*> types;
        for (Value* argument : arguments) {
            types.push_back(argument->getType());
        }
        Value* target = builder_.CreateLoad(pointer_, pointerConstant(entry));
        auto fallback = [&] {
            Value* words = storeArguments(in.operands);
            return callRuntime(RuntimeFunction::k_call_fallback, resultType_, {contextArgument_, pointerConstant(entry), words});
        };
        auto direct = [&] { return builder_.CreateCall(llvm::FunctionType::get(resultType_, types, false), target, arguments); };
        result = choose(builder_.CreateIsNull(target), fallback, direct);
    }
    addToRoom(frames);
    Value* status = builder_.CreateExtractValue(result, 1);
    defineNativePair(in, result);
    define(in, status);
    if (in.op == ir::Op::k_call_native) {
        exitWhen(builder_.CreateICmpEQ(status, builder_.getInt64(kRaised)), in.snapshot);
    }
}

// A raw result as it is; a boxed one (the callee finished in the interpreter) unboxed if it has the expected class and no
// assumption broke meanwhile. The object that it is goes, unless native_box is to give it.
void Lowering::lowerNativeResult(const ir::Instruction& in) {
    Value* pair = nativePair(in.operands[0]);
    Value* word = builder_.CreateExtractValue(pair, 0);
    Value* status = value(in.operands[0]);
    bool keeps = in.op == ir::Op::k_native_number;
    auto object = [&] {
        if (!keeps) {
            decref(builder_.CreateIntToPtr(status, pointer_), End::kNumber);
        }
        return word;
    };
    auto interpreted = [&] {
        Value* reference = builder_.CreateIntToPtr(word, pointer_);
        Value* type = builder_.getInt32(static_cast<uint32_t>(in.type));
        Value* taken = callRuntime(RuntimeFunction::k_unbox_result, i64_, {reference, type, scratch_, pointerConstant(request_.validFlag), builder_.getInt32(keeps)});
        exitWhenFailed(builder_.CreateICmpEQ(taken, builder_.getInt64(0)), in.snapshot);
        return builder_.CreateLoad(i64_, scratch_);
    };
    auto boxed = [&] { return choose(builder_.CreateICmpUGT(status, builder_.getInt64(kLastStatus)), object, interpreted); };
    Value* raw = builder_.CreateICmpEQ(status, builder_.getInt64(kRawResult));
    define(in, fromWord(choose(raw, [&] { return word; }, boxed), in.type));
}

llvm::Value* Lowering::nativeBox(Value* status, Value* pair) {
    Value* boxed = builder_.CreateICmpEQ(status, builder_.getInt64(kBoxedResult));
    Value* raw = builder_.CreateICmpEQ(status, builder_.getInt64(kRawResult));
    Value* word = builder_.CreateSelect(boxed, builder_.CreateExtractValue(pair, 0), builder_.CreateSelect(raw, builder_.getInt64(1), status));
    return builder_.CreateIntToPtr(word, pointer_);
}

void Lowering::addIncoming(const ir::Target& target) {
    const ir::Block& block = region_.blocks[target.block];
    for (size_t index = 0; index < block.parameters.size(); index++) {
        auto* phi = llvm::cast<llvm::PHINode>(values_[block.parameters[index]]);
        phi->addIncoming(value(target.arguments[index]), builder_.GetInsertBlock());
    }
}

// Both sides may go to the same block, with other arguments: the second one then takes a block of its own on the way.
void Lowering::lowerBranch(Value* condition, const ir::Target& whenTrue, const ir::Target& whenFalse) {
    llvm::BasicBlock* yes = blocks_[whenTrue.block];
    llvm::BasicBlock* no = blocks_[whenFalse.block];
    bool same = yes == no;
    llvm::BasicBlock* aside = same ? llvm::BasicBlock::Create(context_, "aside", function_) : no;
    addIncoming(whenTrue);
    const bool yesIsCold = region_.blocks[whenTrue.block].cold;
    const bool noIsCold = region_.blocks[whenFalse.block].cold;
    const Odds odds = yesIsCold == noIsCold ? Odds::kEven : yesIsCold ? Odds::kUnlikely : Odds::kLikely;
    builder_.CreateCondBr(condition, yes, aside, weightsOf(odds));
    if (same) {
        builder_.SetInsertPoint(aside);
    }
    addIncoming(whenFalse);
    if (same) {
        builder_.CreateBr(no);
    }
}

bool Lowering::lowerControl(const ir::Instruction& in, const ir::Block& block) {
    switch (in.op) {
        case ir::Op::k_jump:
            addIncoming(block.targets[0]);
            builder_.CreateBr(blocks_[block.targets[0].block]);
            return true;
        case ir::Op::k_branch:
            lowerBranch(value(in.operands[0]), block.targets[0], block.targets[1]);
            return true;
        case ir::Op::k_exit: builder_.CreateBr(exitBlock(in.snapshot)); return true;
        case ir::Op::k_return_value: {
            Value* result = value(in.operands[0]);
            bool isObject = region_.returnType == ir::Type::kObject;
            Value* status = builder_.getInt64(static_cast<uint64_t>(isObject ? kBoxedResult : kRawResult));
            if (in.operands.size() > 1) {
                static_assert(kRawResult == 0, "no object");
                status = toWord(countedBox(value(in.operands[1])));
            }
            Value* pair = builder_.CreateInsertValue(llvm::UndefValue::get(resultType_), toWord(result), 0);
            returnPair(builder_.CreateInsertValue(pair, status, 1));
            return true;
        }
        case ir::Op::k_return_raised:
            returnPair(llvm::ConstantStruct::get(resultType_, {builder_.getInt64(0), builder_.getInt64(kRaised)}));
            return true;
        default: return false;
    }
}

}  // namespace kiln
