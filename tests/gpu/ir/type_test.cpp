// Types: names, identity, buffer formats.
#include "gpu/ir/type.h"

#include <gtest/gtest.h>

#include "gpu/ir/argument_layout.h"

namespace kiln::gpu {
namespace {

TEST(KernelType, EqualTypesAreOne) {
    const Type* array = arrayType(floatType(32), 2, Layout::kA);
    EXPECT_EQ(array, arrayType(floatType(32), 2, Layout::kA));
    EXPECT_NE(array, arrayType(floatType(32), 2, Layout::kC));
    EXPECT_EQ(array->name, "array(float32, 2d, A)");
    EXPECT_EQ(arrayType(floatType(32), 0, Layout::kF), arrayType(floatType(32), 0, Layout::kC));
}

TEST(KernelType, Names) {
    EXPECT_EQ(scalarNamed("uint16"), intType(16, false));
    EXPECT_EQ(scalarNamed("int128"), nullptr);
}

TEST(KernelType, BufferFormats) {
    EXPECT_EQ(scalarOfFormat("<d"), floatType(64));
    EXPECT_EQ(scalarOfFormat("l"), intType(64, true));
    EXPECT_EQ(scalarOfFormat("?"), scalarType(Scalar::kBool));
    EXPECT_EQ(scalarOfFormat(">d"), nullptr);
    EXPECT_EQ(scalarOfFormat("Zd"), scalarNamed("complex128"));
    EXPECT_EQ(scalarOfFormat("Zi"), nullptr);
    EXPECT_EQ(scalarOfFormat(""), nullptr);
}

TEST(KernelType, ArgumentOffsets) {
    std::vector<const Type*> types = {intType(32, true), arrayType(floatType(32), 1, Layout::kC), scalarType(Scalar::kBool),
                                      intType(16, true), arrayType(floatType(64), 2, Layout::kA), floatType(32)};
    EXPECT_EQ(argumentOffsets(types), (std::vector<int64_t>{0, 8, 24, 26, 32, 72, 76}));
}

}  // namespace
}  // namespace kiln::gpu
