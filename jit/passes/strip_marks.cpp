// Stores that only some rounds make are put back in these: marks say which they are.
#include <algorithm>

#include "interp/numpy_elements.h"
#include "jit/passes/strip_body.h"
#include "jit/strips.h"

namespace kiln::passes {

using ir::BlockId;
using ir::Op;
using ir::ValueId;

// Whether each round runs one of the blocks. Those of the copy come behind those that lead to them. Where the strip ends at once does
// not count.
bool StripBody::isInEachRound(const std::vector<BlockId>& blocks) const {
    std::unordered_set<BlockId> without = {copy_.blocks().header};  // reached without any of them
    for (const BlockId block : copy_.blocks().body) {
        const bool isOne = std::ranges::find(blocks, block) != blocks.end();
        const bool reached = std::ranges::any_of(without, [&](BlockId from) {
            return std::ranges::find(region_.blocks[lastOf(from)].targets, block, &ir::Target::block) !=
                   region_.blocks[lastOf(from)].targets.end();
        });
        if (reached && !isOne) {
            without.insert(block);
        }
    }
    return !without.contains(copy_.blocks().body.back());
}

ValueId StripBody::marksOf(size_t place) {
    return ranges_.constant(marks_ + static_cast<int64_t>(place) * kStripRounds * kMarkBytes);
}

// Says that this round stores at the place, unless each does.
void StripBody::mark(size_t place) {
    if (marks_ == 0 || always_.contains(block_)) {
        return;
    }
    const ValueId offset = region_.newValue(ir::Type::kInt);
    ranges_.addVarying(offset);
    emit({.op = Op::k_int_mul_index, .type = ir::Type::kInt, .result = offset,
          .operands = {copy_.round(), ranges_.constant(kMarkBytes)}});
    emit({.op = Op::k_store_element_int, .immediate = static_cast<int64_t>(Element::k_int32),
          .operands = {marksOf(place), offset, ranges_.constant(1)}});
}

// Takes marks away where none are needed. False where there would have to be some.
bool StripBody::settleMarks() {
    for (size_t place = 0; place < stores_.size(); place++) {
        stores_[place].isMarked = canFail_ && !isInEachRound(stores_[place].blocks);
        if (stores_[place].isMarked && marks_ == 0) {
            return false;
        }
        const ValueId unused = stores_[place].isMarked || marks_ == 0 ? ir::kNoId : marksOf(place);
        for (size_t block = copy_.blocks().header; unused != ir::kNoId && block < region_.blocks.size(); block++) {
            std::erase_if(region_.blocks[block].instructions, [&](const ir::Instruction& in) {
                return in.op == Op::k_store_element_int && in.operands[0] == unused;
            });
        }
    }
    return true;
}

}  // namespace kiln::passes
