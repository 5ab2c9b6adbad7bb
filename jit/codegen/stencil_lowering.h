// Lowers one op, or one of the pieces around them, to a function whose machine code is a stencil.
//
// A stencil function takes the NativeContext and the native frame in registers that calls preserve, and ends with a tail call of
// whatever comes next. What it does not know are addresses of external symbols, the holes: jit/quick/holes.def.
#pragma once

#include <memory>
#include <string>

#include "jit/codegen/lowering.h"
#include "jit/quick/stencil_set.h"

namespace kiln {

// Stands for the addresses of a process: pointerConstant() finds the hole that an address stands for.
CodegenEnvironment makeHoleEnvironment();

// Of a function declared in the module; prefixed, so that LLVM knows none of them.
std::string holeName(HoleKind kind);
std::string holeName(RuntimeFunction function);
// By number, those of runtime functions too: whether it takes 64 bits.
bool isLargeHole(int hole);

// What the region and the request of a stencil name.
CodegenRequest makeHoleRequest(ir::Region& region, const RootForm& root);

class StencilLowering final : public Lowering {
   public:
    // All outlive it. `spareWords`: of the stack, beside what it needs.
    StencilLowering(const CodegenEnvironment& environment, const CodegenRequest& request, const RootForm& root, llvm::Module& module,
                    int spareWords)
        : Lowering(environment, request, module), root_(root), spareWords_(spareWords) {}

    // False when the variant has no lowering.
    bool makeOp(const std::string& name);
    void makePiece(Piece piece, int variant, const std::string& name);

   private:
    Value* value(ir::ValueId id) override;
    void define(const ir::Instruction& in, Value* result) override { storeWord(result, HoleKind::k_result); }
    Value* pointerConstant(const void* address) override;
    Value* number(const ir::Instruction& in) override;
    Value* nativePair(ir::ValueId status) override;
    void defineNativePair(const ir::Instruction& in, Value* pair) override;
    llvm::BasicBlock* exitBlock(ir::SnapshotId snapshot) override;
    void returnPair(Value* pair) override;
    Value* frameCount(const ir::Instruction& in) override;
    Value* negative(Value* number) override { return builder_.CreateFNeg(number); }  // with nothing else, into which it could be drawn
    Value* frameBytes() override { return small(HoleKind::k_frame_size); }
    Value* activationWords() override { return small(HoleKind::k_activation_words); }
    Value* activationRoom() override { return slot(HoleKind::k_activation); }

    llvm::CallInst* callAside(RuntimeFunction plain, RuntimeFunction, llvm::Type* result, llvm::ArrayRef<Value*> arguments) override {
        return callRuntime(plain, result, arguments);
    }
    Value* nativeFrame() override { return base_; }
    Value* argumentRoom(size_t count) override { return word(kArgumentsEnd - static_cast<int>(count)); }

    llvm::GlobalVariable* symbol(const std::string& name);
    Value* large(const std::string& name);
    Value* small(HoleKind kind);
    Value* slot(HoleKind kind);
    Value* word(int index);
    Value* loadWord(llvm::Type* type, HoleKind kind);
    void storeWord(Value* stored, HoleKind kind);
    llvm::FunctionType* stencilType();
    void openStencil(const std::string& name);
    llvm::Function* continuation(HoleKind kind);
    void goTo(HoleKind kind);
    void lowerBranchOp(const ir::Instruction& in);
    void makeEnter(const std::string& name, llvm::FunctionType* type, const std::function<void(llvm::Function*)>& fill);
    void begin();
    void takeArgument(ir::Type type);
    Value* resultOfFrame();

    const RootForm root_;
    const int spareWords_;
    Value* base_ = nullptr;
    llvm::BasicBlock* exit_ = nullptr;
};

}  // namespace kiln
