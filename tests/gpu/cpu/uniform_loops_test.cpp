// Which loops all threads of a block go through together.
#include "gpu/cpu/uniform_loops.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);

enum class Place { kLast, kFirst, kPass, kLoaded, kDoubled };

struct Options {
    Place place = Place::kLast;  // where the thread is in the index
    Layout layout = Layout::kC;
    bool endsAtThread = false;
    bool endsAtConstant = false;
    int64_t end = 1000;
    bool isInThreadsLoop = false;
    bool isNested = false;
    bool breaks = false;
};

void jumpOut(TestFunction& kernel, ValueId at) {
    kernel.open(Op::kIf, {kernel.emit(Op::kLess, scalarType(Scalar::kBool), {at, kernel.constant(kInt, 3)})});
    kernel.put(Op::kBreak, {});
    kernel.close();
}

// for k in range(end): sum += a[k, thread]
size_t uniformIn(const Options& options) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId a = kernel.parameter("a", arrayType(kInt, 2, options.layout));
    ValueId n = kernel.parameter("n", kInt);
    ValueId thread = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {}, 0)});
    ValueId block = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kBlockIndex, intType(32, true), {}, 0)});
    ValueId own = kernel.emit(Op::kAdd, kInt, {kernel.emit(Op::kMultiply, kInt, {block, n}), thread});
    ValueId zero = kernel.constant(kInt, 0);
    ValueId one = kernel.constant(kInt, 1);
    uint32_t sum = kernel.variable("sum", kInt);
    kernel.put(Op::kSet, {zero}, sum);
    if (options.isInThreadsLoop) {
        kernel.open(Op::kFor, {zero, thread, one}, kernel.variable("outer", kInt));
    }
    uint32_t k = kernel.variable("k", kInt);
    ValueId end = options.endsAtThread ? thread : options.endsAtConstant ? kernel.constant(kInt, options.end) : n;
    kernel.open(Op::kFor, {zero, end, one}, k);
    ValueId at = kernel.emit(Op::kGet, kInt, {}, k);
    if (options.isNested) {
        kernel.open(Op::kFor, {zero, at, one}, kernel.variable("inner", kInt));
        kernel.close();
    }
    if (options.breaks) {
        jumpOut(kernel, at);
    }
    ValueId second = options.place == Place::kLast      ? own
                     : options.place == Place::kLoaded  ? kernel.emit(Op::kLoad, kInt, {a, at, own})
                     : options.place == Place::kDoubled ? kernel.emit(Op::kAdd, kInt, {own, own})
                                                        : at;
    ValueId first = options.place == Place::kFirst ? own : at;
    ValueId value = kernel.emit(Op::kLoad, kInt, {a, first, second});
    kernel.put(Op::kSet, {kernel.emit(Op::kAdd, kInt, {kernel.emit(Op::kGet, kInt, {}, sum), value})}, sum);
    kernel.close();
    if (options.isInThreadsLoop) {
        kernel.close();
    }
    return uniformLoops(kernel.function()).size();
}

TEST(UniformLoops, HaveTheSameBoundsForAllThreads) {
    EXPECT_EQ(uniformIn({}), 1u);
    EXPECT_EQ(uniformIn({.endsAtThread = true}), 0u);
    EXPECT_EQ(uniformIn({.isInThreadsLoop = true}), 0u);
    EXPECT_EQ(uniformIn({.breaks = true}), 0u);
}

TEST(UniformLoops, AreInnermostAndNotStraightCode) {
    EXPECT_EQ(uniformIn({.isNested = true}), 1u);  // the inner one
    EXPECT_EQ(uniformIn({.endsAtConstant = true}), 1u);
    EXPECT_EQ(uniformIn({.endsAtConstant = true, .end = 16}), 0u);
}

TEST(UniformLoops, AccessNeighboursOrTheSameElements) {
    EXPECT_EQ(uniformIn({.place = Place::kPass}), 1u);
    EXPECT_EQ(uniformIn({.place = Place::kFirst}), 0u);
    EXPECT_EQ(uniformIn({.place = Place::kLoaded}), 0u);
    EXPECT_EQ(uniformIn({.place = Place::kDoubled}), 0u);
    EXPECT_EQ(uniformIn({.layout = Layout::kF}), 0u);
    EXPECT_EQ(uniformIn({.place = Place::kPass, .layout = Layout::kA}), 1u);
}

}  // namespace
}  // namespace kiln::gpu
