#include "jit/runtime/shadow_frames.h"

#include <utility>
#include <vector>

#include "jit/runtime/activation.h"

namespace kiln {
namespace {

static_assert(kShadowStacktop == KILN_SHADOW_STACKTOP);

// The frames of one activation on those below it. The root's may be real, and then all below it are.
KilnFrame* shadowActivation(Activation* activation, KilnFrame* below) {
    const CompiledRegion* region = regionOf(activation);
    const auto frames = framesOf(activation);
    KilnFrame* frame = below;
    size_t first = 0;
    if (activation->frame != nullptr) {
        frame = static_cast<KilnFrame*>(activation->frame);
        kiln_frame_set_last_unit(frame, frames[0].unit - 1);
        first = 1;
    }
    int64_t* room = reinterpret_cast<int64_t*>(activation) + region->activationWords - region->shadowFrames * kShadowFrameWords;
    for (size_t index = first; index < frames.size(); index++) {
        frame = kiln_shadow_frame(room + index * kShadowFrameWords, region->codeOf(frames[index]), frames[index].unit - 1, frame);
    }
    if (first < frames.size()) {
        activation->shadow = frame;
        activation->published = kShadowed;
    }
    return frame;
}

}  // namespace

void* shadowCallers(NativeContext* context) {
    // On the way down each keeps the one above it where its shadow will be.
    Activation* above = nullptr;
    Activation* activation = context->top;
    while (activation != nullptr && activation->published == kUnpublished && activation->frame == nullptr) {
        activation->shadow = std::exchange(above, activation);
        activation = activation->previous;
    }
    KilnFrame* frame = kiln_current_frame(static_cast<PyThreadState*>(context->threadState));
    if (activation != nullptr && activation->published == kShadowed) {
        frame = static_cast<KilnFrame*>(activation->shadow);
    } else if (activation != nullptr && activation->published == kUnpublished) {
        frame = shadowActivation(activation, frame);
    }
    while (above != nullptr) {
        Activation* next = static_cast<Activation*>(above->shadow);
        frame = shadowActivation(above, frame);
        above = next;
    }
    return frame;
}

}  // namespace kiln
