// Planted defects: each text is a good region with one thing wrong.
#include <gtest/gtest.h>

#include "jit/ir/region.h"
#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

constexpr const char* kGood = R"(region "f" function(int, object) -> int
object 0 "list"
object 1 "append"
code 0 "f"
code 1 "g"
name 0 "total"
name 1 "count"
block0(v0:int, v1:object):
    v2:int = const_int[1]
    v3:bool = int_lt v0, v2
    v12:bool = const_bool[1]
    v15:float = const_float[1]
    branch v3 ? block1(v0, v2) : block2()
block1(v4:int, v5:int):
    v6:int = int_add v4, v5 !0
    jump block3(v6)
block2():
    v7:int = load_field[ob_size] v1
    v8:object = list_item v1, v7
    guard_class[0] v8 !1
    jump block3(v7)
block3(v9:int):
    v10:bool = int_gt v9, v0
    branch v10 ? block4() : block3(v9)
block4():
    v11:float = math_unary[sqrt] v15 !2
    return_value v9
snapshot 0 reason=1: frame 0 @unit 4 [v4, home, tuple(v5, own v1)] frame 1 function const 1 @unit 0 [const 1]
snapshot 1 reason=0: frame 0 @unit 9 [range_iterator(v7, v0, v2 of v1), own v8, null] names {0: v7, 1: const 0}
snapshot 2 reason=0: frame 0 @unit 9 [range(v0, v2, v2), zip(v1), enumerate(v0, list_iterator(v1, v0 of home)), v15, own any(v0 of v1)]
)";

struct Defect {
    const char* name;
    const char* good;  // what of kGood is replaced
    const char* bad;
    const char* problem;  // the whole message
};

class Verifier : public ::testing::TestWithParam<Defect> {};

TEST_P(Verifier, CatchesDefect) {
    const Defect& defect = GetParam();
    std::string text = kGood;
    const size_t place = text.find(defect.good);
    ASSERT_NE(place, std::string::npos) << "the test replaces nothing";
    text.replace(place, std::string(defect.good).size(), defect.bad);
    Region region;
    std::string error;
    ASSERT_TRUE(parse(text, region, error)) << error;
    EXPECT_EQ(verify(region), defect.problem);
}

