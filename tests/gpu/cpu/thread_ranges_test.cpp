// Which threads of a block a segment is for.
#include "gpu/cpu/thread_ranges.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kBool = scalarType(Scalar::kBool);
const Type* const kInt = intType(32, true);
const Type* const kArray = arrayType(kInt, 1, Layout::kC);

// Of what each thread does in a kernel, up to its barrier if it has one.
std::optional<ThreadRange> rangeOfThreads(const Function& kernel) {
    BarrierPlan plan(kernel);
    std::vector<const Instruction*> segment;
    for (const Instruction& instruction : kernel.body.code) {
        if (instruction.op != Op::kParameter && !plan.isRegion(instruction) && !plan.isOnce(instruction)) {
            segment.push_back(&instruction);
        }
    }
    return findThreadRange(segment, plan);
}

struct Options {
    Op op = Op::kLess;
    int64_t bound = 32;
    bool isTurned = false;     // the thread is on the right
    bool isOfElement = false;  // the bound is another one for each thread
    bool hasElse = false;
    bool storesBeside = false;  // something else has an effect
    uint32_t axis = 0;
};

// if thread < bound: a[thread] = thread; behind it is a barrier.
std::optional<ThreadRange> rangeOf(const Options& options) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId thread = kernel.emit(Op::kThreadIndex, kInt, {}, options.axis);
    ValueId bound =
        options.isOfElement ? kernel.emit(Op::kLoad, kInt, {a, thread}) : kernel.constant(kInt, options.bound);
    ValueId left = options.isTurned ? bound : thread;
    ValueId right = options.isTurned ? thread : bound;
    ValueId isTrue = kernel.emit(options.op, kBool, {left, right});
    if (options.storesBeside) {
        kernel.put(Op::kStore, {a, thread, bound});
    }
    kernel.open(Op::kIf, {isTrue});
    kernel.put(Op::kStore, {a, thread, thread});
    if (options.hasElse) {
        kernel.next();
        kernel.put(Op::kStore, {a, thread, bound});
    }
    kernel.close();
    kernel.put(Op::kBarrier, {});
    return rangeOfThreads(kernel.function());
}

std::pair<int64_t, int64_t> endsOf(const Options& options) {
    std::optional<ThreadRange> range = rangeOf(options);
    return range ? std::pair(range->first, range->end) : std::pair<int64_t, int64_t>(-1, -1);
}

TEST(ThreadRanges, AreToldByComparisonsWithAConstant) {
    using Ends = std::pair<int64_t, int64_t>;
    EXPECT_EQ(endsOf({}), Ends(0, 32));
    EXPECT_EQ(endsOf({.op = Op::kLessEqual}), Ends(0, 33));
    EXPECT_EQ(endsOf({.op = Op::kEqual, .bound = 0}), Ends(0, 1));
    EXPECT_EQ(endsOf({.op = Op::kEqual, .bound = 7, .isTurned = true}), Ends(7, 8));
    EXPECT_EQ(endsOf({.op = Op::kGreater, .bound = 7}), Ends(8, 1024));
    EXPECT_EQ(endsOf({.op = Op::kGreaterEqual, .bound = 7}), Ends(7, 1024));
    EXPECT_EQ(endsOf({.op = Op::kGreater, .isTurned = true}), Ends(0, 32));
    EXPECT_EQ(endsOf({.op = Op::kLessEqual, .isTurned = true}), Ends(32, 1024));
    EXPECT_EQ(endsOf({.bound = 0}), Ends(0, 0));
}

TEST(ThreadRanges, AreOfSegmentsWithNothingBeside) {
    EXPECT_TRUE(rangeOf({}));
    EXPECT_FALSE(rangeOf({.hasElse = true}));
    EXPECT_FALSE(rangeOf({.storesBeside = true}));
    EXPECT_FALSE(rangeOf({.isOfElement = true}));
    EXPECT_FALSE(rangeOf({.op = Op::kNotEqual}));
    EXPECT_FALSE(rangeOf({.axis = 1}));
    EXPECT_FALSE(rangeOf({.bound = -1}));
}

// if block * 64 + thread < bound, without a barrier: the bound less what is the same for all threads.
std::optional<ThreadRange> rangeInGrid(bool isPlain, bool isElement) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId thread = kernel.emit(Op::kThreadIndex, kInt, {});
    ValueId block =
        kernel.emit(Op::kMultiply, kInt, {kernel.emit(Op::kBlockIndex, kInt, {}), kernel.constant(kInt, 64)});
    ValueId place = kernel.emit(Op::kAdd, kInt, {isElement ? thread : block, thread});
    ValueId bound = kernel.emit(Op::kDimension, intType(64, true), {a});
    for (Instruction& instruction : kernel.function().body.code) {
        instruction.isPlain = instruction.op == Op::kAdd && isPlain;
    }
    kernel.open(Op::kIf,
                {kernel.emit(Op::kLess, kBool, {kernel.emit(Op::kConvert, intType(64, true), {place}), bound})});
    kernel.put(Op::kStore, {a, place, thread});
    kernel.close();
    std::vector<const Instruction*> segment;
    for (const Instruction& instruction : kernel.function().body.code) {
        if (instruction.op != Op::kParameter) {
            segment.push_back(&instruction);
        }
    }
    std::optional<ThreadRange> range = findThreadRange(segment, BarrierPlan(kernel.function()));
    EXPECT_TRUE(!range || (range->endValue == bound && range->offset == block));
    return range;
}

TEST(ThreadRanges, AreToldByPlacesInTheGrid) {
    EXPECT_TRUE(rangeInGrid(true, false));
    EXPECT_FALSE(rangeInGrid(false, false));
    EXPECT_FALSE(rangeInGrid(true, true));
}

// if left op (thread >= 8): return
std::optional<ThreadRange> rangeOfExit(Op op, bool hasBarrier) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId flag = kernel.parameter("flag", kBool);
    ValueId isBehind =
        kernel.emit(Op::kGreaterEqual, kBool, {kernel.emit(Op::kThreadIndex, kInt, {}), kernel.constant(kInt, 8)});
    kernel.open(Op::kIf, {kernel.emit(op, kBool, {flag, isBehind})});
    kernel.put(Op::kReturn, {});
    kernel.close();
    if (hasBarrier) {
        kernel.put(Op::kBarrier, {});
    }
    std::optional<ThreadRange> range = rangeOfThreads(kernel.function());
    EXPECT_TRUE(!range || (range->first == 0 && range->end == 8 && range->isExit && range->rest == flag));
    return range;
}

TEST(ThreadRanges, AreToldByExits) {
    EXPECT_TRUE(rangeOfExit(Op::kOr, false));
    EXPECT_FALSE(rangeOfExit(Op::kAnd, false));
    EXPECT_FALSE(rangeOfExit(Op::kOr, true));
}

}  // namespace
}  // namespace kiln::gpu
