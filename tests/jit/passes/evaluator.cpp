// Runs a region of a few ops on made-up values.
#include "tests/jit/passes/evaluator.h"

#include <gtest/gtest.h>

namespace kiln::test {

namespace {

using ir::Op;

constexpr int kMostBlocks = 40;

class Evaluator {
public:
    Evaluator(const ir::Region& region, const Inputs& inputs)
        : region_(region), values_(region.valueTypes.size()), failingPoll_(inputs.failingPoll) {
        for (size_t i = 0; i < inputs.arguments.size(); ++i) {
            values_[region.blocks[0].parameters[i]] = inputs.arguments[i];
        }
    }

    std::string run() {
        for (int visited = 0; !left_; visited += linksOnly(region_.blocks[block_]) ? 0 : 1) {
            if (visited == kMostBlocks) {
                seen_ += "cut off\n";
                break;
            }
            runBlock(region_.blocks[block_]);
        }
        for (const int64_t count : counts_) {
            see("count ", count);
        }
        return seen_;
    }

private:
    int64_t operand(const ir::Instruction& instruction, size_t i) const { return values_[instruction.operands[i]]; }

    void see(const char* what, int64_t number) {
        seen_ += what;
        seen_ += std::to_string(number);
        seen_ += '\n';
    }

    // A block between two others, which only links frames.
    static bool linksOnly(const ir::Block& block) {
        const Op op = block.instructions[0].op;
        return op == Op::k_link_frames || op == Op::k_unlink_frames;
    }

    void runBlock(const ir::Block& block) {
        for (const ir::Instruction& instruction : block.instructions) {
            if (ir::info(instruction.op).effect == ir::Effect::kEnd) {
                runEnd(block, instruction);
            } else if (!runInstruction(instruction)) {
                leave(instruction);
            }
            if (left_) {
                return;
            }
        }
    }

    void runEnd(const ir::Block& block, const ir::Instruction& end) {
        switch (end.op) {
        case Op::k_jump: return enter(block.targets[0]);
        case Op::k_branch: return enter(block.targets[operand(end, 0) != 0 ? 0 : 1]);
        case Op::k_return_value:
            see("return ", operand(end, 0));
            left_ = true;
            return;
        default: return leave(end);
        }
    }

    void enter(const ir::Target& target) {
        std::vector<int64_t> arguments;
        for (const ir::ValueId argument : target.arguments) {
            arguments.push_back(values_[argument]);
        }
        block_ = target.block;
        for (size_t i = 0; i < arguments.size(); ++i) {
            values_[region_.blocks[block_].parameters[i]] = arguments[i];
        }
    }

    // False when a guard fails.
    bool runInstruction(const ir::Instruction& instruction) {
        switch (instruction.op) {
        case Op::k_guard_true: return operand(instruction, 0) != 0;
        case Op::k_guard_false: return operand(instruction, 0) == 0;
        case Op::k_guard_class: return operand(instruction, 0) % 2 == instruction.immediate;
        case Op::k_guard_is: return operand(instruction, 0) == instruction.immediate;
        case Op::k_safepoint:
        case Op::k_poll: return ++polls_ != failingPoll_;
        case Op::k_incref: ++counts_[operand(instruction, 0)]; return true;
        case Op::k_decref: --counts_[operand(instruction, 0)]; return true;
        case Op::k_link_frames:
        case Op::k_unlink_frames: return true;
        case Op::k_cell_store:
            see("store into ", operand(instruction, 0));
            see("stored ", operand(instruction, 1));
            ++stores_;
            return true;
        default:
            values_[instruction.result] = compute(instruction);
            return instruction.op != Op::k_int_add || values_[instruction.result] <= kOverflow;
        }
    }

    int64_t compute(const ir::Instruction& instruction) {
        switch (instruction.op) {
        case Op::k_const_int:
        case Op::k_const_bool:
        case Op::k_const_object: return instruction.immediate;
        case Op::k_int_add: return operand(instruction, 0) + operand(instruction, 1);
        case Op::k_int_xor: return operand(instruction, 0) ^ operand(instruction, 1);
        case Op::k_int_add_wrap: return operand(instruction, 0) + operand(instruction, 1);
        case Op::k_int_le: return operand(instruction, 0) <= operand(instruction, 1) ? 1 : 0;
        case Op::k_int_gt: return operand(instruction, 0) > operand(instruction, 1) ? 1 : 0;
        case Op::k_int_below:
            return static_cast<uint64_t>(operand(instruction, 0)) < static_cast<uint64_t>(operand(instruction, 1)) ? 1 : 0;
        case Op::k_int_select: return operand(instruction, operand(instruction, 0) != 0 ? 1 : 2);
        case Op::k_bool_and: return operand(instruction, 0) & operand(instruction, 1);
        case Op::k_int_lt: return operand(instruction, 0) < operand(instruction, 1) ? 1 : 0;
        case Op::k_bool_not: return operand(instruction, 0) == 0 ? 1 : 0;
        case Op::k_load_field: return operand(instruction, 0) + stores_;
        default: ADD_FAILURE() << "the evaluator does not know " << ir::info(instruction.op).name; return 0;
        }
    }

    void leave(const ir::Instruction& instruction) {
        const ir::Snapshot& snapshot = region_.snapshots[instruction.snapshot];
        see("exit ", snapshot.reason);
        for (const ir::SlotSource& slot : region_.framesOf(snapshot)[0].slots) {
            restore(slot);
        }
        left_ = true;
    }

    // An owned entry moves its reference, a copy takes a new one.
    void restore(const ir::SlotSource& source) {
        if (source.kind == ir::SlotKind::kTuple) {
            for (const ir::SlotSource& part : source.parts) {
                restore(part);
            }
            return;
        }
        see("restored ", values_[source.value]);
        if (region_.valueTypes[source.value] == ir::Type::kObject && !source.owned) {
            ++counts_[values_[source.value]];
        }
    }

    const ir::Region& region_;
    std::vector<int64_t> values_;
    int64_t counts_[kObjectCount] = {};
    ir::BlockId block_ = 0;
    int failingPoll_;
    int polls_ = 0;
    int64_t stores_ = 0;
    bool left_ = false;
    std::string seen_;
};

}  // namespace

std::string observe(const ir::Region& region, const Inputs& inputs) {
    return Evaluator(region, inputs).run();
}

}  // namespace kiln::test
