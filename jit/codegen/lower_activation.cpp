// Activation records: what a caller leaves for those who look at it while it waits.
#include "jit/codegen/lowering.h"

namespace kiln {
namespace {

constexpr size_t kWords = sizeof(Activation) / sizeof(int64_t);

}  // namespace

llvm::Value* Lowering::activationField(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), activation_, offset);
}

// In the prologue: room for the record, if the region ever waits.
void Lowering::createActivation() {
    size_t values = 0;
    bool waits = false;
    for (const ir::Block& block : region_.blocks) {
        for (const ir::Instruction& in : block.instructions) {
            if (in.op == ir::Op::k_suspend) {
                size_t named = 0;
                ir::forEachSnapshotValue(region_.snapshots[in.snapshot], [&](const ir::ValueId&) { named++; });
                values = std::max(values, named);
                waits = true;
            }
        }
    }
    if (waits) {
        auto* record = llvm::ArrayType::get(i64_, kWords + values);
        activation_ = builder_.CreateAlloca(record, nullptr, "activation");
    }
}

// After the root's frame is known.
void Lowering::initializeActivation() {
    if (activation_ == nullptr) {
        return;
    }
    previousActivation_ = builder_.CreateLoad(pointer_, contextField(offsetof(NativeContext, top)));
    builder_.CreateStore(previousActivation_, activationField(offsetof(Activation, previous)));
    builder_.CreateStore(frame_, activationField(offsetof(Activation, frame)));
    if (region_.isFunction) {
        builder_.CreateStore(rootFunction_, activationField(offsetof(Activation, function)));
    }
    builder_.CreateStore(builder_.getInt64(0), activationField(offsetof(Activation, published)));
}

llvm::Value* Lowering::contextField(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), contextArgument_, offset);
}

bool Lowering::lowerActivation(const ir::Instruction& in) {
    if (in.op == ir::Op::k_suspend) {
        size_t offset = sizeof(Activation);
        ir::forEachSnapshotValue(region_.snapshots[in.snapshot], [&](const ir::ValueId& id) {
            builder_.CreateStore(toWord(value(id)), activationField(offset));
            offset += sizeof(int64_t);
        });
        builder_.CreateStore(pointerConstant(request_.callSites + in.snapshot), activationField(offsetof(Activation, site)));
        builder_.CreateStore(activation_, contextField(offsetof(NativeContext, top)));
        return true;
    }
    if (in.op != ir::Op::k_resume) {
        return false;
    }
    builder_.CreateStore(previousActivation_, contextField(offsetof(NativeContext, top)));
    Value* published = builder_.CreateLoad(i64_, activationField(offsetof(Activation, published)));
    whenUnlikely(builder_.CreateICmpNE(published, builder_.getInt64(0)), [&] {
        callRuntime(RuntimeFunction::k_retract, llvm::Type::getVoidTy(context_), {contextArgument_, activation_});
    });
    return true;
}

// Before the return of a function root: its frame, if it has one.
void Lowering::popOwnFrame() {
    auto pop = [&](Value* frame) {
        callRuntime(RuntimeFunction::k_pop_frame, llvm::Type::getVoidTy(context_), {contextArgument_, frame});
    };
    if (request_.needsFrame) {
        pop(frame_);
    } else if (activation_ != nullptr) {
        Value* frame = builder_.CreateLoad(pointer_, activationField(offsetof(Activation, frame)));
        whenUnlikely(builder_.CreateIsNotNull(frame), [&] { pop(frame); });
    }
}

}  // namespace kiln
