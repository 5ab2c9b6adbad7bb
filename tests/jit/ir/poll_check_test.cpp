// Loops without a poll are found, others are let be.
#include <gtest/gtest.h>

#include "jit/ir/region.h"
#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

using test::regionOf;

TEST(PollCheck, BlockThatJumpsToItself) {
    EXPECT_EQ(findLoopWithoutPoll(regionOf(R"(region "self" function(bool) -> none
block0(v0:bool):
    branch v0 ? block1() : block2()
block1():
    jump block1()
block2():
    return_value
)")),
              1);
}

TEST(PollCheck, LoopBehindAPoll) {
    EXPECT_EQ(findLoopWithoutPoll(regionOf(R"(region "behind" function(bool) -> none
code 0 "f"
block0(v0:bool):
    jump block1()
block1():
    poll !0
    jump block2()
block2():
    branch v0 ? block3() : block4()
block3():
    jump block2()
block4():
    return_value
snapshot 0 reason=0: frame 0 @unit 0 []
)")),
              2);
}

TEST(PollCheck, NestedLoopsThatPoll) {
    EXPECT_EQ(findLoopWithoutPoll(regionOf(R"(region "nested" function(bool) -> none
code 0 "f"
block0(v0:bool):
    jump block1()
block1():
    branch v0 ? block2() : block4()
block2():
    branch v0 ? block3() : block4()
block3():
    poll !0
    jump block1()
block4():
    return_value
snapshot 0 reason=0: frame 0 @unit 0 []
)")),
              kNoId);
}

}  // namespace
}  // namespace kiln::ir
