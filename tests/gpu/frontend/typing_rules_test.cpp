// numba's typing table.
#include "gpu/frontend/typing_rules.h"

#include <gtest/gtest.h>

namespace kiln::gpu {
namespace {

std::string result(Op op, const char* left, const char* right) {
    BinaryRule rule = binaryRule(op, scalarNamed(left), scalarNamed(right));
    return rule.result != nullptr ? rule.result->name : "none";
}

TEST(TypingRules, Integers) {
    EXPECT_EQ(result(Op::kAdd, "int8", "int8"), "int64");
    EXPECT_EQ(result(Op::kAdd, "uint32", "int32"), "int64");
    EXPECT_EQ(result(Op::kAdd, "uint8", "uint8"), "uint64");
    EXPECT_EQ(result(Op::kAdd, "uint64", "int64"), "int64");
    EXPECT_EQ(result(Op::kAdd, "bool", "bool"), "int64");
    EXPECT_EQ(result(Op::kAdd, "bool", "uint8"), "int64");
    EXPECT_EQ(result(Op::kAnd, "bool", "bool"), "bool");
    EXPECT_EQ(result(Op::kDivide, "int32", "int32"), "float64");
    EXPECT_EQ(result(Op::kShiftRight, "uint32", "int64"), "uint64");
    EXPECT_EQ(result(Op::kXor, "int32", "float32"), "none");
}

TEST(TypingRules, Floats) {
    EXPECT_EQ(result(Op::kMultiply, "float32", "float64"), "float64");
    EXPECT_EQ(result(Op::kMultiply, "float32", "int32"), "float64");
    EXPECT_EQ(result(Op::kMultiply, "float32", "int16"), "float32");
    EXPECT_EQ(result(Op::kMultiply, "float32", "uint8"), "float32");
    EXPECT_EQ(result(Op::kMultiply, "float32", "uint16"), "float64");
    EXPECT_EQ(result(Op::kMultiply, "float16", "int8"), "float16");
    EXPECT_EQ(result(Op::kMultiply, "float16", "uint8"), "float32");
    EXPECT_EQ(result(Op::kModulo, "float32", "float32"), "float32");
    EXPECT_EQ(result(Op::kModulo, "float16", "float16"), "float32");
    EXPECT_EQ(result(Op::kPower, "float32", "int64"), "float32");
    EXPECT_EQ(result(Op::kPower, "int32", "float32"), "float64");
}

// Comparisons of different sign go by the values where 64 bits cannot hold both.
TEST(TypingRules, Comparisons) {
    BinaryRule rule = binaryRule(Op::kLess, scalarNamed("int32"), scalarNamed("uint64"));
    EXPECT_EQ(rule.left->name, "int64");
    EXPECT_EQ(rule.right->name, "uint64");
    rule = binaryRule(Op::kLess, scalarNamed("int32"), scalarNamed("uint8"));
    EXPECT_EQ(rule.left, rule.right);
    EXPECT_EQ(rule.left->name, "int64");
}

TEST(TypingRules, Unification) {
    EXPECT_EQ(unifyScalars(scalarNamed("int64"), scalarNamed("uint64"))->name, "float64");
    EXPECT_EQ(unifyScalars(scalarNamed("int32"), scalarNamed("uint32"))->name, "int64");
    EXPECT_EQ(unifyScalars(scalarNamed("int64"), scalarNamed("float32"))->name, "float64");
    EXPECT_EQ(unifyScalars(scalarNamed("uint8"), scalarNamed("float32"))->name, "float32");
    EXPECT_EQ(unifyScalars(scalarNamed("bool"), scalarNamed("int8"))->name, "int8");
    EXPECT_EQ(unifyScalars(scalarNamed("uint8"), scalarNamed("float16"))->name, "float16");
    EXPECT_EQ(unifyScalars(scalarNamed("uint16"), scalarNamed("float32"))->name, "float32");
}

TEST(TypingRules, Ranges) {
    const Type* narrow[] = {scalarNamed("int32")};
    const Type* mixed[] = {scalarNamed("int64"), scalarNamed("int32")};
    const Type* wide[] = {scalarNamed("uint64")};
    EXPECT_EQ(rangeType(narrow, 1)->name, "int32");
    EXPECT_EQ(rangeType(mixed, 2)->name, "int64");
    EXPECT_EQ(rangeType(wide, 1)->name, "uint64");
}

}  // namespace
}  // namespace kiln::gpu
