// An element stays what it is until something is stored. LLVM knows, but strips are formed before: they look for the largest of numbers,
// each of which has one name then. What is known holds in the blocks that follow a block alone.
#include "jit/passes/reuse_elements.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "jit/ir/dominators.h"
#include "jit/passes/value_replacement.h"

namespace kiln::passes {
namespace {

using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

using Elements = std::map<std::tuple<Op, int64_t, ValueId, ValueId>, ValueId>;  // by op, class, address and offset

bool keepsElements(const Instruction& in) {
    switch (in.op) {
    case Op::k_incref:
    case Op::k_incref_box:
    case Op::k_decref_box:
    case Op::k_decref_number:
    case Op::k_count:
    case Op::k_at_place: return true;
    default: break;
    }
    const ir::Effect effect = ir::info(in.op).effect;
    return effect == ir::Effect::kPure || effect == ir::Effect::kRead || effect == ir::Effect::kGuard || effect == ir::Effect::kEnd;
}

class Reuser {
public:
    explicit Reuser(ir::Region& region)
        : region_(region), dominators_(region), replacement_(region), before_(region.blocks.size(), ir::kNoId), ways_(region.blocks.size()),
          known_(region.blocks.size()) {}

    bool run() {
        for (const BlockId block : dominators_.reversePostorder()) {
            for (const ir::Target& target : region_.blocks[block].targets) {
                before_[target.block] = block;
                ways_[target.block]++;
            }
        }
        bool changed = false;
        for (const BlockId block : dominators_.reversePostorder()) {
            changed = look(block) || changed;
        }
        if (changed) {
            replacement_.apply(region_);
        }
        return changed;
    }

private:
    bool look(BlockId block) {
        Elements& known = known_[block];
        if (block != 0 && ways_[block] == 1) {
            known = known_[before_[block]];
        }
        return std::erase_if(region_.blocks[block].instructions, [&](const Instruction& in) {
                   if (in.op == Op::k_element_int || in.op == Op::k_element_float) {
                       const auto [earlier, isNew] = known.try_emplace(
                           {in.op, in.immediate, replacement_.find(in.operands[0]), replacement_.find(in.operands[1])}, in.result);
                       if (!isNew) {
                           replacement_.replace(in.result, earlier->second);
                       }
                       return !isNew;
                   }
                   if (!keepsElements(in)) {
                       known.clear();
                   }
                   return false;
               }) != 0;
    }

    ir::Region& region_;
    const ir::Dominators dominators_;
    ValueReplacement replacement_;
    std::vector<BlockId> before_;
    std::vector<int> ways_;
    std::vector<Elements> known_;  // behind each block
};

}  // namespace

bool reuseElements(ir::Region& region) {
    return Reuser(region).run();
}

}  // namespace kiln::passes
