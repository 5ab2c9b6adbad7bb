#include "jit/quick/frame_layout.h"

#include <algorithm>

#include "jit/quick/stencil_set.h"

namespace kiln {
namespace {

constexpr int32_t kWord = 8;

}  // namespace

// Parameters of the entry come first, where enter_native puts them. What a native call gives takes two words.
NativeFrameLayout layOutNativeFrame(const CodegenRequest& request) {
    const ir::Region& region = *request.region;
    NativeFrameLayout layout;
    layout.slots.assign(region.valueTypes.size(), 0);
    int32_t next = kFirstValueWord * kWord;
    auto take = [&](int32_t words) { return std::exchange(next, next + words * kWord); };
    size_t linked = 0;
    for (const ir::Block& block : region.blocks) {
        for (ir::ValueId parameter : block.parameters) {
            layout.slots[static_cast<size_t>(parameter)] = take(1);
        }
        for (const ir::Instruction& in : block.instructions) {
            if (in.result != ir::kNoId) {
                layout.slots[static_cast<size_t>(in.result)] = take(ir::isNativeCall(in.op) ? 2 : 1);
            }
            if (in.op == ir::Op::k_link_frames) {
                linked = std::max(linked, region.snapshots[static_cast<size_t>(in.snapshot)].frames.size());
            }
        }
    }
    layout.spare = take(1);
    layout.shadowFrames = take(static_cast<int32_t>(linked * kShadowFrameWords));
    bool isBare = region.isFunction && !request.needsFrame;
    layout.activation = take(isBare ? static_cast<int32_t>(request.activationWords) : 0);
    layout.size = (next + 2 * kWord - 1) / (2 * kWord) * (2 * kWord);
    return layout;
}

}  // namespace kiln
