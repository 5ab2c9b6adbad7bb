// Names what loads, stores and atomics access, for checks of a debug run.
#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

class AccessNamer {
public:
    AccessNamer(Module& module, Function& function)
        : module_(module), function_(function), definitions_(function.values.size()) {
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.result != kNoValue) {
                definitions_[instruction.result] = static_cast<const Operation&>(instruction);
            }
        });
    }

    void run() {
        forEach(function_.body, [&](Instruction& instruction) { note(instruction); });
        markLocals(function_.body);
    }

private:
    void note(Instruction& instruction) {
        if (instruction.op != Op::kLoad && instruction.op != Op::kStore && instruction.op != Op::kAtomic) {
            return;
        }
        ValueId array = instruction.operands[0];
        module_.accesses.push_back(
            {describe(array), function_.pythonName, function_.file, instruction.line, function_.values[array]->ndim});
        instruction.access = static_cast<uint32_t>(module_.accesses.size());
    }

    // By the name that the program uses there, if it is one.
    std::string describe(ValueId array) const {
        Space space = function_.values[array]->space;
        std::string kind = space == Space::kShared ? "shared array" : space == Space::kLocal ? "local array" : "array";
        const Operation* made = &definitions_[array];
        while (made->op == Op::kView) {
            made = &definitions_[made->operands[0]];
        }
        if (made->op == Op::kParameter) {
            return kind + " '" + function_.parameterNames[made->index] + "'";
        }
        if (made->op == Op::kGet) {
            return kind + " '" + function_.variables[made->index].name + "'";
        }
        return (space == Space::kGlobal ? "an " : "a ") + kind;
    }

    void markLocals(Block& block) {
        std::vector<Instruction> code;
        for (Instruction& instruction : block.code) {
            for (auto& nested : instruction.blocks) {
                markLocals(*nested);
            }
            bool isLocal = instruction.op == Op::kLocalArray;
            Instruction mark;
            mark.op = Op::kUndefine;
            mark.operands = {instruction.result};
            mark.line = instruction.line;
            code.push_back(std::move(instruction));
            if (isLocal) {
                code.push_back(std::move(mark));
            }
        }
        block.code = std::move(code);
    }

    Module& module_;
    Function& function_;
    std::vector<Operation> definitions_;
};

}  // namespace

void noteAccesses(Module& module) {
    for (auto& function : module.functions) {
        AccessNamer(module, *function).run();
    }
}

}  // namespace kiln::gpu
