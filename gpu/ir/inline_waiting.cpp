// Device functions that wait for other threads become a part of their callers: the CPU backend cuts kernels at barriers.
#include "gpu/ir/passes.h"

#include <iterator>

namespace kiln::gpu {
namespace {

bool waits(const Function& function) {
    bool found = false;
    forEach(function.body, [&](const Instruction& instruction) {
        found = found || opInfo(instruction.op).effect == Effect::kSync;
    });
    return found;
}

bool holds(const Instruction& instruction, Op op) {
    bool found = instruction.op == op;
    for (const auto& block : instruction.blocks) {
        forEach(*block, [&](const Instruction& nested) { found = found || nested.op == op; });
    }
    return found;
}

bool returnsAtItsEnd(const Function& function) {
    int returns = 0;
    forEach(function.body, [&](const Instruction& instruction) { returns += instruction.op == Op::kReturn; });
    bool atEnd = !function.body.code.empty() && function.body.code.back().op == Op::kReturn;
    return returns == (atEnd ? 1 : 0);
}

// Copies one callee's body into its caller. One that returns in its middle becomes a loop of one pass, which its returns
// leave: in loops of the callee they set a flag, behind each of which it is asked for.
class Inliner {
   public:
    Inliner(Function& caller, const Function& callee, const Instruction& call)
        : caller_(caller), callee_(callee), call_(call), values_(callee.values.size(), kNoValue),
          firstVariable_(caller.variables.size()), firstArray_(caller.arrays.size()),
          firstConstant_(caller.constants.size()), firstGlobal_(caller.globals.size()), firstPrint_(caller.prints.size()) {
        for (const Variable& variable : callee.variables) {
            std::string name = callee.name + "_" + variable.name + "_" + std::to_string(caller.variables.size());
            caller.variables.push_back({name, variable.type});
        }
        caller.arrays.insert(caller.arrays.end(), callee.arrays.begin(), callee.arrays.end());
        caller.constants.insert(caller.constants.end(), callee.constants.begin(), callee.constants.end());
        caller.globals.insert(caller.globals.end(), callee.globals.begin(), callee.globals.end());
        caller.prints.insert(caller.prints.end(), callee.prints.begin(), callee.prints.end());
    }

    // The copy, without its returns; what they return is in results().
    std::vector<Instruction> run() {
        if (!returnsAtItsEnd(callee_)) {
            return runInLoop();
        }
        std::vector<Instruction> code = copy(callee_.body);
        if (!code.empty() && code.back().op == Op::kReturn) {
            results_ = code.back().operands;
            code.pop_back();
        }
        return code;
    }

    const std::vector<ValueId>& results() const { return results_; }

   private:
    std::vector<Instruction> runInLoop() {
        inLoop_ = true;
        firstResult_ = static_cast<uint32_t>(caller_.variables.size());
        for (size_t i = 0; i <= callee_.results.size(); i++) {
            bool isFlag = i == callee_.results.size();
            std::string name = callee_.name + (isFlag ? "_returned_" : "_result_") + std::to_string(firstResult_ + i);
            caller_.variables.push_back({name, isFlag ? scalarType(Scalar::kBool) : callee_.results[i]});
        }
        std::vector<Instruction> code;
        set(code, flag(), constant(code, false));
        Instruction loop = made(Op::kWhile);
        loop.blocks.push_back(std::make_unique<Block>());
        ValueId always = constant(loop.blocks[0]->code, true);
        loop.blocks[0]->code.push_back(made(Op::kYield));
        loop.blocks[0]->code.back().operands = {always};
        loop.blocks.push_back(std::make_unique<Block>());
        loop.blocks[1]->code = copy(callee_.body);
        auto& body = loop.blocks[1]->code;
        if (body.empty() || opInfo(body.back().op).effect != Effect::kJump) {
            body.push_back(made(Op::kBreak));
        }
        code.push_back(std::move(loop));
        for (size_t i = 0; i < callee_.results.size(); i++) {
            results_.push_back(get(code, firstResult_ + static_cast<uint32_t>(i)));
        }
        return code;
    }

