// Checks of kernel IR.
#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {
namespace {

const Type* const kNoType = nullptr;

class Verifier {
   public:
    Verifier(const Module& module, const Function& function)
        : module_(module), function_(function), defined_(function.values.size()) {}

    std::string run() {
        if (function_.parameters.size() != function_.parameterNames.size()) {
            fail(nullptr, "parameters and their names differ in number");
        }
        check(function_.body, false);
        return error_;
    }

   private:
    void fail(const Instruction* instruction, const std::string& what) {
        if (error_.empty()) {
            error_ = function_.name + ": " + (instruction != nullptr ? opInfo(instruction->op).name : "function") +
                     (instruction != nullptr ? " at line " + std::to_string(instruction->line) : "") + ": " + what;
        }
    }

    // Definitions in a block end with it.
    void check(const Block& block, bool inLoop) {
        std::vector<ValueId> mine;
        for (size_t i = 0; i < block.code.size(); i++) {
            const Instruction& instruction = block.code[i];
            check(instruction, inLoop);
            if (opInfo(instruction.op).effect == Effect::kJump && i + 1 != block.code.size()) {
                fail(&instruction, "is not the last of its block");
            }
            if (instruction.result != kNoValue && instruction.result < defined_.size()) {
                defined_[instruction.result] = true;
                mine.push_back(instruction.result);
            }
        }
        for (ValueId value : mine) {
            defined_[value] = false;
        }
    }

    void check(const Instruction& instruction, bool inLoop) {
        const OpInfo& info = opInfo(instruction.op);
        if (info.operands >= 0 && instruction.operands.size() != static_cast<size_t>(info.operands)) {
            fail(&instruction, "has " + std::to_string(instruction.operands.size()) + " operands");
        }
        for (ValueId operand : instruction.operands) {
            if (operand >= defined_.size() || !defined_[operand]) {
                fail(&instruction, "uses %" + std::to_string(operand) + " where it is not defined");
                return;
            }
        }
        if (instruction.blocks.size() != static_cast<size_t>(info.blocks)) {
            fail(&instruction, "has " + std::to_string(instruction.blocks.size()) + " blocks");
            return;
        }
        checkResult(instruction, info);
        checkOperandTypes(instruction);
        if (!inLoop && (instruction.op == Op::kBreak || instruction.op == Op::kContinue)) {
            fail(&instruction, "is in no loop");
        }
        bool isLoop = instruction.op == Op::kWhile || instruction.op == Op::kFor;
        for (const auto& block : instruction.blocks) {
            check(*block, inLoop || isLoop);
        }
        if (instruction.op == Op::kWhile) {
            const auto& condition = instruction.blocks[0]->code;
            if (condition.empty() || condition.back().op != Op::kYield) {
                fail(&instruction, "its condition does not end in yield");
            }
        }
    }

    const Type* operandType(const Instruction& instruction, size_t i) const {
        return i < instruction.operands.size() ? function_.values[instruction.operands[i]] : kNoType;
    }

    void checkResult(const Instruction& instruction, const OpInfo& info) {
        bool has = instruction.result != kNoValue;
        if (has && (instruction.result >= function_.values.size() ||
                    function_.values[instruction.result] != instruction.type || instruction.type == nullptr)) {
            fail(&instruction, "the type of its result is not that of the value");
            return;
        }
        const Type* first = operandType(instruction, 0);
        const Type* wanted = nullptr;
        switch (info.result) {
        case ResultRule::kNone:
            if (has) {
                fail(&instruction, "has a result");
            }
            return;
        case ResultRule::kValue: return;
        case ResultRule::kBool: wanted = scalarType(Scalar::kBool); break;
        case ResultRule::kSame: wanted = first; break;
        case ResultRule::kElement: wanted = first != nullptr ? first->element : nullptr; break;
        case ResultRule::kInt32: wanted = scalarType(Scalar::kInt32); break;
        case ResultRule::kInt64: wanted = scalarType(Scalar::kInt64); break;
        }
        if (!has || wanted == nullptr || instruction.type != wanted) {
            fail(&instruction, "its result is of the wrong type");
        }
    }

    void checkOperandTypes(const Instruction& instruction) {
        const Type* first = operandType(instruction, 0);
        const Type* second = operandType(instruction, 1);
        switch (instruction.op) {
        case Op::kGet:
        case Op::kSet:
        case Op::kFor: checkVariable(instruction); return;
        case Op::kLoad: checkIndices(instruction, 0); return;
        case Op::kStore: checkIndices(instruction, 1); return;
        case Op::kAtomic:
            checkIndices(instruction, static_cast<AtomicOp>(instruction.index) == AtomicOp::kCompareSwap ? 2 : 1);
            return;
        case Op::kIf:
        case Op::kYield:
        case Op::kNot:
            if (first != nullptr && !first->isBool()) {
                fail(&instruction, "its condition is no bool");
            }
            return;
        case Op::kCall:
            if (instruction.index >= module_.functions.size() ||
                module_.functions[instruction.index]->parameters.size() != instruction.operands.size()) {
                fail(&instruction, "calls a function with other parameters");
            }
            return;
        case Op::kRaise:
            if (instruction.index >= module_.faults.size() || (!instruction.operands.empty() && instruction.operands.size() != 2)) {
                fail(&instruction, "names no fault, or has other operands than an index and a size");
            }
            return;
        default: break;
        }
        if (opInfo(instruction.op).operands == 2 && first != second) {
            bool mixed = opInfo(instruction.op).result == ResultRule::kBool && first->isInteger() && second->isInteger();
            if (!mixed) {
                fail(&instruction, "its operands are " + first->name + " and " + second->name);
            }
        }
    }

    void checkVariable(const Instruction& instruction) {
        if (instruction.index >= function_.variables.size()) {
            fail(&instruction, "names no variable");
            return;
        }
        const Type* type = function_.variables[instruction.index].type;
        const Type* other = instruction.op == Op::kGet ? instruction.type : operandType(instruction, 0);
        if (type != other) {
            fail(&instruction, "variable " + function_.variables[instruction.index].name + " is " + type->name);
        }
    }

    void checkIndices(const Instruction& instruction, size_t values) {
        const Type* array = operandType(instruction, 0);
        if (array == nullptr || !array->isArray() ||
            instruction.operands.size() != 1 + static_cast<size_t>(array->ndim) + values) {
            fail(&instruction, "its indices do not fit the array");
            return;
        }
        for (int i = 0; i < array->ndim; i++) {
            if (!operandType(instruction, 1 + i)->isInteger()) {
                fail(&instruction, "an index is no integer");
            }
        }
        for (size_t i = 1 + array->ndim; i < instruction.operands.size(); i++) {
            if (operandType(instruction, i) != array->element) {
                fail(&instruction, "the value is not of the array's element type");
            }
        }
    }

    const Module& module_;
    const Function& function_;
    std::vector<bool> defined_;
    std::string error_;
};

}  // namespace

std::string verify(const Module& module) {
    for (const auto& function : module.functions) {
        std::string error = Verifier(module, *function).run();
        if (!error.empty()) {
            return error;
        }
    }
    return "";
}

}  // namespace kiln::gpu
