// The form of kernels for small arrays and grids.
#include "gpu/ir/narrow_launch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "gpu/ir/argument_layout.h"
#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = scalarType(Scalar::kInt64);
const Type* const kSmall = scalarType(Scalar::kInt32);
const Type* const kBytes = arrayType(scalarType(Scalar::kUInt8), 2, Layout::kC);

int countOf(const Module& module, Op op, const Type* type) {
    int count = 0;
    forEach(module.kernel().body, [&](const Instruction& instruction) {
        const Type* compared = instruction.operands.empty() ? nullptr : module.kernel().values[instruction.operands[0]];
        count += instruction.op == op && (instruction.type == type || (compared == type && instruction.type != nullptr && instruction.type->isBool()));
    });
    return count;
}

// The place of a thread along x.
ValueId place(TestFunction& kernel) {
    ValueId parts[3];
    int part = 0;
    for (Op op : {Op::kBlockIndex, Op::kBlockDim, Op::kThreadIndex}) {
        parts[part++] = kernel.emit(Op::kConvert, kInt, {kernel.emit(op, kSmall, {})});
    }
    return kernel.emit(Op::kAdd, kInt, {kernel.emit(Op::kMultiply, kInt, {parts[0], parts[1]}), parts[2]});
}

// if place < shape[0]: a[(place + 1) % shape[0], 0] = 1: 64 bits in the module, 32 in its narrow form.
TEST(NarrowLaunch, PlacesAndRemainders) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", kBytes);
    ValueId here = place(kernel);
    ValueId size = kernel.emit(Op::kDimension, kInt, {array}, 0);
    kernel.open(Op::kIf, {kernel.emit(Op::kLess, scalarType(Scalar::kBool), {here, size})});
    ValueId next = kernel.emit(Op::kAdd, kInt, {here, kernel.constant(kInt, 1)});
    ValueId at = kernel.emit(Op::kModulo, kInt, {next, size});
    kernel.put(Op::kStore, {array, at, kernel.constant(kInt, 0), kernel.constant(scalarType(Scalar::kUInt8), 1)});
    kernel.next();
    kernel.close();
    Module narrow = narrowed(module);
    EXPECT_EQ(verify(narrow), "");
    for (Op op : {Op::kMultiply, Op::kAdd, Op::kLess}) {
        EXPECT_GT(countOf(module, op, kInt), 0) << static_cast<int>(op);
        EXPECT_EQ(countOf(narrow, op, kInt), 0) << print(narrow);
    }
    EXPECT_EQ(countOf(narrow, Op::kModulo, kInt) + countOf(narrow, Op::kModulo, kSmall), 0) << print(narrow);
    EXPECT_EQ(countOf(narrow, Op::kSelect, kSmall), 1) << print(narrow);
    EXPECT_EQ(countOf(module, Op::kModulo, kInt), 1);  // it is a copy that was changed
}

// A loop over a dimension counts in 32 bits; one to an argument, which may be anything, does not.
TEST(NarrowLaunch, Loops) {
    Module module;
    TestFunction kernel(module, "k", true);
    ValueId array = kernel.parameter("a", kBytes);
    ValueId most = kernel.parameter("n", kInt);
    ValueId size = kernel.emit(Op::kDimension, kInt, {array}, 1);
    ValueId zero = kernel.constant(kInt, 0);
    ValueId one = kernel.constant(kInt, 1);
    for (ValueId stop : {size, most}) {
        uint32_t counter = kernel.variable(stop == size ? "i" : "k", kInt);
        kernel.open(Op::kFor, {zero, stop, one}, counter);
        kernel.put(Op::kStore, {array, zero, kernel.emit(Op::kGet, kInt, {}, counter), kernel.constant(scalarType(Scalar::kUInt8), 1)});
        kernel.close();
    }
    Module narrow = narrowed(module);
    EXPECT_EQ(verify(narrow), "");
    std::vector<bool> found;
    forEach(narrow.kernel().body, [&](const Instruction& instruction) {
        if (instruction.op == Op::kFor) {
            found.push_back(instruction.isPlain);
        }
    });
    EXPECT_EQ(found, (std::vector<bool>{true, false}));
}

TEST(NarrowLaunch, WhichLaunches) {
    std::vector<const Type*> parameters = {kInt, kBytes};
    std::vector<int64_t> offsets = argumentOffsets(parameters);
    auto isNarrow = [&](int64_t rows, int64_t columns, int32_t blocks) {
        int64_t words[] = {INT64_MAX, 0, rows, columns};
        return isNarrowLaunch(parameters, offsets, reinterpret_cast<const uint8_t*>(words), blocks);
    };
    constexpr int64_t kMost = INT32_MAX;
    EXPECT_TRUE(isNarrow(kMost, 1, 1));
    EXPECT_TRUE(isNarrow(1 << 15, 1 << 15, 1 << 21));
    EXPECT_TRUE(isNarrow(0, kMost, 1));
    EXPECT_FALSE(isNarrow(kMost + 1, 1, 1));
    EXPECT_FALSE(isNarrow(0, kMost + 1, 1));  // no elements, but the dimension does not fit
    EXPECT_FALSE(isNarrow(kMost + 1, 0, 1));
    EXPECT_FALSE(isNarrow(1 << 16, 1 << 15, 1));
    EXPECT_FALSE(isNarrow(INT64_MAX, INT64_MAX, 1));
    EXPECT_FALSE(isNarrow(2, 2, (1 << 21) + 1));
}

}  // namespace
}  // namespace kiln::gpu