    Instruction made(Op op) const {
        Instruction instruction;
        instruction.op = op;
        instruction.line = call_.line;
        return instruction;
    }

    ValueId define(Instruction& instruction, const Type* type) {
        instruction.type = type;
        instruction.result = static_cast<ValueId>(caller_.values.size());
        caller_.values.push_back(type);
        return instruction.result;
    }

    ValueId constant(std::vector<Instruction>& code, bool value) {
        code.push_back(made(Op::kConstant));
        code.back().bits = value;
        return define(code.back(), scalarType(Scalar::kBool));
    }

    ValueId get(std::vector<Instruction>& code, uint32_t variable) {
        code.push_back(made(Op::kGet));
        code.back().index = variable;
        return define(code.back(), caller_.variables[variable].type);
    }

    void set(std::vector<Instruction>& code, uint32_t variable, ValueId value) {
        code.push_back(made(Op::kSet));
        code.back().index = variable;
        code.back().operands = {value};
    }

    uint32_t flag() const { return firstResult_ + static_cast<uint32_t>(callee_.results.size()); }

    void copyReturn(const Instruction& from, std::vector<Instruction>& code) {
        for (size_t i = 0; i < from.operands.size(); i++) {
            set(code, firstResult_ + static_cast<uint32_t>(i), values_[from.operands[i]]);
        }
        if (depth_ > 0) {
            set(code, flag(), constant(code, true));
        }
        code.push_back(made(Op::kBreak));
    }

    std::vector<Instruction> copy(const Block& block) {
        std::vector<Instruction> code;
        for (const Instruction& instruction : block.code) {
            if (instruction.op == Op::kParameter) {
                values_[instruction.result] = call_.operands[instruction.index];
                continue;
            }
            if (instruction.op == Op::kReturn && inLoop_) {
                copyReturn(instruction, code);
                continue;
            }
            bool isLoop = instruction.op == Op::kWhile || instruction.op == Op::kFor;
            depth_ += isLoop;
            code.push_back(copy(instruction));
            depth_ -= isLoop;
            if (inLoop_ && isLoop && holds(instruction, Op::kReturn)) {
                ValueId returned = get(code, flag());
                Instruction leave = made(Op::kIf);
                leave.operands = {returned};
                leave.blocks.push_back(std::make_unique<Block>());
                leave.blocks[0]->code.push_back(made(Op::kBreak));
                leave.blocks.push_back(std::make_unique<Block>());
                code.push_back(std::move(leave));
            }
        }
        return code;
    }

    Instruction copy(const Instruction& from) {
        Instruction made{static_cast<const Operation&>(from), {}};
        made.line = call_.line;
        for (ValueId& operand : made.operands) {
            operand = values_[operand];
        }
        switch (from.op) {
        case Op::kGet:
        case Op::kSet:
        case Op::kFor: made.index += static_cast<uint32_t>(firstVariable_); break;
        case Op::kSharedArray:
        case Op::kLocalArray: made.index += static_cast<uint32_t>(firstArray_); break;
        case Op::kConstantArray: made.index += static_cast<uint32_t>(firstConstant_); break;
        case Op::kGlobalArray: made.index += static_cast<uint32_t>(firstGlobal_); break;
        case Op::kPrint: made.index += static_cast<uint32_t>(firstPrint_); break;
        default: break;
        }
        if (from.result != kNoValue) {
            made.result = static_cast<ValueId>(caller_.values.size());
            caller_.values.push_back(from.type);
            values_[from.result] = made.result;
        }
        for (const auto& nested : from.blocks) {
            auto block = std::make_unique<Block>();
            block->code = copy(*nested);
            made.blocks.push_back(std::move(block));
        }
        return made;
    }

