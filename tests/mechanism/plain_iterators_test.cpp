// Mechanism of moving iterators over dicts and sets on: they are read and set in place, as this CPython lays them out.
#include <gtest/gtest.h>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

constexpr const char* kTables = R"(
texts = {f"key{i}": i for i in range(40)}
mixed = {i: str(i) for i in range(40)}
group = set(range(40))
for key in range(0, 40, 3):
    del mixed[key], texts[f"key{key}"]
    group.discard(key)
tables = [texts, mixed, group, {}, set()]
iterators = [iter(table) for table in tables] + [iter(texts.items()), iter(mixed.values())]
expected = [list(table) for table in tables] + [list(texts), list(mixed)]
values = [None] * 5 + [list(texts.values()), list(mixed.values())]
grown = {1: 2}
told = iter(grown)
grown[3] = 4
half = iter(mixed.items())
next(half), next(half)
)";

TEST(Mechanism, IteratorsOverTablesMoveOnInPlace) {
    Ref names = runModule(kTables);
    ASSERT_TRUE(names);
    PyObject* iterators = lookUp(names, "iterators");
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(iterators); index++) {
        PyObject* iterator = PyList_GET_ITEM(iterators, index);
        PyObject* keys = PyList_GET_ITEM(lookUp(names, "expected"), index);
        PyObject* values = PyList_GET_ITEM(lookUp(names, "values"), index);
        EXPECT_TRUE(kiln_is_dict_iterator(Py_TYPE(iterator)) || kiln_is_set_iterator(Py_TYPE(iterator)));
        PyObject** entry = nullptr;
        for (Py_ssize_t item = 0; item < PyList_GET_SIZE(keys); item++) {
            ASSERT_EQ(kiln_next_entry(iterator, &entry), KILN_YES) << index << ": " << item;
            EXPECT_EQ(entry[0], PyList_GET_ITEM(keys, item));
            EXPECT_TRUE(values == Py_None || entry[1] == PyList_GET_ITEM(values, item));
        }
        EXPECT_EQ(kiln_next_entry(iterator, &entry), KILN_NO);
        EXPECT_NE(kiln_iterated_table(iterator), nullptr);
        EXPECT_EQ(PyIter_Next(iterator), nullptr);  // it is told, and gives its table up
        EXPECT_EQ(kiln_iterated_table(iterator), nullptr);
        EXPECT_EQ(kiln_next_entry(iterator, &entry), KILN_NO);
    }
}

TEST(Mechanism, IteratorsGoOnWhereTheyWereLeft) {
    Ref names = runModule(kTables);
    ASSERT_TRUE(names);
    PyObject** entry = nullptr;
    EXPECT_EQ(kiln_next_entry(lookUp(names, "told"), &entry), KILN_ASK);
    ASSERT_EQ(kiln_next_entry(lookUp(names, "half"), &entry), KILN_YES);
    ASSERT_TRUE(runIn(names.get(), "right = int(list(half) == list(mixed.items())[3:] and half.__length_hint__() == 0)"));
    EXPECT_EQ(intNamed(names, "right"), 1);
}

}  // namespace
}  // namespace kiln::mechanism
