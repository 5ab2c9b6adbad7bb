// Arrays: elements, views, arrays made in the kernel, atomics.
#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

llvm::Value* FunctionLowering::index64(ValueId value) {
    const Type* type = function_.values[value];
    return builder_.CreateIntCast(scalar(value), builder_.getInt64Ty(), type->isSigned());
}

llvm::Value* FunctionLowering::stride(const Parts& array, const Type* type, int axis) {
    if (type->layout == Layout::kA) {
        return array[1 + static_cast<size_t>(type->ndim + axis)];
    }
    llvm::Value* bytes = int64(type->element->bytes());
    int begin = type->layout == Layout::kC ? axis + 1 : 0;
    int end = type->layout == Layout::kC ? type->ndim : axis;
    for (int i = begin; i < end; i++) {
        bytes = builder_.CreateMul(bytes, array[1 + static_cast<size_t>(i)]);
    }
    return bytes;
}

// Of the array and the indices that are the first operands.
llvm::Value* FunctionLowering::elementAddress(const Instruction& instruction) {
    const Type* type = function_.values[instruction.operands[0]];
    Parts array = parts(instruction.operands[0]);
    if (type->layout == Layout::kA) {
        llvm::Value* offset = int64(0);
        for (int i = 0; i < type->ndim; i++) {
            llvm::Value* index = index64(instruction.operands[1 + static_cast<size_t>(i)]);
            offset = builder_.CreateAdd(offset, builder_.CreateMul(index, stride(array, type, i)));
        }
        return builder_.CreateGEP(builder_.getInt8Ty(), array[0], offset);
    }
    llvm::Value* offset = int64(0);
    for (int k = 0; k < type->ndim; k++) {
        int axis = type->layout == Layout::kC ? k : type->ndim - 1 - k;
        llvm::Value* index = index64(instruction.operands[1 + static_cast<size_t>(axis)]);
        offset = k == 0 ? index : builder_.CreateAdd(builder_.CreateMul(offset, array[1 + static_cast<size_t>(axis)]), index);
    }
    return builder_.CreateGEP(module_.scalarType(type->element, true), array[0], offset);
}

Parts FunctionLowering::view(const Instruction& instruction) {
    const Type* from = function_.values[instruction.operands[0]];
    const Type* to = instruction.type;
    llvm::Value* address = elementAddress(instruction);
    Parts result = {instruction.bits == 0 ? address : builder_.CreateGEP(builder_.getInt8Ty(), address, int64(instruction.bits))};
    size_t first = 1 + static_cast<size_t>(from->ndim);
    int words = to->ndim * (to->layout == Layout::kA ? 2 : 1);
    for (int i = 0; i < words; i++) {
        result.push_back(index64(instruction.operands[first + static_cast<size_t>(i)]));
    }
    return result;
}

// Shared ones lie in the block's memory, local ones on the stack or, in kernels with barriers, in the thread's memory.
Parts FunctionLowering::madeArray(const Instruction& instruction) {
    const Type* type = instruction.type;
    if (instruction.op == Op::kDynamicArray) {
        llvm::Value* data = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), shared_, static_cast<uint64_t>(module_.sharedBytes()));
        return {data, builder_.CreateUDiv(dynamicBytes_, int64(type->element->bytes()))};
    }
    bool isConstant = instruction.op == Op::kConstantArray;
    const StaticArray& array = isConstant ? function_.constants[instruction.index] : function_.arrays[instruction.index];
    int64_t bytes = array.elements() * type->element->bytes();
    llvm::Value* data = nullptr;
    if (isConstant) {
        auto* content = llvm::ConstantDataArray::getRaw(array.bytes, array.bytes.size(), builder_.getInt8Ty());
        auto* global = new llvm::GlobalVariable(module_.target(), content->getType(), true, llvm::GlobalValue::PrivateLinkage, content);
        global->setAlignment(llvm::Align(16));
        data = global;
    } else if (instruction.op == Op::kSharedArray) {
        auto offset = static_cast<uint64_t>(module_.sharedOffset(function_, instruction.index));
        data = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), shared_, offset);
    } else if (plan_.hasBarriers()) {
        if (localOffsets_[instruction.index] < 0) {
            localOffsets_[instruction.index] = reserve(bytes);
        }
        data = slotAddress(localOffsets_[instruction.index], (bytes + 7) / 8 * 8);
    } else {
        llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
        auto* slot = entry.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), static_cast<uint64_t>(bytes)));
        slot->setAlignment(llvm::Align(16));
        data = slot;
    }
    Parts parts = {data};
    for (int64_t size : array.shape) {
        parts.push_back(int64(size));
    }
    return parts;
}

