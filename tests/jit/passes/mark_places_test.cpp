// Where compiled code tells its place, and what a mark stands for.
#include "jit/passes/mark_places.h"

#include <gtest/gtest.h>

#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

constexpr int kLeastWork = 8;

class MarkPlaces : public testing::Test {
protected:
    // `places` of the instructions of each block, 0 for none; they are their numbers.
    void mark(const char* text, const std::vector<std::vector<int32_t>>& places) {
        region = test::regionOf(text);
        for (size_t block = 0; block < places.size(); block++) {
            for (size_t index = 0; index < places[block].size(); index++) {
                region.blocks[block].instructions[index].place = places[block][index] - 1;
            }
        }
        auto markOf = [this](const PlaceShares& shares) {
            told.push_back(shares);
            return static_cast<int64_t>(told.size());
        };
        markPlaces(region, {.numbers = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .leastWork = kLeastWork, .markOf = markOf});
        EXPECT_EQ(ir::verify(region), "");
    }

    // The marks of a block: before which of its own instructions, and what they stand for.
    std::vector<std::pair<size_t, PlaceShares>> marksOf(ir::BlockId block) const {
        std::vector<std::pair<size_t, PlaceShares>> marks;
        const std::vector<ir::Instruction>& instructions = region.blocks[static_cast<size_t>(block)].instructions;
        for (size_t index = 0; index < instructions.size(); index++) {
            if (instructions[index].op == ir::Op::k_at_place) {
                marks.emplace_back(index - marks.size(), told[static_cast<size_t>(instructions[index].immediate) - 1]);
            }
        }
        return marks;
    }

    ir::Region region;
    std::vector<PlaceShares> told;
};

using Marks = std::vector<std::pair<size_t, PlaceShares>>;

// A loop of few operations: its mark stands in front of it, and its lines share that.
TEST_F(MarkPlaces, AShortLoopTellsOnce) {
    mark(R"(region "f" function() -> int
code 0 "f"
block0():
    v0:int = const_int[0]
    jump block1(v0)
block1(v1:int):
    v2:int = int_xor v1, v0
    v3:int = int_and v2, v1
    v4:int = int_or v3, v1
    poll !0
    v5:bool = int_lt v4, v0
    branch v5 ? block1(v4) : block2()
block2():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
)",
         {{1, 0}, {2, 3, 3, 2, 2, 0}, {4}});
    EXPECT_EQ(marksOf(0), (Marks{{1, {{2, 65}, {3, 32}, {4, 2}}}}));
    EXPECT_TRUE(marksOf(1).empty());
}

// The line that takes long has a mark, and so has what follows once there is enough of it.
TEST_F(MarkPlaces, LinesThatTakeLongTellByThemselves) {
    mark(R"(region "f" function() -> float
code 0 "f"
block0():
    v0:float = const_float[1.5]
    jump block1(v0)
block1(v1:float):
    v2:float = float_add v1, v0
    v3:float = float_div v2, v0 !0
    v4:float = float_div v3, v0 !0
    v5:float = float_add v4, v0
    poll !0
    v6:bool = float_lt v5, v0
    branch v6 ? block1(v5) : block2()
block2():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
)",
         {{1, 0}, {2, 3, 3, 4, 2, 2, 0}, {5}});
    EXPECT_EQ(marksOf(0).size(), 1u);
    const Marks marks = marksOf(1);
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_EQ(marks[0].first, 1u);
    EXPECT_EQ(marks[0].second, (PlaceShares{{2, 15}, {3, 79}, {4, 3}}));
}

// Whatever a strip does: a store in it would keep LLVM from making vectors of it.
TEST_F(MarkPlaces, ALoopThatNeverPollsIsAStrip) {
    mark(R"(region "f" function() -> float
code 0 "f"
block0():
    v0:float = const_float[1.5]
    jump block1(v0)
block1(v1:float):
    v2:float = float_add v1, v0
    v3:float = float_div v2, v0 !0
    v4:bool = float_lt v3, v0
    branch v4 ? block1(v3) : block2()
block2():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
)",
         {{1, 0}, {2, 3, 2, 0}, {4}});
    EXPECT_EQ(marksOf(0).size(), 1u);
    EXPECT_TRUE(marksOf(1).empty());
    EXPECT_EQ(marksOf(0)[0].second.size(), 2u);
}

// A callee tells its own places: behind it the same line must be told again, if there is enough of it.
TEST_F(MarkPlaces, BehindACallThePlaceIsToldAgain) {
    mark(R"(region "f" function() -> float
code 0 "f"
object 0 "callee"
block0():
    v0:float = const_float[1.5]
    v1:float = float_div v0, v0 !0
    v2:object = root_function
    v3:int = call_native[0] v2 !0
    v4:float = float_div v1, v0 !0
    return_value v4
snapshot 0 reason=1: frame 0 @unit 4 []
)",
         {{1, 1, 1, 1, 1, 0}});
    const Marks marks = marksOf(0);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].first, 1u);
    EXPECT_EQ(marks[1].first, 4u);
}

}  // namespace
}  // namespace kiln::passes
