// The frame of a lowered region: function, prologue, blocks, and the boxed entry of a function root.
#include <llvm/IR/MDBuilder.h>

#include "jit/codegen/lowering.h"
#include "jit/ir/dominators.h"

namespace kiln {

Lowering::Lowering(const CodegenEnvironment& environment, const CodegenRequest& request, llvm::Module& module)
    : environment_(environment),
      request_(request),
      region_(*request.region),
      module_(module),
      context_(module.getContext()),
      builder_(context_),
      i64_(llvm::Type::getInt64Ty(context_)),
      i32_(llvm::Type::getInt32Ty(context_)),
      i1_(llvm::Type::getInt1Ty(context_)),
      f64_(llvm::Type::getDoubleTy(context_)),
      pointer_(llvm::PointerType::getUnqual(context_)) {
    resultType_ = llvm::StructType::get(i64_, i64_);
    llvm::MDBuilder metadata(context_);
    llvm::MDNode* root = metadata.createTBAARoot("kiln");
    for (int memory = 0; memory < static_cast<int>(Memory::kCount); memory++) {
        llvm::MDNode* scalar = metadata.createTBAAScalarTypeNode("m" + std::to_string(memory), root);
        tbaa_.push_back(metadata.createTBAAStructTagNode(scalar, scalar, 0));
    }
}

llvm::Type* Lowering::typeOf(ir::Type type) {
    switch (type) {
        case ir::Type::kInt: return i64_;
        case ir::Type::kFloat: return f64_;
        case ir::Type::kBool: return i1_;
        case ir::Type::kObject: return pointer_;
        default: return llvm::Type::getVoidTy(context_);
    }
}

std::string Lowering::run(const std::string& entryName) {
    createFunction(entryName);
    places_ = environment_.codePlaces ? std::make_unique<CodePlaces>(module_, *function_, entryName) : nullptr;
    values_.assign(region_.valueTypes.size(), nullptr);
    nativeStructs_.assign(region_.valueTypes.size(), nullptr);
    exitBlocks_.assign(region_.snapshots.size(), nullptr);
    for (size_t block = 0; block < region_.blocks.size(); block++) {
        blocks_.push_back(llvm::BasicBlock::Create(context_, "b" + std::to_string(block), function_));
    }
    for (size_t block = 1; block < region_.blocks.size(); block++) {
        builder_.SetInsertPoint(blocks_[block]);
        for (ir::ValueId parameter : region_.blocks[block].parameters) {
            values_[parameter] = builder_.CreatePHI(typeOf(region_.valueTypes[parameter]), 2);
        }
    }
    prologue();
    // Each behind the blocks whose values it uses. LLVM wants an end of those, too, that nothing reaches.
    const ir::Dominators dominators(region_);
    for (const ir::BlockId block : dominators.reversePostorder()) {
        if (error_.empty()) {
            lowerBlock(block);
        }
    }
    for (ir::BlockId block = 0; block < static_cast<ir::BlockId>(region_.blocks.size()) && error_.empty(); block++) {
        if (!dominators.reachable(block)) {
            lowerBlock(block);
        }
    }
    if (error_.empty()) {
        lowerExits();
    }
    if (places_ != nullptr) {
        places_->end(builder_);
    }
    if (region_.isFunction && error_.empty()) {
        emitBoxedEntry(entryName + ".boxed");
    }
    return error_;
}

void Lowering::createFunction(const std::string& name) {
    std::vector<llvm::Type*> parameters = {pointer_, pointer_};
    llvm::Type* result = llvm::Type::getVoidTy(context_);
    if (region_.isFunction) {
        for (ir::Type type : region_.argumentTypes) {
            parameters.push_back(typeOf(type));
        }
        result = resultType_;
    }
    auto* type = llvm::FunctionType::get(result, parameters, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->addFnAttr("frame-pointer", "all");
    contextArgument_ = function_->getArg(0);
    rootFunction_ = region_.isFunction ? function_->getArg(1) : nullptr;
}

void Lowering::prologue() {
    auto* entry = llvm::BasicBlock::Create(context_, "entry", function_, blocks_[0]);
    builder_.SetInsertPoint(entry);
    // The exit buffer belongs to the thread, not to this function: an alloca with a user per exit slows the optimiser down.
    exitBuffer_ = builder_.CreateLoad(pointer_, contextField(offsetof(NativeContext, exitValues)));
    size_t operands = 1;
    for (const ir::Block& block : region_.blocks) {
        for (const ir::Instruction& in : block.instructions) {
            operands = std::max(operands, in.operands.size());
        }
    }
    arguments_ = builder_.CreateAlloca(i64_, builder_.getInt32(static_cast<unsigned>(operands)), "arguments");
    scratch_ = builder_.CreateAlloca(i64_, nullptr, "scratch");
    frame_ = llvm::ConstantPointerNull::get(pointer_);
    if (!region_.isFunction) {
        frame_ = function_->getArg(1);
    }
    const ir::Block& first = region_.blocks[0];
    for (size_t index = 0; index < first.parameters.size(); index++) {
        values_[first.parameters[index]] = function_->getArg(static_cast<unsigned>(index) + 2);
    }
    if (region_.isFunction && request_.budget != nullptr) {
        betterCodeIsThere();  // a caller finds it at its next call
    }
    if (request_.needsFrame) {
        pushOwnFrame();
    }
    createActivation();
    createShadowFrames();
    builder_.CreateBr(blocks_[0]);
}

void Lowering::lowerBlock(ir::BlockId block) {
    builder_.SetInsertPoint(blocks_[block]);
    const ir::Block& source = region_.blocks[block];
    isCold_ = source.cold;
    for (const ir::Instruction& in : source.instructions) {
        if (request_.executedOps != nullptr) {
            builder_.CreateStore(builder_.getInt8(1), pointerConstant(request_.executedOps + static_cast<int>(in.op)));
        }
        if (places_ != nullptr && in.snapshot != ir::kNoId) {
            places_->begin(builder_, in.snapshot);
        }
        if (!lowerControl(in, source)) {
            lower(in);
        }
        if (!error_.empty()) {
            return;
        }
    }
}

void Lowering::lower(const ir::Instruction& in) {
    bool known = lowerConstant(in) || lowerGuard(in) || lowerInt(in) || lowerIntDivision(in) || lowerShift(in) || lowerText(in) ||
                 lowerCompare(in) || lowerFloat(in) || lowerMath(in) || lowerConversion(in) || lowerMemory(in) ||
                 lowerReference(in) || lowerListStore(in) || lowerAttribute(in) || lowerArray(in) || lowerStrip(in) || lowerActivation(in) || lowerCall(in);
    if (!known) {
        error_ = std::string("no lowering for ") + ir::info(in.op).name;
    }
}

llvm::Value* Lowering::value(ir::ValueId id) {
    if (values_[id] == nullptr) {
        error_ = "a value of a block that is not lowered yet";
        return llvm::PoisonValue::get(typeOf(region_.valueTypes[id]));
    }
    return values_[id];
}

llvm::Value* Lowering::number(const ir::Instruction& in) {
    return builder_.getInt64(static_cast<uint64_t>(in.immediate));
}

llvm::Value* Lowering::pointerConstant(const void* address) {
    return llvm::ConstantExpr::getIntToPtr(builder_.getInt64(reinterpret_cast<uint64_t>(address)), pointer_);
}

llvm::Value* Lowering::object(const ir::Instruction& in) {
    return pointerConstant(region_.objects[in.immediate]);
}

llvm::CallInst* Lowering::call(const void* address, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (Value* argument : arguments) {
        types.push_back(argument->getType());
    }
    auto* type = llvm::FunctionType::get(result, types, false);
    llvm::CallInst* made = builder_.CreateCall(type, pointerConstant(address), arguments);
    made->setDoesNotThrow();
    return made;
}

llvm::CallInst* Lowering::callRuntime(RuntimeFunction function, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    return call(environment_.runtime[static_cast<int>(function)], result, arguments);
}

llvm::CallInst* Lowering::callAside(RuntimeFunction, RuntimeFunction aside, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::CallInst* made = callRuntime(aside, result, arguments);
    made->setCallingConv(llvm::CallingConv::Win64);
    return made;
}

llvm::Value* Lowering::toWord(Value* value) {
    if (value->getType()->isPointerTy()) {
        return builder_.CreatePtrToInt(value, i64_);
    }
    if (value->getType() == f64_) {
        return builder_.CreateBitCast(value, i64_);
    }
    return value->getType() == i1_ ? builder_.CreateZExt(value, i64_) : value;
}

llvm::Value* Lowering::fromWord(Value* word, ir::Type type) {
    switch (type) {
        case ir::Type::kFloat: return builder_.CreateBitCast(word, f64_);
        case ir::Type::kBool: return builder_.CreateTrunc(word, i1_);
        case ir::Type::kObject: return builder_.CreateIntToPtr(word, pointer_);
        default: return word;
    }
}

llvm::Instruction* Lowering::tag(llvm::Instruction* access, Memory memory) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, tbaa_[static_cast<int>(memory)]);
    return access;
}

