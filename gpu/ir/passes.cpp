// Passes over kernel IR: dead code, access sets, and the order of all.
#include "gpu/ir/passes.h"

#include <algorithm>

namespace kiln::gpu {
namespace {

bool isRemovable(const Instruction& instruction) {
    Effect effect = opInfo(instruction.op).effect;
    return effect == Effect::kPure || effect == Effect::kRead;
}

bool sweep(Block& block, const std::vector<uint32_t>& uses, const std::vector<bool>& isRead) {
    bool changed = false;
    auto isDead = [&](const Instruction& instruction) {
        bool unused = instruction.result != kNoValue && uses[instruction.result] == 0 && isRemovable(instruction);
        bool unread = instruction.op == Op::kSet && !isRead[instruction.index];
        bool empty = instruction.op == Op::kIf && instruction.blocks[0]->code.empty() && instruction.blocks[1]->code.empty();
        return unused || unread || empty;
    };
    for (Instruction& instruction : block.code) {
        for (auto& nested : instruction.blocks) {
            changed = sweep(*nested, uses, isRead) || changed;
        }
    }
    auto end = std::remove_if(block.code.begin(), block.code.end(), isDead);
    changed = changed || end != block.code.end();
    block.code.erase(end, block.code.end());
    return changed;
}

// Which parameters an array value may be a part of, as bits; parameters beyond 64 share the last bit.
using Roots = uint64_t;

Roots rootOf(size_t parameter) {
    return Roots(1) << std::min<size_t>(parameter, 63);
}

class AccessFinder {
   public:
    AccessFinder(Module& module, Function& function)
        : module_(module), function_(function), values_(function.values.size()), variables_(function.variables.size()) {}

    // True when the function's sets grew.
    bool run() {
        Roots reads = 0;
        Roots writes = 0;
        for (bool again = true; again;) {
            std::vector<Roots> before = variables_;
            forEach(function_.body, [&](Instruction& instruction) { follow(instruction, reads, writes); });
            again = before != variables_;
        }
        bool grew = false;
        for (size_t i = 0; i < function_.parameters.size(); i++) {
            bool read = function_.reads[i] || (reads & rootOf(i)) != 0;
            bool written = function_.writes[i] || (writes & rootOf(i)) != 0;
            grew = grew || read != function_.reads[i] || written != function_.writes[i];
            function_.reads[i] = read;
            function_.writes[i] = written;
        }
        return grew;
    }

   private:
    void follow(const Instruction& instruction, Roots& reads, Roots& writes) {
        Roots first = instruction.operands.empty() ? 0 : values_[instruction.operands[0]];
        switch (instruction.op) {
        case Op::kParameter: values_[instruction.result] = rootOf(instruction.index); return;
        case Op::kView: values_[instruction.result] = first; return;
        case Op::kGet: values_[instruction.result] = variables_[instruction.index]; return;
        case Op::kSet: variables_[instruction.index] |= first; return;
        case Op::kLoad: reads |= first; return;
        case Op::kStore: writes |= first; return;
        case Op::kAtomic:
            reads |= first;
            writes |= first;
            return;
        case Op::kReturn:  // a returned view may be used for anything
            for (ValueId operand : instruction.operands) {
                reads |= values_[operand];
                writes |= values_[operand];
            }
            return;
        case Op::kCall: followCall(instruction, reads, writes); return;
        default: return;
        }
    }

    void followCall(const Instruction& call, Roots& reads, Roots& writes) {
        const Function& callee = *module_.functions[call.index];
        for (size_t i = 0; i < call.operands.size(); i++) {
            reads |= callee.reads[i] ? values_[call.operands[i]] : 0;
            writes |= callee.writes[i] ? values_[call.operands[i]] : 0;
        }
    }

    Module& module_;
    Function& function_;
    std::vector<Roots> values_;
    std::vector<Roots> variables_;
};

}  // namespace

std::vector<uint32_t> countUses(const Function& function) {
    std::vector<uint32_t> uses(function.values.size());
    forEach(function.body, [&](const Instruction& instruction) {
        for (ValueId operand : instruction.operands) {
            uses[operand]++;
        }
    });
    return uses;
}

bool eliminateDeadCode(Function& function) {
    bool changed = false;
    for (bool again = true; again;) {
        std::vector<bool> isRead(function.variables.size());
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kGet) {
                isRead[instruction.index] = true;
            }
        });
        again = sweep(function.body, countUses(function), isRead);
        changed = changed || again;
    }
    return changed;
}

void findAccesses(Module& module) {
    for (auto& function : module.functions) {
        bool isUnknown = !function->externalName.empty();
        function->reads.assign(function->parameters.size(), isUnknown);
        function->writes.assign(function->parameters.size(), isUnknown);
    }
    for (bool again = true; again;) {
        again = false;
        for (auto& function : module.functions) {
            again = AccessFinder(module, *function).run() || again;
        }
    }
}

void findCalled(Module& module) {
    for (auto& function : module.functions) {
        function->isCalled = function == module.functions.front();
    }
    for (bool again = true; again;) {
        again = false;
        for (auto& function : module.functions) {
            forEach(function->body, [&](const Instruction& instruction) {
                if (function->isCalled && instruction.op == Op::kCall && !module.functions[instruction.index]->isCalled) {
                    module.functions[instruction.index]->isCalled = true;
                    again = true;
                }
            });
        }
    }
}

std::string simplify(Module& module) {
    std::string error;
    inlineWaitingCalls(module, error);
    for (auto& function : module.functions) {
        defineVariables(*function);
        splitLoops(*function);
        useRanges(*function);
        eliminateDeadCode(*function);
    }
    findAccesses(module);
    findFills(*module.functions.front());
    findCalled(module);
    return error;
}

}  // namespace kiln::gpu
