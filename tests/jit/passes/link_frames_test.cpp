// Shadow frames around loops whose frames are not real.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// A function root: a loop, and in it that of an inlined callee, which waits for another function.
constexpr const char* kNested = R"(region "f" function() -> int
code 0 "f"
code 1 "callee"
block0():
    v0:int = const_int[0]
    jump block1(v0)
block1(v1:int):
    poll !0
    jump block2(v1)
block2(v2:int):
    poll !1
    suspend !2
    resume
    v3:bool = int_lt v2, v2
    branch v3 ? block2(v2) : block3()
block3():
    branch v3 ? block1(v2) : block4()
block4():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
snapshot 1 reason=1: frame 0 @unit 6 [v1] frame 1 @unit 8 [v2]
snapshot 2 reason=1: frame 0 @unit 6 [v1] frame 1 @unit 9 [v2]
)";

constexpr const char* kLinked = R"(region "f" function() -> int
code 0 "f"
code 1 "callee"
block0():
    v0:int = const_int[0]
    jump block5()
block1(v1:int):
    poll !0
    jump block6()
block2(v2:int):
    poll !1
    unlink_frames
    suspend !2
    resume
    link_frames !4
    v3:bool = int_lt v2, v2
    branch v3 ? block2(v2) : block7()
block3():
    branch v3 ? block1(v2) : block8()
block4():
    return_value v1
block5():
    link_frames !3
    jump block1(v0)
block6():
    link_frames !4
    jump block2(v1)
block7():
    link_frames !3
    jump block3()
block8():
    unlink_frames
    jump block4()
snapshot 0 reason=1: frame 0 @unit 4 [v1]
snapshot 1 reason=1: frame 0 @unit 6 [v1] frame 1 @unit 8 [v2]
snapshot 2 reason=1: frame 0 @unit 6 [v1] frame 1 @unit 9 [v2]
snapshot 3 reason=1: frame 0 @unit 4 []
snapshot 4 reason=1: frame 0 @unit 6 [] frame 1 @unit 8 []
)";

TEST(LinkFrames, LinksAroundLoopsAndUnlinksWhereTheActivationWaits) {
    EXPECT_EQ(test::after(linkFrames, kNested), test::normalised(kLinked));
}

TEST(LinkFrames, LeavesLoopsOnARealFrameAlone) {
    ir::Region region = test::regionOf(R"(region "f" loop
code 0 "f"
block0():
    jump block1()
block1():
    poll !0
    jump block1()
snapshot 0 reason=1: frame 0 @unit 4 []
)");
    EXPECT_FALSE(linkFrames(region));
}

// The second loop is the callee's own: one link serves both.
TEST(LinkFrames, LinksOnceForLoopsOfOneFrame) {
    ir::Region region = test::regionOf(R"(region "f" loop
code 0 "f"
code 1 "callee"
block0():
    jump block1()
block1():
    poll !0
    jump block2()
block2():
    poll !1
    v0:bool = const_bool[1]
    branch v0 ? block2() : block1()
snapshot 0 reason=1: frame 0 @unit 4 [] frame 1 @unit 6 []
snapshot 1 reason=1: frame 0 @unit 4 [] frame 1 @unit 8 []
)");
    EXPECT_TRUE(linkFrames(region));
    EXPECT_EQ(region.snapshots.size(), 3u);
    EXPECT_EQ(region.blocks.size(), 4u);
}

}  // namespace
}  // namespace kiln::passes