// `require` leaves where its condition does not hold; `slot` is a word of room.
llvm::Value* Lowering::unboxArgument(Value* argument, ir::Type type, Value* slot, const Requirement& require) {
    switch (type) {
        case ir::Type::kInt:
            require(builder_.CreateICmpEQ(loadClass(argument), pointerConstant(environment_.longClass)));
            require(builder_.CreateICmpNE(callRuntime(RuntimeFunction::k_unbox_int, i64_, {argument, slot}), builder_.getInt64(0)));
            return builder_.CreateLoad(i64_, slot);
        case ir::Type::kFloat:
            require(builder_.CreateICmpEQ(loadClass(argument), pointerConstant(environment_.floatClass)));
            return load(f64_, argument, Field::k_float_value, Memory::kFloat);
        case ir::Type::kBool:
            require(builder_.CreateICmpEQ(loadClass(argument), pointerConstant(environment_.boolClass)));
            return builder_.CreateICmpEQ(argument, pointerConstant(environment_.objectTrue));
        default: return argument;
    }
}

// Checks the classes of an argument array, calls the native entry, and boxes a raw result.
void Lowering::emitBoxedEntry(const std::string& name) {
    auto* type = llvm::FunctionType::get(resultType_, {pointer_, pointer_, pointer_}, false);
    auto* boxed = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    boxed->addFnAttr(llvm::Attribute::NoUnwind);
    boxed->addFnAttr("frame-pointer", "all");
    builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "entry", boxed));
    auto* refused = llvm::BasicBlock::Create(context_, "refused", boxed);
    Value* slot = builder_.CreateAlloca(i64_);
    std::vector<Value*> arguments = {boxed->getArg(0), boxed->getArg(1)};
    auto require = [&](Value* condition) {
        auto* next = llvm::BasicBlock::Create(context_, "next", boxed);
        builder_.CreateCondBr(condition, next, refused);
        builder_.SetInsertPoint(next);
    };
    size_t parameters = region_.argumentTypes.size() - region_.boxedParameters.size();
    auto object = [&](int parameter) { return builder_.CreateLoad(pointer_, builder_.CreateConstGEP1_64(pointer_, boxed->getArg(2), static_cast<uint64_t>(parameter))); };
    for (size_t index = 0; index < parameters; index++) {
        arguments.push_back(unboxArgument(object(static_cast<int>(index)), region_.argumentTypes[index], slot, require));
    }
    for (int parameter : region_.boxedParameters) {
        arguments.push_back(object(parameter));
    }
    returnBoxed(builder_.CreateCall(function_, arguments), boxed);
    builder_.SetInsertPoint(refused);
    builder_.CreateRet(llvm::ConstantStruct::get(resultType_, {builder_.getInt64(0), builder_.getInt64(kNotEntered)}));
}

