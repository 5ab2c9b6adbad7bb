// Kernel IR as text.
#include <cstdio>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {
namespace {

class Printer {
   public:
    explicit Printer(const Function& function) : function_(function) {}

    std::string run() {
        out_ = (function_.isKernel ? "kernel " : function_.waitsForGrid ? "cooperative function " : "function ") + function_.name + "(";
        for (size_t i = 0; i < function_.parameters.size(); i++) {
            out_ += (i > 0 ? ", " : "") + function_.parameterNames[i] + ": " + function_.parameters[i]->name;
        }
        out_ += ")";
        for (size_t i = 0; i < function_.results.size(); i++) {
            out_ += (i > 0 ? ", " : " -> ") + function_.results[i]->name;
        }
        out_ += " {\n";
        for (const Variable& variable : function_.variables) {
            out_ += "  var " + variable.name + ": " + variable.type->name + "\n";
        }
        print(function_.body, 1);
        return out_ + "}\n";
    }

   private:
    void print(const Block& block, int depth) {
        for (const Instruction& instruction : block.code) {
            out_ += std::string(depth * 2, ' ');
            print(instruction);
            for (const auto& nested : instruction.blocks) {
                out_ += " {\n";
                print(*nested, depth + 1);
                out_ += std::string(depth * 2, ' ') + "}";
            }
            out_ += "\n";
        }
    }

    void print(const Instruction& instruction) {
        if (instruction.result != kNoValue) {
            out_ += "%" + std::to_string(instruction.result) + ": " + instruction.type->name + " = ";
        }
        out_ += opInfo(instruction.op).name;
        printImmediate(instruction);
        out_ += instruction.isPlain ? " plain" : "";
        for (ValueId operand : instruction.operands) {
            out_ += " %" + std::to_string(operand);
        }
    }

    void printImmediate(const Instruction& instruction) {
        switch (instruction.op) {
        case Op::kConstant: out_ += " " + constant(instruction); return;
        case Op::kGet:
        case Op::kSet:
        case Op::kFor: out_ += " " + function_.variables[instruction.index].name; return;
        case Op::kMath: out_ += std::string(" ") + mathInfo(static_cast<MathFunction>(instruction.index)).name64; return;
        case Op::kAtomic: out_ += std::string(" ") + atomicName(static_cast<AtomicOp>(instruction.index)); return;
        case Op::kWarp: out_ += std::string(" ") + warpName(static_cast<WarpOp>(instruction.index)); return;
        case Op::kView: out_ += instruction.bits != 0 ? " +" + std::to_string(instruction.bits) : ""; return;
        case Op::kBarrier: out_ += instruction.index == static_cast<uint32_t>(BarrierScope::kGrid) ? " grid" : ""; return;
        case Op::kCallResult: out_ += " " + std::to_string(instruction.bits); return;
        case Op::kParameter:
        case Op::kThreadIndex:
        case Op::kBlockIndex:
        case Op::kBlockDim:
        case Op::kGridDim:
        case Op::kDimension:
        case Op::kStride:
        case Op::kSharedArray:
        case Op::kLocalArray:
        case Op::kConstantArray:
        case Op::kGlobalArray:
        case Op::kBits:
        case Op::kBarrierReduce:
        case Op::kFence:
        case Op::kPrint:
        case Op::kRaise:
        case Op::kCall: out_ += " #" + std::to_string(instruction.index); return;
        default: return;
        }
    }

    static std::string constant(const Instruction& instruction) {
        if (!instruction.type->isFloat()) {
            return instruction.type->isUnsigned() ? std::to_string(static_cast<uint64_t>(instruction.bits))
                                                  : std::to_string(instruction.bits);
        }
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", floatOf(instruction.bits, instruction.type));
        return text;
    }

    const Function& function_;
    std::string out_;
};

}  // namespace

std::string print(const Function& function) {
    return Printer(function).run();
}

std::string print(const Module& module) {
    std::string text;
    for (const auto& function : module.functions) {
        text += print(*function);
    }
    return text;
}

}  // namespace kiln::gpu
