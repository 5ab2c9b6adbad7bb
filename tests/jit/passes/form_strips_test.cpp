// form_strips: which loops get a strip, and what is in it.
#include "jit/passes/form_strips.h"

#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "jit/passes/counted_loops.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

constexpr int64_t kFewest = 16;

// A loop over two arrays of floats; `body` computes v40 and stores it, `latch` leads back.
std::string loopWith(const std::string& body, const std::string& end = "    poll !1\n    jump block1(v19)\n") {
    return R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
object 1 "an object"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v2:object = guard_array[66817] v0, v1 !0
    v3:object = load_slot[1]
    v4:object = guard_array[66817] v3, v1 !0
    v5:int = const_int[0]
    v6:int = const_int[1]
    v7:int = const_int[8]
    v8:int = array_length[0] v2
    jump block1(v5)
block1(v10:int):
    v11:bool = int_lt v10, v8
    branch v11 ? block3() : block2()
block2():
    exit !0
block3():
    v19:int = int_add_index v10, v6
)" + body + end +
           R"(snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
}

// The element of the index, checked as an index of Python's.
const char* const kLoad = R"(    v20:bool = int_lt v10, v5
    v21:int = int_add_wrap v10, v8
    v22:int = int_select v20, v21, v10
    v23:bool = int_below v22, v8
    guard_true v23 !1
    v24:int = int_mul_index v22, v7
    v25:int = array_data v2
    v26:float = element_float[float64] v25, v24
)";
const char* const kStore = R"(    v28:int = array_length[0] v4
    v30:bool = int_below v10, v28
    guard_true v30 !1
    v31:int = array_data v4
    store_element_float[float64] v31, v24, v40
)";

std::string withStrips(const std::string& text, int64_t marks = 0) {
    ir::Region region = test::regionOf(text);
    const std::string before = ir::print(region);
    const bool formed = formStrips(region, kFewest, marks);
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    EXPECT_EQ(formed, ir::print(region) != before);
    return formed ? ir::print(region) : "";
}

int countOf(const std::string& text, const std::string& part) {
    int count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        count++;
    }
    return count;
}

TEST(FormStrips, ChecksRangesBeforeAndPollsBetween) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + "    v40:float = float_neg v26\n" + kStore));
    ASSERT_NE(text, "");
    EXPECT_EQ(countOf(text, "poll !1"), 1) << "of the loop itself";
    EXPECT_EQ(countOf(text, "guard_true"), 2) << "of the loop itself";
    EXPECT_EQ(countOf(text, "int_below"), 2 + 2 + 4) << "of the loop, unused ones of the strip, and for its first and last round";
    EXPECT_EQ(countOf(text, "save_elements"), 0) << "nothing can fail";
    EXPECT_EQ(countOf(text, "strip_failed"), 1) << "asked for overflows of the ranges only";
}

// An array that is the same in all rounds, but which each round asks what it is like.
std::string loadOf(const std::string& array) {
    return "    v70:object = const_object[1]\n    v71:object = guard_array[66817] " + array +
           ", v1 !1\n    v72:int = array_length[0] v71\n    v73:bool = int_below v10, v72\n    guard_true v73 !1\n"
           "    v74:int = array_data v71\n    v75:float = element_float[float64] v74, v24\n    v40:float = float_larger v26, v75\n";
}

TEST(FormStrips, AsksBeforeWhatAConstantArrayIsLike) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + loadOf("v70") + kStore));
    EXPECT_EQ(countOf(text, "guard_array[66817]"), 2 + 1 + 1) << "where the region begins, of the loop itself, and before the strip: " << text;
    EXPECT_EQ(withStrips(loopWith(std::string(kLoad) + loadOf("v3") + kStore)), "") << "nothing is read of what may be no array";
}