// Returns a native result from the boxed entry, boxing a raw one.
void Lowering::returnBoxed(Value* result, llvm::Function* boxed) {
    if (region_.returnType != ir::Type::kObject) {
        Value* raw = builder_.CreateICmpEQ(builder_.CreateExtractValue(result, 1), builder_.getInt64(kRawResult));
        auto* box = llvm::BasicBlock::Create(context_, "box", boxed);
        auto* done = llvm::BasicBlock::Create(context_, "done", boxed);
        builder_.CreateCondBr(raw, box, done);
        builder_.SetInsertPoint(done);
        Value* given = builder_.CreateExtractValue(result, 1);
        Value* isObject = builder_.CreateICmpUGT(given, builder_.getInt64(kLastStatus));
        Value* asIs = builder_.CreateSelect(isObject, given, builder_.CreateExtractValue(result, 0));
        Value* ended = builder_.CreateSelect(isObject, builder_.getInt64(kBoxedResult), given);
        Value* both = builder_.CreateInsertValue(llvm::UndefValue::get(resultType_), asIs, 0);
        returnPair(builder_.CreateInsertValue(both, ended, 1));
        builder_.SetInsertPoint(box);
        Value* word = builder_.CreateExtractValue(result, 0);
        Value* reference;
        if (region_.returnType == ir::Type::kInt) {
            reference = callRuntime(RuntimeFunction::k_box_int, pointer_, {word});
        } else if (region_.returnType == ir::Type::kFloat) {
            reference = callRuntime(RuntimeFunction::k_box_float, pointer_, {fromWord(word, ir::Type::kFloat)});
        } else {
            reference = builder_.CreateSelect(fromWord(word, ir::Type::kBool), pointerConstant(environment_.objectTrue),
                                              pointerConstant(environment_.objectFalse));
        }
        Value* status = builder_.CreateSelect(builder_.CreateIsNull(reference), builder_.getInt64(kRaised), builder_.getInt64(kBoxedResult));
        Value* pair = builder_.CreateInsertValue(llvm::UndefValue::get(resultType_), toWord(reference), 0);
        returnPair(builder_.CreateInsertValue(pair, status, 1));
    } else {
        returnPair(result);
    }
}

}  // namespace kiln
