// Finds indices that cannot be negative, optimistically: all integer variables are taken for non-negative until an
// assignment says otherwise.
#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

class SignFinder {
   public:
    explicit SignFinder(const Function& function)
        : function_(function), variables_(function.variables.size(), true), values_(function.values.size()),
          constants_(function.values.size()) {}

    void run() {
        for (bool again = true; again;) {
            std::vector<bool> before = variables_;
            forEach(function_.body, [&](const Instruction& instruction) { follow(instruction); });
            again = before != variables_;
        }
    }

    bool isNonNegative(ValueId value) const { return values_[value]; }

   private:
    void follow(const Instruction& instruction) {
        if (instruction.op == Op::kSet) {
            variables_[instruction.index] = variables_[instruction.index] && values_[instruction.operands[0]];
        }
        if (instruction.op == Op::kFor) {
            followFor(instruction);
        }
        if (instruction.op == Op::kConstant) {
            constants_[instruction.result] = &instruction;
        }
        if (instruction.result != kNoValue && instruction.type->isScalar()) {
            values_[instruction.result] = instruction.type->isUnsigned() || instruction.type->isBool() || decide(instruction);
        }
    }

    // Upwards from a non-negative start, or downwards to a stop of at least -1.
    void followFor(const Instruction& loop) {
        const Instruction* stop = constants_[loop.operands[1]];
        const Instruction* step = constants_[loop.operands[2]];
        bool up = values_[loop.operands[0]] && values_[loop.operands[2]];
        bool stopsAbove = values_[loop.operands[1]] || (stop != nullptr && stop->bits == -1);
        bool down = step != nullptr && step->bits < 0 && stopsAbove;
        variables_[loop.index] = variables_[loop.index] && (up || down);
    }

    bool operand(const Instruction& instruction, size_t i) const { return values_[instruction.operands[i]]; }

    bool decide(const Instruction& instruction) const {
        if (!instruction.type->isInteger()) {
            return false;
        }
        switch (instruction.op) {
        case Op::kConstant: return instruction.bits >= 0;
        case Op::kThreadIndex:
        case Op::kBlockIndex:
        case Op::kBlockDim:
        case Op::kGridDim:
        case Op::kLane:
        case Op::kDimension:
        case Op::kAbsolute:
        case Op::kBits:
        case Op::kBarrierReduce: return true;
        case Op::kGet: return variables_[instruction.index];
        case Op::kAdd:
        case Op::kMultiply:
        case Op::kFloorDivide:
        case Op::kMinimum: return operand(instruction, 0) && operand(instruction, 1);
        case Op::kMaximum:
        case Op::kAnd: return operand(instruction, 0) || operand(instruction, 1);
        case Op::kModulo: return operand(instruction, 1);
        case Op::kShiftRight: return operand(instruction, 0);
        case Op::kSelect: return operand(instruction, 1) && operand(instruction, 2);
        case Op::kConvert: {
            const Type* from = function_.values[instruction.operands[0]];
            return !from->isFloat() && operand(instruction, 0) && instruction.type->bits >= from->bits;
        }
        default: return false;
        }
    }

    const Function& function_;
    std::vector<bool> variables_;
    std::vector<bool> values_;
    std::vector<const Instruction*> constants_;
};

}  // namespace

bool elideWraparound(Function& function) {
    SignFinder signs(function);
    signs.run();
    std::vector<ValueId> replaced(function.values.size(), kNoValue);
    bool changed = false;
    forEach(function.body, [&](Instruction& instruction) {
        for (ValueId& operand : instruction.operands) {
            operand = replaced[operand] != kNoValue ? replaced[operand] : operand;
        }
        if (instruction.op == Op::kWrapIndex && signs.isNonNegative(instruction.operands[0])) {
            replaced[instruction.result] = instruction.operands[0];
            changed = true;
        }
    });
    return changed;
}

}  // namespace kiln::gpu
