// Shadow frames: code and position of loops whose frames are not real, for readers of the stack that hold no GIL. A reader may
// come at any time, so all stores are volatile, and the link is the last.
#include "jit/codegen/lowering.h"

namespace kiln {

// In the prologue: room for the most frames that a loop has.
void Lowering::createShadowFrames() {
    size_t most = 0;
    for (const ir::Block& block : region_.blocks) {
        for (const ir::Instruction& in : block.instructions) {
            most = std::max(most, in.op == ir::Op::k_link_frames ? region_.snapshots[in.snapshot].frames.size() : 0);
        }
    }
    if (most != 0) {
        shadowFrames_ = builder_.CreateAlloca(llvm::ArrayType::get(i64_, most * kShadowFrameWords), nullptr, "shadows");
        realTop_ = builder_.CreateAlloca(pointer_, nullptr, "real_top");
        builder_.CreateStore(notLinked(), realTop_);
    }
}

// In place of the innermost real frame, which may be NULL: a greenlet has none at its start.
llvm::Value* Lowering::notLinked() {
    return pointerConstant(reinterpret_cast<const void*>(uintptr_t{1}));
}

llvm::Value* Lowering::currentFramePlace() {
    Value* thread = builder_.CreateLoad(pointer_, contextArgument_);
    return fieldPointer(load(pointer_, thread, Field::k_thread_cframe, Memory::kFrame), Field::k_cframe_current);
}

void Lowering::storeSeen(Value* stored, Value* place) {
    builder_.CreateStore(stored, place, /*isVolatile=*/true);
}

// The instruction before the frame's next one, in which it waits.
void Lowering::storePosition(Value* frame, const ir::FrameSnapshot& source, bool waits) {
    const auto* units = static_cast<const char*>(region_.codes[source.code]) + environment_.fields[static_cast<int>(Field::k_code_units)];
    storeSeen(pointerConstant(units + 2 * (source.unit - (waits ? 1 : 0))), fieldPointer(frame, Field::k_frame_prev_instr));
}

// What a function root's outermost shadow frame stands on: the caller's, who may have none either.
llvm::Value* Lowering::callersFrame(Value* real) {
    Value* top = builder_.CreateLoad(pointer_, contextField(offsetof(NativeContext, top)));
    auto called = [&] { return callRuntime(RuntimeFunction::k_shadow_callers, pointer_, {contextArgument_}); };
    return choose(builder_.CreateIsNull(top), [&] { return real; }, called);
}

void Lowering::linkFrames(const ir::Instruction& in) {
    const auto frames = region_.framesOf(region_.snapshots[in.snapshot]);
    const bool rootIsReal = hasFrame();
    if (frames.size() == 1 && rootIsReal) {
        return;
    }
    Value* place = currentFramePlace();
    Value* real = builder_.CreateLoad(pointer_, realTop_);
    real = builder_.CreateSelect(builder_.CreateICmpEQ(real, notLinked()), builder_.CreateLoad(pointer_, place), real);
    builder_.CreateStore(real, realTop_);
    Value* below = rootIsReal ? frame_ : callersFrame(real);
    if (rootIsReal) {
        storePosition(frame_, frames[0], true);
    }
    for (size_t index = rootIsReal ? 1 : 0; index < frames.size(); index++) {
        Value* shadow = builder_.CreateConstInBoundsGEP1_64(i64_, shadowFrames_, index * kShadowFrameWords);
        storeSeen(pointerConstant(region_.codes[frames[index].code]), fieldPointer(shadow, Field::k_frame_code));
        storeSeen(below, fieldPointer(shadow, Field::k_frame_previous));
        storeSeen(builder_.getInt64(kShadowStacktop), fieldPointer(shadow, Field::k_frame_stacktop));  // and the owner behind it: the thread
        storePosition(shadow, frames[index], index + 1 < frames.size());
        below = shadow;
        if (index == 0 && activation_ != nullptr) {
            // A callee may have made the root's frame real.
            Value* made = builder_.CreateLoad(pointer_, activationField(offsetof(Activation, frame)));
            below = builder_.CreateSelect(builder_.CreateIsNull(made), shadow, made);
        }
    }
    storeSeen(below, place);
}

// At the end of a loop and at each exit.
void Lowering::unlinkFrames() {
    if (realTop_ == nullptr) {
        return;
    }
    Value* real = builder_.CreateLoad(pointer_, realTop_);
    when(builder_.CreateICmpNE(real, notLinked()), [&] {
        storeSeen(real, currentFramePlace());
        builder_.CreateStore(notLinked(), realTop_);
    });
}

}  // namespace kiln
