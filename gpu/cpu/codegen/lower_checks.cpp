// Where a module's accesses are checked: what its threads do is told to the runtime, which ends the launch at a fault.
#include "gpu/cpu/codegen/kernel_lowering.h"

namespace kiln::gpu {

// The current thread's index and its block's.
llvm::Value* FunctionLowering::placeOfThread() {
    constexpr unsigned kPlaceWords = 6;
    llvm::Type* word = builder_.getInt32Ty();
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* place = entry.CreateAlloca(llvm::ArrayType::get(word, kPlaceWords));
    for (unsigned i = 0; i < kPlaceWords; i++) {
        builder_.CreateStore(geometry_[i], builder_.CreateConstGEP1_32(word, place, i));
    }
    return place;
}

// `value`: what a store writes; nullptr for other accesses.
void FunctionLowering::checkAccess(const Instruction& instruction, int64_t kind, llvm::Value* address,
                                   llvm::Value* value) {
    if (instruction.access == 0) {
        return;
    }
    const Type* array = function_.values[instruction.operands[0]];
    llvm::Type* word = builder_.getInt64Ty();
    llvm::IRBuilder<> entry(&target_->getEntryBlock(), target_->getEntryBlock().begin());
    llvm::Value* indices = entry.CreateAlloca(llvm::ArrayType::get(word, static_cast<uint64_t>(array->ndim)));
    for (int i = 0; i < array->ndim; i++) {
        builder_.CreateStore(index64(instruction.operands[1 + static_cast<size_t>(i)]),
                             builder_.CreateConstGEP1_32(word, indices, static_cast<unsigned>(i)));
    }
    llvm::Value* written = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    if (value != nullptr) {
        written = entry.CreateAlloca(value->getType());
        builder_.CreateStore(value, written);
    }
    callRuntime("kiln.noteAccess", builder_.getVoidTy(),
                {int64(int64_t(instruction.access) - 1), int64(kind), address, int64(array->element->bytes()), indices,
                 written, placeOfThread()});
}

void FunctionLowering::noteBlock(llvm::Value* block) {
    if (checksAccesses()) {
        llvm::Value* bytes = builder_.CreateAdd(dynamicBytes_, int64(module_.sharedBytes()));
        callRuntime("kiln.noteBlock", builder_.getVoidTy(), {block, shared_, bytes});
    }
}

void FunctionLowering::noteBlockEnd() {
    if (checksAccesses()) {
        callRuntime("kiln.noteBlockEnd", builder_.getVoidTy(), {});
    }
}

void FunctionLowering::noteAtomic(const Instruction& instruction, llvm::Value* address) {
    if (instruction.access != 0) {
        callRuntime("kiln.noteAtomic", builder_.getVoidTy(), {address, placeOfThread()});
    }
}

void FunctionLowering::noteUndefined(const Instruction& instruction) {
    const Parts array = parts(instruction.operands[0]);
    const Type* type = function_.values[instruction.operands[0]];
    llvm::Value* bytes = int64(type->element->bytes());
    for (int i = 0; i < type->ndim; i++) {
        bytes = builder_.CreateMul(bytes, array[1 + static_cast<size_t>(i)]);
    }
    callRuntime("kiln.noteUndefined", builder_.getVoidTy(), {array[0], bytes});
}

void FunctionLowering::noteFence() {
    if (checksAccesses()) {
        callRuntime("kiln.noteFence", builder_.getVoidTy(), {placeOfThread()});
    }
}

void FunctionLowering::noteBarrier(const Instruction& instruction) {
    if (checksAccesses()) {
        bool isGrid = instruction.op == Op::kBarrier && instruction.index == static_cast<uint32_t>(BarrierScope::kGrid);
        callRuntime(isGrid ? "kiln.noteGridBarrier" : "kiln.noteBlockBarrier", builder_.getVoidTy(), {});
    }
}

// What has a mask brings its lanes together; which lanes are active is asked without.
void FunctionLowering::noteWarp(const Instruction& instruction, llvm::Value* active, llvm::Value* masks) {
    if (checksAccesses() && !instruction.operands.empty()) {
        callRuntime("kiln.noteWarp", builder_.getVoidTy(), {active, masks});
    }
}

}  // namespace kiln::gpu
