// Control flow inside one thread, and of a block whose threads agree.
#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

llvm::BasicBlock* FunctionLowering::newBlock(const char* name) {
    return llvm::BasicBlock::Create(context_, name, target_);
}

void FunctionLowering::branchTo(llvm::BasicBlock* block) {
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
        builder_.CreateBr(block);
    }
    builder_.SetInsertPoint(block);
}

void FunctionLowering::lowerBlock(const Block& block) {
    for (const Instruction& instruction : block.code) {
        lower(instruction);
    }
}

void FunctionLowering::lower(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kSet: storeVariable(instruction.index, Parts(parts(instruction.operands[0]))); return;
    case Op::kStore: {
        const Type* array = function_.values[instruction.operands[0]];
        llvm::Value* value = toMemory(scalar(instruction.operands.back()), array->element);
        llvm::Value* address = elementAddress(instruction);
        checkAccess(instruction, static_cast<int64_t>(AccessKind::kWrite), address, value);
        auto* store = builder_.CreateAlignedStore(value, address, llvm::Align(1));
        isPrivate(array) ? store : inParallel(store);
        return;
    }
    case Op::kIf: lowerIf(instruction, Level::kThread); return;
    case Op::kWhile: lowerWhile(instruction, Level::kThread); return;
    case Op::kFor: lowerFor(instruction); return;
    case Op::kReturn: lowerReturn(instruction); return;
    case Op::kBreak:
        builder_.CreateBr(threadLoops_.back().exit);
        builder_.SetInsertPoint(newBlock("dead"));
        return;
    case Op::kContinue:
        builder_.CreateBr(threadLoops_.back().next);
        builder_.SetInsertPoint(newBlock("dead"));
        return;
    case Op::kCall: lowerCall(instruction); return;
    case Op::kPrint: lowerPrint(instruction); return;
    case Op::kRaise: lowerRaise(instruction); return;
    case Op::kFence:
        builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
        noteFence();
        return;
    case Op::kSleep: return;  // there is none to make room for
    case Op::kUndefine: noteUndefined(instruction); return;
    case Op::kYield: return;
    default: define(instruction, compute(instruction)); return;
    }
}

void FunctionLowering::lowerAt(Level level, const Block& block) {
    level == Level::kThread ? lowerBlock(block) : lowerRegion(block);
}

void FunctionLowering::lowerLoopBody(Level level, const Block& body, llvm::BasicBlock* exit, llvm::BasicBlock* next) {
    if (level == Level::kThread) {
        threadLoops_.push_back({exit, next});
        lowerBlock(body);
        threadLoops_.pop_back();
        return;
    }
    regionLoops_.push_back({exit, next, masks_.size(), masks_.size(), false});
    lowerRegion(body);
    regionLoops_.pop_back();
}

void FunctionLowering::lowerIf(const Instruction& instruction, Level level) {
    lowerIfOf(instruction.operands[0], instruction, level);
}

// By another condition.
void FunctionLowering::lowerIfOf(ValueId condition, const Instruction& instruction, Level level) {
    llvm::BasicBlock* blocks[] = {newBlock("then"), newBlock("else")};
    llvm::BasicBlock* end = newBlock("end");
    builder_.CreateCondBr(scalar(condition), blocks[0], blocks[1]);
    for (int i = 0; i < 2; i++) {
        builder_.SetInsertPoint(blocks[i]);
        lowerAt(level, *instruction.blocks[i]);
        branchTo(end);
    }
}

void FunctionLowering::lowerReturn(const Instruction& instruction) {
    if (function_.isKernel) {
        clearMasks(0);
        builder_.CreateBr(threadEnd_);
    } else if (instruction.operands.empty()) {
        builder_.CreateRetVoid();
    } else {
        llvm::Value* result = llvm::UndefValue::get(module_.resultType(function_));
        unsigned next = 0;
        for (ValueId operand : instruction.operands) {
            for (llvm::Value* part : Parts(parts(operand))) {
                result = builder_.CreateInsertValue(result, part, next++);
            }
        }
        builder_.CreateRet(result);
    }
    builder_.SetInsertPoint(newBlock("dead"));
}

