// Regions of tests, written as text.
#include "tests/jit/region_text.h"

#include <gtest/gtest.h>

namespace kiln::test {

ir::Region regionOf(const std::string& text) {
    ir::Region region;
    std::string error;
    EXPECT_TRUE(ir::parse(text, region, error)) << error << "\n" << text;
    EXPECT_EQ(ir::verify(region), "") << text;
    return region;
}

std::string normalised(const std::string& text) {
    ir::Region region;
    std::string error;
    EXPECT_TRUE(ir::parse(text, region, error)) << error << "\n" << text;
    return ir::print(region);
}

std::string after(bool (*pass)(ir::Region&), const std::string& text) {
    ir::Region region = regionOf(text);
    const std::string before = ir::print(region);
    const bool changed = pass(region);
    const std::string result = ir::print(region);
    EXPECT_EQ(ir::verify(region), "") << result;
    EXPECT_EQ(changed, result != before) << result;
    EXPECT_FALSE(pass(region)) << "a second run changed the region:\n" << result << "to\n" << ir::print(region);
    return result;
}

}  // namespace kiln::test
