// What is done with the ranges of integers: indices that cannot be negative need no wraparound, what is always the same is a
// constant, arithmetic in 64 bits is done in 32 where operands and result fit, division by a power of two is a shift, and a
// remainder of what is near its divisor a sum.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gpu/ir/find_ranges.h"
#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

const Type* int32() {
    return scalarType(Scalar::kInt32);
}

class RangeUser {
public:
    explicit RangeUser(Function& function)
        : function_(function),
          found_(findRanges(function)),
          replaced_(function.values.size(), kNoValue),
          narrow_(function.values.size(), kNoValue) {}

    // True when something changed.
    bool run() {
        rewrite(function_.body);
        return changed_;
    }

private:
    void rewrite(Block& block) {
        std::vector<Instruction> code = std::move(block.code);
        block.code.clear();
        for (Instruction& instruction : code) {
            for (ValueId& operand : instruction.operands) {
                operand = replaced_[operand] != kNoValue ? replaced_[operand] : operand;
            }
            if (instruction.op == Op::kIf && splice(instruction, block)) {
                continue;
            }
            for (auto& nested : instruction.blocks) {
                rewrite(*nested);
            }
            place(instruction, block);
        }
    }

    // Puts the branch that is always taken in the place of an `if`, unless the branch leaves the block.
    bool splice(Instruction& instruction, Block& block) {
        const Range& condition = found_.values[instruction.operands[0]];
        if (!condition.isOne()) {
            return false;
        }
        Block& taken = *instruction.blocks[condition.low == 1 ? 0 : 1];
        if (!taken.code.empty() && opInfo(taken.code.back().op).effect == Effect::kJump) {
            return false;
        }
        rewrite(taken);
        std::move(taken.code.begin(), taken.code.end(), std::back_inserter(block.code));
        changed_ = true;
        return true;
    }

    void place(Instruction& instruction, Block& block) {
        ValueId result = instruction.result;
        if (result == kNoValue || !instruction.type->isScalar()) {
            block.code.push_back(std::move(instruction));
            return;
        }
        const Type* from = instruction.op == Op::kConvert ? function_.values[instruction.operands[0]] : nullptr;
        if (from == int32() && instruction.type == scalarType(Scalar::kInt64)) {
            narrow_[result] = instruction.operands[0];
        }
        if (instruction.op == Op::kWrapIndex && !found_.wraps[result]) {
            replaced_[result] = instruction.operands[0];
            changed_ = true;
        } else if (ValueId other = decider(instruction); other != kNoValue) {
            replaced_[result] = other;
            changed_ = true;
        } else if (isKnown(instruction)) {
            block.code.push_back(constant(instruction, found_.values[result].low));
            changed_ = true;
        } else if (isNarrow(instruction)) {
            narrow(instruction, block);
            changed_ = true;
        } else if (found_.remainders[result].isNear) {
            comeNear(instruction, found_.remainders[result], block);
            changed_ = true;
        } else {
            instruction.isPlain = found_.isPlain[result];
            divideByPower(instruction, powerOf(instruction), block);
            block.code.push_back(std::move(instruction));
        }
    }

    // The power of two that an integer is divided by; 0 where it is none.
    int64_t powerOf(const Instruction& instruction) const {
        bool divides = instruction.op == Op::kFloorDivide || instruction.op == Op::kModulo;
        if (!divides || !instruction.type->isInteger() || !isConstant(instruction.operands[1])) {
            return 0;
        }
        int64_t divisor = found_.values[instruction.operands[1]].low;
        return divisor > 0 && (divisor & (divisor - 1)) == 0 ? divisor : 0;
    }

    // Python's // and % by it are a shift and a mask, whatever the sign.
    void divideByPower(Instruction& instruction, int64_t power, Block& block) {
        if (power > 0) {
            bool isMask = instruction.op == Op::kModulo;
            int64_t bits = isMask ? power - 1 : std::countr_zero(static_cast<uint64_t>(power));
            instruction.operands[1] = append(block, Op::kConstant, function_.values[instruction.operands[0]], {}, instruction.line, bits);
            instruction.op = isMask ? Op::kAnd : Op::kShiftRight;
        }
    }

    // A remainder by adding or subtracting the divisor once, where that is needed.
    void comeNear(Instruction& instruction, const NearRemainder& near, Block& block) {
        const Type* type = instruction.type;
        std::vector<std::pair<Op, Op>> steps;
        if (near.mayBeBelow) {
            steps.emplace_back(Op::kLess, Op::kAdd);
        }
        if (near.mayBeAbove) {
            steps.emplace_back(Op::kGreaterEqual, Op::kSubtract);
        }
        ValueId value = instruction.operands[0];
        ValueId divisor = instruction.operands[1];
        int line = instruction.line;
        for (auto [compare, move] : steps) {
            ValueId limit = compare == Op::kLess ? append(block, Op::kConstant, type, {}, line, 0) : divisor;
            ValueId isOutside = append(block, compare, scalarType(Scalar::kBool), {value, limit}, line);
            ValueId moved = append(block, move, type, {value, divisor}, line);
            if (compare != steps.back().first) {
                value = append(block, Op::kSelect, type, {isOutside, moved, value}, line);
                continue;
            }
            instruction.op = Op::kSelect;
            instruction.operands = {isOutside, moved, value};
            block.code.push_back(std::move(instruction));
        }
        if (steps.empty()) {
            replaced_[instruction.result] = value;
        }
    }

