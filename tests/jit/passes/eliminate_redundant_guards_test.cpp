// eliminate_redundant_guards: text in, text out.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

void expectResult(const char* text, const char* expected) {
    EXPECT_EQ(test::after(eliminateRedundantGuards, text), test::normalised(expected));
}

TEST(EliminateRedundantGuards, RepeatedInOneBlock) {
    expectResult(R"(region "f" function(object, int) -> none
object 0 "int"
object 1 "one"
code 0 "f"
block0(v0:object, v1:int):
    guard_set v0 !0
    guard_set v0 !1
    guard_class[0] v0 !0
    guard_class[0] v0 !1
    guard_is[1] v0 !0
    guard_is[1] v0 !1
    guard_exact v1 !0
    guard_exact v1 !1
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)",
                 R"(region "f" function(object, int) -> none
object 0 "int"
object 1 "one"
code 0 "f"
block0(v0:object, v1:int):
    guard_set v0 !0
    guard_class[0] v0 !0
    guard_is[1] v0 !0
    guard_exact v1 !0
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)");
}

TEST(EliminateRedundantGuards, OtherObjectOrValueStays) {
    const char* text = R"(region "f" function(object, object) -> none
object 0 "int"
object 1 "float"
code 0 "f"
block0(v0:object, v1:object):
    guard_class[0] v0 !0
    guard_class[1] v0 !0
    guard_class[0] v1 !0
    guard_is[0] v0 !0
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)";
    expectResult(text, text);
}

TEST(EliminateRedundantGuards, OnlyWhereTheFirstDominates) {
    expectResult(R"(region "f" function(object, bool) -> none
code 0 "f"
block0(v0:object, v1:bool):
    branch v1 ? block1() : block2()
block1():
    guard_set v0 !0
    jump block3()
block2():
    guard_set v0 !0
    jump block4()
block3():
    guard_set v0 !0
    jump block4()
block4():
    guard_set v0 !0
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)",
                 R"(region "f" function(object, bool) -> none
code 0 "f"
block0(v0:object, v1:bool):
    branch v1 ? block1() : block2()
block1():
    guard_set v0 !0
    jump block3()
block2():
    guard_set v0 !0
    jump block4()
block3():
    jump block4()
block4():
    guard_set v0 !0
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)");
}

TEST(EliminateRedundantGuards, QuestionsToTheWorldAreAskedAgain) {
    const char* text = R"(region "f" function() -> none
code 0 "f"
block0():
    safepoint !0
    poll !0
    safepoint !0
    poll !0
    return_value
snapshot 0 reason=1: frame 0 @unit 4 []
)";
    expectResult(text, text);
}

TEST(EliminateRedundantGuards, ReadsAndEffectsAreNotShared) {
    const char* text = R"(region "f" function(object, int) -> int
code 0 "f"
block0(v0:object, v1:int):
    v2:int = load_field[ob_size] v0
    cell_store v0, v0
    v3:int = load_field[ob_size] v0
    v4:object = box_int v1
    v5:object = box_int v1
    v6:object = opaque_object[get_item] v0, v4 !0
    v7:object = opaque_object[get_item] v0, v4 !0
    v8:int = int_add v2, v3 !0
    return_value v8
snapshot 0 reason=1: frame 0 @unit 4 [own v4, own v5]
)";
    expectResult(text, text);
}

