// Variables that are assigned once, before all uses, are values; and a copy of a module to do so in.
#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

class Forwarder {
   public:
    explicit Forwarder(Function& function)
        : sets_(function.variables.size()), valueOf_(function.variables.size(), kNoValue),
          isForwarded_(function.variables.size()), replaced_(function.values.size(), kNoValue) {
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kSet || instruction.op == Op::kFor) {
                sets_[instruction.index] += instruction.op == Op::kSet ? 1 : 2;
            }
        });
        for (size_t i = 0; i < sets_.size(); i++) {
            isForwarded_[i] = sets_[i] == 1;
        }
        check(function.body);
    }

    // True when something changed.
    bool run(Block& block) {
        bool changed = false;
        for (Instruction& instruction : block.code) {
            for (ValueId& operand : instruction.operands) {
                operand = replaced_[operand] != kNoValue ? replaced_[operand] : operand;
            }
            if (instruction.op == Op::kSet && isForwarded_[instruction.index]) {
                valueOf_[instruction.index] = instruction.operands[0];
            }
            if (instruction.op == Op::kGet && isForwarded_[instruction.index]) {
                replaced_[instruction.result] = valueOf_[instruction.index];
                changed = true;
            }
            for (auto& nested : instruction.blocks) {
                changed = run(*nested) || changed;
            }
        }
        return changed;
    }

   private:
    // Uses must follow the assignment in its block, or in blocks nested there.
    void check(const Block& block) {
        std::vector<uint32_t> assigned;
        for (const Instruction& instruction : block.code) {
            if (instruction.op == Op::kGet && valueOf_[instruction.index] == kNoValue) {
                isForwarded_[instruction.index] = false;
            }
            if (instruction.op == Op::kSet) {
                valueOf_[instruction.index] = instruction.operands[0];
                assigned.push_back(instruction.index);
            }
            for (const auto& nested : instruction.blocks) {
                check(*nested);
            }
        }
        for (uint32_t variable : assigned) {
            valueOf_[variable] = kNoValue;
        }
    }

    std::vector<int> sets_;
    std::vector<ValueId> valueOf_;
    std::vector<bool> isForwarded_;
    std::vector<ValueId> replaced_;
};

std::unique_ptr<Block> copyOf(const Block& block) {
    auto made = std::make_unique<Block>();
    for (const Instruction& from : block.code) {
        Instruction to{static_cast<const Operation&>(from), {}};
        for (const auto& nested : from.blocks) {
            to.blocks.push_back(copyOf(*nested));
        }
        made->code.push_back(std::move(to));
    }
    return made;
}

}  // namespace

bool forwardVariables(Function& function) {
    return Forwarder(function).run(function.body);
}

Module copyOf(const Module& module) {
    Module made;
    made.faults = module.faults;
    made.accesses = module.accesses;
    made.links = module.links;
    made.reorders = module.reorders;
    made.areApart = module.areApart;
    for (const auto& from : module.functions) {
        auto to = std::make_unique<Function>();
        to->name = from->name;
        to->externalName = from->externalName;
        to->givesByPointer = from->givesByPointer;
        to->waitsForGrid = from->waitsForGrid;
        to->pythonName = from->pythonName;
        to->file = from->file;
        to->line = from->line;
        to->isKernel = from->isKernel;
        to->isCalled = from->isCalled;
        to->parameterNames = from->parameterNames;
        to->parameters = from->parameters;
        to->results = from->results;
        to->variables = from->variables;
        to->values = from->values;
        to->arrays = from->arrays;
        to->constants = from->constants;
        to->globals = from->globals;
        to->prints = from->prints;
        to->reads = from->reads;
        to->writes = from->writes;
        to->body = std::move(*copyOf(from->body));
        made.functions.push_back(std::move(to));
    }
    return made;
}

}  // namespace kiln::gpu
