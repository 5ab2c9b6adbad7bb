// Two blocks in one.
#include "gpu/ir/pair_blocks.h"

#include <algorithm>
#include <set>

#include "gpu/ir/find_slow_code.h"

namespace kiln::gpu {
namespace {

constexpr size_t kMostInstructions = 128;  // each is written up to four times
// That a thread reads: with more of them the threads that a multiprocessor has keep its memory busy.
constexpr int kMostBytes = 24;

bool isPairable(Op op) {
    static const std::set<Op> kOthers = {Op::kGet, Op::kSet, Op::kLoad, Op::kStore, Op::kIf, Op::kReturn};
    static const std::set<Op> kNot = {Op::kSharedArray, Op::kLocalArray, Op::kDynamicArray, Op::kConstantArray,
                                      Op::kCallResult,  Op::kView,       Op::kMath,         Op::kPower};
    return kOthers.count(op) > 0 || (opInfo(op).effect == Effect::kPure && kNot.count(op) == 0);
}

// `if condition: return`
bool leaves(const Instruction& instruction) {
    return instruction.op == Op::kIf && instruction.blocks[0]->code.size() == 1 &&
           instruction.blocks[0]->code[0].op == Op::kReturn && instruction.blocks[1]->code.empty();
}

bool stores(const Block& block) {
    bool found = false;
    forEach(block, [&](const Instruction& instruction) { found = found || instruction.op == Op::kStore; });
    return found;
}

// Returns are the last of the body, or in an `if` of the body that has nothing else.
bool returnsAtEnd(const Function& kernel) {
    size_t all = 0;
    size_t known = 0;
    forEach(kernel.body, [&](const Instruction& instruction) { all += instruction.op == Op::kReturn; });
    for (const Instruction& instruction : kernel.body.code) {
        known += leaves(instruction) || instruction.op == Op::kReturn;
    }
    return all == known;
}

bool canPair(const Function& kernel) {
    size_t count = 0;
    int bytes = 0;
    bool isKnown = kernel.isKernel && kernel.arrays.empty() && kernel.constants.empty() && returnsAtEnd(kernel) &&
                   stores(kernel.body);
    forEach(kernel.body, [&](const Instruction& instruction) {
        count++;
        bytes += instruction.op == Op::kLoad ? instruction.type->bytes() : 0;
        isKnown = isKnown && isPairable(instruction.op);
    });
    return isKnown && bytes > 0 && bytes <= kMostBytes && count <= kMostInstructions;
}

class Pairing {
public:
    Pairing(const Function& from, Function& to) : from_(from), to_(to), variables_(from.variables.size()) {
        for (auto& values : values_) {
            values.resize(from.values.size());
        }
    }

    void run() {
        to_.name = from_.name + "_pairs";
        to_.variables = from_.variables;
        std::set<std::string> names(from_.parameterNames.begin(), from_.parameterNames.end());
        for (const Variable& variable : from_.variables) {
            names.insert(variable.name);
        }
        for (size_t i = 0; i < variables_; i++) {
            Variable other = from_.variables[i];
            do {
                other.name += "_2";
            } while (!names.insert(other.name).second);
            to_.variables.push_back(other);
        }
        pair(from_.body, 0, to_.body, true);
    }

private:
    ValueId made(Block& block, Op op, const Type* type, std::vector<ValueId> operands, int64_t bits = 0) {
        Instruction instruction;
        instruction.op = op;
        instruction.type = type;
        instruction.operands = std::move(operands);
        instruction.bits = bits;
        instruction.isPlain = true;
        instruction.line = line_;
        instruction.result = static_cast<ValueId>(to_.values.size());
        to_.values.push_back(type);
        block.code.push_back(std::move(instruction));
        return block.code.back().result;
    }

    // One of the two, as it is.
    void copy(const Instruction& instruction, int which, Block& to) {
        line_ = instruction.line;
        Instruction other;
        static_cast<Operation&>(other) = instruction;
        for (ValueId& operand : other.operands) {
            operand = values_[which][operand];
        }
        if (instruction.op == Op::kGet || instruction.op == Op::kSet) {
            other.index += which == 0 ? 0 : static_cast<uint32_t>(variables_);
        }
        for (const auto& block : instruction.blocks) {
            other.blocks.push_back(std::make_unique<Block>());
            for (const Instruction& inner : block->code) {
                copy(inner, which, *other.blocks.back());
            }
        }
        if (instruction.result != kNoValue) {
            other.result = static_cast<ValueId>(to_.values.size());
            to_.values.push_back(instruction.type);
            values_[which][instruction.result] = other.result;
        }
        to.code.push_back(std::move(other));
        bool counts = instruction.index == 0 && (instruction.op == Op::kBlockIndex || instruction.op == Op::kGridDim);
        if (counts) {
            ValueId two = made(to, Op::kConstant, int32Type(), {}, 2);
            ValueId place = made(to, Op::kMultiply, int32Type(), {values_[which][instruction.result], two});
            bool isNext = instruction.op == Op::kBlockIndex && which == 1;
            ValueId one = isNext ? made(to, Op::kConstant, int32Type(), {}, 1) : kNoValue;
            values_[which][instruction.result] = isNext ? made(to, Op::kAdd, int32Type(), {place, one}) : place;
        }
    }

