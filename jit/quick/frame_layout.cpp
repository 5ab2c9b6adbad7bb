#include "jit/quick/frame_layout.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "jit/quick/stencil_set.h"
#include "jit/quick/value_lifetimes.h"

namespace kiln {
namespace {

constexpr int32_t kWord = 8;

// Gives values slots, each the first one that is free for its lifetime; the slot of a value that moves there if that is free.
// Poletto and Sarkar, Linear Scan Register Allocation, TOPLAS 1999, with as many registers as it takes.
class SlotAllocator {
   public:
    explicit SlotAllocator(const ir::Region& region)
        : region_(region), lifetimes_(lifetimesOf(region)), words_(region.valueTypes.size(), 1), partners_(region.valueTypes.size(), ir::kNoId),
          slots_(region.valueTypes.size(), 0), given_(region.valueTypes.size(), false) {
        int32_t places = 0;
        for (const ir::Block& block : region.blocks) {
            places += static_cast<int32_t>(block.instructions.size()) + 1;
            blockEnds_.push_back(places - 1);
            for (const ir::Instruction& in : block.instructions) {
                if (in.result != ir::kNoId && ir::isNativeCall(in.op)) {
                    words_[static_cast<size_t>(in.result)] = 2;
                }
            }
            for (const ir::Target& target : block.targets) {
                const std::vector<ir::ValueId>& parameters = region.blocks[static_cast<size_t>(target.block)].parameters;
                for (size_t index = 0; index < parameters.size(); index++) {
                    partners_[static_cast<size_t>(target.arguments[index])] = parameters[index];
                    partners_[static_cast<size_t>(parameters[index])] = target.arguments[index];
                }
            }
        }
    }

    // Parameters of a function come first, where its native entry puts them. Then what lives in one block only, which is most, so that
    // it lies close to the base.
    void run() {
        if (region_.isFunction) {
            for (ir::ValueId parameter : region_.blocks[0].parameters) {
                take(parameter, free_.size());
            }
        }
        std::vector<ir::ValueId> order;
        for (size_t value = 0; value < lifetimes_.size(); value++) {
            if (lifetimes_[value].last >= 0 && !given_[value]) {
                order.push_back(static_cast<ir::ValueId>(value));
            }
        }
        std::ranges::stable_sort(order, {}, [&](ir::ValueId value) { return lifetimes_[static_cast<size_t>(value)].first; });
        auto others = std::ranges::stable_partition(order, [&](ir::ValueId value) { return isLocal(value); });
        allocate({order.begin(), others.begin()});
        first_ = free_.size();
        holders_ = {};
        allocate(others);
    }

    // By ValueId, in words.
    const std::vector<size_t>& slots() const { return slots_; }
    size_t size() const { return free_.size(); }

   private:
    struct Holder {
        int32_t last;
        ir::ValueId value;
        bool operator>(const Holder& other) const { return last > other.last; }
    };

    bool isLocal(ir::ValueId value) const {
        const Lifetime& lifetime = lifetimes_[static_cast<size_t>(value)];
        return *std::ranges::lower_bound(blockEnds_, lifetime.first) == *std::ranges::lower_bound(blockEnds_, lifetime.last);
    }

    // In the order of their beginnings.
    void allocate(std::span<const ir::ValueId> values) {
        for (ir::ValueId value : values) {
            release(lifetimes_[static_cast<size_t>(value)].first);
            take(value, slotFor(value));
        }
    }

    void release(int32_t place) {
        while (!holders_.empty() && holders_.top().last < place) {
            auto value = static_cast<size_t>(holders_.top().value);
            std::fill_n(free_.begin() + static_cast<ptrdiff_t>(slots_[value]), words_[value], true);
            holders_.pop();
        }
    }

    bool isFree(size_t slot, size_t words) const {
        for (size_t word = slot; word < std::min(slot + words, free_.size()); word++) {
            if (!free_[word]) {
                return false;
            }
        }
        return true;
    }

    size_t slotFor(ir::ValueId value) const {
        size_t words = words_[static_cast<size_t>(value)];
        ir::ValueId partner = partners_[static_cast<size_t>(value)];
        if (partner != ir::kNoId && given_[static_cast<size_t>(partner)]) {
            size_t there = slots_[static_cast<size_t>(partner)];
            if (there >= first_ && isFree(there, words)) {
                return there;
            }
        }
        size_t slot = first_;
        while (!isFree(slot, words)) {
            slot++;
        }
        return slot;
    }

    void take(ir::ValueId value, size_t slot) {
        size_t words = words_[static_cast<size_t>(value)];
        free_.resize(std::max(free_.size(), slot + words), true);
        std::fill_n(free_.begin() + static_cast<ptrdiff_t>(slot), words, false);
        slots_[static_cast<size_t>(value)] = slot;
        given_[static_cast<size_t>(value)] = true;
        holders_.push({lifetimes_[static_cast<size_t>(value)].last, value});
    }

    const ir::Region& region_;
    std::vector<Lifetime> lifetimes_;
    std::vector<size_t> words_;           // by value: what a native call gives takes two
    std::vector<ir::ValueId> partners_;   // by value: the parameter that it becomes, or what becomes the parameter
    std::vector<size_t> slots_;
    std::vector<bool> given_;             // by value: it has a slot
    std::vector<int32_t> blockEnds_;      // the last place of each
    std::vector<bool> free_;              // by slot
    size_t first_ = 0;                    // those before it are not given any more
    std::priority_queue<Holder, std::vector<Holder>, std::greater<>> holders_;
};

size_t mostLinkedFrames(const ir::Region& region) {
    size_t most = 0;
    for (const ir::Block& block : region.blocks) {
        for (const ir::Instruction& in : block.instructions) {
            if (in.op == ir::Op::k_link_frames) {
                most = std::max(most, region.snapshots[static_cast<size_t>(in.snapshot)].frames.size());
            }
        }
    }
    return most;
}

}  // namespace

NativeFrameLayout layOutNativeFrame(const CodegenRequest& request) {
    const ir::Region& region = *request.region;
    SlotAllocator allocator(region);
    allocator.run();
    NativeFrameLayout layout;
    for (size_t slot : allocator.slots()) {
        layout.slots.push_back(static_cast<int32_t>(slot) * kWord);
    }
    auto next = static_cast<int32_t>(allocator.size()) * kWord;
    auto take = [&](size_t words) { return std::exchange(next, next + static_cast<int32_t>(words) * kWord); };
    layout.spare = take(1);
    layout.shadowFrames = take(mostLinkedFrames(region) * kShadowFrameWords);
    bool isBare = region.isFunction && !request.needsFrame;
    layout.activation = take(isBare ? request.activationWords : 0);
    layout.size = (next - kFirstWord * kWord + 2 * kWord - 1) / (2 * kWord) * (2 * kWord);
    return layout;
}

}  // namespace kiln
