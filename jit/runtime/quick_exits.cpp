// What quick code leaves to the runtime: its exits, and shadow frames. Where its values lie, its native frame's layout tells.
#include "jit/runtime/quick_exits.h"

#include <algorithm>
#include <vector>

#include "jit/quick/stencil_set.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/shadow_frames.h"

namespace kiln {
namespace {

constexpr int64_t kNotLinked = 1;

void* pointerIn(const int64_t* native, FrameWord word) {
    return reinterpret_cast<void*>(native[word]);
}

}  // namespace

void leaveQuick(NativeContext* context, int64_t* native, CompiledRegion* region) {
    auto exit = static_cast<int>(native[kExitWord]);
    const std::vector<int32_t>& words = region->nativeWords(static_cast<size_t>(exit));
    std::transform(words.begin(), words.end(), context->exitValues, [&](int32_t word) { return native[word]; });
    auto* activation = region->activationWords != 0 ? static_cast<Activation*>(pointerIn(native, kActivationWord)) : nullptr;
    void* frame = pointerIn(native, kFrameWord);
    if (!region->region.isFunction) {
        exitLoop(context, frame, activation, region, exit, context->exitValues);
        return;
    }
    auto* function = static_cast<PyFunctionObject*>(pointerIn(native, kFunctionWord));
    NativeResult result = exitFunction(context, frame, function, activation, region, exit, context->exitValues);
    native[kResultWord] = result.value;
    native[kStatusWord] = result.status;
}

// As Lowering::linkFrames().
void linkQuick(NativeContext* context, int64_t* native, CompiledRegion* region, int snapshot) {
    const auto frames = region->region.framesOf(region->region.snapshots[static_cast<size_t>(snapshot)]);
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    if (native[kRealTopWord] == kNotLinked) {
        native[kRealTopWord] = reinterpret_cast<int64_t>(kiln_current_frame(thread));
    }
    auto* root = static_cast<KilnFrame*>(pointerIn(native, kFrameWord));
    auto* below = root;
    if (root != nullptr) {
        kiln_frame_set_last_unit(root, frames[0].unit - 1);
    } else {
        below = static_cast<KilnFrame*>(context->top != nullptr ? shadowCallers(context) : pointerIn(native, kRealTopWord));
    }
    int64_t* room = native + region->nativeFrame.shadowFrames / static_cast<int32_t>(sizeof *native);
    auto* activation = region->activationWords != 0 ? static_cast<Activation*>(pointerIn(native, kActivationWord)) : nullptr;
    for (size_t index = root != nullptr ? 1 : 0; index < frames.size(); index++) {
        int waits = index + 1 < frames.size() ? 1 : 0;
        below = kiln_shadow_frame(room + index * kShadowFrameWords, region->codeOf(frames[index]), frames[index].unit - waits, below);
        if (index == 0 && activation != nullptr && activation->frame != nullptr) {
            below = static_cast<KilnFrame*>(activation->frame);  // a callee made it real
        }
    }
    kiln_set_current_frame(thread, below);
}

}  // namespace kiln
