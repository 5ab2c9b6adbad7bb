// elide_box_counts: text in, text out.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// A variable that is computed in each round, and one that may become an element of a list.
TEST(ElideBoxCounts, FollowsBoxesAroundLoops) {
    const char* before = R"(region "f" function(object, int) -> int
object 0 "a number"
code 0 "f"
block0(v0:object, v1:int):
    v2:object = lend_box v0
    v3:object = const_no_box
    jump block1(v2, v3)
block1(v4:object, v5:object):
    poll !0
    decref_box v4
    decref_box v5
    v6:bool = int_lt v1, v1
    branch v6 ? block2() : block3()
block2():
    v7:object = const_box[0]
    incref_box v7
    v8:object = list_item v0, v1
    jump block1(v7, v8)
block3():
    return_value v1
snapshot 0 reason=1: frame 0 @unit 4 [number(v1 of v4), own number(v1 of v5)]
)";
    std::string expected = before;
    for (const char* removed : {"    decref_box v4\n", "    incref_box v7\n"}) {
        expected.erase(expected.find(removed), std::string(removed).size());
    }
    EXPECT_EQ(test::after(elideBoxCounts, before), test::normalised(expected));
}

// A local that nobody reads is given up where it is set again.
TEST(ElideBoxCounts, BareBoxesAreNoReferences) {
    const char* before = R"(region "f" loop
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = bare_box v0 !0
    v2:int = bare_bits v0
    jump block1(v2, v1, v0)
block1(v4:int, v5:object, v6:object):
    poll !0
    v7:object = counted v5
    guard_displaced v7 !0
    xdecref v7
    v8:object = counted v6
    guard_displaced v8 !0
    xdecref v8
    v9:object = const_no_box
    jump block1(v4, v9, v9)
snapshot 0 reason=1: frame 0 @unit 4 [v0]
)";
    std::string expected = before;
    for (const char* removed : {"    guard_displaced v7 !0\n", "    xdecref v7\n"}) {
        expected.erase(expected.find(removed), std::string(removed).size());
    }
    EXPECT_EQ(test::after(elideBoxCounts, before), test::normalised(expected));
}

}  // namespace
}  // namespace kiln::passes