Parts FunctionLowering::globalArray(const Instruction& instruction) {
    const GlobalArray& array = function_.globals[instruction.index];
    Parts parts = {builder_.CreateIntToPtr(int64(static_cast<int64_t>(array.address)), builder_.getPtrTy())};
    for (const auto* list : {&array.shape, &array.strides}) {
        for (int64_t size : *list) {
            parts.push_back(int64(size));
        }
    }
    return parts;
}

llvm::Value* FunctionLowering::atomic(const Instruction& instruction) {
    llvm::Value* address = elementAddress(instruction);
    checkAccess(instruction, static_cast<int64_t>(AccessKind::kAtomic), address, nullptr);
    llvm::Value* old = atomicAt(instruction, address);
    noteAtomic(instruction, address);
    return old;
}

llvm::Value* FunctionLowering::atomicAt(const Instruction& instruction, llvm::Value* address) {
    using B = llvm::AtomicRMWInst::BinOp;
    const Type* element = instruction.type;
    auto op = static_cast<AtomicOp>(instruction.index);
    llvm::Value* value = scalar(instruction.operands.back());
    llvm::Align align(static_cast<uint64_t>(element->bytes()));
    constexpr auto kOrder = llvm::AtomicOrdering::Monotonic;
    B known = B::BAD_BINOP;
    switch (op) {
    case AtomicOp::kAdd: known = element->isFloat() ? B::FAdd : B::Add; break;
    case AtomicOp::kSubtract: known = element->isFloat() ? B::FSub : B::Sub; break;
    case AtomicOp::kMaximum:
    case AtomicOp::kNanMaximum: known = element->isFloat() ? B::BAD_BINOP : element->isSigned() ? B::Max : B::UMax; break;
    case AtomicOp::kMinimum:
    case AtomicOp::kNanMinimum: known = element->isFloat() ? B::BAD_BINOP : element->isSigned() ? B::Min : B::UMin; break;
    case AtomicOp::kAnd: known = B::And; break;
    case AtomicOp::kOr: known = B::Or; break;
    case AtomicOp::kXor: known = B::Xor; break;
    case AtomicOp::kIncrement: known = B::UIncWrap; break;
    case AtomicOp::kDecrement: known = B::UDecWrap; break;
    case AtomicOp::kExchange: known = B::Xchg; break;
    case AtomicOp::kCompareSwap: {
        llvm::Value* expected = scalar(instruction.operands[instruction.operands.size() - 2]);
        llvm::Value* pair = builder_.CreateAtomicCmpXchg(address, expected, value, align, kOrder, kOrder);
        return builder_.CreateExtractValue(pair, 0);
    }
    case AtomicOp::kCount: break;
    }
    return known == B::BAD_BINOP ? atomicLoop(instruction, address)
                                 : builder_.CreateAtomicRMW(known, address, value, align, kOrder);
}

// Maxima and minima of floats: a nan changes nothing, but that the nan kinds replace a nan that is there.
llvm::Value* FunctionLowering::atomicLoop(const Instruction& instruction, llvm::Value* address) {
    auto op = static_cast<AtomicOp>(instruction.index);
    bool isMaximum = op == AtomicOp::kMaximum || op == AtomicOp::kNanMaximum;
    bool replacesNan = op == AtomicOp::kNanMaximum || op == AtomicOp::kNanMinimum;
    llvm::Value* value = scalar(instruction.operands.back());
    llvm::Type* type = value->getType();
    llvm::Type* bits = builder_.getIntNTy(static_cast<unsigned>(instruction.type->bits));
    llvm::Align align(static_cast<uint64_t>(instruction.type->bytes()));
    llvm::BasicBlock* head = newBlock("update");
    llvm::BasicBlock* done = newBlock("updated");
    auto* first = builder_.CreateAlignedLoad(bits, address, align);
    first->setAtomic(llvm::AtomicOrdering::Monotonic);
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    branchTo(head);
    llvm::PHINode* seen = builder_.CreatePHI(bits, 2);
    seen->addIncoming(first, before);
    llvm::Value* old = builder_.CreateBitCast(seen, type);
    llvm::Value* replaces = isMaximum ? builder_.CreateFCmpOGT(value, old) : builder_.CreateFCmpOLT(value, old);
    if (replacesNan) {
        replaces = builder_.CreateOr(replaces, builder_.CreateFCmpUNO(old, old));
    }
    llvm::Value* next = builder_.CreateBitCast(builder_.CreateSelect(replaces, value, old), bits);
    constexpr auto kOrder = llvm::AtomicOrdering::Monotonic;
    llvm::Value* pair = builder_.CreateAtomicCmpXchg(address, seen, next, align, kOrder, kOrder);
    seen->addIncoming(builder_.CreateExtractValue(pair, 0), head);
    builder_.CreateCondBr(builder_.CreateExtractValue(pair, 1), done, head);
    builder_.SetInsertPoint(done);
    return old;
}

}  // namespace kiln::gpu
