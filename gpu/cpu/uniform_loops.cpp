// Loops that all threads of a block go through together.
#include "gpu/cpu/uniform_loops.h"

#include <algorithm>
#include <vector>

namespace kiln::gpu {
namespace {

// How a value changes from a thread to its neighbour along x. What is known of none yet may still be anything.
enum class Step : uint8_t { kUnknown, kSame, kOne, kOther };

Step join(Step first, Step second) {
    if (first == Step::kUnknown || second == Step::kUnknown) {
        return first == Step::kUnknown ? second : first;
    }
    return first == second ? first : Step::kOther;
}

// The steps of all values and variables of a function.
class Steps {
public:
    explicit Steps(const Function& function) : values_(function.values.size()), variables_(function.variables.size()) {
        do {
            changed_ = false;
            visit(function.body, true);
        } while (changed_);
    }

    Step of(ValueId value) const { return values_[value]; }
    bool isSame(ValueId value) const { return values_[value] == Step::kSame; }

private:
    void note(Step& place, Step step) {
        Step joined = join(place, step);
        changed_ = changed_ || joined != place;
        place = joined;
    }

    // `together`: all threads that come here come together, so that what is assigned has one value for all.
    void visit(const Block& block, bool together) {
        for (const Instruction& instruction : block.code) {
            bool inner = together;
            for (ValueId operand : instruction.operands) {
                inner = inner && isSame(operand);
            }
            if (instruction.op == Op::kWhile) {
                visit(*instruction.blocks[0], together);
                inner = together && isSame(instruction.blocks[0]->code.back().operands[0]);
            }
            if (instruction.op == Op::kSet) {
                note(variables_[instruction.index], together ? of(instruction.operands[0]) : Step::kOther);
            } else if (instruction.op == Op::kFor) {
                bool isCounted = std::all_of(instruction.operands.begin(), instruction.operands.end(),
                                             [this](ValueId bound) { return isSame(bound); });
                note(variables_[instruction.index], isCounted ? Step::kSame : Step::kOther);
            } else if (instruction.result != kNoValue) {
                note(values_[instruction.result], stepOf(instruction));
            }
            for (const auto& nested : instruction.blocks) {
                visit(*nested, inner);
            }
        }
    }

    Step stepOf(const Instruction& instruction) const {
        switch (instruction.op) {
        case Op::kThreadIndex: return instruction.index == 0 ? Step::kOne : Step::kSame;
        case Op::kLane:
        case Op::kLocalArray:
        case Op::kCall:
        case Op::kCallResult:
        case Op::kAtomic:
        case Op::kWarp: return Step::kOther;
        case Op::kGet: return variables_[instruction.index];
        case Op::kAdd: return sum(of(instruction.operands[0]), of(instruction.operands[1]));
        case Op::kSubtract:
            return isSame(instruction.operands[1]) || of(instruction.operands[1]) == Step::kUnknown
                       ? of(instruction.operands[0])
                       : ofSame(instruction);
        case Op::kConvert: return instruction.type->isInteger() ? of(instruction.operands[0]) : ofSame(instruction);
        case Op::kWrapIndex: return of(instruction.operands[0]);
        default: return ofSame(instruction);
        }
    }

    static Step sum(Step first, Step second) {
        if (first == Step::kUnknown || second == Step::kUnknown) {
            return Step::kUnknown;
        }
        bool isOne = (first == Step::kOne && second == Step::kSame) || (first == Step::kSame && second == Step::kOne);
        return isOne ? Step::kOne : first == Step::kSame && second == Step::kSame ? Step::kSame : Step::kOther;
    }

    // Of what has one value where its operands have.
    Step ofSame(const Instruction& instruction) const {
        bool isKnown = true;
        for (ValueId operand : instruction.operands) {
            if (of(operand) != Step::kSame && of(operand) != Step::kUnknown) {
                return Step::kOther;
            }
            isKnown = isKnown && of(operand) == Step::kSame;
        }
        return isKnown ? Step::kSame : Step::kUnknown;
    }