TEST(FormStrips, FewRoundsGoOnAtOnce) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + "    v40:float = float_neg v26\n" + kStore));
    EXPECT_EQ(countOf(text, "int_sub_wrap v8, "), 2) << "rounds left, where the loop is entered and where a round ends: " << text;
    EXPECT_EQ(countOf(text, "exact_rounds\n"), 1) << "asked behind that: " << text;
    const size_t poll = text.find("poll !1");
    EXPECT_EQ(text.rfind("):\n", poll), poll - 7) << "a block of its own: " << text;
}

// The limit is a parameter of the loop: each round passes it on.
TEST(FormStrips, FewRoundsOfALimitThatIsPassedOn) {
    std::string text = loopWith(std::string(kLoad) + "    v40:float = float_neg v26\n" + kStore, "    poll !1\n    jump block1(v19, v9)\n");
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"block1(v5)", "block1(v5, v8)"}, {"block1(v10:int)", "block1(v10:int, v9:int)"},
                                   {"int_lt v10, v8\n    branch", "int_lt v10, v9\n    branch"}}) {
        ASSERT_NE(text.find(from), std::string::npos);
        text.replace(text.find(from), from.size(), to);
    }
    EXPECT_NE(withStrips(text), "");
}

// Entered in its midst, so that what a round computes is there in the next one without a parameter: not in a copy.
TEST(FormStrips, WhatIsUsedInTheRoundBehindBecomesAParameter) {
    std::string text = loopWith(std::string(kLoad) + "    v40:float = float_neg v26\n" + kStore,
                                "    jump block4(v19, v62)\nblock4(v60:int, v61:int):\n    v62:int = int_add_index v61, v6\n"
                                "    poll !1\n    jump block1(v60)\n");
    text.replace(text.find("jump block1(v5)"), 15, "jump block4(v5, v5)");
    const std::string strips = withStrips(text);
    EXPECT_EQ(countOf(strips, "begin_strip"), 2) << strips;
    EXPECT_EQ(countOf(strips, "block1(v10:int, v63:int)"), 1);
    EXPECT_EQ(countOf(strips, "jump block4(v19, v63)"), 1);
}

TEST(FormStrips, DefersFlagsAndSavesWhatIsStored) {
    const std::string text = withStrips(loopWith(
        std::string(kLoad) + "    v40:float = float_mul v26, v26\n    guard_no_flag[1] v40, v26, v26 !1\n" + kStore));
    EXPECT_EQ(countOf(text, "guard_no_flag[0]"), 1) << "deferred, without the underflow";
    EXPECT_EQ(countOf(text, "underflow_ignored"), 1);
    EXPECT_EQ(countOf(text, "save_elements[float64]"), 1);
    EXPECT_EQ(countOf(text, "restore_elements[float64]"), 1);
    EXPECT_EQ(countOf(text, "strip_failed"), 2);
}

TEST(FormStrips, AsksOnlyTheLastOfAChain) {
    const std::string text = withStrips(loopWith(
        std::string(kLoad) + "    v39:float = float_add v26, v26\n    guard_no_flag[0] v39, v26, v26 !1\n"
                             "    v40:float = float_sub v39, v26\n    guard_no_flag[0] v40, v39, v26 !1\n" + kStore));
    EXPECT_EQ(countOf(text, "guard_no_flag[0]"), 2 + 1);
}

// Guards without an exit whose result is all they look at.
size_t blindGuards(const std::string& text) {
    const std::regex blind(R"(guard_no_flag\[0\] (v\d+), \1, \1)");
    return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), blind), std::sregex_iterator()));
}

// An infinity that was one before fails no strip, unless the guard stands for what it came of.
TEST(FormStrips, AGuardThatStandsForAnotherLooksAtItsResultAlone) {
    const std::string sum = "    v39:float = float_add v26, v26\n    guard_no_flag[0] v39, v26, v26 !1\n";
    const std::string alone = withStrips(loopWith(std::string(kLoad) + sum + "    v40:float = float_neg v39\n" + kStore));
    EXPECT_EQ(countOf(alone, "guard_no_flag[0]"), 2) << alone;
    EXPECT_EQ(blindGuards(alone), 0U) << alone;
    const std::string chain = withStrips(loopWith(
        std::string(kLoad) + sum + "    v40:float = float_sub v39, v26\n    guard_no_flag[0] v40, v39, v26 !1\n" + kStore));
    EXPECT_EQ(blindGuards(chain), 1U) << chain;
}

