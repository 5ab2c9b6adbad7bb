// A small region around one use of an op, for every row of the op table.
#pragma once

#include <gtest/gtest.h>

#include "interp/numpy_elements.h"
#include "jit/ir/names.h"
#include "jit/ir/region.h"

namespace kiln::ir {

inline constexpr Type kValueTypes[] = {Type::kInt, Type::kFloat, Type::kBool, Type::kObject};
inline constexpr int kOfEachType = 4;

// A function whose arguments are four values of each type, with one use of `op` in its first block.
class OpCase {
public:
    explicit OpCase(Op op) : op_(op) {
        region.name = "test";
        region.isFunction = true;
        region.returnType = Type::kObject;
        for (const Type type : kValueTypes) {
            for (int i = 0; i < kOfEachType; ++i) {
                region.argumentTypes.push_back(type);
            }
        }
        region.objects = {nullptr};
        region.objectNames = {"an object"};
        region.codes = {nullptr};
        region.codeNames = {"some code"};
        region.names = {"variable"};
        region.nameDicts = {nullptr};
        region.nameKeys = {nullptr};
        region.snapshots.push_back({.frames = {region.newFrame({.code = 0, .unit = 4})}});
        Block& entry = region.blocks.emplace_back();
        for (const Type type : region.argumentTypes) {
            entry.parameters.push_back(region.newValue(type));
        }
        entry.instructions.push_back(makeInstruction());
        if (info(op).effect == Effect::kEnd) {
            addTargets();
        } else {
            entry.instructions.push_back(returnObject());
        }
    }

    Instruction& instruction() { return region.blocks[0].instructions[0]; }
    ValueId argument(Type type, int index) const { return (static_cast<int>(type) - 1) * kOfEachType + index; }

    Region region;

private:
    Instruction returnObject() const { return {.op = Op::k_return_value, .operands = {argument(Type::kObject, 0)}}; }

    Instruction makeInstruction() {
        Instruction instruction{.op = op_, .snapshot = namesSnapshot(op_) ? 0 : kNoId};
        const char result = info(op_).result;
        instruction.type = result == '*' ? Type::kFloat : typeOfLetter(result);
        if (instruction.type != Type::kNone) {
            instruction.result = region.newValue(instruction.type);
        }
        int used[5] = {};
        for (const char* letter = info(op_).operands; *letter != '\0' && *letter != '*'; ++letter) {
            const Type type = typeOfLetter(*letter);
            instruction.operands.push_back(argument(type, used[static_cast<int>(type)]++));
        }
        if (op_ == Op::k_return_value) {
            instruction.operands.push_back(argument(Type::kObject, 0));
        }
        if (op_ == Op::k_ensure_box) {
            instruction.operands = {argument(Type::kObject, 0), argument(Type::kFloat, 0)};
        }
        if (op_ == Op::k_math_binary) {
            int pow = 0;
            EXPECT_TRUE(findImmediate(Immediate::kMath, "pow", pow));
            instruction.immediate = pow;
        }
        if (op_ == Op::k_element_float || op_ == Op::k_store_element_float) {
            instruction.immediate = static_cast<int64_t>(Element::k_float64);
        }
        return instruction;
    }

    void addTargets() {
        const size_t count = op_ == Op::k_jump ? 1 : op_ == Op::k_branch ? 2 : 0;
        for (size_t i = 0; i < count; ++i) {
            region.blocks[0].targets.push_back({.block = 1, .arguments = {argument(Type::kInt, static_cast<int>(i))}});
        }
        if (count > 0) {
            Block& next = region.blocks.emplace_back();
            next.parameters.push_back(region.newValue(Type::kInt));
            next.instructions.push_back(returnObject());
        }
    }

    Op op_;
};

}  // namespace kiln::ir
