// Which values share a slot of the native frame.
#include "jit/quick/frame_layout.h"

#include <gtest/gtest.h>

#include "jit/quick/stencil_set.h"
#include "jit/quick/value_lifetimes.h"
#include "tests/jit/region_text.h"

namespace kiln {
namespace {

NativeFrameLayout layoutOf(const ir::Region& region) {
    CodegenRequest request{.region = &region};
    return layOutNativeFrame(request);
}

TEST(FrameLayout, ASlotIsUsedAgainBehindItsValue) {
    ir::Region region = test::regionOf(R"(region "sum" function(int) -> int
code 0 "f"
block0(v0:int):
    v1:int = const_int[1]
    v2:int = int_xor v0, v1
    v3:int = const_int[2]
    v4:int = int_xor v2, v3
    return_value v4
)");
    NativeFrameLayout layout = layoutOf(region);
    EXPECT_EQ(layout.slots, (std::vector<int32_t>{0, 8, 16, 0, 8}));  // v2 is written where v0 and v1 may still be read
}

constexpr const char* kLoop = R"(region "loop" function(int, int) -> int
code 0 "f"
block0(v0:int, v1:int):
    v2:int = const_int[7]
    jump block1(v0)
block1(v3:int):
    v4:bool = int_gt v3, v1
    branch v4 ? block2() : block3()
block2():
    poll !0
    v5:int = const_int[1]
    v6:int = int_sub v3, v5 !0
    jump block1(v6)
block3():
    v7:int = int_xor v3, v2
    return_value v7
snapshot 0 reason=1: frame 0 @unit 4 []
)";

TEST(FrameLayout, WhatALoopReadsLivesForAllOfIt) {
    ir::Region region = test::regionOf(kLoop);
    std::vector<Lifetime> lifetimes = lifetimesOf(region);
    EXPECT_EQ(lifetimes[1].first, 0);
    EXPECT_EQ(lifetimes[1].last, 10);  // the end of block2, from which block1 is reached again
    EXPECT_EQ(lifetimes[2].last, 12);  // across the loop, in which nobody reads it
    EXPECT_EQ(lifetimes[5].first, 8);
    EXPECT_EQ(lifetimes[5].last, 9);
    NativeFrameLayout layout = layoutOf(region);
    for (ir::ValueId other : {3, 4, 5, 6, 7}) {
        EXPECT_NE(layout.slots[2], layout.slots[static_cast<size_t>(other)]) << other;
    }
}

// Whoever looks at a waiting caller reads its locals from the native frame.
TEST(FrameLayout, WhatWaitsLivesUntilItGoesOn) {
    ir::Region region = test::regionOf(R"(region "waits" function(object, object) -> object
code 0 "f"
block0(v0:object, v1:object):
    suspend !1
    v2:object = opaque_object[0] v0 !0
    resume
    leave_frame
    return_value v2
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 4 [v1]
)");
    std::vector<Lifetime> lifetimes = lifetimesOf(region);
    EXPECT_EQ(lifetimes[0].last, 2);
    EXPECT_EQ(lifetimes[1].last, 3);
    EXPECT_NE(layoutOf(region).slots[1], layoutOf(region).slots[2]);
}

TEST(FrameLayout, KeepsTheStackAligned) {
    ir::Region region = test::regionOf(kLoop);
    EXPECT_EQ(layoutOf(region).size % 16, 0);
    EXPECT_GE(layoutOf(region).size, -kFirstWord * 8);
}

}  // namespace
}  // namespace kiln