void FunctionLowering::lowerCall(const Instruction& instruction) {
    std::vector<llvm::Value*> arguments;
    for (ValueId operand : instruction.operands) {
        const Parts given = parts(operand);
        arguments.insert(arguments.end(), given.begin(), given.end());
    }
    llvm::Value* geometry = geometryPointer_;
    if (function_.isKernel) {
        llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
        llvm::Type* word = builder_.getInt32Ty();
        geometry = entry.CreateAlloca(llvm::ArrayType::get(word, kGeometryWords));
        for (int i = 0; i < kGeometryWords; i++) {
            builder_.CreateStore(geometry_[i], builder_.CreateConstGEP1_32(word, geometry, static_cast<unsigned>(i)));
        }
    }
    arguments.insert(arguments.end(), {geometry, shared_, dynamicBytes_});
    auto* result = builder_.CreateCall(module_.functionOf(instruction.index), arguments);
    if (!function_.isKernel && module_.bounds().isRecursive(function_)) {
        // One without an end is found by the stack that it takes: made into a loop, it would never end.
        result->setTailCallKind(llvm::CallInst::TCK_NoTail);
    }
    if (!module_.hasLocalArrays()) {
        inParallel(result);  // and so its accesses, when it becomes a part of the kernel
    }
    if (instruction.result == kNoValue) {
        return;
    }
    // All parts of all results: CallResult picks its own out of those of the first.
    Parts all;
    for (unsigned i = 0; i < llvm::cast<llvm::StructType>(result->getType())->getNumElements(); i++) {
        all.push_back(builder_.CreateExtractValue(result, i));
    }
    Parts own(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(partTypes(instruction.type, false).size()));
    callResults_[instruction.result] = std::move(all);
    define(instruction, std::move(own));
}

void FunctionLowering::lowerRaise(const Instruction& instruction) {
    llvm::Value* operands[2] = {int64(0), int64(0)};
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        operands[i] = scalar(instruction.operands[i]);
    }
    callRuntime("kiln.raise", builder_.getVoidTy(),
                {int64(int64_t(instruction.index) + 1), placeOfThread(), operands[0], operands[1]});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(newBlock("dead"));
}

void FunctionLowering::lowerPrint(const Instruction& instruction) {
    llvm::Value* noText = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    size_t next = 0;
    for (const PrintPart& part : function_.prints[instruction.index]) {
        if (!part.isOperand) {
            if (!part.text.empty()) {
                callRuntime("kiln.print", builder_.getVoidTy(),
                            {int64(0), builder_.CreateGlobalString(part.text), int64(0)});
            }
            continue;
        }
        ValueId operand = instruction.operands[next++];
        const Type* type = function_.values[operand];
        llvm::Value* value = scalar(operand);
        int64_t kind = type->isFloat() ? 3 : type->isBool() ? 4 : type->isUnsigned() ? 2 : 1;
        if (type->isFloat()) {
            value = builder_.CreateBitCast(builder_.CreateFPExt(value, builder_.getDoubleTy()), builder_.getInt64Ty());
        } else {
            value = type->isSigned() ? builder_.CreateSExt(value, builder_.getInt64Ty()) : builder_.CreateZExt(value, builder_.getInt64Ty());
        }
        llvm::Value* format = part.text.empty() ? noText : builder_.CreateGlobalString(part.text);
        callRuntime("kiln.print", builder_.getVoidTy(), {int64(kind), format, value});
    }
}

// A device function: one thread, its geometry behind a pointer.
void FunctionLowering::runDevice() {
    auto argument = target_->arg_begin();
    std::vector<Parts> given;
    for (const Type* type : function_.parameters) {
        Parts parts;
        for (size_t i = 0; i < partTypes(type, false).size(); i++) {
            parts.push_back(&*argument++);
        }
        given.push_back(parts);
    }
    geometryPointer_ = &*argument++;
    shared_ = &*argument++;
    dynamicBytes_ = &*argument++;
    for (int i = 0; i < kGeometryWords; i++) {
        llvm::Value* address = builder_.CreateConstGEP1_32(builder_.getInt32Ty(), geometryPointer_, static_cast<unsigned>(i));
        geometry_[i] = builder_.CreateLoad(builder_.getInt32Ty(), address);
    }
    bool recursive = false;
    segment_ = 1;
    pollAtEntry();
    for (const Instruction& instruction : function_.body.code) {
        if (instruction.op == Op::kParameter) {
            define(instruction, given[instruction.index]);
            continue;
        }
        lower(instruction);
    }
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
        target_->getReturnType()->isVoidTy() ? (void)builder_.CreateRetVoid() : (void)builder_.CreateUnreachable();
    }
    forEach(function_.body, [&](const Instruction& instruction) { recursive = recursive || instruction.op == Op::kCall; });
    if (!recursive) {
        target_->addFnAttr(llvm::Attribute::AlwaysInline);
    }
}

}  // namespace kiln::gpu
