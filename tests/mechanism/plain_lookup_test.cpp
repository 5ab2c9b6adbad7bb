// Mechanism of looking into dicts and sets without running Python code: their tables are read as this CPython lays them out.
#include <gtest/gtest.h>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

constexpr const char* kTables = R"(
class Foreign:
    def __init__(self, number): self.number = number
    def __hash__(self): return hash(self.number)
    def __eq__(self, other): raise RuntimeError("asked")

class Text(str): pass

class Owner:
    def __init__(self): self.first, self.second = 1, 2

sizes = [0, 1, 5, 6, 200, 70000]
texts = [{f"key{i}": i for i in range(size)} for size in sizes]
ints = [{i * 7919: i for i in range(size)} for size in sizes]
sets = [set(table) for table in ints]
mixed = {1: "int", "a": "str", (1, 2): "tuple", None: "none", 2.5: "float", b"b": "bytes", 2**80: "big", True: "bool"}
for table in ints:
    for key in list(table)[::3]: del table[key]
for group in sets:
    for key in list(group)[::3]: group.discard(key)
foreign = {Foreign(5): 1, 6: 2}
foreign_set = {Foreign(5), 6}
split = Owner()
other = Owner()
del other.second
shared, lacking = split.__dict__, other.__dict__
foreign_key, text_key, nested = Foreign(1), Text("a"), ((((1,),),),)
)";

KilnAnswer find(PyObject* dict, PyObject* key, PyObject** value) {
    KilnEntry entry = {};
    KilnAnswer answer = kiln_dict_find(dict, key, kiln_plain_hash(key), &entry);
    *value = answer == KILN_YES ? *entry.place : nullptr;
    return answer;
}

// Every key of another dict is found, or missed, as CPython does.
void expectSame(PyObject* dict, PyObject* keys) {
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    while (PyDict_Next(keys, &position, &key, nullptr)) {
        PyObject* value = nullptr;
        PyObject* expected = PyDict_GetItemWithError(dict, key);
        EXPECT_EQ(find(dict, key, &value), expected != nullptr ? KILN_YES : KILN_NO);
        EXPECT_EQ(value, expected);
    }
}

TEST(Mechanism, DictsAreLookedIntoInPlace) {
    Ref names = runModule(kTables);
    ASSERT_TRUE(names);
    for (const char* kind : {"texts", "ints"}) {
        PyObject* tables = lookUp(names, kind);
        for (Py_ssize_t index = 0; index < PyList_GET_SIZE(tables); index++) {
            expectSame(PyList_GET_ITEM(tables, index), PyList_GET_ITEM(tables, PyList_GET_SIZE(tables) - 1));
            expectSame(PyList_GET_ITEM(tables, index), PyList_GET_ITEM(lookUp(names, "texts"), 4));
            expectSame(PyList_GET_ITEM(tables, index), lookUp(names, "mixed"));
        }
    }
    expectSame(lookUp(names, "mixed"), lookUp(names, "mixed"));
    expectSame(lookUp(names, "shared"), lookUp(names, "shared"));
    expectSame(lookUp(names, "lacking"), lookUp(names, "shared"));
}

TEST(Mechanism, SetsAreLookedIntoInPlace) {
    Ref names = runModule(kTables);
    ASSERT_TRUE(names);
    PyObject* sets = lookUp(names, "sets");
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(sets); index++) {
        PyObject* set = PyList_GET_ITEM(sets, index);
        for (long number = 0; number < 3000; number++) {
            KilnInt room;
            PyObject* key = kiln_int_in_place(&room, number * 7919);
            PyObject* found = nullptr;
            KilnAnswer expected = PySet_Contains(set, key) ? KILN_YES : KILN_NO;
            EXPECT_EQ(kiln_set_find(set, key, kiln_plain_hash(key), &found), expected);
        }
    }
}

TEST(Mechanism, NoForeignKeyIsAsked) {
    Ref names = runModule(kTables);
    ASSERT_TRUE(names);
    for (long number : {5, 6, 7}) {
        KilnInt room;
        PyObject* key = kiln_int_in_place(&room, number);
        KilnAnswer expected = number == 5 ? KILN_ASK : number == 6 ? KILN_YES : KILN_NO;
        PyObject* found = nullptr;
        EXPECT_EQ(find(lookUp(names, "foreign"), key, &found), expected);
        EXPECT_EQ(kiln_set_find(lookUp(names, "foreign_set"), key, kiln_plain_hash(key), &found), expected);
    }
    EXPECT_FALSE(kiln_set_holds_only(lookUp(names, "foreign_set"), kiln_compares_plainly));
    EXPECT_FALSE(kiln_dict_holds_only(lookUp(names, "foreign"), false, kiln_compares_plainly));
    EXPECT_TRUE(kiln_dict_holds_only(lookUp(names, "mixed"), true, kiln_is_plain));
    for (const char* name : {"foreign_key", "text_key", "nested", "texts"}) {
        EXPECT_EQ(kiln_plain_hash(lookUp(names, name)), -1) << name;
    }
}

