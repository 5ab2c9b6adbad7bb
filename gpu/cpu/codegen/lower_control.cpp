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
        auto* store = builder_.CreateAlignedStore(value, elementAddress(instruction), llvm::Align(1));
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
    case Op::kFence: builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent); return;
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
    llvm::BasicBlock* blocks[] = {newBlock("then"), newBlock("else")};
    llvm::BasicBlock* end = newBlock("end");
    builder_.CreateCondBr(scalar(instruction.operands[0]), blocks[0], blocks[1]);
    for (int i = 0; i < 2; i++) {
        builder_.SetInsertPoint(blocks[i]);
        lowerAt(level, *instruction.blocks[i]);
        branchTo(end);
    }
}

void FunctionLowering::lowerWhile(const Instruction& instruction, Level level) {
    llvm::BasicBlock* head = newBlock("while");
    llvm::BasicBlock* body = newBlock("body");
    llvm::BasicBlock* exit = newBlock("exit");
    branchTo(head);
    lowerAt(level, *instruction.blocks[0]);
    builder_.CreateCondBr(scalar(instruction.blocks[0]->code.back().operands[0]), body, exit);
    builder_.SetInsertPoint(body);
    lowerLoopBody(level, *instruction.blocks[1], exit, head);
    if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
        builder_.CreateBr(head);
    }
    builder_.SetInsertPoint(exit);
}

// How many passes a range has, as an i64; the distance of int64s may need all 64 bits.
llvm::Value* FunctionLowering::tripCount(llvm::Value* start, llvm::Value* stop, llvm::Value* step, bool isSigned) {
    llvm::Type* word = builder_.getInt64Ty();
    auto widen = [&](llvm::Value* value) { return isSigned ? builder_.CreateSExt(value, word) : builder_.CreateZExt(value, word); };
    llvm::Value* zero = int64(0);
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(step);
    start = widen(start);
    stop = widen(stop);
    step = widen(step);
    auto less = [&](llvm::Value* a, llvm::Value* b) { return isSigned ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b); };
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

// A loop of `passes` passes; `body` gets the number of the pass, and where break and continue lead.
void FunctionLowering::countedLoop(llvm::Value* passes, const LoopBody& body) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::BasicBlock* head = newBlock("for");
    llvm::BasicBlock* inside = newBlock("body");
    llvm::BasicBlock* next = newBlock("next");
    llvm::BasicBlock* exit = newBlock("exit");
    branchTo(head);
    llvm::PHINode* pass = builder_.CreatePHI(builder_.getInt64Ty(), 2, "pass");
    pass->addIncoming(int64(0), before);
    builder_.CreateCondBr(builder_.CreateICmpULT(pass, passes), inside, exit);
    builder_.SetInsertPoint(inside);
    body(pass, exit, next);
    branchTo(next);
    pass->addIncoming(builder_.CreateAdd(pass, int64(1)), next);
    builder_.CreateBr(head);
    builder_.SetInsertPoint(exit);
}

// What the loop's variable is in this pass.
llvm::Value* FunctionLowering::counterIn(const Instruction& loop, llvm::Value* pass) {
    llvm::Value* start = scalar(loop.operands[0]);
    llvm::Value* offset = builder_.CreateMul(builder_.CreateTrunc(pass, start->getType()), scalar(loop.operands[2]));
    return builder_.CreateAdd(start, offset);
}

llvm::Value* FunctionLowering::passesOf(const Instruction& loop) {
    bool isSigned = function_.variables[loop.index].type->isSigned();
    llvm::Value* start = scalar(loop.operands[0]);
    llvm::Value* stop = scalar(loop.operands[1]);
    return tripCount(start, stop, scalar(loop.operands[2]), isSigned);
}

void FunctionLowering::lowerFor(const Instruction& instruction) {
    countedLoop(passesOf(instruction), [&](llvm::Value* pass, llvm::BasicBlock* exit, llvm::BasicBlock* next) {
        storeVariable(instruction.index, {counterIn(instruction, pass)});
        lowerLoopBody(Level::kThread, *instruction.blocks[0], exit, next);
    });
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
    constexpr unsigned kPlaceWords = 6;
    llvm::Type* word = builder_.getInt32Ty();
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* place = entry.CreateAlloca(llvm::ArrayType::get(word, kPlaceWords));
    for (unsigned i = 0; i < kPlaceWords; i++) {
        builder_.CreateStore(geometry_[i], builder_.CreateConstGEP1_32(word, place, i));
    }
    llvm::Value* operands[2] = {int64(0), int64(0)};
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        operands[i] = scalar(instruction.operands[i]);
    }
    callRuntime(reinterpret_cast<const void*>(module_.runtime().raise), builder_.getVoidTy(),
                {int64(int64_t(instruction.index) + 1), place, operands[0], operands[1]});
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(newBlock("dead"));
}

void FunctionLowering::lowerPrint(const Instruction& instruction) {
    llvm::Value* noText = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    size_t next = 0;
    for (const PrintPart& part : function_.prints[instruction.index]) {
        if (!part.isOperand) {
            if (!part.text.empty()) {
                callRuntime(reinterpret_cast<const void*>(module_.runtime().print), builder_.getVoidTy(),
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
        callRuntime(reinterpret_cast<const void*>(module_.runtime().print), builder_.getVoidTy(), {int64(kind), noText, value});
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
