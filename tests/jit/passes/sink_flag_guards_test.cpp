// sink_flag_guards: which guards wait, and for what.
#include "jit/passes/sink_flag_guards.h"

#include <gtest/gtest.h>

#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// A loop whose body has v20 and v21, two floats, and v22, a condition.
std::string loopWith(const std::string& body) {
    return R"(region "f" loop
code 0 "f"
block0():
    v0:int = const_int[0]
    v1:int = const_int[9]
    jump block1(v0)
block1(v10:int):
    v11:bool = int_lt v10, v1
    branch v11 ? block3() : block2()
block2():
    exit !0
block3():
    v19:int = int_add_index v10, v1
    v20:float = int_to_float v10
    v21:float = int_to_float v19
    v22:bool = float_lt v20, v21
)" + body +
           R"(    poll !1
    jump block1(v19)
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
snapshot 2 reason=1: frame 0 @unit 8 []
snapshot 3 reason=1: frame 0 @unit 10 []
)";
}

std::string sunk(const std::string& text) {
    ir::Region region = test::regionOf(text);
    const std::string before = ir::print(region);
    const bool changed = sinkFlagGuards(region);
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    EXPECT_EQ(changed, ir::print(region) != before);
    return changed ? ir::print(region) : "";
}

size_t countOf(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        count++;
    }
    return count;
}

const char* const kChain = R"(    v30:float = float_sub v20, v21
    guard_no_flag[0] v30, v20, v21 !1
    v31:float = float_add v30, v21
    guard_no_flag[0] v31, v30, v21 !2
)";

TEST(SinkFlagGuards, TheEndOfAChainIsAsked) {
    const std::string text = sunk(loopWith(kChain));
    EXPECT_EQ(countOf(text, "float_sub v31, v31"), 1U) << text;
    EXPECT_EQ(countOf(text, "float_sub v30, v30"), 0U) << text;
    EXPECT_NE(text.find("cold:\n    guard_no_flag[0] v30, v20, v21 !1\n    guard_no_flag[0] v31, v30, v21 !2\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(countOf(text, "guard_no_flag"), 2U) << text;
    EXPECT_EQ(countOf(text, "underflow_ignored"), 0U) << text;
}

TEST(SinkFlagGuards, WhatLeavesBetweenLetsThemGoFirst) {
    const std::string text = sunk(loopWith(R"(    v30:float = float_sub v20, v21
    guard_no_flag[0] v30, v20, v21 !1
    guard_true v22 !2
    v31:float = float_add v30, v21
    guard_no_flag[0] v31, v30, v21 !3
)"));
    EXPECT_NE(text.find("cold:\n    guard_no_flag[0] v30, v20, v21 !1\n    guard_true v22 !2\n    jump"),
              std::string::npos)
        << text;
    EXPECT_EQ(countOf(text, "guard_true"), 1U) << text;
    EXPECT_EQ(countOf(text, "guard_no_flag"), 3U) << text;
}

TEST(SinkFlagGuards, AnEffectEndsTheirWaiting) {
    const std::string between = R"(    v30:float = float_sub v20, v21
    guard_no_flag[0] v30, v20, v21 !1
    store_element_float[float64] v0, v0, v30
    v31:float = float_add v30, v21
    guard_no_flag[0] v31, v30, v21 !2
)";
    EXPECT_EQ(countOf(sunk(loopWith(between)), "cold:"), 2U) << "each is asked by itself";
    const std::string text = sunk(loopWith(kChain + std::string("    store_element_float[float64] v0, v0, v30\n")));
    EXPECT_LT(text.find("float_sub v31, v31"), text.find("store_element_float")) << text;
}

TEST(SinkFlagGuards, WhatIsLostOnTheWayIsAskedItself) {
    // A value may be left behind by a choice.
    const std::string text = sunk(loopWith(
        std::string(kChain) + "    v32:float = float_select v22, v20, v31\n    guard_no_flag[0] v32, v20, v31 !3\n"));
    EXPECT_EQ(countOf(text, "float_sub v31, v31"), 1U) << text;
    EXPECT_EQ(countOf(text, "float_sub v32, v32"), 1U) << text;
}

const char* const kProduct = R"(    v30:float = float_mul v20, v21
    guard_no_flag[1] v30, v20, v21 !1
)";

TEST(SinkFlagGuards, WhetherUnderflowsMatterIsAskedOnce) {
    const std::string text = sunk(loopWith(kProduct));
    EXPECT_LT(text.find("underflow_ignored"), text.find("block1(")) << text;
    EXPECT_EQ(countOf(text, "underflow_ignored"), 1U) << text;
    EXPECT_NE(text.find(":float = float_select"), std::string::npos) << text;
    EXPECT_EQ(text.find("bool_and"), std::string::npos) << "one comparison tells both: " << text;
}

TEST(SinkFlagGuards, NotWhereACalleeMayChangeIt) {
    EXPECT_EQ(sunk(loopWith(std::string(kProduct) + "    suspend !1\n    resume\n")), "");
}

}  // namespace
}  // namespace kiln::passes
