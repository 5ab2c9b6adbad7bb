// Activation records: what a caller leaves for those who look at it while it waits.
#include "jit/codegen/lowering.h"

namespace kiln {
llvm::Value* Lowering::activationField(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), activation_, offset);
}

bool Lowering::hasFrame() const {
    return !region_.isFunction || request_.needsFrame;
}

// In the prologue, after the root's frame is known, with which the runtime has attached the record (attachRecord()). Without a
// frame the record is for compiled callees only.
void Lowering::createActivation() {
    if (request_.activationWords == 0) {
        return;
    }
    if (!region_.isFunction) {
        activation_ = builder_.CreateLoad(pointer_, contextField(offsetof(NativeContext, record)));
    } else if (request_.needsFrame) {
        activation_ = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), frame_, frameBytes());
    } else {
        activation_ = activationRoom();
    }
    previousActivation_ = builder_.CreateLoad(pointer_, contextField(offsetof(NativeContext, top)));
    builder_.CreateStore(previousActivation_, activationField(offsetof(Activation, previous)));
    if (!hasFrame()) {
        builder_.CreateStore(frame_, activationField(offsetof(Activation, frame)));
        builder_.CreateStore(rootFunction_, activationField(offsetof(Activation, function)));
        builder_.CreateStore(builder_.getInt64(0), activationField(offsetof(Activation, published)));
        Value* native = nativeFrame();
        builder_.CreateStore(native != nullptr ? native : llvm::ConstantPointerNull::get(pointer_), activationField(offsetof(Activation, native)));
    }
}

llvm::Value* Lowering::activationRoom() {
    return builder_.CreateAlloca(llvm::ArrayType::get(i64_, request_.activationWords), nullptr, "activation");
}

// In the prologue of a function root that needs a frame of its own.
void Lowering::pushOwnFrame() {
    frame_ = callRuntime(RuntimeFunction::k_push_frame, pointer_, {contextArgument_, rootFunction_, activationWords()});
    auto* failed = llvm::BasicBlock::Create(context_, "no_frame", function_);
    auto* framed = llvm::BasicBlock::Create(context_, "framed", function_);
    builder_.CreateCondBr(builder_.CreateIsNull(frame_), failed, framed);
    builder_.SetInsertPoint(failed);
    returnPair(llvm::ConstantStruct::get(resultType_, {builder_.getInt64(0), builder_.getInt64(kRaised)}));
    builder_.SetInsertPoint(framed);
}

llvm::Value* Lowering::contextField(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), contextArgument_, offset);
}

bool Lowering::lowerActivation(const ir::Instruction& in) {
    switch (in.op) {
        case ir::Op::k_guard_unheld: guardUnheld(in); return true;
        case ir::Op::k_leave_frame: popOwnFrame(); return true;
        case ir::Op::k_add_traceback: callRuntime(RuntimeFunction::k_add_traceback, builder_.getVoidTy(), {contextArgument_}); return true;
        case ir::Op::k_unwind: callRuntime(RuntimeFunction::k_unwind, builder_.getVoidTy(), {contextArgument_, number(in)}); return true;
        case ir::Op::k_link_frames: linkFrames(in); return true;
        case ir::Op::k_unlink_frames: unlinkFrames(); return true;
        default: break;
    }
    if (activation_ == nullptr) {
        return false;
    }
    if (in.op == ir::Op::k_suspend) {
        size_t offset = sizeof(Activation);
        ir::forEachSnapshotValue(region_, region_.snapshots[in.snapshot], [&](ir::ValueId id) {
            builder_.CreateStore(toWord(value(id)), activationField(offset));
            offset += sizeof(int64_t);
        });
        if (Value* native = hasFrame() ? nativeFrame() : nullptr) {
            builder_.CreateStore(native, activationField(offsetof(Activation, native)));  // each time: keepValues()
        }
        builder_.CreateStore(pointerConstant(request_.callSites + in.snapshot), activationField(offsetof(Activation, site)));
        builder_.CreateStore(activation_, contextField(offsetof(NativeContext, top)));
        return true;
    }
    if (in.op != ir::Op::k_resume) {
        return false;
    }
    builder_.CreateStore(previousActivation_, contextField(offsetof(NativeContext, top)));
    Value* published = builder_.CreateLoad(i64_, activationField(offsetof(Activation, published)));
    when(builder_.CreateICmpNE(published, builder_.getInt64(0)), [&] {
        callRuntime(RuntimeFunction::k_retract, llvm::Type::getVoidTy(context_), {contextArgument_, activation_});
    }, Odds::kUnlikely);
    if (hasFrame()) {
        builder_.CreateStore(llvm::ConstantPointerNull::get(pointer_), activationField(offsetof(Activation, site)));
    }
    return true;
}

// Of a function that never waited nobody has seen a frame.
void Lowering::guardUnheld(const ir::Instruction& in) {
    auto askFrame = [&](Value* frame) {
        Value* object = builder_.CreateLoad(pointer_, fieldPointer(frame, Field::k_frame_object));
        when(builder_.CreateIsNotNull(object), [&] {
            Value* holders = load(i64_, object, Field::k_ob_refcnt, Memory::kRefcount);
            exitWhen(builder_.CreateICmpNE(holders, builder_.getInt64(1)), in.snapshot);
        }, Odds::kUnlikely);
    };
    if (request_.needsFrame) {
        askFrame(frame_);
    } else if (activation_ != nullptr) {
        Value* frame = builder_.CreateLoad(pointer_, activationField(offsetof(Activation, frame)));
        when(builder_.CreateIsNotNull(frame), [&] { askFrame(frame); }, Odds::kUnlikely);
    }
}

// A function root's frame goes, if it has one.
void Lowering::popOwnFrame() {
    auto pop = [&](Value* frame) {
        callRuntime(RuntimeFunction::k_pop_frame, llvm::Type::getVoidTy(context_), {contextArgument_, frame});
    };
    if (request_.needsFrame) {
        pop(frame_);
    } else if (activation_ != nullptr) {
        Value* frame = builder_.CreateLoad(pointer_, activationField(offsetof(Activation, frame)));
        when(builder_.CreateIsNotNull(frame), [&] { pop(frame); }, Odds::kUnlikely);
    }
}

}  // namespace kiln
