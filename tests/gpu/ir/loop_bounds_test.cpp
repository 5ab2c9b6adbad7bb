// How many passes loops can make.
#include "gpu/ir/loop_bounds.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);

// A kernel with one loop in another, and their passes together.
int64_t passesOfNest(std::initializer_list<int64_t> outer, std::initializer_list<int64_t> inner) {
    Module module;
    TestFunction kernel(module, "nest", true);
    auto range = [&](std::initializer_list<int64_t> ends) {
        std::vector<ValueId> values;
        for (int64_t end : ends) {
            values.push_back(kernel.constant(kInt, end));
        }
        return values;
    };
    uint32_t i = kernel.variable("i", kInt);
    uint32_t j = kernel.variable("j", kInt);
    std::vector<ValueId> first = range(outer);
    kernel.open(Op::kFor, {first[0], first[1], first[2]}, i);
    std::vector<ValueId> second = range(inner);
    kernel.open(Op::kFor, {second[0], second[1], second[2]}, j);
    kernel.close();
    kernel.close();
    return LoopBounds(module).passesIn(kernel.function(), kernel.function().body);
}

TEST(KernelLoopBounds, Nests) {
    EXPECT_EQ(passesOfNest({0, 10, 1}, {0, 7, 1}), 70);
    EXPECT_EQ(passesOfNest({0, 10, 3}, {5, -5, -4}), 12);
    EXPECT_EQ(passesOfNest({0, 10, 1}, {7, 0, 1}), 10);
    EXPECT_EQ(passesOfNest({10, 0, 1}, {0, 7, 1}), 0);
    EXPECT_EQ(passesOfNest({0, 10, 0}, {0, 7, 1}), 0);
    EXPECT_EQ(passesOfNest({0, int64_t(1) << 40, 1}, {0, int64_t(1) << 40, 1}), LoopBounds::kUnknown);
    EXPECT_EQ(passesOfNest({0, 10, 1}, {INT64_MIN, INT64_MAX, 1}), LoopBounds::kUnknown);
}

TEST(KernelLoopBounds, Unknown) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId n = kernel.parameter("n", kInt);
    ValueId zero = kernel.constant(kInt, 0);
    ValueId one = kernel.constant(kInt, 1);
    kernel.open(Op::kFor, {zero, n, one}, kernel.variable("i", kInt));
    kernel.close();
    EXPECT_EQ(LoopBounds(module).passesIn(kernel.function(), kernel.function().body), LoopBounds::kUnknown);
}

// A callee's loops count; a function that calls itself may go on for ever.
TEST(KernelLoopBounds, Calls) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    TestFunction callee(module, "callee", false);
    TestFunction recursive(module, "recursive", false);
    ValueId ends[] = {callee.constant(kInt, 0), callee.constant(kInt, 8), callee.constant(kInt, 1)};
    callee.open(Op::kFor, {ends[0], ends[1], ends[2]}, callee.variable("i", kInt));
    callee.close();
    recursive.put(Op::kCall, {}, 2);
    kernel.put(Op::kCall, {}, 1);
    kernel.put(Op::kCall, {}, 1);
    EXPECT_EQ(LoopBounds(module).passesIn(kernel.function(), kernel.function().body), 16);
    EXPECT_EQ(LoopBounds(module).passesIn(recursive.function(), recursive.function().body), LoopBounds::kUnknown);
    EXPECT_TRUE(LoopBounds(module).isRecursive(recursive.function()));
    EXPECT_FALSE(LoopBounds(module).isRecursive(kernel.function()));
    EXPECT_FALSE(LoopBounds(module).isRecursive(callee.function()));
}

}  // namespace
}  // namespace kiln::gpu
