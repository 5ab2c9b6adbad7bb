// Which loops are gone through by strides.
#include "gpu/cpu/strided_loops.h"

#include <gtest/gtest.h>

#include "tests/gpu/module_builder.h"

namespace kiln::gpu {
namespace {

const Type* const kInt = intType(64, true);
const Type* const kArray = arrayType(kInt, 1, Layout::kC);

struct Options {
    bool beginsAtThread = true;
    bool stepsByThread = false;
    int64_t step = 64;
    bool isIndirect = false;
    bool isNested = false;
};

// for i in range(start, 1000, step): b[i] = a[i]
size_t stridedIn(const Options& options) {
    Module module;
    TestFunction kernel(module, "kernel", true);
    ValueId a = kernel.parameter("a", kArray);
    ValueId b = kernel.parameter("b", kArray);
    ValueId thread = kernel.emit(Op::kConvert, kInt, {kernel.emit(Op::kThreadIndex, intType(32, true), {}, 0)});
    uint32_t place = kernel.variable("place", kInt);
    kernel.put(Op::kSet, {thread}, place);
    ValueId first = options.beginsAtThread ? kernel.emit(Op::kGet, kInt, {}, place) : kernel.constant(kInt, 5);
    ValueId step = options.stepsByThread ? kernel.emit(Op::kGet, kInt, {}, place) : kernel.constant(kInt, options.step);
    uint32_t i = kernel.variable("i", kInt);
    kernel.open(Op::kFor, {first, kernel.constant(kInt, 1000), step}, i);
    ValueId at = kernel.emit(Op::kGet, kInt, {}, i);
    ValueId value = kernel.emit(Op::kLoad, kInt, {a, at});
    if (options.isNested) {
        kernel.open(Op::kFor, {kernel.constant(kInt, 0), at, kernel.constant(kInt, 1)}, kernel.variable("j", kInt));
        kernel.close();
    }
    kernel.put(Op::kStore, {b, options.isIndirect ? value : at, value});
    kernel.close();
    return stridedLoops(kernel.function()).size();
}

TEST(StridedLoops, BeginAtTheThreadAndStepOverOthers) {
    EXPECT_EQ(stridedIn({}), 1u);
    EXPECT_EQ(stridedIn({.beginsAtThread = false}), 0u);
    EXPECT_EQ(stridedIn({.stepsByThread = true}), 0u);
    EXPECT_EQ(stridedIn({.step = 1}), 0u);
}

TEST(StridedLoops, DoLittleAtPlacesOfTheirOwn) {
    EXPECT_EQ(stridedIn({.isIndirect = true}), 0u);
    EXPECT_EQ(stridedIn({.isNested = true}), 0u);
}

}  // namespace
}  // namespace kiln::gpu
