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

// n = 3; if flag: n = 5; for k in range(n): barrier. The bound is the same for all threads, and each has it.
TEST(BarrierPlan, BoundsThatThreadsCompute) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId flag = kernel.parameter("flag", kBool);
    uint32_t n = kernel.variable("n", kInt);
    kernel.put(Op::kSet, {kernel.constant(kInt, 3)}, n);
    kernel.open(Op::kIf, {flag});
    kernel.put(Op::kSet, {kernel.constant(kInt, 5)}, n);
    kernel.next();
    kernel.close();
    ValueId end = kernel.emit(Op::kGet, kInt, {}, n);
    kernel.open(Op::kFor, {kernel.constant(kInt, 0), end, kernel.constant(kInt, 1)}, kernel.variable("k", kInt));
    kernel.put(Op::kBarrier, {});
    kernel.close();
    EXPECT_EQ(verify(module), "");
    BarrierPlan plan(kernel.function());
    const Instruction& loop = kernel.function().body.code.back();
    EXPECT_TRUE(plan.isOnce(end) || plan.isDivergent(loop));
}

// if i < n: for k in range(n): a[i] += k, and what leaves the loop early or reads its counter later.
bool isDivergent(bool breaks, bool readsLater) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId n = kernel.parameter("n", kInt);
    ValueId i = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {})});
    uint32_t k = kernel.variable("k", kInt);
    uint32_t last = kernel.variable("last", kInt);
    ValueId isIn = kernel.emit(Op::kLess, kBool, {i, n});
    kernel.open(Op::kIf, {isIn});
    ValueId zero = kernel.constant(kInt, 0);
    kernel.open(Op::kFor, {zero, n, kernel.constant(kInt, 1)}, k);
    ValueId at = kernel.emit(Op::kGet, kInt, {}, k);
    kernel.put(Op::kSet, {at}, last);
    if (breaks) {
        kernel.open(Op::kIf, {kernel.emit(Op::kLess, kBool, {i, at})});
        kernel.put(Op::kBreak, {});
        kernel.next();
        kernel.close();
    }
    kernel.close();
    if (readsLater) {
        kernel.put(Op::kSet, {kernel.emit(Op::kGet, kInt, {}, k)}, last);
    }
    kernel.next();
    kernel.close();
    EXPECT_EQ(verify(module), "");
    const Instruction* loop = nullptr;
    forEach(kernel.function().body, [&](const Instruction& instruction) { loop = instruction.op == Op::kFor ? &instruction : loop; });
    BarrierPlan plan(kernel.function(), {loop});
    EXPECT_EQ(plan.isOnceVariable(k), !plan.isDivergent(*loop));
    return plan.isDivergent(*loop);
}

TEST(BarrierPlan, LoopsOfThoseThatComeToThem) {
    EXPECT_FALSE(isDivergent(false, false));
    EXPECT_TRUE(isDivergent(true, false));
    EXPECT_TRUE(isDivergent(false, true));
}

TEST(BarrierPlan, Loops) {
    EXPECT_TRUE(isOnce(true));
    EXPECT_FALSE(isOnce(false));
}

// for i in range(threadIdx.x, n, 4): a barrier is as good as behind each pass. Threads of a whole block differ in y, too.
TEST(BarrierPlan, LoopsOfAWholeBlock) {
    for (bool isGroup : {false, true}) {
        Module module;
        TestFunction kernel(module, "k", true);
        ValueId n = kernel.parameter("n", kInt);
        uint32_t i = kernel.variable("i", kInt);
        ValueId thread = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {})});
        ValueId row = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {}, 1)});
        kernel.open(Op::kFor, {thread, n, kernel.constant(kInt, 4)}, i);
        kernel.emit(Op::kAdd, kInt, {kernel.emit(Op::kGet, kInt, {}, i), row});
        kernel.close();
        EXPECT_EQ(verify(module), "");
        const Instruction& loop = kernel.function().body.code.back();
        BarrierPlan plan(kernel.function(), {&loop}, isGroup);
        EXPECT_TRUE(plan.hasBarriers());
        EXPECT_EQ(plan.isGroup(), isGroup);
        EXPECT_TRUE(plan.isRegion(loop));
        EXPECT_TRUE(plan.isDivergent(loop));
        EXPECT_TRUE(plan.isUnbroken(loop));
        EXPECT_EQ(plan.isOnce(row), isGroup);
        EXPECT_FALSE(plan.isWholeFor(loop));
    }
    EXPECT_FALSE(BarrierPlan(Function(), {}, false).isGroup());
}

}  // namespace
}  // namespace kiln::gpu
