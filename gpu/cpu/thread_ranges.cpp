// Conditions that compare the place of a thread along x with what is the same for all threads.
#include "gpu/cpu/thread_ranges.h"

#include <algorithm>

#include "gpu/ir/block_limits.h"

namespace kiln::gpu {
namespace {

class Finder {
public:
    explicit Finder(const BarrierPlan& plan) : plan_(plan) {}

    std::optional<ThreadRange> find(const std::vector<const Instruction*>& segment) {
        const Instruction* test = nullptr;
        bool isExit = false;
        for (const Instruction* instruction : segment) {
            if (instruction->op == Op::kIf && test == nullptr && instruction->blocks[1]->code.empty()) {
                test = instruction;
                const std::vector<Instruction>& code = test->blocks[0]->code;
                isExit = !plan_.hasBarriers() && code.size() == 1 && code[0].op == Op::kReturn;
                if (isExit) {
                    break;
                }
            } else if (!isOfSegment(*instruction)) {
                return std::nullopt;
            }
        }
        std::optional<ThreadRange> range = test != nullptr ? readParts(test->operands[0], isExit) : std::nullopt;
        if (range) {
            range->test = test;
            range->isExit = isExit;
        }
        return range;
    }

private:
    // Whether nobody misses it where a thread leaves it out.
    bool isOfSegment(const Instruction& instruction) const {
        if (instruction.op == Op::kSet) {
            return !plan_.crossesVariable(instruction.index) && !plan_.isOnceVariable(instruction.index);
        }
        bool isRead = instruction.op == Op::kGet || opInfo(instruction.op).effect == Effect::kPure;
        return isRead && (!plan_.crosses(instruction.result) || plan_.isCheap(instruction.result));
    }

    bool isThread(ValueId value) const {
        const Instruction& definition = *plan_.definition(value);
        if (definition.op == Op::kConvert && definition.type->isInteger() && definition.type->bits >= 32) {
            return isThread(definition.operands[0]);
        }
        return definition.op == Op::kThreadIndex && definition.index == 0;
    }

    // Whether it is the thread's number, or the sum of that and of what is the same for all threads, which gets to be `offset`.
    bool isPlace(ValueId value, ValueId& offset) const {
        const Instruction& definition = *plan_.definition(value);
        if (definition.op == Op::kConvert && isWide(definition.type) &&
            isWide(plan_.definition(definition.operands[0])->type) &&
            definition.type->bits >= plan_.definition(definition.operands[0])->type->bits) {
            return isPlace(definition.operands[0], offset);
        }
        if (definition.op == Op::kAdd && definition.isPlain && isWide(definition.type)) {
            bool isFirst = isThread(definition.operands[0]);
            offset = definition.operands[isFirst ? 1 : 0];
            return isThread(definition.operands[isFirst ? 0 : 1]) && isSame(offset);
        }
        return isThread(value);
    }

    static bool isWide(const Type* type) { return type->isSigned() && type->bits >= 32; }

    // For all threads of a block; and can be computed before the loop over them.
    bool isSame(ValueId value) const {
        if (plan_.hasBarriers()) {
            return plan_.isOnce(value);
        }
        const Instruction& definition = *plan_.definition(value);
        switch (definition.op) {
        case Op::kConstant:
        case Op::kParameter:
        case Op::kBlockIndex:
        case Op::kBlockDim:
        case Op::kGridDim: return true;
        case Op::kDimension:
        case Op::kConvert:
        case Op::kAdd:
        case Op::kSubtract:
        case Op::kMultiply:
        case Op::kMinimum:
        case Op::kMaximum:
            return std::all_of(definition.operands.begin(), definition.operands.end(),
                               [this](ValueId operand) { return isSame(operand); });
        default: return false;
        }
    }

    // Comparisons with the thread on the right are the same ones turned around.
    static std::optional<Op> turned(Op op) {
        switch (op) {
        case Op::kEqual: return Op::kEqual;
        case Op::kLess: return Op::kGreater;
        case Op::kLessEqual: return Op::kGreaterEqual;
        case Op::kGreater: return Op::kLess;
        case Op::kGreaterEqual: return Op::kLessEqual;
        default: return std::nullopt;
        }
    }

    static Op negated(Op op) {
        switch (op) {
        case Op::kNotEqual: return Op::kEqual;
        case Op::kLess: return Op::kGreaterEqual;
        case Op::kLessEqual: return Op::kGreater;
        case Op::kGreater: return Op::kLessEqual;
        case Op::kGreaterEqual: return Op::kLess;
        default: return Op::kNotEqual;
        }
    }

    // Of a condition, or of one that has threads return: then the range is of those that it is false for.
    std::optional<ThreadRange> readParts(ValueId value, bool isExit) const {
        const Instruction& condition = *plan_.definition(value);
        if (condition.op != (isExit ? Op::kOr : Op::kAnd) || !condition.type->isBool()) {
            return readCondition(condition, isExit);
        }
        for (int i = 0; i < 2; i++) {
            if (std::optional<ThreadRange> range = readCondition(*plan_.definition(condition.operands[i]), isExit)) {
                range->rest = condition.operands[1 - i];
                return range;
            }
        }
        return std::nullopt;
    }

    std::optional<ThreadRange> readCondition(const Instruction& condition, bool isExit) const {
        std::optional<Op> op = isExit ? negated(condition.op) : condition.op;
        ThreadRange range;
        if (condition.operands.size() != 2) {
            return std::nullopt;
        }
        ValueId bound = condition.operands[1];
        if (!isPlace(condition.operands[0], range.offset)) {
            op = turned(*op);
            bound = condition.operands[0];
            range.offset = kNoValue;
            if (!op || !isPlace(condition.operands[1], range.offset)) {
                return std::nullopt;
            }
        }
        const Instruction& definition = *plan_.definition(bound);
        if (range.offset == kNoValue && definition.op == Op::kConstant) {
            return takeConstant(*op, definition, range) ? std::optional(range) : std::nullopt;
        }
        range.endValue = bound;
        return *op == Op::kLess && isWide(definition.type) && isSame(bound) ? std::optional(range) : std::nullopt;
    }

    static bool takeConstant(Op op, const Instruction& constant, ThreadRange& range) {
        int64_t value = constant.bits;
        if (!turned(op) || !constant.type->isInteger() || value < 0 || value > kMostAlongAxis[0]) {
            return false;
        }
        bool isFromThere = op == Op::kGreater || op == Op::kGreaterEqual;
        range.first = op == Op::kEqual || isFromThere ? value + (op == Op::kGreater) : 0;
        range.end = isFromThere ? kMostAlongAxis[0] : value + (op == Op::kEqual || op == Op::kLessEqual);
        return true;
    }

    const BarrierPlan& plan_;
};

}  // namespace

std::optional<ThreadRange> findThreadRange(const std::vector<const Instruction*>& segment, const BarrierPlan& plan) {
    return Finder(plan).find(segment);
}

}  // namespace kiln::gpu
