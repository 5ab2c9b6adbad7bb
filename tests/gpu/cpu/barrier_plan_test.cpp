// What a kernel with barriers keeps for each thread, and what once for the block.
#include "gpu/cpu/barrier_plan.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kBool = scalarType(Scalar::kBool);

TEST(BarrierPlan, ValuesAcrossABarrier) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", arrayType(kInt, 1, Layout::kC));
    ValueId thread = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {})});
    ValueId loaded = kernel.emit(Op::kLoad, kInt, {array, thread});
    kernel.put(Op::kBarrier, {});
    kernel.put(Op::kStore, {array, thread, loaded});
    BarrierPlan plan(kernel.function());
    EXPECT_TRUE(plan.hasBarriers());
    EXPECT_TRUE(plan.crosses(loaded));
    EXPECT_FALSE(plan.crosses(thread));
    EXPECT_TRUE(plan.isCheap(thread));
    EXPECT_TRUE(plan.isOnce(array));
}

// s = 1; while s < blockDim.x: ...; barrier; s *= 2: the block's, unless a thread's own number is in it.
bool isOnce(bool uniform) {
    Module module;
    TestFunction kernel(module, "k", true);
    uint32_t s = kernel.variable("s", kInt);
    ValueId start = kernel.emit(uniform ? Op::kBlockIndex : Op::kThreadIndex, intType(32, true), {});
    kernel.put(Op::kSet, {kernel.emit(Op::kConvert, kInt, {start})}, s);
    kernel.open(Op::kWhile, {});
    ValueId width = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kBlockDim, intType(32, true), {})});
    kernel.put(Op::kYield, {kernel.emit(Op::kLess, kBool, {kernel.emit(Op::kGet, kInt, {}, s), width})});
    kernel.next();
    kernel.put(Op::kBarrier, {});
    ValueId old = kernel.emit(Op::kGet, kInt, {}, s);
    kernel.put(Op::kSet, {kernel.emit(Op::kAdd, kInt, {old, old})}, s);
    kernel.close();
    EXPECT_EQ(verify(module), "");
    BarrierPlan plan(kernel.function());
    const Instruction& loop = kernel.function().body.code.back();
    EXPECT_TRUE(plan.isRegion(loop));
    EXPECT_EQ(plan.isDivergent(loop), !uniform);
    return plan.isOnceVariable(s);
}

TEST(BarrierPlan, Loops) {
    EXPECT_TRUE(isOnce(true));
    EXPECT_FALSE(isOnce(false));
}

}  // namespace
}  // namespace kiln::gpu
