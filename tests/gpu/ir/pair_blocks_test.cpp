// Two blocks in one: which kernels have such a form, and that it is sound IR.
#include "gpu/ir/pair_blocks.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kFloat = floatType(32);
const Type* const kArray = arrayType(kFloat, 1, Layout::kC);
const Type* const kBool = scalarType(Scalar::kBool);

int count(const Function& function, Op op) {
    int found = 0;
    forEach(function.body, [&](const Instruction& instruction) { found += instruction.op == op; });
    return found;
}

// Returns of the thread after `exits` conditions, then a[block] = b[block], and after it what `more` appends.
template <typename More>
std::unique_ptr<Function> paired(int exits, const More& more) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId b = kernel.parameter("b", kArray);
    ValueId block = kernel.emit(Op::kBlockIndex, int32Type(), {});
    for (int i = 0; i < exits; i++) {
        kernel.open(Op::kIf, {kernel.emit(Op::kGreater, kBool, {block, kernel.constant(int32Type(), 100 + i)})});
        kernel.put(Op::kReturn, {});
        kernel.next();
        kernel.close();
    }
    kernel.put(Op::kStore, {a, block, kernel.emit(Op::kLoad, kFloat, {b, block})});
    more(kernel, a, block);
    EXPECT_EQ(verify(module), "");
    std::unique_ptr<Function> found = pairBlocks(module);
    if (found != nullptr) {
        Module other;
        other.functions.push_back(std::move(found));
        EXPECT_EQ(verify(other), "");
        found = std::move(other.functions.front());
    }
    return found;
}

TEST(PairBlocks, Straight) {
    auto found = paired(0, [](auto&...) {});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(count(*found, Op::kLoad), 2);
    EXPECT_EQ(count(*found, Op::kStore), 2);
    EXPECT_EQ(count(*found, Op::kIf), 0);
}

// A thread that leaves for one block goes on for the other: no return is left.
TEST(PairBlocks, EarlyReturns) {
    auto found = paired(1, [](auto&...) {});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(count(*found, Op::kReturn), 0);
    EXPECT_EQ(count(*found, Op::kStore), 4);
    found = paired(2, [](auto&...) {});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(count(*found, Op::kReturn), 0);
}

TEST(PairBlocks, Refused) {
    EXPECT_EQ(paired(0, [](TestFunction& kernel, auto&...) { kernel.put(Op::kBarrier, {}); }), nullptr);
    EXPECT_EQ(paired(0, [](TestFunction& kernel, auto&...) { kernel.put(Op::kFence, {}); }), nullptr);
    EXPECT_EQ(paired(0,
                     [](TestFunction& kernel, ValueId a, ValueId at) {
                         kernel.emit(Op::kAtomic, kFloat, {a, at, kernel.constant(kFloat, 0)});
                     }),
              nullptr);
    EXPECT_EQ(paired(0,
                     [](TestFunction& kernel, ValueId, ValueId at) {
                         kernel.open(Op::kFor, {at, at, at}, kernel.variable("i", int32Type()));
                         kernel.close();
                     }),
              nullptr);
    EXPECT_EQ(paired(0,
                     [](TestFunction& kernel, ValueId a, ValueId at) {
                         ValueId root = kernel.emit(Op::kMath, kFloat, {kernel.emit(Op::kLoad, kFloat, {a, at})},
                                                    static_cast<uint32_t>(MathFunction::kSqrt));
                         kernel.put(Op::kStore, {a, at, root});
                     }),
              nullptr);
    // Much to read, and neighbours that are far apart.
    EXPECT_EQ(paired(0,
                     [](TestFunction& kernel, ValueId a, ValueId at) {
                         for (int i = 0; i < 6; i++) {
                             kernel.put(Op::kStore, {a, at, kernel.emit(Op::kLoad, kFloat, {a, at})});
                         }
                     }),
              nullptr);
    EXPECT_EQ(
        paired(0,
               [](TestFunction& kernel, ValueId a, ValueId) {
                   ValueId thread = kernel.emit(Op::kThreadIndex, int32Type(), {});
                   ValueId far = kernel.emit(Op::kMultiply, int32Type(), {thread, kernel.constant(int32Type(), 100)});
                   kernel.put(Op::kStore, {a, far, kernel.emit(Op::kLoad, kFloat, {a, far})});
               }),
        nullptr);
    // A return within a condition that has more in it.
    EXPECT_EQ(paired(0,
                     [](TestFunction& kernel, ValueId a, ValueId at) {
                         kernel.open(Op::kIf, {kernel.emit(Op::kGreater, kBool, {at, at})});
                         kernel.put(Op::kStore, {a, at, kernel.constant(kFloat, 0)});
                         kernel.put(Op::kReturn, {});
                         kernel.next();
                         kernel.close();
                     }),
              nullptr);
}

}  // namespace
}  // namespace kiln::gpu
