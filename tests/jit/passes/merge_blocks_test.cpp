// merge_blocks: text in, text out.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// Of the blocks of a loop's body, each is only reached from the one before; the header is reached from two.
TEST(MergeBlocks, JoinsAPath) {
    const char* before = R"(region "f" function(object, int) -> int
code 0 "f"
block0(v0:object, v1:int):
    jump block1(v1)
block1(v2:int):
    poll !0
    v3:bool = int_lt v2, v1
    branch v3 ? block2() : block4()
block2():
    v4:object = list_item v0, v2
    jump block3(v4, v2)
block3(v5:object, v6:int):
    incref v5
    guard_set v5 !1
    v7:int = int_add_wrap v6, v1
    jump block1(v7)
block4():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
snapshot 1 reason=1: frame 0 @unit 6 [own v5]
)";
    const char* after = R"(region "f" function(object, int) -> int
code 0 "f"
block0(v0:object, v1:int):
    jump block1(v1)
block1(v2:int):
    poll !0
    v3:bool = int_lt v2, v1
    branch v3 ? block2() : block3()
block2():
    v4:object = list_item v0, v2
    incref v4
    guard_set v4 !1
    v7:int = int_add_wrap v2, v1
    jump block1(v7)
block3():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
snapshot 1 reason=1: frame 0 @unit 6 [own v4]
)";
    EXPECT_EQ(test::normalised(test::after(mergeBlocks, before)), test::normalised(after));
}

// What seldom runs stays apart.
TEST(MergeBlocks, LeavesColdBlocks) {
    const char* before = R"(region "f" function(int) -> int
code 0 "f"
block0(v0:int):
    jump block1()
block1() cold:
    return_value v0
)";
    EXPECT_EQ(test::after(mergeBlocks, before), test::normalised(before));
}

// A loop's header may have one way in, where the loop comes back into the midst of its body.
TEST(MergeBlocks, LeavesHeadersOfLoops) {
    const char* before = R"(region "f" function(int, int) -> int
code 0 "f"
block0(v0:int, v1:int):
    jump block1(v0)
block1(v2:int):
    poll !0
    v3:int = int_add_wrap v2, v1
    jump block2()
block2():
    v4:bool = int_lt v3, v1
    branch v4 ? block3() : block4()
block3():
    jump block1(v3)
block4():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [v1]
)";
    EXPECT_EQ(test::after(mergeBlocks, before), test::normalised(before));
}

}  // namespace
}  // namespace kiln::passes
