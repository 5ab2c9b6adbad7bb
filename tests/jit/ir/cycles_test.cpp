// findCycles: loops, however they are entered.
#include "jit/ir/cycles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

std::vector<BlockId> sorted(std::vector<BlockId> blocks) {
    std::ranges::sort(blocks);
    return blocks;
}

TEST(Cycles, OneInAnother) {
    const Region region = test::regionOf(R"(region "f" function(bool) -> none
code 0 "f"
block0(v0:bool):
    jump block1()
block1():
    branch v0 ? block2() : block4()
block2():
    branch v0 ? block2() : block3()
block3():
    poll !0
    jump block1()
block4():
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)");
    const std::vector<Cycle> cycles = findCycles(region);
    ASSERT_EQ(cycles.size(), 2U);
    EXPECT_EQ(cycles[0].header, 1);
    EXPECT_EQ(sorted(cycles[0].blocks), (std::vector<BlockId>{1, 2, 3}));
    EXPECT_EQ(cycles[1].header, 2);
    EXPECT_EQ(cycles[1].blocks, (std::vector<BlockId>{2}));
}

TEST(Cycles, EnteredInItsMidst) {
    const Region region = test::regionOf(R"(region "f" function(bool) -> none
code 0 "f"
block0(v0:bool):
    branch v0 ? block1() : block2()
block1():
    branch v0 ? block2() : block3()
block2():
    poll !0
    jump block1()
block3():
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)");
    const std::vector<Cycle> cycles = findCycles(region);
    ASSERT_EQ(cycles.size(), 1U);
    EXPECT_EQ(sorted(cycles[0].blocks), (std::vector<BlockId>{1, 2}));
}

}  // namespace
}  // namespace kiln::ir
