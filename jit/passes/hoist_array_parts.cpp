// An array's head says the same from where it is known on: wherever it is one of the region's values, no foreign code has run since.
// A loop that asks for a length in a round is not known to get there, so that LLVM would leave the question in it.
#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "jit/ir/dominators.h"
#include "jit/passes/settle_checks.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

bool isPart(Op op) {
    return op == Op::k_array_data || op == Op::k_array_length || op == Op::k_array_stride;
}

class PartHoister {
public:
    explicit PartHoister(ir::Region& region)
        : region_(region), replacement_(region), homes_(ir::homesOfValues(region)) {}

    bool run() {
        for (size_t block = 0; block < region_.blocks.size(); block++) {
            std::erase_if(region_.blocks[block].instructions, [&](Instruction& in) {
                return isPart(in.op) && homes_[in.operands[0]] != static_cast<BlockId>(block) && take(in);
            });
        }
        if (parts_.empty()) {
            return false;
        }
        for (ir::Block& block : region_.blocks) {
            putBack(block);
        }
        replacement_.apply(region_);
        return true;
    }

private:
    bool take(Instruction& in) {
        const auto [known, isNew] = results_.try_emplace({in.op, in.immediate, in.operands[0]}, in.result);
        if (isNew) {
            parts_[in.operands[0]].push_back(std::move(in));
        } else {
            replacement_.replace(in.result, known->second);
        }
        return true;
    }

    void putBack(ir::Block& block) {
        std::vector<Instruction> instructions;
        auto addPartsOf = [&](ValueId head) {
            if (const auto found = parts_.find(head); head != ir::kNoId && found != parts_.end()) {
                std::ranges::move(found->second, std::back_inserter(instructions));
            }
        };
        for (const ValueId parameter : block.parameters) {
            addPartsOf(parameter);
        }
        for (Instruction& in : block.instructions) {
            const ValueId result = in.result;
            instructions.push_back(std::move(in));
            addPartsOf(result);
        }
        block.instructions = std::move(instructions);
    }

    ir::Region& region_;
    ValueReplacement replacement_;
    const std::vector<BlockId> homes_;
    std::map<ValueId, std::vector<Instruction>> parts_;  // by head
    std::map<std::tuple<Op, int64_t, ValueId>, ValueId> results_;
};

}  // namespace

bool hoistArrayParts(ir::Region& region) {
    return PartHoister(region).run();
}

}  // namespace kiln::passes
