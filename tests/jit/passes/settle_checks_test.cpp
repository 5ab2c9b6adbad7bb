// settle_checks: which checks of indices are known to pass, which are asked before the loop, and which stay.
#include "jit/passes/settle_checks.h"

#include <gtest/gtest.h>

#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// A loop that counts v10 from `first` to the limit v9; `body` has indices into an array of length v8.
std::string loopWith(const std::string& before, const std::string& first, const std::string& body) {
    return R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v2:object = guard_array[66817] v0, v1 !0
    v3:object = load_slot[1]
    v4:int = unbox_int v3 !0
    v5:int = const_int[0]
    v6:int = const_int[1]
    v7:int = const_int[-1]
    v8:int = array_length[0] v2
)" + before +
           "    jump block1(" + first + R"()
block1(v10:int):
    v11:bool = int_lt v10, v9
    branch v11 ? block3() : block2()
block2():
    exit !0
block3():
    v19:int = int_add_index v10, v6
)" + body + R"(    poll !1
    jump block1(v19)
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
}

// The check of an index of Python's, which may count from the end; the position is used.
std::string checkOf(const std::string& index) {
    return "    v20:bool = int_lt " + index + ", v5\n    v21:int = int_add_wrap " + index +
           ", v8\n    v22:int = int_select v20, v21, " + index +
           "\n    v23:bool = int_below v22, v8\n    guard_true v23 !1\n    v24:int = array_data v2\n" +
           "    v25:float = element_float[float64] v24, v22\n    store_element_float[float64] v24, v22, v25\n";
}

std::string settled(const std::string& text) {
    return test::after(settleChecks, text);
}

std::string askedBefore(const std::string& text) {
    ir::Region region = test::regionOf(text);
    const std::string before = ir::print(region);
    const bool changed = askChecksBefore(region);
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    EXPECT_EQ(changed, ir::print(region) != before);
    return changed ? ir::print(region) : "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The element is at the position that a choice gives.
bool isChosen(const std::string& text) {
    return has(text, "element_float[float64] v24, v22");
}

// Nothing is left of the check but what is dead.
bool isSettled(const std::string& text) {
    return !has(text, "guard_true") && !isChosen(text);
}

const char* const kToLength = "    v9:int = int_min v8, v8\n";

TEST(SettleChecks, ACounterThatEndsAtTheLength) {
    const std::string text = settled(loopWith(kToLength, "v5", checkOf("v10")));
    EXPECT_TRUE(isSettled(text)) << text;
    EXPECT_TRUE(has(text, "element_float[float64] v24, v10")) << text;
}

TEST(SettleChecks, TheElementBeforeFromTheSecondOn) {
    const std::string before = "    v12:int = int_sub v10, v6 !1\n";
    EXPECT_TRUE(isSettled(settled(loopWith(kToLength, "v6", before + checkOf("v12")))));
    const std::string text = settled(loopWith(kToLength, "v5", before + checkOf("v12")));
    EXPECT_TRUE(has(text, "guard_true")) << text;
    EXPECT_TRUE(isChosen(text)) << "the first round's is the last element: " << text;
}

TEST(SettleChecks, TheElementBehindUpToTheLastButOne) {
    const std::string behind = "    v12:int = int_add v10, v6 !1\n";
    EXPECT_TRUE(isSettled(settled(loopWith("    v9:int = int_sub v8, v6 !0\n", "v5", behind + checkOf("v12")))));
    EXPECT_TRUE(has(settled(loopWith(kToLength, "v5", behind + checkOf("v12"))), "guard_true"));
}

TEST(SettleChecks, NotAnotherLimit) {
    EXPECT_TRUE(has(settled(loopWith("    v9:int = int_min v4, v4\n", "v5", checkOf("v10"))), "guard_true"));
    EXPECT_TRUE(isSettled(settled(loopWith("    v9:int = int_min v4, v8\n", "v5", checkOf("v10")))));
    EXPECT_TRUE(has(settled(loopWith("    v9:int = int_max v4, v8\n", "v5", checkOf("v10"))), "guard_true"));
}

TEST(SettleChecks, NotACounterThatComesFromAnywhere) {
    const std::string text = settled(loopWith(kToLength, "v4", checkOf("v10")));
    EXPECT_TRUE(has(text, "guard_true")) << text;
    EXPECT_TRUE(isChosen(text)) << text;
}

TEST(SettleChecks, SumsThatWrapAreNotKnown) {
    EXPECT_TRUE(
        has(settled(loopWith(kToLength, "v5", "    v12:int = int_sub_wrap v10, v4\n" + checkOf("v12"))), "guard_true"));
    EXPECT_TRUE(has(settled(loopWith("    v9:int = int_add_wrap v8, v7\n", "v5", checkOf("v19"))), "guard_true"));
}

TEST(SettleChecks, RemaindersAndUnsignedElements) {
    const std::string text = R"(    v12:int = int_mod v4, v8 !1
    v13:bool = int_gt v8, v5
    guard_true v13 !1
)";
    const std::string after = settled(loopWith(kToLength, "v5", text + checkOf("v12")));
    EXPECT_EQ(after.find("guard_true"), after.rfind("guard_true"))
        << "the divisor's sign is all that has to be asked: " << after;
    const std::string before = "    v9:int = const_int[256]\n    v13:bool = int_ge v8, v9\n    guard_true v13 !0\n";
    const std::string bin = "    v12:int = element_int[%] v4, v10\n";
    auto of = [&](const char* element) {
        std::string load = bin;
        return settled(loopWith(before, "v5", load.replace(load.find('%'), 1, element) + checkOf("v12")));
    };
    EXPECT_FALSE(isChosen(of("uint8")));
    EXPECT_TRUE(isChosen(of("int8")));
}