constexpr Defect kDefects[] = {
    // ---- blocks and their ends
    {"no_end", "    jump block3(v6)\n", "", "block1: ends in int_add"},
    {"empty_block", "    v11:float = math_unary[sqrt] v15 !2\n    return_value v9\n", "", "block4: is empty"},
    {"missing_target", "jump block3(v6)", "jump block5(v6)", "block1: target block5 does not exist"},
    {"entry_as_target", "jump block3(v6)", "jump block0(v6, v1)", "block1: the entry block is a target"},
    {"too_few_arguments", "jump block3(v6)", "jump block3()", "block1: target block3 gets 0 arguments, wanted 1"},
    {"too_many_arguments", "jump block3(v6)", "jump block3(v6, v6)",
     "block1: target block3 gets 2 arguments, wanted 1"},
    {"argument_type", "jump block3(v6)", "jump block3(v1)",
     "block1: target block3: argument v1 is not of the type of v9"},
    {"argument_not_dominating", "jump block3(v7)", "jump block3(v6)",
     "block2: v6 is used where its definition does not dominate"},
    {"argument_undefined", "jump block3(v6)", "jump block3(v99)", "block1: v99 is never defined"},
    {"condition_type", "branch v3 ?", "branch v0 ?", "block0, instruction 4 (branch): operand v0 is int, wanted bool"},
    // ---- values
    {"used_before_definition", "v3:bool = int_lt v0, v2", "v3:bool = int_lt v0, v6",
     "block0, instruction 1 (int_lt): v6 is used where its definition does not dominate"},
    {"uses_itself", "v6:int = int_add v4, v5", "v6:int = int_add v6, v5",
     "block1, instruction 0 (int_add): v6 is used where its definition does not dominate"},
    {"sibling_value", "return_value v9", "return_value v6",
     "block4, instruction 1 (return_value): v6 is used where its definition does not dominate"},
    {"never_defined", "return_value v9", "return_value v14",
     "block4, instruction 1 (return_value): v14 is never defined"},
    {"defined_twice", "v7:int = load_field[ob_size] v1", "v6:int = load_field[ob_size] v1",
     "block2, instruction 0 (load_field): v6 is defined twice"},
    {"parameter_defined_twice", "block1(v4:int, v5:int)", "block1(v4:int, v4:int)", "block1: v4 is defined twice"},
    {"parameter_without_type", "block1(v4:int, v5:int)", "block1(v4:int, v5:none)", "block1: defines v5 of type none"},
    {"result_type", "v10:bool = int_gt", "v10:int = int_gt",
     "block3, instruction 0 (int_gt): result is int, wanted bool"},
    {"no_result", "v10:bool = int_gt v9, v0", "int_gt v9, v0", "block3, instruction 0 (int_gt): has no result"},
    {"unwanted_result", "    guard_class[0] v8 !1", "    v16:bool = guard_class[0] v8 !1",
     "block2, instruction 2 (guard_class): has a result, the op has none"},
    {"operand_type", "int_add v4, v5", "int_add v4, v1",
     "block1, instruction 0 (int_add): operand v1 is object, wanted int"},
    {"operand_count", "int_add v4, v5", "int_add v4", "block1, instruction 0 (int_add): 1 operands, wanted 2"},
    // ---- immediates
    {"object_range", "guard_class[0]", "guard_class[2]",
     "block2, instruction 2 (guard_class): immediate 2 is out of range"},
    {"bool_constant", "const_bool[1]", "const_bool[2]",
     "block0, instruction 2 (const_bool): immediate 2 is out of range"},
    {"field_range", "load_field[ob_size]", "load_field[999]",
     "block2, instruction 0 (load_field): immediate 999 is out of range"},
    {"math_arity", "math_unary[sqrt]", "math_unary[pow]",
     "block4, instruction 0 (math_unary): math.pow takes another number of operands"},
    {"math_range", "math_unary[sqrt]", "math_unary[999]",
     "block4, instruction 0 (math_unary): immediate 999 is out of range"},
    // ---- the region's interface
    {"return_type", "return_value v9", "return_value v1",
     "block4, instruction 1 (return_value): operand v1 is not of the region's return type"},
    {"return_count", "return_value v9", "return_value", "block4, instruction 1 (return_value): 0 operands, wanted 1"},
    {"argument_count", "function(int, object)", "function(int)", "block0: 2 parameters for 1 arguments of the region"},
    {"argument_types", "function(int, object)", "function(int, float)",
     "block0: parameter v1 is not of its argument's type"},
    {"loop_with_arguments", "function(int, object) -> int", "loop(int, object) -> int",
     "block0: a loop region has arguments or a return type"},
    // ---- snapshots
    {"no_snapshot", "guard_class[0] v8 !1", "guard_class[0] v8", "block2, instruction 2 (guard_class): has no snapshot"},
    {"snapshot_range", "int_add v4, v5 !0", "int_add v4, v5 !7",
     "block1, instruction 0 (int_add): snapshot 7 does not exist"},
    {"unwanted_snapshot", "return_value v9", "return_value v9 !0",
     "block4, instruction 1 (return_value): has a snapshot, the op names none"},
    {"snapshot_not_dominated", "guard_class[0] v8 !1", "guard_class[0] v8 !0",
     "block2, instruction 2 (guard_class): snapshot 0: v4 is used where its definition does not dominate"},
    {"snapshot_own_result", "@unit 4 [v4,", "@unit 4 [v6,",
     "block1, instruction 0 (int_add): snapshot 0: v6 is used where its definition does not dominate"},
    {"snapshot_name_not_dominated", "names {0: v7,", "names {0: v6,",
     "block2, instruction 2 (guard_class): snapshot 1: v6 is used where its definition does not dominate"},
    {"snapshot_missing_value", "@unit 4 [v4,", "@unit 4 [v99,",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 0: v99 is no value of the region"},
    {"snapshot_undefined_value", "@unit 4 [v4,", "@unit 4 [v14,",
     "block1, instruction 0 (int_add): snapshot 0: v14 is never defined"},
    {"owned_number", "@unit 4 [v4,", "@unit 4 [own v4,",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 0: owns something that is no object value"},
    {"owned_home", "home, tuple", "own home, tuple",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 1: owns something that is no object value"},
    {"home_in_tuple", "tuple(v5, own v1)", "tuple(v5, home)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: 'home' cannot be part of something"},
    {"null_in_tuple", "tuple(v5, own v1)", "tuple(v5, null)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: a tuple or list has no NULL item"},
    {"null_in_list", "tuple(v5, own v1)", "list(v5, null)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: a tuple or list has no NULL item"},
    {"keywords_without_names", "tuple(v5, own v1)", "keywords(v5, own v1)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: keywords want a constant tuple of names, and no NULL"},
    {"tuple_updates_home", "tuple(v5, own v1)", "tuple(v5 of home)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: only iterators update an object in its "
     "home"},
    {"iterator_has_identity", "tuple(v5, own v1)", "zip(v1 as 2)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: only tuples, slices, methods, instances, lists, keywords, ranges, complex numbers, scalars and views are shared by identity"},
    {"tuple_names_value", "tuple(v5, own v1)", "tuple(v5 of v1)",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: only values, numbers and iterators name a "
     "value"},
    {"constant_range", "const 0}", "const 5}",
     "block2, instruction 2 (guard_class): snapshot 1: name 1: const 5 is not in the object table"},
    {"frame_code", "frame 0 @unit 4", "frame 2 @unit 4",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0: code 2 is not in the code table"},
    {"frame_function", "function const 1 @unit", "function const 2 @unit",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 1, function: const 2 is not in the object table"},
    {"frame_unit", "frame 0 @unit 4", "frame 0 @unit -1",
     "block1, instruction 0 (int_add): snapshot 0: frame at depth 0: unit -1 is negative"},
    {"no_frame",
     "snapshot 2 reason=0: frame 0 @unit 9 [range(v0, v2, v2), zip(v1), enumerate(v0, list_iterator(v1, v0 of "
     "home)), v15, own any(v0 of v1)]",
     "snapshot 2 reason=0:", "block4, instruction 0 (math_unary): snapshot 2: has no frame"},
    {"range_iterator_of_object", "range_iterator(v7, v0, v2 of v1)", "range_iterator(v7, v1, v2 of v1)",
     "block2, instruction 2 (guard_class): snapshot 1: frame at depth 0, slot 0: a range iterator wants ints: next, "
     "stop "
     "or next, remaining, step"},
    {"range_iterator_parts", "range_iterator(v7, v0, v2 of v1)", "range_iterator(v7 of v1)",
     "block2, instruction 2 (guard_class): snapshot 1: frame at depth 0, slot 0: a range iterator wants ints: next, "
     "stop "
     "or next, remaining, step"},
    {"existing_iterator_type", "v2 of v1)", "v2 of v0)",
     "block2, instruction 2 (guard_class): snapshot 1: frame at depth 0, slot 0: the existing object v0 is "
     "none"},
    {"range_parts", "range(v0, v2, v2)", "range(v0, v2)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 0: a range wants start, stop, step"},
    {"any_with_float", "any(v0 of v1)", "any(v15 of v1)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 4: what may be anything wants the bits of a number"},
    {"any_of_number", "any(v0 of v1)", "any(v0 of v9)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 4: the existing object v9 is none"},
    {"any_without_box", "any(v0 of v1)", "any(v0)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 4: a value source names no value"},
    {"zip_of_number", "zip(v1)", "zip(v0)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 1: a zip wants iterators"},
    {"enumerate_parts", "enumerate(v0, list_iterator(v1, v0 of home))", "enumerate(list_iterator(v1, v0 of home), v0)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 2: an enumerate wants an int index and an "
     "iterator"},
    {"list_iterator_parts", "list_iterator(v1, v0 of home)", "list_iterator(v0, v1 of home)",
     "block4, instruction 0 (math_unary): snapshot 2: frame at depth 0, slot 2: a list iterator wants a list and an "
     "int "
     "index"},
    {"name_range", "names {0: v7", "names {2: v7",
     "block2, instruction 2 (guard_class): snapshot 1: name 2 is not in the name table"},
    {"name_twice", "names {0: v7", "names {1: v7",
     "block2, instruction 2 (guard_class): snapshot 1: name 1 is restored twice"},
    {"name_home", "names {0: v7", "names {0: home",
     "block2, instruction 2 (guard_class): snapshot 1: name 0: 'home' restores nothing"},
};

INSTANTIATE_TEST_SUITE_P(Planted, Verifier, ::testing::ValuesIn(kDefects),
                         [](const ::testing::TestParamInfo<Defect>& test) { return test.param.name; });

TEST(VerifierTest, AcceptsGoodRegion) {
    test::regionOf(kGood);
}

TEST(VerifierTest, AcceptsValuesOfUnreachableBlocks) {
    test::regionOf(
        "region \"f\" loop\ncode 0 \"f\"\nblock0():\n  exit !0\nblock1():\n  v0:int = const_int[1]\n"
        "  jump block2(v0)\nblock2(v1:int):\n  jump block2(v1)\nsnapshot 0 reason=0: frame 0 @unit 0 []\n");
}

TEST(VerifierTest, RefusesReachableUseOfUnreachableDefinition) {
    Region region;
    std::string error;
    ASSERT_TRUE(
        parse("region \"f\" function() -> int\nblock0():\n  return_value v0\nblock1():\n"
              "  v0:int = const_int[1]\n  return_value v0\n",
              region, error));
    EXPECT_EQ(verify(region),
              "block0, instruction 0 (return_value): v0 is used where its definition does not dominate");
}

TEST(VerifierTest, RefusesReturnFromLoop) {
    Region region;
    std::string error;
    ASSERT_TRUE(parse("region \"f\" loop\nblock0():\n  return_value\n", region, error));
    EXPECT_EQ(verify(region), "block0, instruction 0 (return_value): a loop region has no caller to return to");
}

TEST(VerifierTest, RefusesRegionWithoutBlocks) {
    EXPECT_EQ(verify(Region{}), "region: no block");
}

// Defects that the text cannot express.
TEST(VerifierTest, RefusesTablesOfUnequalLength) {
    Region region = test::regionOf(kGood);
    region.objects.pop_back();
    EXPECT_EQ(verify(region), "region: object table and object names differ in length");
    region = test::regionOf(kGood);
    region.codeNames.pop_back();
    EXPECT_EQ(verify(region), "region: code table and code names differ in length");
    region = test::regionOf(kGood);
    region.nameKeys.pop_back();
    EXPECT_EQ(verify(region), "region: names, their dicts and their keys differ in length");
}

TEST(VerifierTest, RefusesWrongTargetCount) {
    Region region = test::regionOf(kGood);
    region.blocks[0].targets.pop_back();
    EXPECT_EQ(verify(region), "block0: branch with 1 targets");
    region = test::regionOf(kGood);
    region.blocks[4].targets.push_back({.block = 2});
    EXPECT_EQ(verify(region), "block4: return_value with 1 targets");
}

TEST(VerifierTest, RefusesDisagreeingTypes) {
    Region region = test::regionOf(kGood);
    region.valueTypes[6] = Type::kFloat;
    EXPECT_EQ(verify(region),
              "block1, instruction 0 (int_add): the type of v6 differs from its entry in the value table");
    region = test::regionOf(kGood);
    region.blocks[1].instructions[0].type = Type::kNone;
    EXPECT_EQ(verify(region), "block1, instruction 0 (int_add): result and its type do not go together");
}

TEST(VerifierTest, RefusesConstantOfOtherKinds) {
    Region region = test::regionOf(kGood);
    region.frames[0].slots[2].constant = 0;
    EXPECT_EQ(verify(region),
              "block1, instruction 0 (int_add): snapshot 0: frame at depth 0, slot 2: constants, scalars, complex numbers, "
              "instances and views name an object of the table, other sources none");
}

TEST(VerifierTest, RefusesValuesOutsideTheTable) {
    Region region = test::regionOf(kGood);
    region.blocks[1].parameters[0] = -5;
    EXPECT_EQ(verify(region), "block1: defines v-5, which has no type");
    region = test::regionOf(kGood);
    region.frames[2].slots[1].value = kNoId;
    EXPECT_EQ(verify(region),
              "block2, instruction 2 (guard_class): snapshot 1: frame at depth 0, slot 1: a value source "
              "names no value");
}

}  // namespace
}  // namespace kiln::ir