// No flag of the processor's tells of a division by zero, of what a compiler computes, nor of what was before a call that clears it.
TEST(FormStrips, QuotientsAndWhatIsNoElementsSumAreLookedAtAlone) {
    const std::string quotient = withStrips(loopWith(
        std::string(kLoad) + "    v40:float = float_div v26, v26\n    guard_no_flag[0] v40, v26, v26 !1\n" + kStore));
    EXPECT_EQ(blindGuards(quotient), 1U) << quotient;
    const std::string cleared = withStrips(loopWith(
        std::string(kLoad) + "    v39:float = numpy_unary[0] v26 !1\n    v40:float = float_add v26, v26\n    guard_no_flag[0] v40, v26, v26 !1\n" + kStore));
    EXPECT_EQ(blindGuards(cleared), 1U) << cleared;
    const std::string counter = withStrips(loopWith(
        std::string(kLoad) + "    v39:float = int_to_float v10\n    v40:float = float_add v39, v39\n    guard_no_flag[0] v40, v39, v39 !1\n" + kStore));
    EXPECT_EQ(blindGuards(counter), 1U) << counter;
}

// What only some rounds store must not be put back: it may be somebody else's by then.
TEST(FormStrips, StoresOfSomeRoundsCannotBePutBack) {
    const std::string half = std::string(kLoad) + "    v40:float = float_mul v26, v26\n%s"
                                                  "    v41:bool = float_lt v26, v40\n    branch v41 ? block4() : block5()\n"
                                                  "block4():\n" + kStore + "    jump block5()\nblock5():\n";
    auto with = [&](const std::string& guard) {
        std::string body = half;
        return withStrips(loopWith(body.replace(body.find("%s"), 2, guard)));
    };
    EXPECT_NE(with(""), "");
    EXPECT_EQ(with("    guard_no_flag[0] v40, v26, v26 !1\n"), "");
}

TEST(FormStrips, MarksSayWhichRoundsStore) {
    const std::string some = std::string(kLoad) + "    v40:float = float_mul v26, v26\n%s"
                                                  "    v41:bool = float_lt v26, v40\n    branch v41 ? block4() : block5()\n"
                                                  "block4():\n" + kStore + "    jump block5()\nblock5():\n";
    auto with = [&](const std::string& guard) {
        std::string body = some;
        return withStrips(loopWith(body.replace(body.find("%s"), 2, guard)), 4096);
    };
    EXPECT_EQ(countOf(with(""), "store_element_int[int32]"), 0) << "nothing can fail";
    const std::string marked = with("    guard_no_flag[0] v40, v26, v26 !1\n");
    EXPECT_EQ(countOf(marked, "store_element_int[int32]"), 1);
    EXPECT_EQ(countOf(marked, "const_int[4096]"), 1);
    EXPECT_EQ(countOf(marked, "restore_elements[float64]"), 1);
}

// A loop with two parameters: the counter, and a float that each round makes anew.
std::string loopThatHandsOn(const std::string& body, const std::string& end) {
    std::string text = loopWith(body, end);
    text.replace(text.find("jump block1(v5)"), 15, "jump block1(v5, v9)");
    text.replace(text.find("block1(v10:int)"), 15, "block1(v10:int, v12:float)");
    text.replace(text.find("    v8:int"), 10, "    v9:float = const_float[0]\n    v8:int");
    return text;
}

