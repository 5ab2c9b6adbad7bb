// What parse() refuses, and how it says so.
#include <gtest/gtest.h>

#include "jit/ir/region.h"

namespace kiln::ir {
namespace {

struct BadText {
    const char* text;
    const char* error;
};

class Refused : public ::testing::TestWithParam<BadText> {};

TEST_P(Refused, WithLineAndReason) {
    Region region;
    std::string error;
    EXPECT_FALSE(parse(GetParam().text, region, error)) << GetParam().text;
    EXPECT_EQ(error, GetParam().error);
}

constexpr BadText kBadTexts[] = {
    {"", "line 0: no region"},
    {"\n# only a comment\n", "line 2: no region"},
    {"block0():", "line 1: expected 'region', found 'block0'"},
    {"region f loop", "line 1: expected a string, found 'f'"},
    {"region \"f\" trace", "line 1: expected 'loop', found 'trace'"},
    {"region \"f", "line 1: string without its closing quote"},
    {"region \"\\q\" loop", "line 1: bad escape in a string"},
    {"region \"\\xg0\" loop", "line 1: bad escape in a string"},
    {"region \"f\" function(int, long)", "line 1: expected a type, found 'long'"},
    {"region \"f\" loop more", "line 1: expected the end of the line, found 'more'"},
    {"region \"f\" loop\n    poll !0", "line 2: instruction outside of a block"},
    {"region \"f\" loop\nblock0():\n  exit !0\n  poll !0", "line 4: instruction behind the end of its block"},
    {"region \"f\" loop\nobject 1 \"a\"", "line 2: number 1 where 0 comes next"},
    {"region \"f\" loop\nblock1():", "line 2: block1 where block0 comes next"},
    {"region \"f\" loop\nblock0(v1):", "line 2: expected ':', found ')'"},
    {"region \"f\" loop\nblock0()", "line 2: expected ':', found the end of the line"},
    {"region \"f\" loop\nblock0(x1:int):", "line 2: expected vNUMBER, found 'x1'"},
    {"region \"f\" loop\nblock0(v99999999:int):", "line 2: value number 99999999 is too large"},
    {"region \"f\" loop\nblock0():\n  v1:int = int_plus v2, v3", "line 3: expected an op, found 'int_plus'"},
    {"region \"f\" loop\nblock0():\n  v1:int = const_int", "line 3: expected '[', found the end of the line"},
    {"region \"f\" loop\nblock0():\n  v1:int = const_int[1.5]", "line 3: expected an integer, found '1.5'"},
    {"region \"f\" loop\nblock0():\n  v1:int = const_int[9223372036854775808]",
     "line 3: expected an integer, found '9223372036854775808'"},
    {"region \"f\" loop\nblock0():\n  v1:float = const_float[1.5x]", "line 3: expected a float, found '1.5x'"},
    {"region \"f\" loop\nblock0():\n  v1:float = const_float[nan:12]",
     "line 3: expected the bits of a nan, found '12'"},
    {"region \"f\" loop\nblock0():\n  v1:object = opaque_object[nothing]",
     "line 3: expected an integer, found 'nothing'"},
    {"region \"f\" loop\nblock0():\n  jump", "line 3: expected blockNUMBER, found the end of the line"},
    {"region \"f\" loop\nblock0():\n  branch v0 ? block1()", "line 3: expected ':', found the end of the line"},
    {"region \"f\" loop\nblock0():\n  exit !x", "line 3: expected an integer, found 'x'"},
    {"region \"f\" loop\nblock0():\n  exit !99999999999", "line 3: the number 99999999999 is too large"},
    {"region \"f\" loop\nsnapshot 0 reason=1", "line 2: expected ':', found the end of the line"},
    {"region \"f\" loop\nsnapshot 0 reason=1: frame 0 [v1]", "line 2: expected '@', found '['"},
    {"region \"f\" loop\nsnapshot 0 reason=1: frame 0 @unit 2 [some]", "line 2: expected a slot source, found 'some'"},
    {"region \"f\" loop\nsnapshot 0 reason=1: frame 0 @unit 2 [tuple(v1]", "line 2: expected ')', found ']'"},
    {"region \"f\" loop\nsnapshot 0 reason=1: frame 0 @unit 2 [\"v1\"]", "line 2: expected a slot source, found 'v1'"},
};

INSTANTIATE_TEST_SUITE_P(Parser, Refused, ::testing::ValuesIn(kBadTexts));

TEST(Parser, AcceptsCommentsBlankLinesAndSpacing) {
    Region region;
    std::string error;
    ASSERT_TRUE(
        parse("# a loop\n\nregion \"f\"   loop # here\n\tblock0 ( ) :\r\n  exit   ! 0\nsnapshot 0 reason = 1 :\n",
              region, error))
        << error;
    ASSERT_EQ(region.blocks.size(), 1u);
    EXPECT_EQ(region.blocks[0].instructions[0].snapshot, 0);
    EXPECT_EQ(region.snapshots[0].reason, 1);
}

TEST(Parser, ReplacesWhatTheRegionHeld) {
    Region region;
    region.names = {"old"};
    region.newValue(Type::kInt);
    std::string error;
    ASSERT_TRUE(parse("region \"f\" loop\n", region, error)) << error;
    EXPECT_TRUE(region.names.empty());
    EXPECT_TRUE(region.valueTypes.empty());
}

}  // namespace
}  // namespace kiln::ir
