// What is made of loops before strips are formed: tests of their own, elements with one name, and loops over an array's elements.
#include <string>

#include <gtest/gtest.h>

#include "jit/passes/form_strips.h"
#include "jit/passes/loop_tests.h"
#include "jit/passes/reuse_elements.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

constexpr int64_t kFewest = 16;

const char* const kArray = R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v2:object = guard_array[66817] v0, v1 !0
    v5:int = const_int[0]
    v7:int = const_int[8]
    v8:int = array_length[0] v2
    v9:int = array_data v2
)";
const char* const kSnapshots = R"(snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";

// `while i < n: a[i] = -a[i]; i += 1`, tested behind the sum.
std::string whileLoop(const std::string& test) {
    return std::string(kArray) + R"(    jump block1(v5)
block1(v10:int):
    v20:bool = int_below v10, v8
    guard_true v20 !1
    v21:int = int_mul_index v10, v7
    v22:float = element_float[float64] v9, v21
    v23:float = float_neg v22
    store_element_float[float64] v9, v21, v23
    v24:int = const_int[1]
    v25:int = int_add v10, v24 !1
)" + test + R"(    branch v26 ? block2() : block3()
block2():
    poll !1
    jump block1(v25)
block3():
    exit !0
)" + kSnapshots;
}

TEST(LoopTests, StandAloneBehindWhatTheyCount) {
    ir::Region region = test::regionOf(whileLoop("    v26:bool = int_lt v25, v8\n"));
    EXPECT_TRUE(splitLoopTests(region));
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    EXPECT_NE(ir::print(region).find("block4():\n    v26:bool = int_lt v25, v8\n    branch v26 ? block2() : block3()"), std::string::npos)
        << ir::print(region);
    EXPECT_FALSE(splitLoopTests(region)) << "once";
}

TEST(LoopTests, OfOtherNumbersStayWhereTheyAre) {
    ir::Region region = test::regionOf(whileLoop("    v26:bool = int_lt v10, v8\n"));
    EXPECT_FALSE(splitLoopTests(region));
}

TEST(LoopTests, GiveTheLoopAStrip) {
    ir::Region region = test::regionOf(whileLoop("    v26:bool = int_lt v25, v8\n"));
    EXPECT_TRUE(mayFormStrips(region));
    EXPECT_TRUE(formStrips(region, kFewest));
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
}

// `for x in a: s = larger(s, x)`: the iterator's index is compared without its sign.
TEST(FormStrips, LoopsOverElements) {
    ir::Region region = test::regionOf(std::string(kArray) + R"(    v6:int = const_int[1]
    v4:float = const_float[0.5]
    jump block1(v5, v4)
block1(v10:int, v11:float):
    v12:bool = int_below v10, v8
    branch v12 ? block3() : block2()
block2():
    exit !0
block3():
    v21:int = int_mul_index v10, v7
    v22:float = element_float[float64] v9, v21
    v23:int = int_add_wrap v10, v6
    v24:float = float_add v11, v22
    poll !1
    jump block1(v23, v24)
)" + kSnapshots);
    EXPECT_TRUE(formStrips(region, kFewest));
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    const std::string text = ir::print(region);
    EXPECT_NE(text.find("int_ge "), text.rfind("int_ge ")) << "enough rounds, and an index that is not negative: " << text;
}

int elementsRead(const std::string& between) {
    ir::Region region = test::regionOf(std::string(kArray) + R"(    v10:float = element_float[float64] v9, v5
    v11:float = const_float[0.5]
    v12:bool = float_gt v10, v11
)" + between + R"(    branch v12 ? block1() : block2()
block1():
    v13:float = element_float[float64] v9, v5
    store_element_float[float64] v9, v7, v13
    exit !1
block2():
    exit !0
)" + kSnapshots);
    reuseElements(region);
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    const std::string text = ir::print(region);
    int count = 0;
    for (size_t at = text.find("= element_float"); at != std::string::npos; at = text.find("= element_float", at + 1)) {
        count++;
    }
    return count;
}

TEST(ReuseElements, ReadOnceUntilSomethingIsStored) {
    EXPECT_EQ(elementsRead(""), 1);
    EXPECT_EQ(elementsRead("    guard_true v12 !1\n"), 1);
    EXPECT_EQ(elementsRead("    store_element_float[float64] v9, v7, v11\n"), 2);
}

}  // namespace
}  // namespace kiln::passes