    // From an instruction on to the end of its block, for one of the two. A return would be the other's, too.
    void alone(const Block& from, size_t begin, int which, Block& to) {
        for (size_t i = begin; i < from.code.size() && from.code[i].op != Op::kReturn; i++) {
            if (leaves(from.code[i])) {
                line_ = from.code[i].line;
                ValueId stays =
                    made(to, Op::kNot, scalarType(Scalar::kBool), {values_[which][from.code[i].operands[0]]});
                Instruction rest = emptyIf(stays, line_);
                alone(from, i + 1, which, *rest.blocks[0]);
                to.code.push_back(std::move(rest));
                return;
            }
            copy(from.code[i], which, to);
        }
    }

    // From an instruction on to the end of its block, each for both in turn. What is read of a choice stays behind the choice.
    void pair(const Block& from, size_t begin, Block& to, bool isBody) {
        for (size_t i = begin; i < from.code.size(); i++) {
            const Instruction& instruction = from.code[i];
            if (isBody && leaves(instruction)) {
                guard(instruction, from, i + 1, to, true);
                return;
            }
            if (instruction.op == Op::kReturn) {
                return;
            }
            if (isBody && instruction.op == Op::kIf && instruction.blocks[1]->code.empty() &&
                stores(*instruction.blocks[0])) {
                guard(instruction, *instruction.blocks[0], 0, to, false);
                continue;
            }
            bool isChoice = instruction.op == Op::kIf && i + 1 < from.code.size() && from.code[i + 1].op == Op::kGet;
            for (int which : {0, 1}) {
                copy(instruction, which, to);
                if (isChoice) {
                    copy(from.code[i + 1], which, to);
                }
            }
            i += isChoice ? 1 : 0;
        }
    }

    // What is done under a condition, or unless it holds: for both where it is so for both, else for each.
    void guard(const Instruction& instruction, const Block& guarded, size_t begin, Block& to, bool isInverted) {
        line_ = instruction.line;
        const Type* type = scalarType(Scalar::kBool);
        ValueId conditions[2];
        for (int which : {0, 1}) {
            ValueId condition = values_[which][instruction.operands[0]];
            conditions[which] = isInverted ? made(to, Op::kNot, type, {condition}) : condition;
        }
        ValueId all = made(to, Op::kAnd, type, {conditions[0], conditions[1]});
        Instruction test = emptyIf(all, instruction.line);
        for (int which : {0, 1}) {
            Instruction one = emptyIf(conditions[which], instruction.line);
            alone(guarded, begin, which, *one.blocks[0]);
            test.blocks[1]->code.push_back(std::move(one));
        }
        pair(guarded, begin, *test.blocks[0], isInverted);
        to.code.push_back(std::move(test));
    }

    static Instruction emptyIf(ValueId condition, int line) {
        Instruction instruction;
        instruction.op = Op::kIf;
        instruction.line = line;
        instruction.operands = {condition};
        instruction.blocks.push_back(std::make_unique<Block>());
        instruction.blocks.push_back(std::make_unique<Block>());
        return instruction;
    }

    const Function& from_;
    Function& to_;
    size_t variables_;
    std::vector<ValueId> values_[2];
    int line_ = 0;
};

}  // namespace

std::unique_ptr<Function> pairBlocks(const Module& module) {
    const Function& kernel = module.kernel();
    if (!canPair(kernel) || findStrided(module, 0).count > 0) {
        return nullptr;
    }
    auto paired = std::make_unique<Function>();
    paired->pythonName = kernel.pythonName;
    paired->file = kernel.file;
    paired->line = kernel.line;
    paired->isKernel = true;
    paired->parameterNames = kernel.parameterNames;
    paired->parameters = kernel.parameters;
    paired->globals = kernel.globals;
    Pairing(kernel, *paired).run();
    return paired;
}

}  // namespace kiln::gpu