// Until something may give the instance a dict, or its values another place; and not beyond the block.
TEST(EliminateRedundantGuards, ValuesAreSharedUntilTheyMayMove) {
    expectResult(R"(region "f" function(object, object) -> none
code 0 "f"
block0(v0:object, v1:object):
    v2:int = values v0 !0
    incref v1
    store_attribute[0] v2, v1
    v3:int = values v0 !0
    v4:object = load_attribute[8] v3
    v5:int = values v1 !0
    note_attribute[16] v3
    v6:int = values v0 !0
    v7:object = opaque_object[get_item] v4, v1 !0
    v8:int = values v0 !0
    v9:object = load_attribute[8] v6
    v10:object = load_attribute[8] v8
    jump block1()
block1():
    v11:int = values v0 !0
    v12:object = load_attribute[8] v11
    return_value
snapshot 0 reason=17: frame 0 @unit 4 []
)",
                 R"(region "f" function(object, object) -> none
code 0 "f"
block0(v0:object, v1:object):
    v2:int = values v0 !0
    incref v1
    store_attribute[0] v2, v1
    v4:object = load_attribute[8] v2
    v5:int = values v1 !0
    note_attribute[16] v2
    v6:int = values v0 !0
    v7:object = opaque_object[get_item] v4, v1 !0
    v8:int = values v0 !0
    v9:object = load_attribute[8] v6
    v10:object = load_attribute[8] v8
    jump block1()
block1():
    v11:int = values v0 !0
    v12:object = load_attribute[8] v11
    return_value
snapshot 0 reason=17: frame 0 @unit 4 []
)");
}

// Equal constants make equal sums; the replaced values disappear from arguments and snapshots too.
TEST(EliminateRedundantGuards, SharesConstantsAndWhatFollows) {
    expectResult(R"(region "f" function(int) -> int
code 0 "f"
name 0 "total"
block0(v0:int):
    v1:int = const_int[1]
    v2:int = int_add v0, v1 !0
    v3:int = const_int[1]
    v4:int = int_add v0, v3 !0
    v5:int = int_xor v2, v4
    jump block1(v4)
block1(v6:int):
    v7:int = const_int[1]
    v8:int = int_add v6, v7 !1
    return_value v8
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 4 [v4, tuple(v7)] names {0: v3}
)",
                 R"(region "f" function(int) -> int
code 0 "f"
name 0 "total"
block0(v0:int):
    v1:int = const_int[1]
    v2:int = int_add v0, v1 !0
    v5:int = int_xor v2, v2
    jump block1(v2)
block1(v6:int):
    v8:int = int_add v6, v1 !1
    return_value v8
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 4 [v2, tuple(v1)] names {0: v1}
)");
}

TEST(EliminateRedundantGuards, ConstantsOfOneNumberAndSeveralTypesStay) {
    const char* text = R"(region "f" function() -> none
code 0 "f"
block0():
    v0:int = const_int[0]
    v1:float = const_float[0]
    v2:bool = const_bool[0]
    v3:float = const_float[-0]
    exit !0
snapshot 0 reason=1: frame 0 @unit 4 [v0, v1, v2, v3]
)";
    expectResult(text, text);
}

TEST(EliminateRedundantGuards, UnboxingTwiceIsUnboxingOnce) {
    expectResult(R"(region "f" function(object) -> int
code 0 "f"
block0(v0:object):
    v1:int = unbox_int v0 !0
    v2:int = unbox_int v0 !1
    v3:int = int_mul v1, v2 !0
    return_value v3
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)",
                 R"(region "f" function(object) -> int
code 0 "f"
block0(v0:object):
    v1:int = unbox_int v0 !0
    v3:int = int_mul v1, v1 !0
    return_value v3
snapshot 0 reason=1: frame 0 @unit 4 []
snapshot 1 reason=1: frame 0 @unit 6 []
)");
}

// What a peeled first iteration is for: the loop's own guards on invariants go.
TEST(EliminateRedundantGuards, GuardsOfAPeeledLoop) {
    expectResult(R"(region "f" loop
object 0 "list"
code 0 "f"
block0():
    v0:object = load_slot[0]
    guard_class[0] v0 !0
    jump block1()
block1():
    guard_class[0] v0 !0
    poll !0
    jump block1()
snapshot 0 reason=1: frame 0 @unit 4 [home]
)",
                 R"(region "f" loop
object 0 "list"
code 0 "f"
block0():
    v0:object = load_slot[0]
    guard_class[0] v0 !0
    jump block1()
block1():
    poll !0
    jump block1()
snapshot 0 reason=1: frame 0 @unit 4 [home]
)");
}

}  // namespace
}  // namespace kiln::passes