    std::vector<Step> values_;
    std::vector<Step> variables_;
    bool changed_ = false;
};

bool isVectorMath(MathFunction function) {
    switch (function) {
    case MathFunction::kSqrt:
    case MathFunction::kFabs:
    case MathFunction::kFloor:
    case MathFunction::kCeil:
    case MathFunction::kRint:
    case MathFunction::kTrunc:
    case MathFunction::kFma:
    case MathFunction::kCopysign: return true;
    default: return false;
    }
}

class Finder {
public:
    explicit Finder(const Function& function)
        : function_(function), steps_(function), definitions_(definitionsOf(function)) {
        find(function.body);
    }

    std::unordered_set<const Instruction*> found;

private:
    void find(const Block& block) {
        for (const Instruction& instruction : block.code) {
            bool isLoop = instruction.op == Op::kFor || instruction.op == Op::kWhile;
            if (isLoop && (instruction.op == Op::kWhile || !isUniform(instruction))) {
                continue;
            }
            bool holdsLoops = false;
            for (const auto& nested : instruction.blocks) {
                forEach(*nested, [&](const Instruction& inner) {
                    holdsLoops = holdsLoops || inner.op == Op::kFor || inner.op == Op::kWhile;
                });
            }
            if (instruction.op == Op::kFor && !holdsLoops && !isUnrolled(instruction) &&
                isPlain(*instruction.blocks[0])) {
                found.insert(&instruction);
            }
            for (const auto& nested : instruction.blocks) {
                find(*nested);
            }
        }
    }

    bool isUniform(const Instruction& loop) const {
        return std::all_of(loop.operands.begin(), loop.operands.end(),
                           [this](ValueId operand) { return steps_.isSame(operand); });
    }

    // Of few passes, whose number is known: LLVM makes straight code of it, and vectors of threads of that.
    bool isUnrolled(const Instruction& loop) const {
        constexpr int64_t kFew = 16;
        int64_t bounds[3];
        for (size_t i = 0; i < 3; i++) {
            const Instruction* bound = definitions_[loop.operands[i]];
            if (bound == nullptr || bound->op != Op::kConstant) {
                return false;
            }
            bounds[i] = bound->bits;
        }
        return bounds[2] != 0 && (bounds[1] - bounds[0]) / bounds[2] <= kFew;
    }

    bool isPlain(const Block& body) const {
        bool plain = std::all_of(body.code.begin(), body.code.end(), isVectorCode);
        forEach(body, [&](const Instruction& instruction) {
            bool isAccess = instruction.op == Op::kLoad || instruction.op == Op::kStore;
            plain = plain && (!isAccess || isNeighbourly(instruction));
        });
        return plain;
    }

    // One element for all threads, or one beside the other: by the last index of an array in C's order.
    bool isNeighbourly(const Instruction& access) const {
        const Type* array = function_.values[access.operands[0]];
        auto ndim = static_cast<size_t>(array->ndim);
        if (!steps_.isSame(access.operands[0])) {
            return false;
        }
        for (size_t axis = 0; axis < ndim; axis++) {
            Step step = steps_.of(access.operands[axis + 1]);
            bool isLast = axis + 1 == ndim && array->layout == Layout::kC;
            if (step != Step::kSame && !(step == Step::kOne && isLast)) {
                return false;
            }
        }
        return true;
    }

    const Function& function_;
    Steps steps_;
    std::vector<const Instruction*> definitions_;
};

}  // namespace

bool isVectorOp(const Instruction& instruction) {
    if (instruction.type != nullptr && instruction.type->isComplex()) {
        return false;  // a pair of numbers
    }
    switch (instruction.op) {
    case Op::kCall:
    case Op::kPower:
    case Op::kAtomic:
    case Op::kPrint: return false;
    case Op::kMath: return isVectorMath(static_cast<MathFunction>(instruction.index));
    default: return true;
    }
}

bool isVectorCode(const Instruction& instruction) {
    Effect effect = opInfo(instruction.op).effect;
    bool isLoop = instruction.op == Op::kFor || instruction.op == Op::kWhile;
    bool plain = isVectorOp(instruction) && !isLoop && effect != Effect::kJump && effect != Effect::kSync;
    for (const auto& block : instruction.blocks) {
        plain = plain && std::all_of(block->code.begin(), block->code.end(), isVectorCode);
    }
    return plain;
}

std::unordered_set<const Instruction*> uniformLoops(const Function& function) {
    return Finder(function).found;
}

}  // namespace kiln::gpu
