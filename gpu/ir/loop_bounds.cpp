// How many passes loops can make.
#include "gpu/ir/loop_bounds.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace kiln::gpu {
namespace {

int64_t sum(int64_t left, int64_t right) {
    int64_t result = 0;
    return __builtin_add_overflow(left, right, &result) ? LoopBounds::kUnknown : result;
}

int64_t product(int64_t left, int64_t right) {
    int64_t result = 0;
    return __builtin_mul_overflow(left, right, &result) ? LoopBounds::kUnknown : result;
}

int64_t rangeLength(int64_t start, int64_t stop, int64_t step) {
    constexpr int64_t kMost = int64_t(1) << 60;  // what is larger may be an unsigned number's
    if (std::max({std::abs(start / 2), std::abs(stop / 2), std::abs(step / 2)}) >= kMost / 2) {
        return LoopBounds::kUnknown;
    }
    int64_t distance = step > 0 ? stop - start : start - stop;
    return step == 0 || distance <= 0 ? 0 : (distance - 1) / std::abs(step) + 1;
}

}  // namespace

const Instruction* LoopBounds::constant(const Function& function, ValueId value) {
    auto [found, isNew] = definitions_.try_emplace(&function);
    std::vector<const Instruction*>& definitions = found->second;
    if (isNew) {
        definitions.resize(function.values.size());
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kConstant && instruction.result != kNoValue) {
                definitions[instruction.result] = &instruction;
            }
        });
    }
    return definitions[value];
}

int64_t LoopBounds::passesOfCall(uint32_t callee) {
    auto known = calls_.find(callee);
    if (known != calls_.end()) {
        return known->second;
    }
    if (std::exchange(underway_[callee], true)) {
        return kUnknown;
    }
    const Function& function = *module_.functions[callee];
    int64_t passes = passesIn(function, function.body);
    underway_[callee] = false;
    return calls_[callee] = passes;
}

int64_t LoopBounds::passesIn(const Function& function, const Block& block) {
    int64_t passes = 0;
    for (const Instruction& instruction : block.code) {
        if (instruction.op == Op::kWhile || instruction.op == Op::kFor) {
            passes = sum(passes, passesOf(function, instruction));
        } else if (instruction.op == Op::kCall) {
            passes = sum(passes, passesOfCall(instruction.index));
        } else {
            for (const auto& nested : instruction.blocks) {
                passes = sum(passes, passesIn(function, *nested));
            }
        }
    }
    return passes;
}

int64_t LoopBounds::passesOf(const Function& function, const Instruction& loop) {
    int64_t ends[3];
    for (size_t i = 0; i < 3 && loop.op == Op::kFor; i++) {
        const Instruction* found = constant(function, loop.operands[i]);
        if (found == nullptr) {
            return kUnknown;
        }
        ends[i] = found->bits;
    }
    return loop.op == Op::kFor ? product(rangeLength(ends[0], ends[1], ends[2]),
                                         std::max<int64_t>(1, passesIn(function, *loop.blocks[0])))
                               : kUnknown;
}

bool LoopBounds::isRecursive(const Function& function) const {
    std::vector<const Function*> reached = {&function};
    bool found = false;
    for (size_t i = 0; i < reached.size() && !found; i++) {
        forEach(reached[i]->body, [&](const Instruction& instruction) {
            const Function* callee = instruction.op == Op::kCall ? module_.functions[instruction.index].get() : nullptr;
            found = found || callee == &function;
            if (callee != nullptr && std::find(reached.begin(), reached.end(), callee) == reached.end()) {
                reached.push_back(callee);
            }
        });
    }
    return found;
}

}  // namespace kiln::gpu
