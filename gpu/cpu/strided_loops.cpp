// Loops in which neighbouring threads go through neighbouring elements.
#include "gpu/cpu/strided_loops.h"

namespace kiln::gpu {
namespace {

bool isPlaceOfThread(const Instruction& instruction) {
    return (instruction.op == Op::kThreadIndex && instruction.index == 0) || instruction.op == Op::kLane;
}

bool isLoad(const Instruction& instruction) {
    return instruction.op == Op::kLoad;
}

// Which values and variables depend on what such instructions give, by what they are computed from.
class Dependence {
public:
    using Source = bool (*)(const Instruction&);
    Dependence(const Function& function, Source isSource)
        : isSource_(isSource), values_(function.values.size()), variables_(function.variables.size()) {
        for (changed_ = true; changed_;) {
            changed_ = false;
            forEach(function.body, [this](const Instruction& instruction) { visit(instruction); });
        }
    }

    bool has(ValueId value) const { return values_[value]; }

private:
    void mark(std::vector<bool>& flags, size_t place) {
        changed_ = changed_ || !flags[place];
        flags[place] = true;
    }

    void visit(const Instruction& instruction) {
        bool depends = isSource_(instruction) || (instruction.op == Op::kGet && variables_[instruction.index]);
        for (ValueId operand : instruction.operands) {
            depends = depends || values_[operand];
        }
        if (!depends) {
            return;
        }
        if (instruction.op == Op::kSet || instruction.op == Op::kFor) {
            mark(variables_, instruction.index);
        }
        if (instruction.result != kNoValue) {
            mark(values_, instruction.result);
        }
    }

    Source isSource_;
    std::vector<bool> values_;
    std::vector<bool> variables_;
    bool changed_ = false;
};

class Finder {
public:
    explicit Finder(const Function& function)
        : function_(function),
          thread_(function, isPlaceOfThread),
          loaded_(function, isLoad),
          definitions_(definitionsOf(function)) {
        find(function.body);
    }

    std::unordered_set<const Instruction*> found;

private:
    void find(const Block& block) {
        for (const Instruction& instruction : block.code) {
            if (instruction.op == Op::kFor && isStrided(instruction) && isPlain(*instruction.blocks[0])) {
                found.insert(&instruction);
            }
            if (instruction.op == Op::kIf) {
                for (const auto& nested : instruction.blocks) {
                    find(*nested);
                }
            }
        }
    }

    bool isStrided(const Instruction& loop) const {
        const Instruction* step = definitions_[loop.operands[2]];
        bool isOne = step != nullptr && step->op == Op::kConstant && step->bits == 1;
        return thread_.has(loop.operands[0]) && !thread_.has(loop.operands[2]) && !isOne;
    }

    // What is long beside the accesses to memory gains nothing, and accesses anywhere have no neighbours.
    bool isPlain(const Block& body) const {
        bool plain = true;
        forEach(body, [&](const Instruction& instruction) {
            switch (instruction.op) {
            case Op::kFor:
            case Op::kWhile:
            case Op::kCall:
            case Op::kMath:
            case Op::kPower:
            case Op::kAtomic: plain = false; return;
            case Op::kLoad:
            case Op::kStore: break;
            default: return;
            }
            for (int axis = 0; axis < function_.values[instruction.operands[0]]->ndim; axis++) {
                plain = plain && !loaded_.has(instruction.operands[static_cast<size_t>(axis) + 1]);
            }
        });
        return plain;
    }

    const Function& function_;
    Dependence thread_;
    Dependence loaded_;
    std::vector<const Instruction*> definitions_;
};

}  // namespace

std::unordered_set<const Instruction*> stridedLoops(const Function& function) {
    return Finder(function).found;
}

}  // namespace kiln::gpu