TEST(FormStrips, AsksForTheFlagsOfASumAtTheEnd) {
    const std::string text = withStrips(loopThatHandsOn(
        std::string(kLoad) + "    v60:float = float_mul v26, v26\n    guard_no_flag[0] v60, v26, v26 !1\n"
                             "    v61:float = float_add v12, v60\n    guard_no_flag[0] v61, v12, v60 !1\n",
        "    poll !1\n    jump block1(v19, v61)\n"));
    EXPECT_EQ(countOf(text, "guard_no_flag[0]"), 2 + 1) << text;
    const size_t last = text.rfind("guard_no_flag[0]");
    EXPECT_LT(text.find("strip_failed", last) - last, 60U) << "right before the question: " << text;
}

TEST(FormStrips, SumsOfSomeRoundsHandFlagsOnToo) {
    const std::string text = withStrips(loopThatHandsOn(
        std::string(kLoad) + "    v41:bool = float_lt v26, v12\n    branch v41 ? block4() : block5()\nblock4():\n"
                             "    v61:float = float_sub v12, v26\n    guard_no_flag[0] v61, v12, v26 !1\n    jump block6(v61)\n"
                             "block5():\n    jump block6(v12)\nblock6(v62:float):\n",
        "    poll !1\n    jump block1(v19, v62)\n"));
    EXPECT_EQ(countOf(text, "guard_no_flag[0]"), 1 + 1) << text;
}

TEST(FormStrips, AProductThatIsNotHandedOnKeepsItsGuard) {
    const std::string text = withStrips(loopThatHandsOn(
        std::string(kLoad) + "    v61:float = float_mul v26, v26\n    guard_no_flag[0] v61, v26, v26 !1\n"
                             "    v41:bool = float_lt v26, v12\n    branch v41 ? block4(v12) : block4(v61)\nblock4(v62:float):\n",
        "    poll !1\n    jump block1(v19, v62)\n"));
    EXPECT_EQ(countOf(text, "guard_no_flag[0] v61"), 1);
    EXPECT_EQ(countOf(text, "guard_no_flag[0]"), 2) << text;
}

std::string extremeOf(const std::string& comparison, const std::string& arms, const std::string& more = "") {
    return withStrips(loopThatHandsOn(
        std::string(kLoad) + "    v41:bool = " + comparison + "\n    branch v41 ? block4() : block5()\nblock4():\n    jump block6(" +
            arms.substr(0, 3) + ")\nblock5():\n    jump block6(" + arms.substr(4) + ")\nblock6(v62:float):\n" + more,
        "    poll !1\n    jump block1(v19, v62)\n"));
}

TEST(FormStrips, ExtremesMayBeTakenInAnyOrder) {
    EXPECT_EQ(countOf(extremeOf("float_gt v26, v12", "v26 v12"), "float_larger"), 1);
    EXPECT_EQ(countOf(extremeOf("float_lt v26, v12", "v26 v12"), "float_smaller"), 1);
    EXPECT_EQ(countOf(extremeOf("float_lt v12, v26", "v26 v12"), "float_larger"), 1);
    EXPECT_EQ(countOf(extremeOf("float_ge v12, v26", "v26 v12"), "float_smaller"), 1);
    EXPECT_EQ(countOf(extremeOf("float_gt v12, v26", "v12 v26"), "float_larger"), 1);
    EXPECT_EQ(countOf(extremeOf("float_le v26, v12", "v12 v26"), "float_larger"), 1);
}

TEST(FormStrips, OfEqualZerosTheFirstIsKeptOrNotKnown) {
    const std::string kept = extremeOf("float_gt v26, v12", "v26 v12");
    EXPECT_EQ(countOf(kept, "float_select"), 1) << kept;
    const std::string last = extremeOf("float_ge v26, v12", "v26 v12");
    EXPECT_EQ(countOf(last, "float_larger"), 1);
    EXPECT_EQ(countOf(last, "float_select"), 0) << last;
}

