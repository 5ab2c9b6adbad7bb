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
    RangeUser(Function& function, const LaunchLimits& limits)
        : function_(function),
          areNarrow_(limits.areNarrow()),
          found_(findRanges(function, limits)),
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
            countInInt32(instruction);
            place(instruction, block);
        }
    }

    // Whether a `for` over int64s by 1 or -1 can count in 32 bits, which GPUs do faster.
    void countInInt32(Instruction& instruction) const {
        if (!areNarrow_ || instruction.op != Op::kFor || function_.variables[instruction.index].type != scalarType(Scalar::kInt64)) {
            return;
        }
        auto fits = [&](ValueId value) { return found_.values[value].isSure && found_.values[value].fits(INT32_MIN, INT32_MAX); };
        const Range& step = found_.values[instruction.operands[2]];
        instruction.isPlain = step.isOne() && (step.low == 1 || step.low == -1) && fits(instruction.operands[0]) && fits(instruction.operands[1]);
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
        } else if (found_.remainders[result].isNear && (areNarrow_ || !isNarrow(instruction))) {
            comeNear(instruction, found_.remainders[result], block);
            changed_ = true;
        } else if (isNarrow(instruction)) {
            narrow(instruction, block);
            changed_ = true;
        } else if (isNarrowChoice(instruction)) {
            narrowChoice(instruction, block);
            changed_ = true;
        } else {
            if (isOfSmall(instruction)) {
                instruction.operands[0] = narrowed(instruction.operands[0], block, instruction.line);
            }
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
        int line = instruction.line;
        bool isSmall = areNarrow_ && found_.fits[instruction.result];
        const Type* type = isSmall ? int32() : instruction.type;
        std::vector<std::pair<Op, Op>> steps;
        if (near.mayBeBelow) {
            steps.emplace_back(Op::kLess, Op::kAdd);
        }
        if (near.mayBeAbove) {
            steps.emplace_back(Op::kGreaterEqual, Op::kSubtract);
        }
        if (steps.empty()) {
            replaced_[instruction.result] = instruction.operands[0];
            return;
        }
        ValueId value = isSmall ? narrowed(instruction.operands[0], block, line) : instruction.operands[0];
        ValueId divisor = isSmall ? narrowed(instruction.operands[1], block, line) : instruction.operands[1];
        for (auto [compare, move] : steps) {
            ValueId limit = compare == Op::kLess ? append(block, Op::kConstant, type, {}, line, 0) : divisor;
            ValueId isOutside = append(block, compare, scalarType(Scalar::kBool), {value, limit}, line);
            ValueId moved = append(block, move, type, {value, divisor}, line);
            if (compare != steps.back().first || isSmall) {
                value = append(block, Op::kSelect, type, {isOutside, moved, value}, line);
                continue;
            }
            instruction.op = Op::kSelect;
            instruction.operands = {isOutside, moved, value};
            block.code.push_back(std::move(instruction));
        }
        if (isSmall) {
            widen(instruction, value, block);
        }
    }

    // The instruction becomes its value in 32 bits, widened.
    void widen(Instruction& instruction, ValueId small, Block& block) {
        narrow_[instruction.result] = small;
        instruction.op = Op::kConvert;
        instruction.operands = {small};
        block.code.push_back(std::move(instruction));
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

    // There is a 32-bit form at hand, of which no instruction comes; half a register of a GPU's is one.
    bool isCheap(ValueId value) const { return areNarrow_ || narrow_[value] != kNoValue; }

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

    bool fitsInt32(ValueId value) const {
        const Range& range = found_.values[value];
        return function_.values[value] == scalarType(Scalar::kInt64) && range.isSure && range.fits(INT32_MIN, INT32_MAX);
    }

    // What is chosen fits 32 bits; the other one need not.
    bool isNarrowChoice(const Instruction& instruction) const {
        return areNarrow_ && instruction.op == Op::kSelect && fitsInt32(instruction.result);
    }

    void narrowChoice(Instruction& instruction, Block& block) {
        ValueId then = narrowed(instruction.operands[1], block, instruction.line);
        ValueId otherwise = narrowed(instruction.operands[2], block, instruction.line);
        widen(instruction, append(block, Op::kSelect, int32(), {instruction.operands[0], then, otherwise}, instruction.line), block);
    }

    // A float that is made of an int64 which fits 32 bits: GPUs are slow to make one of 64.
    bool isOfSmall(const Instruction& instruction) const {
        return areNarrow_ && instruction.op == Op::kConvert && instruction.type->isFloat() && fitsInt32(instruction.operands[0]);
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
        widen(instruction, small, block);
    }

    Function& function_;
    bool areNarrow_;
    FoundRanges found_;
    std::vector<ValueId> replaced_;
    std::vector<ValueId> narrow_;  // the 32-bit form of a value, defined beside it
    bool changed_ = false;
};

}  // namespace

bool useRanges(Function& function, const LaunchLimits& limits) {
    return RangeUser(function, limits).run();
}

}  // namespace kiln::gpu
