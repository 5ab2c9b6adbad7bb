// The pipeline: order, dumps, verification, and what the passes do together.
#include "jit/passes/pass_runner.h"

#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// A loop as it is recorded: constants and guards repeated, an invariant passed around, a pair of reference counts.
constexpr const char* kRecorded = R"(region "f" loop
object 0 "int"
code 0 "f"
block0():
    v0:object = load_slot[0]
    guard_class[0] v0 !0
    v1:int = const_int[0]
    jump block1(v1, v0)
block1(v2:int, v3:object):
    incref v3
    guard_class[0] v3 !1
    v4:int = unbox_int v3 !1
    decref v3
    v5:int = const_int[1]
    v6:int = const_int[1]
    v7:int = int_add v2, v6 !2
    v8:bool = int_lt v7, v4
    branch v8 ? block1(v7, v3) : block2()
block2():
    v9:int = int_add v2, v5 !2
    exit !3
block3():
    exit !3
snapshot 0 reason=1: frame 0 @unit 4 [home, null]
snapshot 1 reason=1: frame 0 @unit 8 [home, own v3]
snapshot 2 reason=2: frame 0 @unit 12 [home, v2]
snapshot 3 reason=4: frame 0 @unit 16 [home, v7]
)";

constexpr const char* kOptimised = R"(region "f" loop
object 0 "int"
code 0 "f"
block0():
    v0:object = load_slot[0]
    guard_class[0] v0 !0  # int
    v1:int = const_int[0]
    jump block1(v1)
block1(v2:int):
    v4:int = unbox_int v0 !1
    v5:int = const_int[1]
    v7:int = int_add v2, v5 !2
    v8:bool = int_lt v7, v4
    branch v8 ? block1(v7) : block2()
block2():
    exit !3
snapshot 0 reason=1: frame 0 @unit 4 [home, null]
snapshot 1 reason=1: frame 0 @unit 8 [home, v0]
snapshot 2 reason=2: frame 0 @unit 12 [home, v2]
snapshot 3 reason=4: frame 0 @unit 16 [home, v7]
)";

TEST(PassRunner, PassesWorkTogether) {
    ir::Region region = test::regionOf(kRecorded);
    EXPECT_TRUE(runPasses(region).changed);
    EXPECT_EQ(ir::print(region), kOptimised);
    EXPECT_EQ(ir::verify(region), "");
    EXPECT_FALSE(runPasses(region).changed);
    EXPECT_EQ(ir::print(region), kOptimised);
}

TEST(PassRunner, DumpsTheInputAndEachPass) {
    ir::Region region = test::regionOf(kRecorded);
    const std::string input = ir::print(region);
    std::vector<std::string> names;
    std::vector<std::string> texts;
    runPasses(region, [&](const char* name, const std::string& text) {
        names.push_back(name);
        texts.push_back(text);
    });
    const std::vector<std::string> expected = {
        "input",
#define KILN_PASS(function, name, reason) name,
#include "jit/passes/passes.def"
#undef KILN_PASS
    };
    EXPECT_EQ(names, expected);
    EXPECT_EQ(texts.front(), input);
    EXPECT_EQ(texts.back(), kOptimised);
}

bool loseEnd(ir::Region& region) {
    region.blocks.back().instructions.pop_back();
    return true;
}

bool doNothing(ir::Region&) {
    return false;
}

TEST(PassRunner, AnswersWhetherAnyPassChangedSomething) {
    ir::Region region = test::regionOf(kRecorded);
    const Pass idle[] = {{"idle", doNothing}};
    EXPECT_FALSE(runPassList(region, idle).changed);
    const Pass both[] = {{"eliminate_dead_code", eliminateDeadCode}, {"idle", doNothing}};
    EXPECT_TRUE(runPassList(region, both).changed);
}

TEST(PassRunner, MalformedRegionIsRefusedWithPassAndProblem) {
    ir::Region region = test::regionOf(kRecorded);
    const Pass passes[] = {{"idle", doNothing}, {"lose_end", loseEnd}};
    EXPECT_EQ(runPassList(region, passes).problem, "after lose_end: block3: is empty");
}

TEST(PassRunner, MalformedInputIsRefusedBeforeAnyPass) {
    ir::Region region = test::regionOf(kRecorded);
    loseEnd(region);
    const std::string input = ir::print(region);
    EXPECT_EQ(runPasses(region).problem, "after input: block3: is empty");
    EXPECT_EQ(ir::print(region), input);
}

}  // namespace
}  // namespace kiln::passes