TEST(FormStrips, WhatIsSeenAmidTheStripIsNoExtreme) {
    EXPECT_EQ(countOf(extremeOf("float_gt v26, v12", "v26 v12", "    v63:float = float_neg v62\n    guard_no_flag[0] v63, v62, v62 !1\n"),
                      "float_larger"), 0);
    EXPECT_EQ(countOf(extremeOf("float_gt v26, v12", "v26 v12", "    v63:float = float_neg v62\n"), "float_larger"), 1) << "v63 is not used";
    EXPECT_EQ(countOf(extremeOf("float_eq v26, v12", "v26 v12"), "float_larger"), 0);
}

TEST(FormStrips, CountsOfSomeRoundsHaveNoOverflow) {
    std::string text = loopWith(std::string(kLoad) + "    v41:bool = float_lt v26, v26\n    branch v41 ? block4() : block5()\nblock4():\n"
                                                     "    v61:int = int_add v12, v6 !1\n    jump block6(v61)\nblock5():\n"
                                                     "    jump block6(v12)\nblock6(v62:int):\n",
                                "    poll !1\n    jump block1(v19, v62)\n");
    text.replace(text.find("jump block1(v5)"), 15, "jump block1(v5, v5)");
    text.replace(text.find("block1(v10:int)"), 15, "block1(v10:int, v12:int)");
    EXPECT_EQ(countOf(withStrips(text), "strip_failed"), 1) << "of the ranges";
}

TEST(FormStrips, StoresOfBothArmsAreOfEachRound) {
    std::string second = kStore;
    for (const char* name : {"v28", "v30", "v31"}) {
        for (size_t at = second.find(name); at != std::string::npos; at = second.find(name)) {
            second.replace(at, 3, std::string("v5") + name[2] + (name[1] == '2' ? "2" : "3"));
        }
    }
    const std::string body = std::string(kLoad) + "    v40:float = float_mul v26, v26\n    guard_no_flag[0] v40, v26, v26 !1\n"
                                                  "    v41:bool = float_lt v26, v40\n    branch v41 ? block4() : block5()\n"
                                                  "block4():\n" + kStore + "    jump block6()\nblock5():\n" + second +
                             "    jump block6()\nblock6():\n";
    const std::string text = withStrips(loopWith(body));
    EXPECT_EQ(countOf(text, "save_elements"), 1);
}

TEST(FormStrips, ComputedIndicesEndTheStrip) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + R"(    v50:int = float_to_int v26 !1
    v51:bool = int_below v50, v8
    guard_true v51 !1
    v52:int = int_mul_index v50, v7
    v40:float = element_float[float64] v25, v52
)" + kStore));
    EXPECT_NE(text, "");
    EXPECT_EQ(countOf(text, "guard_true v51 !1"), 1);
    EXPECT_EQ(countOf(text, "restore_elements"), 1);
}

TEST(FormStrips, SumsOfSmallNumbersHaveNoOverflow) {
    std::string text = loopWith(std::string(kLoad) + "    v60:int = element_int[int32] v25, v24\n    v61:int = int_add v12, v60 !1\n",
                                "    poll !1\n    jump block1(v19, v61)\n");
    text.replace(text.find("jump block1(v5)"), 15, "jump block1(v5, v5)");
    text.replace(text.find("block1(v10:int)"), 15, "block1(v10:int, v12:int)");
    const std::string small = withStrips(text);
    EXPECT_EQ(countOf(small, "int_add_index"), 3 + 1) << "the counter twice, the strip's rounds, and the sum";
    text.replace(text.find("element_int[int32]"), 18, "element_int[int64]");
    const std::string large = withStrips(text);
    EXPECT_EQ(countOf(large, "int_add_index"), 3);
    EXPECT_NE(large, "");
}

