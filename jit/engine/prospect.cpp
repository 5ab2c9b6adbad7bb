#include "jit/engine/prospect.h"

#include <opcode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jit/ir/tables.h"

namespace kiln {
namespace {

// Rough prices in nanoseconds: of an instruction in the interpreter and of its work in compiled code, of an opaque
// operation in either, of what compiled code loses at one that the interpreter specialises (more where a generator may be
// resumed), of a call from the interpreter, and of leaving compiled code with a restored frame.
constexpr double kInterpreted = 8;
constexpr double kNative = 1.5;
constexpr double kOpaque = 50;
constexpr double kSpecialisedLoss = 8;
constexpr double kNextLoss = 45;
constexpr double kCall = 50;
constexpr double kEnterAndLeave = 500;
constexpr double kTicksPerNanosecond = 2.5;

// Blocks are numbered as the builder came to them: a loop's header first.
bool isBackEdge(size_t from, const ir::Target& target) {
    return static_cast<size_t>(target.block) <= from;
}

// How often a block may run for each run of the outermost loop around it.
std::vector<double> blockWeights(const ir::Region& region) {
    constexpr double kRounds = 10;
    constexpr int kDeepest = 3;
    std::vector<int> depths(region.blocks.size(), 0);
    for (size_t header = 0; header < region.blocks.size(); header++) {
        size_t last = header;
        bool isHeader = false;
        for (size_t from = header; from < region.blocks.size(); from++) {
            for (const ir::Target& target : region.blocks[from].targets) {
                if (static_cast<size_t>(target.block) == header) {
                    isHeader = true;
                    last = from;
                }
            }
        }
        for (size_t inside = header; isHeader && inside <= last; inside++) {
            depths[inside]++;
        }
    }
    std::vector<double> weights;
    for (int depth : depths) {
        weights.push_back(std::pow(kRounds, std::min(depth, kDeepest)));
    }
    return weights;
}

double lossOf(const ir::Instruction& in) {
    if (in.op != ir::Op::k_opaque_object && in.op != ir::Op::k_opaque_int) {
        return 0;
    }
    switch (static_cast<Helper>(in.immediate)) {
        case Helper::k_next: return kNextLoss;
        case Helper::k_call: case Helper::k_binary_op: case Helper::k_inplace_op: case Helper::k_compare: case Helper::k_get_item:
        case Helper::k_set_item: case Helper::k_get_attribute: case Helper::k_set_attribute: return kSpecialisedLoss;
        default: return 0;  // the interpreter does not specialise it either
    }
}

}  // namespace

Prospect estimateProspect(const ir::Region& region) {
    std::vector<double> weights = blockWeights(region);
    double work = 0;
    double opaque = 0;
    double lost = 0;
    bool loops = !region.isFunction;
    bool calls = false;
    bool returns = !region.isFunction;
    for (size_t index = 0; index < region.blocks.size(); index++) {
        for (const ir::Instruction& in : region.blocks[index].instructions) {
            bool native = in.op == ir::Op::k_call_native;  // recursion, or a callee that was worth its own code
            bool isOpaque = ir::info(in.op).effect == ir::Effect::kOpaque && !native && in.op != ir::Op::k_list_append;
            opaque += isOpaque ? weights[index] : 0;
            lost += isOpaque ? lossOf(in) * weights[index] : 0;
            work += !isOpaque && ir::info(in.op).value == ir::Value::kWork ? weights[index] : 0;
            calls = calls || native;
            returns = returns || in.op == ir::Op::k_return_value;
        }
        for (const ir::Target& target : region.blocks[index].targets) {
            loops = loops || isBackEdge(index, target);
        }
    }
    double saved = work * (kInterpreted - kNative);
    return {.gain = saved / (work * kNative + opaque * kOpaque + 1),
            .saves = saved > lost || calls,
            .worthCalling = returns && (loops || calls || saved - lost > kCall)};
}

bool mayGainAsFunction(const Bytecode& bytecode) {
    constexpr int kLeastArithmetic = 2;
    int arithmetic = 0;
    for (const BytecodeInstruction& in : bytecode.instructions()) {
        bool operates = in.opcode == BINARY_OP || in.opcode == COMPARE_OP || in.opcode == BINARY_SUBSCR ||
                        in.opcode == UNARY_NEGATIVE || in.opcode == UNARY_INVERT;
        arithmetic += operates ? 1 : 0;
    }
    return !bytecode.loops().empty() || arithmetic >= kLeastArithmetic;
}

void Account::addStay(uint64_t ticks) {
    entries_++;
    ticks_ += std::min<uint64_t>(ticks, uint64_t{1} << 32);
}

bool Account::isLosingLoop() const {
    return entries_ % kJudged == 0 && entries_ != 0 &&
           static_cast<double>(ticks_) / kTicksPerNanosecond * gain_ < static_cast<double>(entries_) * kEnterAndLeave;
}

bool Account::isLosingFunction() const {
    return entries_ % kJudged == 0 && entries_ != 0 && exits_ > entries_ / 4;
}

}  // namespace kiln
