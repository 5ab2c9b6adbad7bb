// Makes small modules of kernel IR for tests.
#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

Function& add(Module& module) {
    module.functions.push_back(std::make_unique<Function>());
    return *module.functions.back();
}

}  // namespace

TestFunction::TestFunction(Module& module, const std::string& name, bool isKernel) : function_(add(module)) {
    function_.name = name;
    function_.pythonName = name;
    function_.file = "file.py";
    function_.isKernel = isKernel;
    blocks_.push_back(&function_.body);
}

ValueId TestFunction::parameter(const std::string& name, const Type* type) {
    uint32_t index = static_cast<uint32_t>(function_.parameters.size());
    function_.parameterNames.push_back(name);
    function_.parameters.push_back(type);
    return emit(Op::kParameter, type, {}, index);
}

uint32_t TestFunction::variable(const std::string& name, const Type* type) {
    function_.variables.push_back({name, type});
    return static_cast<uint32_t>(function_.variables.size() - 1);
}

ValueId TestFunction::emit(Op op, const Type* type, std::initializer_list<ValueId> operands, uint32_t index, int64_t bits) {
    Instruction instruction;
    instruction.op = op;
    instruction.type = type;
    instruction.operands = operands;
    instruction.index = index;
    instruction.bits = bits;
    instruction.result = static_cast<ValueId>(function_.values.size());
    function_.values.push_back(type);
    ValueId result = instruction.result;
    blocks_.back()->code.push_back(std::move(instruction));
    return result;
}

void TestFunction::put(Op op, std::initializer_list<ValueId> operands, uint32_t index) {
    Instruction instruction;
    instruction.op = op;
    instruction.operands = operands;
    instruction.index = index;
    for (int i = 0; i < opInfo(op).blocks; i++) {
        instruction.blocks.push_back(std::make_unique<Block>());
    }
    blocks_.back()->code.push_back(std::move(instruction));
}

void TestFunction::open(Op op, std::initializer_list<ValueId> operands, uint32_t index) {
    put(op, operands, index);
    Block* first = blocks_.back()->code.back().blocks[0].get();
    blocks_.push_back(first);
}

void TestFunction::next() {
    blocks_.pop_back();
    blocks_.push_back(blocks_.back()->code.back().blocks[1].get());
}

void TestFunction::close() {
    blocks_.pop_back();
}

}  // namespace kiln::gpu
