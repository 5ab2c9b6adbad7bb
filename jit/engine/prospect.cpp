#include "jit/engine/prospect.h"

#include "jit/engine/opcode_mix.h"

#include <opcode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jit/ir/dominators.h"
#include "jit/ir/tables.h"

namespace kiln {
namespace {

// Rough prices in nanoseconds: of an instruction in the interpreter and of its work in compiled code, of an opaque
// operation in either, of one that runs no Python code and needs no frame in either, of what compiled code loses at one that the
// interpreter specialises (more where a generator is resumed), and of a call from the interpreter.
constexpr double kInterpreted = 8;
constexpr double kNative = 1.5;
constexpr double kOpaque = 50;
constexpr double kLeaf = 15;
constexpr double kLeafInterpreted = 30;
constexpr double kSpecialisedLoss = 8;
constexpr double kResumeLoss = 45;
constexpr double kCall = 50;

// How often a loop may go round each time it is entered.
constexpr double kRounds = 10;

// The loops of a region: how many each block lies in.
class LoopDepths {
   public:
    explicit LoopDepths(const ir::Region& region) : dominators_(region), depths_(region.blocks.size(), 0) {
        std::vector<std::vector<ir::BlockId>> sources(region.blocks.size());
        for (ir::BlockId from : dominators_.reversePostorder()) {
            for (const ir::Target& target : region.blocks[from].targets) {
                sources[target.block].push_back(from);
            }
        }
        for (ir::BlockId header : dominators_.reversePostorder()) {
            addLoop(header, sources);
        }
    }
    bool isBackEdge(ir::BlockId from, ir::BlockId to) const { return dominators_.dominates(to, from); }
    int operator[](ir::BlockId block) const { return depths_[block]; }
    const std::vector<ir::BlockId>& order() const { return dominators_.reversePostorder(); }

   private:
    // Its blocks are those from which a back-edge to the header is reached.
    void addLoop(ir::BlockId header, const std::vector<std::vector<ir::BlockId>>& sources) {
        std::vector<bool> inside(depths_.size(), false);
        std::vector<ir::BlockId> pending;
        for (ir::BlockId from : sources[header]) {
            if (isBackEdge(from, header)) {
                pending.push_back(from);
            }
        }
        inside[header] = !pending.empty();
        depths_[header] += inside[header];
        while (!pending.empty()) {
            ir::BlockId block = pending.back();
            pending.pop_back();
            if (!inside[block]) {
                inside[block] = true;
                depths_[block]++;
                pending.insert(pending.end(), sources[block].begin(), sources[block].end());
            }
        }
    }

    ir::Dominators dominators_;
    std::vector<int> depths_;
};

// How often a block may run for each run of the region, if a branch goes either way alike and loops go round kRounds times.
std::vector<double> blockWeights(const ir::Region& region, const LoopDepths& depths) {
    constexpr double kMost = kRounds * kRounds * kRounds;
    std::vector<double> weights(region.blocks.size(), 0);
    weights[depths.order().front()] = 1;
    std::vector<bool> isHeader(region.blocks.size(), false);
    for (ir::BlockId from : depths.order()) {
        for (const ir::Target& target : region.blocks[from].targets) {
            isHeader[target.block] = isHeader[target.block] || depths.isBackEdge(from, target.block);
        }
    }
    for (ir::BlockId block : depths.order()) {
        weights[block] = std::min(isHeader[block] ? weights[block] * kRounds : weights[block], kMost);
        const std::vector<ir::Target>& targets = region.blocks[block].targets;
        auto leaves = [&](const ir::Target& target) { return depths[target.block] < depths[block]; };
        auto staying = static_cast<double>(targets.size()) - static_cast<double>(std::count_if(targets.begin(), targets.end(), leaves));
        for (const ir::Target& target : targets) {
            if (leaves(target)) {
                weights[target.block] += weights[block] / std::pow(kRounds, depths[block] - depths[target.block]);
            } else if (!depths.isBackEdge(block, target.block)) {
                weights[target.block] += weights[block] / staying;
            }
        }
    }
    return weights;
}

double lossOf(const ir::Instruction& in) {
    if (!ir::isOpaqueCall(in.op)) {
        return 0;
    }
    switch (static_cast<Helper>(in.immediate)) {
        case Helper::k_next_of_generator: return kResumeLoss;
        case Helper::k_call: case Helper::k_binary_op: case Helper::k_inplace_op: case Helper::k_compare: case Helper::k_get_item:
        case Helper::k_set_item: case Helper::k_get_attribute: case Helper::k_set_attribute: return kSpecialisedLoss;
        default: return 0;  // the interpreter does not specialise it either
    }
}

// A helper does what an instruction asks for, without any ado.
bool isLeaf(const ir::Instruction& in) {
    bool isOpaque = ir::isOpaqueCall(in.op);
    bool reads = in.op == ir::Op::k_pure_int || in.op == ir::Op::k_read_object;
    return reads || (isOpaque && (in.operands.empty() || kHelperCodes[in.immediate] == HelperCode::kLeaf));
}

}  // namespace

Prospect estimateProspect(const ir::Region& region) {
    LoopDepths depths(region);
    std::vector<double> weights = blockWeights(region, depths);
    double work = 0;
    double opaque = 0;
    double lost = 0;
    double called = 0;
    double leaves = 0;
    bool loops = !region.isFunction;
    bool returns = !region.isFunction;
    for (ir::BlockId block : depths.order()) {
        for (const ir::Instruction& in : region.blocks[block].instructions) {
            bool native = ir::isNativeCall(in.op);  // recursion, or a callee that was worth its own code
            bool leaf = isLeaf(in);
            ir::Effect effect = ir::info(in.op).effect;
            bool runsCode = effect == ir::Effect::kOpaque || effect == ir::Effect::kAttempt;
            bool isOpaque = runsCode && !native && !leaf && in.op != ir::Op::k_list_append;
            leaves += leaf ? weights[block] : 0;
            opaque += isOpaque ? weights[block] : 0;
            lost += isOpaque ? lossOf(in) * weights[block] : 0;
            work += !isOpaque && !leaf && ir::info(in.op).value == ir::Value::kWork ? weights[block] : 0;
            called += native ? weights[block] : 0;
            returns = returns || in.op == ir::Op::k_return_value || in.op == ir::Op::k_return_raised;
        }
        loops = loops || depths[block] > 0;
    }
    double saved = work * (kInterpreted - kNative) + leaves * (kLeafInterpreted - kLeaf);
    bool calls = called > 0;
    return {.gain = (saved + called * kCall) / (work * kNative + leaves * kLeaf + opaque * kOpaque + called + 1),
            .saves = saved > lost || calls,
            .worthCalling = returns && (loops || calls || saved - lost > kCall),
            .worthCallingNatively = returns && (calls || saved - lost > -kCall)};
}

bool isOperation(int opcode) {
    return opcode == BINARY_OP || opcode == COMPARE_OP || opcode == BINARY_SUBSCR || opcode == UNARY_NEGATIVE || opcode == UNARY_INVERT;
}

bool mayGainAsFunction(PyCodeObject* code, const Bytecode& bytecode) {
    const std::vector<BytecodeInstruction>& all = bytecode.instructions();
    auto operations = std::count_if(all.begin(), all.end(), [](const BytecodeInstruction& in) { return isOperation(in.opcode); });
    bool loops = std::ranges::any_of(all, [&](const BytecodeInstruction& in) { return generatorExpression(code, in) != nullptr; });
    return loops || !bytecode.loops().empty() || operations >= kLeastOperations;
}

}  // namespace kiln
