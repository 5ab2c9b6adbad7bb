// A store for each change of place, and none where all ways to a block come from its place: what is known at the end of each block
// goes forward until nothing changes.
#include "jit/passes/mark_places.h"

#include <algorithm>

#include "jit/ir/ir_op.h"

namespace kiln::passes {

namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;

constexpr int32_t kUnknown = 0;     // several, or a callee's
constexpr int32_t kUnreached = -1;  // nothing is known of the block yet

class PlaceMarker {
public:
    PlaceMarker(ir::Region& region, const std::vector<int32_t>& numbers)
        : region_(region), numbers_(numbers), before_(region.blocks.size(), kUnreached) {}

    void run() {
        arrive(0, kUnknown);
        while (!waiting_.empty()) {
            const BlockId block = waiting_.back();
            waiting_.pop_back();
            const int32_t after = behind(block);
            for (const ir::Target& target : region_.blocks[block].targets) {
                arrive(target.block, after);
            }
        }
        for (BlockId block = 0; block < static_cast<BlockId>(region_.blocks.size()); block++) {
            mark(block);
        }
    }

private:
    // What takes no time of its own tells nothing.
    int32_t numberOf(const Instruction& in) const {
        const bool isFree = ir::info(in.op).effect == ir::Effect::kPure && ir::info(in.op).operands[0] == '\0';
        return in.place == ir::kNoId || isFree ? kUnknown : numbers_[in.place];
    }

    static int32_t after(const Instruction& in, int32_t now) { return ir::isNativeCall(in.op) ? kUnknown : now; }

    int32_t behind(BlockId block) const {
        int32_t now = before_[block];
        for (const Instruction& in : region_.blocks[block].instructions) {
            const int32_t number = numberOf(in);
            now = after(in, number != kUnknown ? number : now);
        }
        return now;
    }

    void arrive(BlockId block, int32_t number) {
        const int32_t joined = before_[block] == kUnreached || before_[block] == number ? number : kUnknown;
        if (joined != before_[block]) {
            before_[block] = joined;
            waiting_.push_back(block);
        }
    }

    void mark(BlockId block) {
        int32_t now = before_[block];
        std::vector<Instruction> marked;
        for (Instruction& in : region_.blocks[block].instructions) {
            const int32_t number = numberOf(in);
            if (number != kUnknown && number != now) {
                marked.push_back({.op = Op::k_at_place, .immediate = number, .operands = {}});
                now = number;
            }
            now = after(in, now);
            marked.push_back(std::move(in));
        }
        region_.blocks[block].instructions = std::move(marked);
    }

    ir::Region& region_;
    const std::vector<int32_t>& numbers_;
    std::vector<int32_t> before_;  // by block: the place told last
    std::vector<BlockId> waiting_;
};

}  // namespace

void markPlaces(ir::Region& region, const std::vector<int32_t>& numbers) {
    PlaceMarker(region, numbers).run();
}

}  // namespace kiln::passes
