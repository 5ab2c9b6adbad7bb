// version_strip: strips over a few places in a row have a version for just so many.
#include "jit/passes/version_strip.h"

#include <string>

#include <gtest/gtest.h>

#include "jit/passes/form_strips.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// for i in range(len(a)): b[i] = a[i, 0] - a[i, `place`].
std::string loopOver(const std::string& place, const std::string& length = "v9") {
    return R"(region "f" loop
object 0 "numpy.dtypes.Float64DType"
code 0 "f"
block0():
    v0:object = load_slot[0]
    v1:object = const_object[0]
    v2:object = guard_array[132353] v0, v1 !0
    v3:object = load_slot[1]
    v4:object = guard_array[66817] v3, v1 !0
    v5:int = const_int[0]
    v6:int = const_int[1]
    v7:int = const_int[)" + place + R"(]
    v8:int = array_length[0] v2
    v9:int = array_length[1] v2
    v10:int = array_data v2
    v11:int = array_length[0] v4
    v12:int = array_data v4
    jump block1(v5)
block1(v20:int):
    v21:bool = int_lt v20, v8
    branch v21 ? block3() : block2()
block2():
    exit !0
block3():
    v22:int = int_add_index v20, v6
    v23:bool = int_below v20, v8
    guard_true v23 !1
    v24:bool = int_below v7, v9
    guard_true v24 !1
    v25:int = int_mul_index v20, )" + length + R"(
    v26:float = element_float[float64] v10, v25
    v27:int = int_add_index v25, v7
    v28:float = element_float[float64] v10, v27
    v29:float = float_larger v26, v28
    v30:bool = int_below v20, v11
    guard_true v30 !1
    store_element_float[float64] v12, v20, v29
    poll !1
    jump block1(v22)
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)";
}

// The text of the region with its strip; how often elements are read is three or two times two: the loop, the strip and its version.
std::string withStrips(const std::string& text) {
    ir::Region region = test::regionOf(text);
    EXPECT_TRUE(formStrips(region, 16, 0)) << text;
    EXPECT_EQ(ir::verify(region), "") << ir::print(region);
    return ir::print(region);
}

int readsIn(const std::string& text) {
    int count = 0;
    for (size_t at = text.find(" = element_float"); at != std::string::npos; at = text.find(" = element_float", at + 1)) {
        count++;
    }
    return count;
}

TEST(VersionStrip, HasAConstantStepWhereAllPlacesAreTaken) {
    const std::string text = withStrips(loopOver("1"));
    EXPECT_EQ(readsIn(text), 6) << text;
    EXPECT_NE(text.find(":bool = int_eq v9, "), std::string::npos) << "which it asks before it begins: " << text;
}

TEST(VersionStrip, IsMadeOfConsecutivePlacesOnly) {
    EXPECT_EQ(readsIn(withStrips(loopOver("2"))), 4);
    EXPECT_EQ(readsIn(withStrips(loopOver("0"))), 4);
    EXPECT_EQ(readsIn(withStrips(loopOver("1", "v6"))), 4) << "the step is a constant anyway";
}

}  // namespace
}  // namespace kiln::passes