    Function& caller_;
    const Function& callee_;
    const Instruction& call_;
    std::vector<ValueId> values_;
    std::vector<ValueId> results_;
    size_t firstVariable_;
    size_t firstArray_;
    size_t firstConstant_;
    size_t firstGlobal_;
    size_t firstPrint_;
    bool inLoop_ = false;       // of one pass
    int depth_ = 0;             // of the callee's own loops
    uint32_t firstResult_ = 0;  // variables for the results, and the flag behind them
};

void replaceUses(Function& function, ValueId old, ValueId value) {
    forEach(function.body, [&](Instruction& instruction) {
        for (ValueId& operand : instruction.operands) {
            operand = operand == old ? value : operand;
        }
    });
}

bool callsItself(const Module& module, uint32_t index) {
    std::vector<bool> reached(module.functions.size());
    std::vector<uint32_t> pending = {index};
    while (!pending.empty() && !reached[index]) {
        uint32_t next = pending.back();
        pending.pop_back();
        forEach(module.functions[next]->body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kCall && !reached[instruction.index]) {
                reached[instruction.index] = true;
                pending.push_back(instruction.index);
            }
        });
    }
    return reached[index];
}

// Replaces the first waiting call below the block. The results of the others are read by CallResult.
bool inlineOne(Module& module, Function& caller, Block& block, std::string& error) {
    for (size_t i = 0; i < block.code.size(); i++) {
        Instruction& call = block.code[i];
        for (auto& nested : call.blocks) {
            if (inlineOne(module, caller, *nested, error)) {
                return true;
            }
        }
        if (call.op != Op::kCall || !waits(*module.functions[call.index])) {
            continue;
        }
        const Function& callee = *module.functions[call.index];
        if (callsItself(module, call.index)) {
            error = "device function " + callee.pythonName + " waits for other threads, so that it must not call itself";
            return false;
        }
        Instruction removed = std::move(call);
        Inliner inliner(caller, callee, removed);
        std::vector<Instruction> code = inliner.run();
        block.code.erase(block.code.begin() + static_cast<std::ptrdiff_t>(i));
        block.code.insert(block.code.begin() + static_cast<std::ptrdiff_t>(i), std::make_move_iterator(code.begin()),
                          std::make_move_iterator(code.end()));
        std::vector<std::pair<ValueId, int64_t>> reads;
        forEach(caller.body, [&](Instruction& instruction) {
            if (instruction.op == Op::kCallResult && instruction.operands[0] == removed.result) {
                reads.push_back({instruction.result, instruction.bits});
                instruction.operands[0] = inliner.results()[0];  // dead from now on
            }
        });
        for (const auto& [value, position] : reads) {
            replaceUses(caller, value, inliner.results()[static_cast<size_t>(position)]);
        }
        if (removed.result != kNoValue) {
            replaceUses(caller, removed.result, inliner.results()[0]);
        }
        return true;
    }
    return false;
}

// Without its definition nothing may read a CallResult any more.
void dropCallResults(Block& block, const std::vector<uint32_t>& uses) {
    std::erase_if(block.code, [&](const Instruction& instruction) {
        return instruction.op == Op::kCallResult && uses[instruction.result] == 0;
    });
    for (Instruction& instruction : block.code) {
        for (auto& nested : instruction.blocks) {
            dropCallResults(*nested, uses);
        }
    }
}

}  // namespace

bool inlineWaitingCalls(Module& module, std::string& error) {
    bool changed = false;
    // A function may wait only once what it calls is a part of it: again until nothing changes.
    for (bool again = true; again;) {
        again = false;
        for (auto& function : module.functions) {
            while (error.empty() && inlineOne(module, *function, function->body, error)) {
                again = true;
                dropCallResults(function->body, countUses(*function));
            }
        }
        changed = changed || again;
    }
    return changed;
}

}  // namespace kiln::gpu
