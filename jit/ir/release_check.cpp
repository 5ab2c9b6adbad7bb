// Foreign code: Python code that an op of a region may run, which sees frames and names and may change what the region relies on.
//
// It may run only while the activation waits (from `suspend` to `resume`, within a block), or after the root's own frame has gone
// (`leave_frame`). Anywhere else a reference is given up only after a guard found that no code will run.
#include <optional>
#include <set>

#include "jit/ir/dominators.h"
#include "jit/ir/region.h"
#include "jit/ir/tables.h"
#include "jit/ir/text.h"

namespace kiln::ir {
namespace {

bool runsForeignCode(const Instruction& in) {
    switch (in.op) {
    case Op::k_drop:
    case Op::k_call_native:
    case Op::k_attempt_native: return true;
    case Op::k_opaque_object:
    case Op::k_opaque_int:
    case Op::k_attempt_object:
    case Op::k_attempt_int: return !in.operands.empty() && kHelperCodes[in.immediate] == HelperCode::kForeign;
    default: return false;
    }
}

bool asks(Op op) {
    return op == Op::k_guard_quiet || op == Op::k_guard_displaced;
}

class ReleaseCheck {
public:
    explicit ReleaseCheck(const Region& region) : region_(region), askedIn_(region.blocks.size()) {
        for (size_t block = 0; block < region.blocks.size(); ++block) {
            for (const Instruction& in : region.blocks[block].instructions) {
                if (asks(in.op)) {
                    askedIn_[block].insert(in.operands.begin(), in.operands.end());
                }
            }
        }
    }

    std::string run() {
        for (size_t block = 0; block < region_.blocks.size() && problem_.empty(); ++block) {
            check(static_cast<BlockId>(block));
        }
        return problem_;
    }

private:
    enum class Phase { kRunning, kWaiting, kLeft };

    void check(BlockId block) {
        std::multiset<ValueId> asked;
        Phase phase = Phase::kRunning;
        for (const Instruction& in : region_.blocks[block].instructions) {
            if (asks(in.op)) {
                asked.insert(in.operands.begin(), in.operands.end());
            } else if (in.op == Op::k_suspend || in.op == Op::k_resume) {
                phase = in.op == Op::k_suspend ? Phase::kWaiting : Phase::kRunning;
            } else if (in.op == Op::k_add_traceback) {
                require(phase == Phase::kWaiting, block, in, "wants a frame where nobody waits");
            } else if (in.op == Op::k_leave_frame || in.op == Op::k_unwind) {
                require(in.op == Op::k_leave_frame || phase == Phase::kWaiting, block, in, "wants a frame where nobody waits");
                phase = Phase::kLeft;
            } else if (in.op == Op::k_decref || in.op == Op::k_xdecref) {
                takeAnswer(in, block, asked);
            } else if (runsForeignCode(in)) {
                asked.clear();
                require(phase != Phase::kRunning, block, in, "runs where nothing is ready for foreign code");
            }
        }
        const Instruction& end = region_.blocks[block].instructions.back();
        require(phase != Phase::kWaiting, block, end, "ends a block while the activation waits");
        const bool returns = end.op == Op::k_return_value || end.op == Op::k_return_raised;
        require(!returns || phase == Phase::kLeft, block, end, "returns with its frame");
    }

    void takeAnswer(const Instruction& in, BlockId block, std::multiset<ValueId>& asked) {
        const ValueId value = in.operands[0];
        if (auto found = asked.find(value); found != asked.end()) {
            asked.erase(found);
            return;
        }
        const bool askedBefore = isAskedBefore(value, block);
        require(askedBefore, block, in, "gives up " + numbered("v", value) + ", of which no guard has asked");
    }

    bool isAskedBefore(ValueId value, BlockId block) {
        if (!dominators_.has_value()) {
            dominators_.emplace(region_);
        }
        for (size_t other = 0; other < askedIn_.size(); ++other) {
            const auto dominator = static_cast<BlockId>(other);
            if (dominator != block && askedIn_[other].contains(value) && dominators_->dominates(dominator, block)) {
                return true;
            }
        }
        return !dominators_->reachable(block);
    }

    void require(bool holds, BlockId block, const Instruction& in, const std::string& what) {
        if (!holds && problem_.empty()) {
            problem_ = numbered("block", block) + " (" + info(in.op).name + "): " + what;
        }
    }

    const Region& region_;
    std::vector<std::set<ValueId>> askedIn_;  // by block
    std::optional<Dominators> dominators_;
    std::string problem_;
};

}  // namespace

std::string findUnguardedRelease(const Region& region) {
    return ReleaseCheck(region).run();
}

}  // namespace kiln::ir