// By how many places is only known in each round: whether that is good is asked at the strip's end.
TEST(FormStrips, ShiftsOfManyPlacesAreDeferred) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + R"(    v70:int = int_shl v6, v10 !1
    v71:int = int_shr v70, v6
    v72:float = int_to_float v71
    v40:float = float_add v26, v72
)" + kStore));
    EXPECT_EQ(countOf(text, ":int = int_shl "), 2);
    EXPECT_EQ(countOf(text, ":int = int_shl v6, v10 !1"), 1) << "the loop's own";
    EXPECT_NE(text, "");
}

// A product that is known to fit behind a guard is not known to before it.
TEST(FormStrips, WhatMovesBeforeItsGuardIsAskedForOverflow) {
    const std::string text = withStrips(loopWith(std::string(kLoad) + R"(    v70:int = int_mul_index v8, v8
    v71:int = int_add_index v24, v70
    v40:float = float_neg v26
    v31:int = array_data v4
    store_element_float[float64] v31, v71, v40
)"));
    EXPECT_EQ(countOf(text, "int_mul_index v8, v8"), 1) << "the loop's own";
    EXPECT_EQ(countOf(text, "int_mul v8, v8\n"), 1);
}

// Three elements for each, by a loop inside; `latch` is how the loop inside goes on with v53, its counter, and v54, its sum.
std::string loopAroundLoop(const std::string& last, const std::string& latch = "    poll !1\n    jump block4(v53, v54)\n") {
    return loopWith("    v45:float = const_float[0]\n    v46:int = const_int[" + last + R"(]
    jump block4(v5, v45)
block4(v50:int, v51:float):
    v52:bool = int_lt v50, v46
    branch v52 ? block5() : block6()
block5():
    v53:int = int_add_index v50, v6
    v55:int = int_add v10, v50 !1
    v23:bool = int_below v55, v8
    guard_true v23 !1
    v24:int = int_mul_index v55, v7
    v25:int = array_data v2
    v26:float = element_float[float64] v25, v24
    v54:float = float_add v51, v26
)" + latch + R"(block6():
    v30:bool = int_below v10, v8
    guard_true v30 !1
    v31:int = array_data v4
    v32:int = int_mul_index v10, v7
    store_element_float[float64] v31, v32, v51
)");
}

TEST(FormStrips, LoopsOfKnownRoundsAreLaidOut) {
    const std::string text = withStrips(loopAroundLoop("3"));
    EXPECT_EQ(countOf(text, "= element_float"), 1 + 3) << text;
    EXPECT_EQ(countOf(text, "store_element_float"), 1 + 1);
    EXPECT_EQ(countOf(text, "poll !1"), 2) << "of the loops themselves";
    EXPECT_EQ(countOf(withStrips(loopAroundLoop("1")), "= element_float"), 1 + 1);
}

TEST(FormStrips, LoopsOfManyRoundsAreNot) {
    const std::string text = withStrips(loopAroundLoop("1000"));
    EXPECT_EQ(countOf(text, "= element_float"), 1 + 1) << "the loop inside has the strip";
}

// The loop inside ends at a number from outside.
std::string loopAroundLimitedLoop(const std::string& seen) {
    std::string text = loopAroundLoop("3");
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"    v46:int = const_int[3]\n", ""}, {"    jump block1(v5)\n", "    v9:int = array_length[0] v4\n    jump block1(v5)\n"},
                                   {"int_lt v50, v46", "int_lt" + seen + " v50, v9"}}) {
        EXPECT_NE(text.find(from), std::string::npos);
        text.replace(text.find(from), from.size(), to);
    }
    return text;
}

TEST(FormStrips, LoopsOfTheRoundsThatTheyHadAreLaidOut) {
    const std::string text = withStrips(loopAroundLimitedLoop("[3]"));
    EXPECT_EQ(countOf(text, "= element_float"), 1 + 3 + 1) << "the loop inside has a strip of its own: " << text;
    EXPECT_EQ(countOf(text, "int_eq v9, "), 1) << "asked before the strip: " << text;
    for (const char* seen : {"", "[17]"}) {
        const std::string other = withStrips(loopAroundLimitedLoop(seen));
        EXPECT_EQ(countOf(other, "= element_float"), 1 + 1) << "the loop inside has the strip: " << other;
        EXPECT_EQ(countOf(other, "int_eq v9, "), 0);
    }
}

