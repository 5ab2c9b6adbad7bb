// Makes small modules of kernel IR for tests.
#pragma once

#include <initializer_list>
#include <string>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Appends instructions to one block after another of one function.
class TestFunction {
   public:
    TestFunction(Module& module, const std::string& name, bool isKernel);

    ValueId parameter(const std::string& name, const Type* type);
    uint32_t variable(const std::string& name, const Type* type);
    ValueId emit(Op op, const Type* type, std::initializer_list<ValueId> operands, uint32_t index = 0, int64_t bits = 0);
    void put(Op op, std::initializer_list<ValueId> operands, uint32_t index = 0);
    ValueId constant(const Type* type, int64_t bits) { return emit(Op::kConstant, type, {}, 0, bits); }
    // Opens block `which` of a new instruction, or of the last one when that block follows; close() goes back.
    void open(Op op, std::initializer_list<ValueId> operands, uint32_t index = 0);
    void next();
    void close();
    Function& function() { return function_; }

   private:
    Function& function_;
    std::vector<Block*> blocks_;
};

}  // namespace kiln::gpu
