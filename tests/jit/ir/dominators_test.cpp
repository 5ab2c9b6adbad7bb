// Dominators of small graphs.
#include "jit/ir/dominators.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/jit/passes/random_region.h"
#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

using test::regionOf;

// A diamond whose join is a loop header; block 5 is never entered.
constexpr const char* kGraph = R"(region "graph" function(bool) -> none
block0(v0:bool):
    branch v0 ? block1() : block2()
block1():
    jump block3()
block2():
    jump block3()
block3():
    branch v0 ? block4() : block6()
block4():
    jump block3()
block5():
    jump block3()
block6():
    return_value
)";

TEST(Dominators, DiamondAndLoop) {
    const Dominators dominators(regionOf(kGraph));
    EXPECT_EQ(dominators.immediateDominator(0), kNoId);
    EXPECT_EQ(dominators.immediateDominator(1), 0);
    EXPECT_EQ(dominators.immediateDominator(2), 0);
    EXPECT_EQ(dominators.immediateDominator(3), 0);
    EXPECT_EQ(dominators.immediateDominator(4), 3);
    EXPECT_EQ(dominators.immediateDominator(6), 3);
    EXPECT_TRUE(dominators.dominates(0, 6));
    EXPECT_TRUE(dominators.dominates(3, 4));
    EXPECT_TRUE(dominators.dominates(4, 4));
    EXPECT_FALSE(dominators.dominates(1, 3));
    EXPECT_FALSE(dominators.dominates(4, 6));
    EXPECT_FALSE(dominators.dominates(6, 4));
}

TEST(Dominators, UnreachableBlocks) {
    const Dominators dominators(regionOf(kGraph));
    EXPECT_FALSE(dominators.reachable(5));
    EXPECT_FALSE(dominators.dominates(5, 3));
    EXPECT_FALSE(dominators.dominates(0, 5));
    EXPECT_EQ(dominators.reversePostorder().size(), 6u);
}

TEST(Dominators, OrderPutsDominatorsFirst) {
    const Dominators dominators(regionOf(kGraph));
    std::set<BlockId> seen;
    for (const BlockId block : dominators.reversePostorder()) {
        const BlockId parent = dominators.immediateDominator(block);
        EXPECT_TRUE(parent == kNoId || seen.contains(parent)) << "block" << block;
        seen.insert(block);
    }
}

std::set<BlockId> reachedWithout(const Region& region, BlockId removed) {
    std::set<BlockId> reached;
    std::vector<BlockId> pending{0};
    while (!pending.empty()) {
        const BlockId block = pending.back();
        pending.pop_back();
        if (block == removed || !reached.insert(block).second) {
            continue;
        }
        for (const Target& target : region.blocks[block].targets) {
            pending.push_back(target.block);
        }
    }
    return reached;
}

// dominates() against its definition, irreducible graphs included: b cannot be reached once a is taken out.
TEST(Dominators, AgreeWithTheDefinition) {
    for (uint64_t seed = 0; seed < 500; ++seed) {
        const Region region = test::makeRandomRegion(seed);
        const Dominators dominators(region);
        const auto count = static_cast<BlockId>(region.blocks.size());
        const std::set<BlockId> reachable = reachedWithout(region, kNoId);
        for (BlockId a = 0; a < count; ++a) {
            const std::set<BlockId> reached = reachedWithout(region, a);
            EXPECT_EQ(dominators.reachable(a), reachable.contains(a));
            for (BlockId b = 0; b < count; ++b) {
                const bool expected = reachable.contains(a) && reachable.contains(b) && !reached.contains(b);
                EXPECT_EQ(dominators.dominates(a, b), expected) << "seed " << seed << ": " << a << " and " << b;
            }
        }
    }
}

}  // namespace
}  // namespace kiln::ir
