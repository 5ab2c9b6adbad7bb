// read_lists_before: which inner loops find the lists they count through in buffers, and which do not.
#include "jit/passes/read_lists_before.h"

#include <gtest/gtest.h>

#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// For each j below v3, and each k: what the list v0, and row v1[k] at j, have. `amid` stands in the loop around, `inner` in the one inside.
std::string loopsWith(const std::string& amid, const std::string& inner) {
    return R"(region "f" loop
object 0 "list"
object 1 "float"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = load_slot[1]
    v2:object = load_slot[2]
    v3:int = unbox_int v2 !0
    v4:int = const_int[0]
    v5:int = const_int[1]
    v6:float = const_float[0]
    jump block1(v4)
block1(v10:int):
    v11:bool = int_lt v10, v3
    branch v11 ? block2() : block5()
block2():
    v12:int = int_add_index v10, v5
    jump block3(v4, v6)
block3(v20:int, v21:float):
    v22:bool = int_lt v20, v3
    branch v22 ? block4() : block6()
block4():
    v23:int = load_field[ob_size] v0
    v24:bool = int_below v20, v23
    guard_true v24 !0
    v25:object = list_item v0, v20
    guard_class[1] v25 !0
    v26:float = unbox_float v25
    v27:int = load_field[ob_size] v1
    v28:bool = int_below v20, v27
    guard_true v28 !0
    v29:object = list_item v1, v20
    guard_class[0] v29 !0
    v30:int = load_field[ob_size] v29
    v31:bool = int_below v10, v30
    guard_true v31 !0
    v32:object = list_item v29, v10
    guard_class[1] v32 !0
    v33:float = unbox_float v32
    v34:float = float_mul v26, v33
    v35:float = float_add v21, v34
    v36:int = int_add_index v20, v5
)" + inner + R"(    poll !1
    jump block3(v36, v35)
block5():
    exit !0
block6():
)" + amid + R"(    poll !1
    jump block1(v12)
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
}

std::string readBefore(const std::string& text) {
    ir::Region region = test::regionOf(text);
    const std::string before = ir::print(region);
    const bool changed = readListsBefore(region);
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    EXPECT_EQ(changed, ir::print(region) != before);
    return changed ? ir::print(region) : "";
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

TEST(ReadListsBefore, NumbersAndRows) {
    const std::string after = readBefore(loopsWith("", ""));
    EXPECT_EQ(count(after, "pure_int[read_list]"), 2);
    EXPECT_EQ(count(after, "element_float[float64]"), 1);
    EXPECT_EQ(count(after, "item_at"), 1);
    EXPECT_EQ(count(after, "class_is"), 1);     // of the row's item
    EXPECT_EQ(count(after, "guard_class"), 3);  // the loop's own
    EXPECT_EQ(count(after, "snapshot"), 2);
}

TEST(ReadListsBefore, ListsThatGrowMeanwhileAreNamed) {
    const std::string after = readBefore(loopsWith("    list_append v2, v2 !0\n", ""));
    EXPECT_EQ(count(after, ", v2\n"), 2);  // of both questions
}

TEST(ReadListsBefore, NotWhereListsChange) {
    EXPECT_EQ(readBefore(loopsWith("    list_store_float v0, v10, v6 !0\n", "")), "");
    EXPECT_EQ(readBefore(loopsWith("", "    list_store_float v0, v10, v6 !0\n")), "");
    EXPECT_EQ(readBefore(loopsWith("    v50:object = load_slot[3]\n    list_append v50, v2 !0\n", "")), "");
    EXPECT_EQ(readBefore(loopsWith("    v50:object = take_slot[3]\n", "")), "");
}

TEST(ReadListsBefore, NotWhereTheCopyCouldNotLeave) {
    EXPECT_EQ(readBefore(loopsWith("", "    v50:float = float_div v35, v34 !0\n")), "");
}

// Somebody sees the object: it is read as ever, the row from the buffer.
TEST(ReadListsBefore, ItemsThatAreSeenStay) {
    const std::string after = readBefore(loopsWith("", "    incref v25\n"));
    EXPECT_EQ(count(after, "pure_int[read_list]"), 1);
    EXPECT_EQ(count(after, "element_float[float64]"), 0);
}

TEST(ReadListsBefore, OnlyLoopsInside) {
    EXPECT_TRUE(mayReadListsBefore(test::regionOf(loopsWith("", ""))));
    std::string once = loopsWith("", "");
    once.replace(once.find("    jump block1(v12)"), 20, "    exit !0");
    EXPECT_EQ(readBefore(once), "");
}

}  // namespace
}  // namespace kiln::passes
