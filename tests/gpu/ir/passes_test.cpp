// Passes over kernel IR.
#include "gpu/ir/passes.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kArray = arrayType(floatType(64), 1, Layout::kC);

int count(const Function& function, Op op) {
    int found = 0;
    forEach(function.body, [&](const Instruction& instruction) { found += instruction.op == op; });
    return found;
}

TEST(KernelPasses, DeadCode) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", kArray);
    ValueId one = kernel.constant(kInt, 1);
    kernel.emit(Op::kLoad, floatType(64), {array, one});
    ValueId two = kernel.emit(Op::kAdd, kInt, {one, one});
    kernel.put(Op::kSet, {two}, kernel.variable("unread", kInt));
    kernel.emit(Op::kAtomic, floatType(64), {array, one, kernel.constant(floatType(64), 0)});
    EXPECT_TRUE(eliminateDeadCode(kernel.function()));
    EXPECT_FALSE(eliminateDeadCode(kernel.function()));
    EXPECT_EQ(count(kernel.function(), Op::kLoad), 0);
    EXPECT_EQ(count(kernel.function(), Op::kSet), 0);
    EXPECT_EQ(count(kernel.function(), Op::kAdd), 0);
    EXPECT_EQ(count(kernel.function(), Op::kAtomic), 1);
    EXPECT_EQ(verify(module), "");
}

// i = threadIdx.x; while ...: i += step, where step is blockDim.x or an argument of unknown sign.
int wrapsLeft(bool knownStep) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", kArray);
    ValueId argument = kernel.parameter("n", kInt);
    uint32_t i = kernel.variable("i", kInt);
    ValueId thread = kernel.emit(Op::kThreadIndex, intType(32, true), {});
    kernel.put(Op::kSet, {kernel.emit(Op::kConvert, kInt, {thread})}, i);
    ValueId width = kernel.emit(Op::kBlockDim, intType(32, true), {});
    ValueId step = knownStep ? kernel.emit(Op::kConvert, kInt, {width}) : argument;
    kernel.open(Op::kWhile, {});
    ValueId more = kernel.emit(Op::kLess, scalarType(Scalar::kBool), {kernel.emit(Op::kGet, kInt, {}, i), argument});
    kernel.put(Op::kYield, {more});
    kernel.next();
    ValueId index = kernel.emit(Op::kGet, kInt, {}, i);
    ValueId size = kernel.emit(Op::kDimension, kInt, {array});
    ValueId wrapped = kernel.emit(Op::kWrapIndex, kInt, {index, size});
    kernel.put(Op::kStore, {array, wrapped, kernel.constant(floatType(64), 0)});
    kernel.put(Op::kSet, {kernel.emit(Op::kAdd, kInt, {index, step})}, i);
    kernel.close();
    EXPECT_EQ(verify(module), "");
    EXPECT_EQ(simplify(module), "");
    EXPECT_EQ(verify(module), "");
    return count(kernel.function(), Op::kWrapIndex);
}

TEST(KernelPasses, Wraparound) {
    EXPECT_EQ(wrapsLeft(true), 0);
    EXPECT_EQ(wrapsLeft(false), 1);
}

TEST(KernelPasses, Accesses) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId read = kernel.parameter("r", kArray);
    ValueId written = kernel.parameter("w", kArray);
    kernel.parameter("unused", kArray);
    ValueId passed = kernel.parameter("p", kArray);
    ValueId one = kernel.constant(kInt, 1);
    uint32_t alias = kernel.variable("alias", kArray);
    kernel.put(Op::kSet, {written}, alias);
    ValueId value = kernel.emit(Op::kLoad, floatType(64), {read, one});
    kernel.put(Op::kStore, {kernel.emit(Op::kGet, kArray, {}, alias), one, value});
    kernel.put(Op::kCall, {passed}, 1);
    TestFunction device(module, "d", false);
    ValueId given = device.parameter("x", kArray);
    ValueId first = device.constant(kInt, 0);
    device.emit(Op::kAtomic, floatType(64), {given, first, device.constant(floatType(64), 0)});
    ASSERT_EQ(verify(module), "");
    findAccesses(module);
    EXPECT_EQ(kernel.function().reads, (std::vector<bool>{true, false, false, true}));
    EXPECT_EQ(kernel.function().writes, (std::vector<bool>{false, true, false, true}));
}

}  // namespace
}  // namespace kiln::gpu
