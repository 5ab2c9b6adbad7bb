// Loops that count up from what may be negative, and index arrays by their counter, become two: one below zero, one from there on, in
// which indices need no wraparound. The first hardly ever has a pass.
#include <utility>

#include "gpu/ir/find_ranges.h"
#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

constexpr int kMostInstructions = 64;  // of a loop: they are written twice

class LoopSplitter {
public:
    explicit LoopSplitter(Function& function) : function_(function), definitions_(definitionsOf(function)) {}

    void run() {
        bool isAny = false;
        forEach(function_.body, [&](const Instruction& instruction) { isAny = isAny || isCounted(instruction); });
        if (!isAny) {
            return;
        }
        found_ = findRanges(function_);
        isAny = false;
        forEach(function_.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kFor) {
                isSplit_.push_back(isCounted(instruction) && gains(instruction));
                isAny = isAny || isSplit_.back();
            }
        });
        if (isAny) {
            split(function_.body);
        }
    }

private:
    // A small loop by steps of 1, without loops and barriers in it, that only ends at its end.
    bool isCounted(const Instruction& loop) const {
        if (loop.op != Op::kFor || !function_.variables[loop.index].type->isSigned()) {
            return false;
        }
        const Instruction& step = *definitions_[loop.operands[2]];
        bool isSuited =
            step.op == Op::kConstant && step.bits == 1 && definitions_[loop.operands[0]]->op != Op::kConstant;
        int count = 0;
        forEach(*loop.blocks[0], [&](const Instruction& instruction) {
            Op op = instruction.op;
            bool isLoop = op == Op::kFor || op == Op::kWhile;
            isSuited = isSuited && !isLoop && op != Op::kBreak && opInfo(op).effect != Effect::kSync;
            count++;
        });
        return isSuited && count <= kMostInstructions;
    }

    bool isCounter(ValueId value, const Instruction& loop) const {
        const Instruction* found = definitions_[value];
        found = found->op == Op::kConvert ? definitions_[found->operands[0]] : found;
        return found->op == Op::kGet && found->index == loop.index;
    }

    bool gains(const Instruction& loop) const {
        bool wraps = false;
        forEach(*loop.blocks[0], [&](const Instruction& instruction) {
            wraps = wraps || (instruction.op == Op::kWrapIndex && found_.wraps[instruction.result] &&
                              isCounter(instruction.operands[0], loop));
        });
        return wraps && found_.values[loop.operands[0]].low < 0 && found_.values[loop.operands[1]].high > 0;
    }

    ValueId append(Block& block, Op op, const Type* type, std::vector<ValueId> operands, int line) {
        Instruction made;
        made.op = op;
        made.type = type;
        made.operands = std::move(operands);
        made.line = line;
        made.result = static_cast<ValueId>(function_.values.size());
        function_.values.push_back(type);
        block.code.push_back(std::move(made));
        return block.code.back().result;
    }

    // With values of its own.
    Instruction copyOf(const Instruction& instruction, std::vector<std::pair<ValueId, ValueId>>& values) {
        Instruction copy;
        static_cast<Operation&>(copy) = instruction;
        for (ValueId& operand : copy.operands) {
            for (const auto& [from, to] : values) {
                operand = operand == from ? to : operand;
            }
        }
        for (const auto& block : instruction.blocks) {
            copy.blocks.push_back(std::make_unique<Block>());
            for (const Instruction& inner : block->code) {
                copy.blocks.back()->code.push_back(copyOf(inner, values));
            }
        }
        if (instruction.result != kNoValue) {
            copy.result = static_cast<ValueId>(function_.values.size());
            function_.values.push_back(function_.values[instruction.result]);
            values.emplace_back(instruction.result, copy.result);
        }
        return copy;
    }

    void split(Block& block) {
        std::vector<Instruction> code = std::move(block.code);
        block.code.clear();
        for (Instruction& instruction : code) {
            bool isSplit = instruction.op == Op::kFor && isSplit_[next_++];
            for (auto& nested : instruction.blocks) {
                split(*nested);
            }
            if (isSplit) {
                const Type* type = function_.variables[instruction.index].type;
                int line = instruction.line;
                ValueId zero = append(block, Op::kConstant, type, {}, line);
                std::vector<std::pair<ValueId, ValueId>> values;
                Instruction below = copyOf(instruction, values);
                below.operands[1] = append(block, Op::kMinimum, type, {instruction.operands[1], zero}, line);
                block.code.push_back(std::move(below));
                instruction.operands[0] = append(block, Op::kMaximum, type, {instruction.operands[0], zero}, line);
            }
            block.code.push_back(std::move(instruction));
        }
    }

    Function& function_;
    std::vector<const Instruction*> definitions_;  // until the first is split
    FoundRanges found_;
    std::vector<bool> isSplit_;  // the loops, in the order of the text
    size_t next_ = 0;
};

}  // namespace

void splitLoops(Function& function) {
    LoopSplitter(function).run();
}

}  // namespace kiln::gpu
