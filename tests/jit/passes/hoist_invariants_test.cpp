// hoist_invariants: what is computed before a loop, and what stays in it.
#include "jit/passes/hoist_invariants.h"

#include <gtest/gtest.h>

#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// Rows around columns: block1 and block3 are the headers, block2 comes before the inner loop, block4 is its body.
std::string nestWith(const std::string& body, const std::string& row = "") {
    return R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v2:object = guard_array[132353] v0, v1 !0
    v3:object = load_slot[1]
    v4:int = unbox_int v3 !0
    v5:int = const_int[0]
    v6:int = const_int[1]
    jump block1(v5)
block1(v10:int):
    v11:bool = int_lt v10, v4
    branch v11 ? block2() : block6()
block2():
)" + row + R"(    v12:int = int_add_index v10, v6
    jump block3(v5)
block3(v20:int):
    v21:bool = int_lt v20, v4
    branch v21 ? block4() : block5()
block4():
)" + body + R"(    v22:int = int_add_index v20, v6
    poll !1
    jump block3(v22)
block5():
    poll !1
    jump block1(v12)
block6():
    exit !0
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
}

std::string hoisted(const std::string& text) {
    return test::after(hoistInvariants, text);
}

// Whether the instruction stands in the block.
bool stands(const std::string& text, const std::string& instruction, const std::string& block) {
    const size_t begin = text.find("\n" + block + "(");
    const size_t place = text.find(instruction, begin);
    return begin != std::string::npos && place != std::string::npos && place < text.find("\nblock", begin + 1);
}

TEST(HoistInvariants, AConstantLeavesOneLoopAfterTheOther) {
    const std::string text = hoisted(nestWith("    v30:int = const_int[8]\n    v31:int = int_mul_index v20, v30\n"));
    EXPECT_TRUE(stands(text, "v30:int", "block0")) << text;
    EXPECT_TRUE(stands(text, "v31:int", "block4")) << text;
    const std::string row = hoisted(nestWith("", "    v30:int = const_int[8]\n    v31:int = int_mul_index v10, v30\n"));
    EXPECT_TRUE(stands(row, "v30:int", "block0")) << row;
    EXPECT_TRUE(stands(row, "v31:int", "block2")) << row;
}

TEST(HoistInvariants, WhatFollowsFromWhatWasMovedIsMovedBehindIt) {
    const std::string text = hoisted(nestWith("    v30:int = array_length[1] v2\n    v31:int = int_mul_index v10, v30\n"
                                              "    v32:int = int_add_index v31, v20\n"));
    EXPECT_TRUE(stands(text, "v30:int", "block0")) << text;
    EXPECT_TRUE(stands(text, "v31:int", "block2")) << text;
    EXPECT_TRUE(stands(text, "v32:int", "block4")) << text;
}

TEST(HoistInvariants, GuardsAndReadsStay) {
    const std::string text = hoisted(nestWith("    v30:bool = int_below v10, v20\n    guard_true v30 !1\n"
                                              "    v31:object = load_slot[0]\n    v32:int = bare_bits v31\n"));
    EXPECT_TRUE(stands(text, "v30:bool = int_below v10, v20\n    guard_true v30 !1\n    v31:object = load_slot[0]\n"
                             "    v32:int = bare_bits v31", "block4")) << text;
    const std::string row = hoisted(nestWith("    v30:bool = int_below v10, v4\n    guard_true v30 !1\n"));
    EXPECT_TRUE(stands(row, "v30:bool", "block2")) << row;
    EXPECT_TRUE(stands(row, "guard_true v30", "block4")) << row;
}

TEST(HoistInvariants, WhatStandsInABranchStays) {
    std::string text = nestWith("    branch v11 ? block7() : block8()\nblock7():\n    v30:int = const_int[8]\n"
                                "    v31:int = int_mul_index v20, v30\n    jump block8()\nblock8():\n    v33:int = const_int[9]\n");
    // Blocks stand in the order of their numbers.
    const size_t tail = text.find("block5()", text.find("    jump block3(v22)"));
    const size_t arms = text.find("block7():");
    const size_t rest = text.find("snapshot 0");
    text = text.substr(0, arms) + text.substr(tail, rest - tail) + text.substr(arms, tail - arms) + text.substr(rest);
    const std::string result = hoisted(text);
    EXPECT_TRUE(stands(result, "v30:int", "block7")) << result;
    EXPECT_TRUE(stands(result, "v33:int", "block0")) << result;
}

}  // namespace
}  // namespace kiln::passes
