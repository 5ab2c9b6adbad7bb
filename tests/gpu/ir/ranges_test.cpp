// Ranges of integers, and what is done with them.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "gpu/ir/find_ranges.h"
#include "gpu/ir/passes.h"
#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kSmall = intType(32, true);
const Type* const kBool = scalarType(Scalar::kBool);
const Type* const kArray = arrayType(floatType(64), 1, Layout::kC);

int64_t floorDivide(int64_t a, int64_t b) {
    return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

struct Reference {
    Op op;
    std::function<int64_t(int64_t, int64_t)> compute;
    int64_t leastRight = INT64_MIN;
};

std::vector<Reference> references() {
    return {
        {Op::kAdd, [](int64_t a, int64_t b) { return a + b; }},
        {Op::kSubtract, [](int64_t a, int64_t b) { return a - b; }},
        {Op::kMultiply, [](int64_t a, int64_t b) { return a * b; }},
        {Op::kFloorDivide, floorDivide},
        {Op::kModulo, [](int64_t a, int64_t b) { return b == 0 ? 0 : a - floorDivide(a, b) * b; }},
        {Op::kAnd, [](int64_t a, int64_t b) { return a & b; }},
        {Op::kOr, [](int64_t a, int64_t b) { return a | b; }},
        {Op::kXor, [](int64_t a, int64_t b) { return a ^ b; }},
        {Op::kShiftLeft, [](int64_t a, int64_t b) { return a * (int64_t(1) << b); }, 0},
        {Op::kShiftRight, [](int64_t a, int64_t b) { return a >> b; }, 0},
        {Op::kMinimum, [](int64_t a, int64_t b) { return std::min(a, b); }},
        {Op::kMaximum, [](int64_t a, int64_t b) { return std::max(a, b); }},
        {Op::kWrapIndex, [](int64_t a, int64_t b) { return a < 0 ? a + b : a; }},
        {Op::kNegate, [](int64_t a, int64_t) { return -a; }},
        {Op::kInvert, [](int64_t a, int64_t) { return ~a; }},
        {Op::kAbsolute, [](int64_t a, int64_t) { return std::abs(a); }},
    };
}

// All ranges within -5 to 5 hold all results, and are as sure as their operands.
TEST(KernelRanges, ResultsOfSmallOperands) {
    constexpr int64_t kMost = 5;
    for (const Reference& reference : references()) {
        for (int64_t low = -kMost; low <= kMost; low++) {
            for (int64_t high = low; high <= kMost; high++) {
                for (int64_t left = std::max(-kMost, reference.leastRight); left <= kMost; left++) {
                    for (int64_t right = left; right <= kMost; right++) {
                        Range found = rangeOfResult(reference.op, kInt, {low, high, true}, {left, right, true});
                        ASSERT_TRUE(found.isSure);
                        for (int64_t a = low; a <= high; a++) {
                            for (int64_t b = left; b <= right; b++) {
                                int64_t result = reference.compute(a, b);
                                ASSERT_TRUE(found.low <= result && result <= found.high)
                                    << opInfo(reference.op).name << " " << a << " " << b << ": " << found.low << " " << found.high;
                            }
                        }
                    }
                }
            }
        }
    }
}

TEST(KernelRanges, Comparisons) {
    constexpr int64_t kMost = 3;
    for (int kind = 0; kind < 6; kind++) {
        Op op = static_cast<Op>(static_cast<int>(Op::kEqual) + kind);
        auto holds = [&](int64_t a, int64_t b) {
            return kind == 0 ? a == b : kind == 1 ? a != b : kind == 2 ? a < b : kind == 3 ? a <= b : kind == 4 ? a > b : a >= b;
        };
        for (int64_t low = -kMost; low <= kMost; low++) {
            for (int64_t high = low; high <= kMost; high++) {
                for (int64_t left = -kMost; left <= kMost; left++) {
                    for (int64_t right = left; right <= kMost; right++) {
                        Range wanted = {1, 0, true};
                        for (int64_t a = low; a <= high; a++) {
                            for (int64_t b = left; b <= right; b++) {
                                wanted.low = std::min<int64_t>(wanted.low, holds(a, b));
                                wanted.high = std::max<int64_t>(wanted.high, holds(a, b));
                            }
                        }
                        ASSERT_EQ(rangeOfComparison(op, {low, high, true}, {left, right, true}), wanted);
                    }
                }
            }
        }
    }
}

TEST(KernelRanges, Overflow) {
    Range large = {INT64_MAX - 1, INT64_MAX, true};
    Range sum = rangeOfResult(Op::kAdd, kInt, large, {1, 2, true});
    EXPECT_EQ(sum, (Range{INT64_MAX, INT64_MAX, false}));
    EXPECT_EQ(rangeOfResult(Op::kNegate, kInt, {INT64_MIN, 0, true}, {}), (Range{0, INT64_MAX, false}));
    // What overflowed is any number once it is divided or shifted; remainders and masks are what they are.
    EXPECT_LT(rangeOfResult(Op::kShiftRight, kInt, sum, {40, 40, true}).low, 0);
    EXPECT_LT(rangeOfResult(Op::kFloorDivide, kInt, sum, {9, 9, true}).low, 0);
    EXPECT_EQ(rangeOfResult(Op::kModulo, kInt, sum, {7, 9, true}), (Range{0, 8, true}));
    EXPECT_EQ(rangeOfResult(Op::kAnd, kInt, sum, {15, 15, true}), (Range{0, 15, true}));
    // Fewer bits wrap.
    EXPECT_EQ(rangeOfResult(Op::kAdd, kSmall, {INT32_MAX, INT32_MAX, true}, {0, 1, true}), rangeOf(kSmall));
    EXPECT_EQ(rangeOfConversion({-1, 5, true}, intType(8, false)), rangeOf(intType(8, false)));
    EXPECT_EQ(rangeOfConversion({-3, -3, true}, kBool), (Range{1, 1, true}));
    EXPECT_FALSE(rangeOf(intType(64, false)).isSure);
}

class Ranges : public testing::Test {
   protected:
    ValueId wide(Op op, uint32_t axis) { return kernel.emit(Op::kConvert, kInt, {kernel.emit(op, kSmall, {}, axis)}); }
    ValueId number(int64_t value) { return kernel.constant(kInt, value); }
    ValueId get(uint32_t variable) { return kernel.emit(Op::kGet, kInt, {}, variable); }
    ValueId emit(Op op, ValueId a, ValueId b) { return kernel.emit(op, kInt, {a, b}); }
    ValueId compare(Op op, ValueId a, ValueId b) { return kernel.emit(op, kBool, {a, b}); }
    void store(ValueId index) { kernel.put(Op::kStore, {array, index, kernel.constant(floatType(64), 0)}); }
    ValueId wrap(ValueId index) { return emit(Op::kWrapIndex, index, kernel.emit(Op::kDimension, kInt, {array})); }
    Range range(ValueId value) { return findRanges(kernel.function()).values[value]; }
    // The types that ops of this kind compute in, once the passes ran.
    std::vector<const Type*> typesOf(Op op) {
        EXPECT_EQ(verify(module), "");
        EXPECT_EQ(simplify(module), "");
        EXPECT_EQ(verify(module), "");
        std::vector<const Type*> types;
        forEach(kernel.function().body, [&](const Instruction& instruction) {
            if (instruction.op == op) {
                types.push_back(kernel.function().values[instruction.operands[0]]);
            }
        });
        return types;
    }

    Module module;
    TestFunction kernel{module, "k", true};
    ValueId array = kernel.parameter("a", kArray);
    ValueId argument = kernel.parameter("n", kInt);
};

// A launch's y dimensions leave room for 32 bits, its x dimension does not.
TEST_F(Ranges, PlacesInTheGrid) {
    for (uint32_t axis = 0; axis < 2; axis++) {
        ValueId product = emit(Op::kMultiply, wide(Op::kBlockIndex, axis), wide(Op::kBlockDim, axis));
        store(emit(Op::kAdd, product, wide(Op::kThreadIndex, axis)));
    }
    EXPECT_EQ(typesOf(Op::kMultiply), (std::vector<const Type*>{kInt, kSmall}));
    EXPECT_EQ(typesOf(Op::kAdd), (std::vector<const Type*>{kInt, kSmall}));
}

// s = 1; while s < blockDim.x: threadIdx.x % (2 * s); s *= 2
TEST_F(Ranges, DoublingLoop) {
    uint32_t s = kernel.variable("s", kInt);
    kernel.put(Op::kSet, {number(1)}, s);
    kernel.open(Op::kWhile, {});
    kernel.put(Op::kYield, {compare(Op::kLess, get(s), wide(Op::kBlockDim, 0))});
    kernel.next();
    store(emit(Op::kModulo, wide(Op::kThreadIndex, 0), emit(Op::kMultiply, number(2), get(s))));
    ValueId doubled = emit(Op::kMultiply, get(s), number(2));
    kernel.put(Op::kSet, {doubled}, s);
    kernel.close();
    ValueId after = get(s);
    store(after);
    EXPECT_EQ(range(doubled), (Range{2, 2046, true}));
    EXPECT_EQ(range(after), (Range{1, 2046, true}));
    EXPECT_EQ(typesOf(Op::kModulo), std::vector<const Type*>{kSmall});
    EXPECT_EQ(typesOf(Op::kLess), std::vector<const Type*>{kSmall});
}

// i = threadIdx.x; while i < n: i += blockDim.x. Nothing says that n is small.
TEST_F(Ranges, StridedLoop) {
    uint32_t i = kernel.variable("i", kInt);
    kernel.put(Op::kSet, {wide(Op::kThreadIndex, 0)}, i);
    kernel.open(Op::kWhile, {});
    kernel.put(Op::kYield, {compare(Op::kLess, get(i), argument)});
    kernel.next();
    ValueId index = get(i);
    store(wrap(index));
    kernel.put(Op::kSet, {emit(Op::kAdd, get(i), wide(Op::kBlockDim, 0))}, i);
    kernel.close();
    EXPECT_EQ(range(index).low, 0);
    EXPECT_EQ(typesOf(Op::kAdd), std::vector<const Type*>{kInt});
    EXPECT_TRUE(typesOf(Op::kWrapIndex).empty());
}

TEST_F(Ranges, CountedLoops) {
    uint32_t i = kernel.variable("i", kInt);
    ValueId up = 0;
    ValueId down = 0;
    kernel.open(Op::kFor, {number(3), number(10), number(2)}, i);
    store(up = get(i));
    kernel.close();
    kernel.open(Op::kFor, {number(10), number(-1), number(-1)}, i);
    store(down = get(i));
    kernel.close();
    EXPECT_EQ(range(up), (Range{3, 9, true}));
    EXPECT_EQ(range(down), (Range{0, 10, true}));
}

// Conditions hold in their branch, and behind one that leaves, until the variable changes.
TEST_F(Ranges, Conditions) {
    uint32_t i = kernel.variable("i", kInt);
    kernel.put(Op::kSet, {argument}, i);
    ValueId inside = 0;
    ValueId changed = 0;
    ValueId behind = 0;
    ValueId enough = compare(Op::kGreaterEqual, get(i), number(0));
    ValueId few = compare(Op::kLess, get(i), number(100));
    kernel.open(Op::kIf, {kernel.emit(Op::kAnd, kBool, {enough, few})});
    store(wrap(inside = get(i)));
    kernel.put(Op::kSet, {emit(Op::kSubtract, get(i), number(200))}, i);
    store(changed = get(i));
    kernel.next();
    kernel.close();
    ValueId later = get(i);
    store(wrap(later));
    kernel.open(Op::kIf, {compare(Op::kLess, later, number(7))});
    kernel.put(Op::kReturn, {});
    kernel.next();
    kernel.close();
    store(behind = get(i));
    EXPECT_EQ(range(inside), (Range{0, 99, true}));
    EXPECT_EQ(range(changed), (Range{-200, -101, true}));
    EXPECT_EQ(range(behind).low, 7);
    EXPECT_EQ(range(later).low, INT64_MIN);
    EXPECT_EQ(typesOf(Op::kWrapIndex).size(), 1u);
}

// A bound that overflowed says nothing: i < n * n, where the product may be anything.
TEST_F(Ranges, UnsureBounds) {
    ValueId size = kernel.emit(Op::kDimension, kInt, {array});
    ValueId product = emit(Op::kMultiply, size, size);
    ValueId limited = emit(Op::kMinimum, product, number(50));
    kernel.open(Op::kIf, {compare(Op::kLess, argument, limited)});
    ValueId sum = emit(Op::kMultiply, limited, number(3));
    store(sum);
    kernel.next();
    kernel.close();
    EXPECT_FALSE(range(sum).isSure);
    EXPECT_EQ(typesOf(Op::kMultiply), (std::vector<const Type*>{kInt, kInt}));
}

// (x * large) >> 40 of a 32-bit x: the product may be negative, and so its index counts from the end.
TEST_F(Ranges, HashesWrap) {
    ValueId x = kernel.emit(Op::kConvert, kInt, {kernel.parameter("x", intType(32, false))});
    store(wrap(emit(Op::kShiftRight, emit(Op::kMultiply, x, number(11400714819323)), number(40))));
    EXPECT_EQ(typesOf(Op::kWrapIndex).size(), 1u);
}

TEST_F(Ranges, Constants) {
    ValueId sum = emit(Op::kMultiply, emit(Op::kAdd, number(2), number(3)), number(4));
    store(sum);
    kernel.open(Op::kIf, {compare(Op::kLess, sum, number(21))});
    store(number(1));
    kernel.next();
    store(argument);
    kernel.close();
    EXPECT_TRUE(typesOf(Op::kMultiply).empty());
    EXPECT_TRUE(typesOf(Op::kIf).empty());
    EXPECT_EQ(typesOf(Op::kStore).size(), 2u);
}

// By 8 of what may be negative, in 64 bits, and in 32 of a thread's index; by 6 it stays.
TEST(KernelRanges, PowersOfTwo) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", arrayType(kInt, 1, Layout::kC));
    ValueId n = kernel.parameter("n", kInt);
    ValueId thread = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, kSmall, {})});
    for (Op op : {Op::kFloorDivide, Op::kModulo}) {
        for (ValueId value : {n, thread}) {
            for (int64_t divisor : {8, 6}) {
                kernel.put(Op::kStore, {array, n, kernel.emit(op, kInt, {value, kernel.constant(kInt, divisor)})});
            }
        }
    }
    EXPECT_TRUE(useRanges(kernel.function()));
    EXPECT_EQ(verify(module), "");
    std::map<Op, std::vector<int>> found;  // by op, the bits of each
    forEach(kernel.function().body, [&](const Instruction& instruction) {
        if (instruction.type != nullptr && instruction.type->isInteger()) {
            found[instruction.op].push_back(instruction.type->bits);
        }
    });
    std::vector<int> both = {64, 32};
    for (Op op : {Op::kShiftRight, Op::kAnd, Op::kFloorDivide, Op::kModulo}) {
        EXPECT_EQ(found[op], both) << static_cast<int>(op);
    }
}

}  // namespace
}  // namespace kiln::gpu
