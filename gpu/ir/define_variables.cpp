// Variables that are read where a path has not assigned them are 0 there, as in numba: to optimisers what is undefined would be
// anything, and what another thread left in the CPU backend's arrays of variables is none of this one's business.
#include <algorithm>

#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

class Definer {
   public:
    explicit Definer(Function& function) : function_(function), isRead_(function.variables.size()) {}

    void run() {
        walk(function_.body, Assigned(function_.variables.size()));
        std::vector<Instruction> code;
        for (uint32_t variable = 0; variable < isRead_.size(); variable++) {
            if (isRead_[variable] && function_.variables[variable].type->isScalar()) {
                define(variable, code);
            }
        }
        auto& body = function_.body.code;
        body.insert(body.begin(), std::make_move_iterator(code.begin()), std::make_move_iterator(code.end()));
    }

   private:
    using Assigned = std::vector<bool>;

    static void meet(Assigned& into, const Assigned& other) {
        std::transform(into.begin(), into.end(), other.begin(), into.begin(), [](bool a, bool b) { return a && b; });
    }

    // What is assigned where the block ends; after a jump: everything, since nothing gets there.
    Assigned walk(const Block& block, Assigned assigned) {
        for (const Instruction& instruction : block.code) {
            switch (instruction.op) {
            case Op::kGet: isRead_[instruction.index] = isRead_[instruction.index] || !assigned[instruction.index]; break;
            case Op::kSet: assigned[instruction.index] = true; break;
            case Op::kIf: {
                Assigned then = walk(*instruction.blocks[0], assigned);
                assigned = walk(*instruction.blocks[1], assigned);
                meet(assigned, then);
                break;
            }
            case Op::kWhile:
            case Op::kFor: assigned = afterLoop(instruction, assigned); break;
            case Op::kBreak: meet(breaks_.back(), assigned); return Assigned(assigned.size(), true);
            case Op::kContinue:
            case Op::kReturn:
            case Op::kRaise: return Assigned(assigned.size(), true);
            default: break;
            }
        }
        return assigned;
    }

    Assigned afterLoop(const Instruction& loop, const Assigned& before) {
        breaks_.emplace_back(before.size(), true);
        bool isWhile = loop.op == Op::kWhile;
        Assigned after = isWhile ? walk(*loop.blocks[0], before) : before;
        Assigned inside = after;
        if (!isWhile) {
            inside[loop.index] = true;
        }
        walk(*loop.blocks.back(), std::move(inside));
        if (isWhile && isEndless(*loop.blocks[0])) {
            after.assign(after.size(), true);
        }
        meet(after, breaks_.back());
        breaks_.pop_back();
        return after;
    }

    static bool isEndless(const Block& condition) {
        const Instruction* yield = &condition.code.back();
        auto value = std::find_if(condition.code.begin(), condition.code.end(),
                                  [&](const Instruction& other) { return other.result == yield->operands[0]; });
        return value != condition.code.end() && value->op == Op::kConstant && value->bits != 0;
    }

    ValueId emit(std::vector<Instruction>& code, Op op, const Type* type, std::vector<ValueId> operands) {
        Instruction made;
        made.op = op;
        made.type = type;
        made.operands = std::move(operands);
        made.result = static_cast<ValueId>(function_.values.size());
        made.line = function_.line;
        function_.values.push_back(type);
        code.push_back(std::move(made));
        return code.back().result;
    }

    void define(uint32_t variable, std::vector<Instruction>& code) {
        const Type* type = function_.variables[variable].type;
        ValueId zero = emit(code, Op::kConstant, type->isComplex() ? partType(type) : type, {});
        Instruction set;
        set.op = Op::kSet;
        set.index = variable;
        set.operands = {type->isComplex() ? emit(code, Op::kMakeComplex, type, {zero, zero}) : zero};
        set.line = function_.line;
        code.push_back(std::move(set));
    }

    Function& function_;
    std::vector<bool> isRead_;  // where it may not have been assigned
    std::vector<Assigned> breaks_;
};

}  // namespace

void defineVariables(Function& function) {
    Definer(function).run();
}

}  // namespace kiln::gpu
