// How many passes loops can make.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Of a module, which must outlive it and stay as it is.
class LoopBounds {
public:
    static constexpr int64_t kUnknown = INT64_MAX;

    explicit LoopBounds(const Module& module) : module_(module) {}

    // The loops in one run of a block, those of callees included, make at most so many passes; kUnknown where constants do not say.
    int64_t passesIn(const Function& function, const Block& block);
    // By a loop with all that is nested in it.
    int64_t passesOf(const Function& function, const Instruction& loop);
    // Whether a function may call itself, in the end.
    bool isRecursive(const Function& function) const;

private:
    int64_t passesOfCall(uint32_t callee);
    const Instruction* constant(const Function& function, ValueId value);

    const Module& module_;
    std::map<const Function*, std::vector<const Instruction*>> definitions_;
    std::map<uint32_t, int64_t> calls_;
    std::map<uint32_t, bool> underway_;
};

}  // namespace kiln::gpu