TEST(FormStrips, LoopsOfKnownRoundsMayBeLeft) {
    std::string text = loopAroundLoop("3", R"(    v56:float = const_float[1]
    v57:bool = float_lt v26, v56
    branch v57 ? block6() : block7()
block6():
    poll !1
    jump block4(v53, v54)
)");
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"block5() : block6()", "block5() : block7()"}, {"block6():\n    v30", "block7():\n    v30"}}) {
        ASSERT_NE(text.find(from), std::string::npos);
        text.replace(text.find(from), from.size(), to);
    }
    EXPECT_EQ(countOf(withStrips(text), "= element_float"), 1 + 3);
}

TEST(FormStrips, OtherLoopsStayAsTheyAre) {
    const std::string load = kLoad;
    EXPECT_EQ(withStrips(loopWith("    v40:float = const_float[1]\n")), "") << "no elements";
    EXPECT_EQ(withStrips(loopWith(load + "    v70:object = opaque_object[binary_op] v0, v0 !1\n    decref_number v70\n")), "") << "a call";
    EXPECT_EQ(withStrips(loopWith(load, "    poll !1\n    jump block1(v10)\n")), "") << "no counter";
    EXPECT_EQ(withStrips(loopWith(load + "    v40:float = float_neg v26\n    v71:int = float_to_int v26 !1\n"
                                         "    v72:int = int_mul_index v71, v7\n    v31:int = array_data v4\n"
                                         "    store_element_float[float64] v31, v72, v40\n")), "") << "stores anywhere";
    EXPECT_EQ(withStrips(loopWith(load + "    v73:int = int_mod v19, v22 !1\n")), "") << "a divisor that changes";
}

TEST(CountedLoops, BodiesMayBeEnteredInTheirMidst) {
    const ir::Region region = test::regionOf(R"(region "f" function(bool, int) -> none
code 0 "f"
block0(v0:bool, v1:int):
    v2:int = const_int[1]
    branch v0 ? block1(v1) : block3(v1)
block1(v3:int):
    v4:bool = int_lt v3, v1
    branch v4 ? block2() : block4()
block2():
    jump block3(v3)
block3(v5:int):
    v6:int = int_add_wrap v5, v2
    poll !0
    jump block1(v6)
block4():
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)");
    const std::vector<CountedLoop> loops = findCountedLoops(region);
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].header, 1);
    EXPECT_EQ(loops[0].body, (std::vector<ir::BlockId>{2, 3}));
}

TEST(CountedLoops, NeitherLoopsAroundOthersNorThoseThatBreak) {
    const char* const text = R"(region "f" function(bool, int) -> none
code 0 "f"
block0(v0:bool, v1:int):
    v2:int = const_int[1]
    jump block1(v2)
block1(v3:int):
    v4:bool = int_lt v3, v1
    branch v4 ? block2() : block4()
block2():
    v6:int = int_add_wrap v3, v2
    branch v0 ? %s() : block3()
block3():
    poll !0
    jump block1(v6)
block4():
    return_value
block5():
    poll !0
    branch v0 ? block5() : block3()
block6():
    exit !0
snapshot 0 reason=1: frame 0 @unit 4 []
)";
    auto loopsWith = [&](const std::string& target) {
        std::string with = text;
        return findCountedLoops(test::regionOf(with.replace(with.find("%s"), 2, target))).size();
    };
    EXPECT_EQ(loopsWith("block3"), 1u);
    EXPECT_EQ(loopsWith("block4"), 0u) << "a break";
    EXPECT_EQ(loopsWith("block5"), 0u) << "a loop inside";
    EXPECT_EQ(loopsWith("block6"), 1u) << "the region ends";
}

}  // namespace
}  // namespace kiln::passes
