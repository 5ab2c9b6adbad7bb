// Mechanism of taking over a loop in mid-way: what an iterator runs over and where it stands is read and set in place.
#include <gtest/gtest.h>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

constexpr const char* kIterators = R"(
items = [10, 20, 30, 40, 50]
inner = iter(items)
counted = enumerate(inner, 7)
next(counted)
far = enumerate(items, 2 ** 63)
next(far)
first, second = iter(items), iter(range(9))
paired = zip(first, second)
strict = zip(items, items, strict=True)
other = iter(items)
)";

TEST(Mechanism, EnumerateIsReadAndSetInPlace) {
    Ref names = runModule(kIterators);
    ASSERT_TRUE(names);
    PyObject* counted = lookUp(names, "counted");
    EXPECT_EQ(kiln_enumerate_iterator(counted), lookUp(names, "inner"));
    EXPECT_EQ(kiln_enumerate_iterator(lookUp(names, "far")), nullptr);
    EXPECT_EQ(kiln_enumerate_iterator(lookUp(names, "other")), nullptr);
    const char* bytes = reinterpret_cast<const char*>(counted);
    EXPECT_EQ(*reinterpret_cast<const Py_ssize_t*>(bytes + kiln_layout()->enumerate_index), 8);
    EXPECT_EQ(*reinterpret_cast<PyObject* const*>(bytes + kiln_layout()->enumerate_iterator), lookUp(names, "inner"));
    EXPECT_EQ(*reinterpret_cast<PyObject* const*>(bytes + kiln_layout()->enumerate_long_index), nullptr);
    kiln_enumerate_set_index(counted, 100);
    ASSERT_TRUE(runIn(names.get(), "right = int(next(counted) == (100, 20) and next(counted) == (101, 30))"));
    EXPECT_EQ(intNamed(names, "right"), 1);
}

TEST(Mechanism, ZipIsReadInPlace) {
    Ref names = runModule(kIterators);
    ASSERT_TRUE(names);
    PyObject* paired = lookUp(names, "paired");
    PyObject* iterators = kiln_zip_iterators(paired);
    ASSERT_NE(iterators, nullptr);
    ASSERT_TRUE(PyTuple_CheckExact(iterators));
    ASSERT_EQ(PyTuple_GET_SIZE(iterators), 2);
    EXPECT_EQ(PyTuple_GET_ITEM(iterators, 0), lookUp(names, "first"));
    EXPECT_EQ(PyTuple_GET_ITEM(iterators, 1), lookUp(names, "second"));
    EXPECT_EQ(kiln_zip_iterators(lookUp(names, "strict")), nullptr);
    EXPECT_EQ(kiln_zip_iterators(lookUp(names, "other")), nullptr);
    const char* bytes = reinterpret_cast<const char*>(paired);
    EXPECT_EQ(*reinterpret_cast<PyObject* const*>(bytes + kiln_layout()->zip_iterators), iterators);
    const char* strict = reinterpret_cast<const char*>(lookUp(names, "strict"));
    EXPECT_NE(*reinterpret_cast<const int*>(strict + kiln_layout()->zip_strict), 0);
}

}  // namespace
}  // namespace kiln::mechanism