    bool isCounted(ValueId value) const {
        const Type* type = function_.values[value];
        return type->isScalar() && (type->isInteger() || type->isBool());
    }

    // What an `and` or `or` of bools is equal to where the other operand decides nothing.
    ValueId decider(const Instruction& instruction) const {
        bool isLogical = (instruction.op == Op::kAnd || instruction.op == Op::kOr) && instruction.type->isBool();
        int64_t idle = instruction.op == Op::kAnd ? 1 : 0;
        for (size_t i = 0; isLogical && i < 2; i++) {
            const Range& range = found_.values[instruction.operands[i]];
            if (range.isOne() && range.low == idle) {
                return instruction.operands[1 - i];
            }
        }
        return kNoValue;
    }

    bool isKnown(const Instruction& instruction) const {
        bool isPure = opInfo(instruction.op).effect == Effect::kPure;
        return isPure && instruction.op != Op::kConstant && isCounted(instruction.result) &&
               found_.values[instruction.result].isOne();
    }

    static Instruction constant(const Instruction& replaced, int64_t bits) {
        Instruction made;
        made.op = Op::kConstant;
        made.type = replaced.type;
        made.result = replaced.result;
        made.bits = bits;
        made.line = replaced.line;
        return made;
    }

    bool isConstant(ValueId value) const { return found_.values[value].isOne(); }

    // There is a 32-bit form at hand, of which no instruction comes.
    bool isCheap(ValueId value) const { return narrow_[value] != kNoValue; }

    bool isNarrow(const Instruction& instruction) const {
        const Type* wide = scalarType(Scalar::kInt64);
        bool isWide = !instruction.operands.empty() && found_.fits[instruction.result] &&
                      std::all_of(instruction.operands.begin(), instruction.operands.end(),
                                  [&](ValueId operand) { return function_.values[operand] == wide; });
        if (!isWide) {
            return false;
        }
        bool anyCheap = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                                    [&](ValueId operand) { return isCheap(operand); });
        switch (instruction.op) {
        case Op::kMultiply:
        case Op::kFloorDivide:
        case Op::kModulo: return true;
        case Op::kShiftLeft:
        case Op::kShiftRight:
            return anyCheap && isConstant(instruction.operands[1]) &&
                   found_.values[instruction.operands[1]].fits(0, 31);
        case Op::kAdd:
        case Op::kSubtract:
        case Op::kAnd:
        case Op::kOr:
        case Op::kXor:
        case Op::kMinimum:
        case Op::kMaximum:
        case Op::kNegate:
        case Op::kInvert:
        case Op::kAbsolute:
        case Op::kEqual:
        case Op::kNotEqual:
        case Op::kLess:
        case Op::kLessEqual:
        case Op::kGreater:
        case Op::kGreaterEqual: return anyCheap;
        default: return false;
        }
    }

    ValueId append(Block& block, Op op, const Type* type, std::vector<ValueId> operands, int line, int64_t bits = 0) {
        Instruction made;
        made.op = op;
        made.type = type;
        made.result = static_cast<ValueId>(function_.values.size());
        made.operands = std::move(operands);
        made.line = line;
        made.bits = bits;
        ValueId result = made.result;
        function_.values.push_back(type);
        block.code.push_back(std::move(made));
        return result;
    }

    // The value in 32 bits, which it fits where it is asked for.
    ValueId narrowed(ValueId value, Block& block, int line) {
        if (narrow_[value] != kNoValue) {
            return narrow_[value];
        }
        if (isConstant(value)) {
            return append(block, Op::kConstant, int32(), {}, line, found_.values[value].low);
        }
        return append(block, Op::kConvert, int32(), {value}, line);
    }

    void narrow(Instruction& instruction, Block& block) {
        ValueId result = instruction.result;
        bool divides = instruction.op == Op::kFloorDivide || instruction.op == Op::kModulo;
        int64_t power = powerOf(instruction);
        for (ValueId& operand : instruction.operands) {
            operand = narrowed(operand, block, instruction.line);
        }
        if (instruction.type->isBool()) {
            block.code.push_back(std::move(instruction));
            return;
        }
        divideByPower(instruction, power, block);
        ValueId small = append(block, instruction.op, int32(), instruction.operands, instruction.line);
        block.code.back().isPlain = divides ? found_.isPlain[result] : true;
        narrow_[result] = small;
        instruction.op = Op::kConvert;
        instruction.operands = {small};
        block.code.push_back(std::move(instruction));
    }

    Function& function_;
    FoundRanges found_;
    std::vector<ValueId> replaced_;
    std::vector<ValueId> narrow_;  // the 32-bit form of a value, defined beside it
    bool changed_ = false;
};

}  // namespace

bool useRanges(Function& function) {
    return RangeUser(function).run();
}

}  // namespace kiln::gpu