TEST(Mechanism, KeysOfDefaultIdentityAreNoForeignCode) {
    Ref names = runModule(R"(
import abc, functools

class Default: pass
class Abstract(abc.ABC): pass
class Hashed:
    def __hash__(self): return 1
class Equal:
    def __eq__(self, other): return True
class EqualAndHashed(Equal):
    def __hash__(self): return 1
class Meta(type):
    def __eq__(self, other): return True
    def __hash__(self): return 1
class OfMeta(metaclass=Meta): pass

lookedUp = [Default(), Default, Abstract, int, lambda: 0, object(), (Default, 1, "text")]
compared = lookedUp + [Hashed()]
foreign = [functools.reduce, Equal(), EqualAndHashed(), OfMeta, (Equal(),), (1, OfMeta)]
table = dict.fromkeys(lookedUp)
)");
    ASSERT_TRUE(names);
    auto each = [&](const char* list, auto&& expect) {
        PyObject* items = lookUp(names, list);
        for (Py_ssize_t index = 0; index < PyList_GET_SIZE(items); index++) {
            expect(PyList_GET_ITEM(items, index), std::string(list) + " " + std::to_string(index));
        }
    };
    each("lookedUp", [&](PyObject* key, const std::string& name) {
        PyObject* value = nullptr;
        EXPECT_EQ(kiln_plain_hash(key), PyObject_Hash(key)) << name;
        EXPECT_EQ(find(lookUp(names, "table"), key, &value), KILN_YES) << name;
    });
    each("compared", [&](PyObject* a, const std::string& name) {
        EXPECT_TRUE(kiln_compares_plainly(a)) << name;
        EXPECT_FALSE(kiln_is_plain(a)) << name;
        each("compared", [&](PyObject* b, const std::string& other) {
            EXPECT_EQ(kiln_plain_equal(a, b), a == b ? KILN_YES : KILN_NO) << name << " and " << other;
        });
        EXPECT_EQ(kiln_plain_equal(a, Py_None), KILN_NO) << name;
    });
    each("foreign", [&](PyObject* a, const std::string& name) {
        EXPECT_FALSE(kiln_compares_plainly(a)) << name;
        EXPECT_EQ(kiln_plain_hash(a), -1) << name;
        EXPECT_EQ(kiln_plain_equal(a, lookUp(names, "Default")), KILN_ASK) << name;
    });
}

TEST(Mechanism, IntsLieInPlace) {
    for (int64_t value : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-2}, int64_t{1} << 30, -(int64_t{1} << 31), INT64_MAX, INT64_MIN,
                          (int64_t{1} << 61) - 1, int64_t{1} << 61}) {
        KilnInt room;
        PyObject* here = kiln_int_in_place(&room, value);
        Ref made(PyLong_FromLongLong(value));
        EXPECT_EQ(PyObject_RichCompareBool(here, made.get(), Py_EQ), 1) << value;
        EXPECT_EQ(kiln_plain_hash(here), PyObject_Hash(made.get())) << value;
        EXPECT_EQ(kiln_plain_equal(here, made.get()), KILN_YES) << value;
    }
}

TEST(Mechanism, TuplesHashAsCPythonSays) {
    Ref names = runModule(R"(
items = [0, 1, -1, -2, 2**61 - 1, 2**70, "text", "", 1.5, float("inf"), True, None, b"bytes", (), (1,), ((2, 3), "in")]
tuples = [(), *((a,) for a in items), *((a, b) for a in items for b in items), tuple(range(64)), tuple(map(str, range(30)))]
too_long = (0,) * 65
)");
    ASSERT_TRUE(names);
    PyObject* tuples = lookUp(names, "tuples");
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(tuples); index++) {
        PyObject* tuple = PyList_GET_ITEM(tuples, index);
        EXPECT_EQ(kiln_plain_hash(tuple), PyObject_Hash(tuple)) << index;
    }
    EXPECT_EQ(kiln_plain_hash(lookUp(names, "too_long")), -1);
}

TEST(Mechanism, DictValuesAreReplacedInPlace) {
    Ref names = runModule("table = {'a': 1}\nmany = {'a': []}\nitem = []\n");
    ASSERT_TRUE(names);
    PyObject* table = lookUp(names, "table");
    PyObject* key = PyUnicode_InternFromString("a");
    auto version = [&] { return *reinterpret_cast<const uint64_t*>(reinterpret_cast<const char*>(table) + kiln_layout()->dict_version); };
    uint64_t before = version();
    KilnEntry entry = {};
    ASSERT_EQ(kiln_dict_find(table, key, kiln_plain_hash(key), &entry), KILN_YES);
    EXPECT_FALSE(kiln_dict_replace(table, entry.place, lookUp(names, "item")));  // the collector does not know the dict
    EXPECT_TRUE(kiln_dict_replace(table, entry.place, Py_None));
    EXPECT_NE(version(), before);
    PyObject* many = lookUp(names, "many");
    ASSERT_EQ(kiln_dict_find(many, key, kiln_plain_hash(key), &entry), KILN_YES);
    EXPECT_TRUE(kiln_dict_replace(many, entry.place, lookUp(names, "item")));
    ASSERT_TRUE(runIn(names.get(), "right = int(table == {'a': None} and many['a'] is item)"));
    EXPECT_EQ(intNamed(names, "right"), 1);
    Py_DECREF(key);
}

}  // namespace
}  // namespace kiln::mechanism