// The limit of each round of the loop around is another one: what was so in an earlier round says nothing.
TEST(SettleChecks, AnotherLengthInEachRound) {
    const char* text = R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v5:int = const_int[0]
    v6:int = const_int[1]
    jump block1(v5)
block1(v10:int):
    v2:object = guard_array[66817] v0, v1 !0
    v8:int = array_length[0] v2
    v11:bool = int_lt v10, v8
    branch v11 ? block3() : block2()
block2():
    exit !0
block3():
    poll !1
    v12:bool = int_below v10, v8
    guard_true v12 !1
    v13:int = int_add_index v10, v6
    v14:object = guard_array[66817] v0, v1 !0
    v15:int = array_length[0] v14
    v16:bool = int_below v10, v15
    guard_true v16 !1
    jump block1(v13)
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
    const std::string after = settled(text);
    EXPECT_FALSE(has(after, "guard_true v12")) << after;
    EXPECT_TRUE(has(after, "guard_true v16")) << after;
}

TEST(AskChecksBefore, WhetherTheLimitIsTheLength) {
    const std::string text = askedBefore(loopWith("    v9:int = int_min v4, v4\n", "v5", checkOf("v10")));
    EXPECT_TRUE(has(text, ":bool = int_le v9, v8")) << text;
    EXPECT_LT(text.find("int_le"), text.find("block1(")) << text;
    EXPECT_TRUE(has(text, "cold:\n    guard_true v23 !1\n    jump")) << text;
    EXPECT_FALSE(isChosen(text)) << "the position, however it came about: " << text;
}

TEST(AskChecksBefore, WhereTheCounterBegins) {
    const std::string text = askedBefore(loopWith(kToLength, "v4", checkOf("v10")));
    EXPECT_TRUE(has(text, ":bool = int_le ")) << text;
    EXPECT_LT(text.find("int_le"), text.find("block1(")) << text;
}

TEST(AskChecksBefore, NotWhatIsKnownOrComputedInTheLoop) {
    EXPECT_EQ(askedBefore(loopWith(kToLength, "v5", checkOf("v10"))), "") << "settled, or to be settled";
    EXPECT_EQ(
        askedBefore(loopWith(
            kToLength, "v5",
            "    v12:int = element_int[int64] v4, v10\n    v23:bool = int_below v12, v8\n    guard_true v23 !1\n")),
        "");
}

TEST(AskChecksBefore, FewIndicesCountFromTheEnd) {
    const std::string text =
        askedBefore(loopWith(kToLength, "v5", "    v12:int = element_int[int64] v4, v10\n" + checkOf("v12")));
    EXPECT_TRUE(has(text, "v26:bool = int_below v12, v8\n    branch v26 ? block5(v12) : block4()")) << text;
    EXPECT_TRUE(has(text, "cold:\n    guard_true v23 !1\n    jump block5(v22)")) << text;
    EXPECT_FALSE(isChosen(text)) << text;
}

TEST(AskChecksBefore, ABranchToAColdBlockIsAGuardToo) {
    const std::string check = R"(    v23:bool = int_below v10, v8
    branch v23 ? block5() : block4()
block4() cold:
    guard_true v23 !1
    jump block5()
block5():
    v24:int = array_data v2
)";
    EXPECT_EQ(askedBefore(loopWith("    v9:int = int_min v4, v4\n", "v5", check)), "") << "block5 has two entries";
    std::string sunk = check;
    sunk.replace(sunk.find("jump block5()"), 13, "jump block6()");
    sunk.insert(sunk.size(), "    jump block6()\nblock6():\n");
    const std::string text = askedBefore(loopWith("    v9:int = int_min v4, v4\n", "v5", sunk));
    EXPECT_TRUE(has(text, "cold:\n    branch v23 ? block5() : block4()\n")) << text;
}

TEST(HoistArrayParts, ToWhereTheHeadIsKnown) {
    const std::string text =
        loopWith("    v9:int = int_min v4, v4\n", "v5",
                 "    v30:int = array_length[1] v2\n    v31:int = array_length[1] v2\n" + checkOf("v10"));
    ir::Region region = test::regionOf(text);
    EXPECT_TRUE(hoistArrayParts(region));
    EXPECT_EQ(ir::verify(region), "");
    const std::string after = ir::print(region);
    EXPECT_LT(after.find("array_length[1]"), after.find("v3:object")) << after;
    EXPECT_EQ(after.find("array_length[1]"), after.rfind("array_length[1]")) << after;
    EXPECT_LT(after.find("array_data"), after.find("v3:object")) << after;
    EXPECT_FALSE(hoistArrayParts(region));
}

}  // namespace
}  // namespace kiln::passes
