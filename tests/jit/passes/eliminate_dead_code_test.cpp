// eliminate_dead_code: text in, text out.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

void expectResult(const char* text, const char* expected) {
    EXPECT_EQ(test::after(eliminateDeadCode, text), test::normalised(expected));
}

TEST(EliminateDeadCode, RemovesUnusedPureAndReadOps) {
    expectResult(R"(region "f" function(int, object) -> int
block0(v0:int, v1:object):
    v2:int = const_int[3]
    v3:int = int_xor v0, v2
    v4:int = load_field[ob_size] v1
    v5:int = int_and v4, v3
    v6:float = const_float[0.5]
    return_value v0
)",
                 R"(region "f" function(int, object) -> int
block0(v0:int, v1:object):
    return_value v0
)");
}

TEST(EliminateDeadCode, KeepsEverythingThatActs) {
    const char* text = R"(region "f" function(int, object) -> int
code 0 "f"
block0(v0:int, v1:object):
    incref v1
    v2:int = int_add v0, v0 !0
    v3:object = box_int v0
    v4:object = opaque_object[get_item] v1, v3 !0
    v5:object = take_slot[1]
    set_position[3]
    return_value v0
snapshot 0 reason=1: frame 0 @unit 4 [home]
)";
    expectResult(text, text);
}

TEST(EliminateDeadCode, SnapshotsAreUses) {
    const char* text = R"(region "f" function(int, object) -> int
code 0 "f"
name 0 "total"
block0(v0:int, v1:object):
    v2:int = const_int[3]
    v3:object = load_slot[2]
    v4:float = const_float[1.5]
    v5:int = int_add v0, v0 !0
    return_value v0
snapshot 0 reason=1: frame 0 @unit 4 [tuple(v2), v3] names {0: v4}
)";
    expectResult(text, text);
}

TEST(EliminateDeadCode, EmptiesUnusedSnapshotsAndForgetsTheirValues) {
    expectResult(R"(region "f" function(int) -> int
code 0 "f"
name 0 "total"
block0(v0:int):
    v1:int = const_int[3]
    v2:int = int_add v0, v0 !1
    return_value v2
snapshot 0 reason=1: frame 0 @unit 4 [v1] names {0: v1}
snapshot 1 reason=2: frame 0 @unit 4 [v0]
)",
                 R"(region "f" function(int) -> int
code 0 "f"
name 0 "total"
block0(v0:int):
    v2:int = int_add v0, v0 !1
    return_value v2
snapshot 0 reason=1:
snapshot 1 reason=2: frame 0 @unit 4 [v0]
)");
}

TEST(EliminateDeadCode, RemovesUnreachableBlocksAndRenumbers) {
    expectResult(R"(region "f" function(bool) -> int
block0(v0:bool):
    v1:int = const_int[1]
    branch v0 ? block3(v1) : block4(v1)
block1():
    v2:int = const_int[2]
    jump block3(v2)
block2():
    jump block1()
block3(v3:int):
    jump block4(v3)
block4(v4:int) cold:
    return_value v4
)",
                 R"(region "f" function(bool) -> int
block0(v0:bool):
    v1:int = const_int[1]
    branch v0 ? block1() : block2()
block1():
    jump block2()
block2() cold:
    return_value v1
)");
}

TEST(EliminateDeadCode, RemovesUnusedParameters) {
    expectResult(R"(region "f" function(int, int) -> int
code 0 "f"
block0(v0:int, v1:int):
    jump block1(v0, v1, v0)
block1(v2:int, v3:int, v4:int):
    v5:int = int_add v2, v2 !0
    v6:int = int_xor v3, v4
    v7:int = int_xor v4, v3
    v8:bool = int_lt v5, v5
    branch v8 ? block1(v5, v6, v7) : block2()
block2():
    return_value v2
snapshot 0 reason=1: frame 0 @unit 4 []
)",
                 R"(region "f" function(int, int) -> int
code 0 "f"
block0(v0:int, v1:int):
    jump block1(v0)
block1(v2:int):
    v5:int = int_add v2, v2 !0
    v8:bool = int_lt v5, v5
    branch v8 ? block1(v5) : block2()
block2():
    return_value v2
snapshot 0 reason=1: frame 0 @unit 4 []
)");
}

TEST(EliminateDeadCode, KeepsTheRegionsArguments) {
    const char* text = R"(region "f" function(int, object) -> none
block0(v0:int, v1:object):
    return_value
)";
    expectResult(text, text);
}

TEST(EliminateDeadCode, ParametersWithOneValueAreThatValue) {
    expectResult(R"(region "f" function(int, bool) -> int
code 0 "f"
block0(v0:int, v1:bool):
    branch v1 ? block1() : block2()
block1():
    jump block3(v0, v0)
block2():
    v2:int = const_int[1]
    jump block3(v0, v2)
block3(v3:int, v4:int):
    v5:int = int_add v3, v4 !0
    return_value v5
snapshot 0 reason=1: frame 0 @unit 4 [v3, tuple(v3, v4)]
)",
                 R"(region "f" function(int, bool) -> int
code 0 "f"
block0(v0:int, v1:bool):
    branch v1 ? block1() : block2()
block1():
    jump block3(v0)
block2():
    v2:int = const_int[1]
    jump block3(v2)
block3(v4:int):
    v5:int = int_add v0, v4 !0
    return_value v5
snapshot 0 reason=1: frame 0 @unit 4 [v0, tuple(v0, v4)]
)");
}

// An invariant of two nested loops: each header's parameter gets only the other one, and the value from outside.
TEST(EliminateDeadCode, InvariantsOfNestedLoops) {
    expectResult(R"(region "f" function(int, bool) -> int
block0(v0:int, v1:bool):
    jump block1(v0)
block1(v2:int):
    jump block2(v2)
block2(v3:int):
    branch v1 ? block2(v3) : block3(v3)
block3(v4:int):
    branch v1 ? block1(v4) : block4()
block4():
    return_value v4
)",
                 R"(region "f" function(int, bool) -> int
block0(v0:int, v1:bool):
    jump block1()
block1():
    jump block2()
block2():
    branch v1 ? block2() : block3()
block3():
    branch v1 ? block1() : block4()
block4():
    return_value v0
)");
}

// Two versions of a loop that lead to each other: no block's parameter gets the value from outside alone, or but itself.
TEST(EliminateDeadCode, InvariantsOfLoopsThatAreEnteredFromEachOther) {
    expectResult(R"(region "f" function(int, bool) -> int
block0(v0:int, v1:bool):
    branch v1 ? block1(v0) : block2(v0)
block1(v2:int):
    branch v1 ? block1(v2) : block2(v2)
block2(v3:int):
    branch v1 ? block1(v3) : block3(v3)
block3(v4:int):
    branch v1 ? block2(v4) : block4()
block4():
    return_value v4
)",
                 R"(region "f" function(int, bool) -> int
block0(v0:int, v1:bool):
    branch v1 ? block1() : block2()
block1():
    branch v1 ? block1() : block2()
block2():
    branch v1 ? block1() : block3()
block3():
    branch v1 ? block2() : block4()
block4():
    return_value v0
)");
}

TEST(EliminateDeadCode, ParametersThatAreAlwaysEqualAreOne) {
    expectResult(R"(region "f" function(int, bool) -> int
code 0 "f"
block0(v0:int, v1:bool):
    v2:int = const_int[1]
    jump block1(v0, v2, v0, v0)
block1(v3:int, v4:int, v5:int, v6:int):
    v7:int = int_add v3, v4 !0
    branch v1 ? block2(v7, v7) : block3(v3, v5)
block2(v8:int, v9:int):
    jump block1(v8, v4, v9, v4)
block3(v10:int, v11:int):
    v12:int = int_add v10, v11 !0
    v13:int = int_add v12, v6 !0
    return_value v13
snapshot 0 reason=1: frame 0 @unit 4 [v3, v5]
)",
                 R"(region "f" function(int, bool) -> int
code 0 "f"
block0(v0:int, v1:bool):
    v2:int = const_int[1]
    jump block1(v0, v0)
block1(v3:int, v6:int):
    v7:int = int_add v3, v2 !0
    branch v1 ? block2() : block3()
block2():
    jump block1(v7, v2)
block3():
    v12:int = int_add v3, v3 !0
    v13:int = int_add v12, v6 !0
    return_value v13
snapshot 0 reason=1: frame 0 @unit 4 [v3, v3]
)");
}

// Two values that change places in every iteration are not invariant.
TEST(EliminateDeadCode, SwappedParametersStay) {
    const char* text = R"(region "f" function(int, int, bool) -> int
block0(v0:int, v1:int, v2:bool):
    jump block1(v0, v1)
block1(v3:int, v4:int):
    branch v2 ? block1(v4, v3) : block2()
block2():
    return_value v3
)";
    expectResult(text, text);
}

TEST(EliminateDeadCode, OneParameterOfTwoEdgesToTheSameBlock) {
    const char* text = R"(region "f" function(int, int, bool) -> int
block0(v0:int, v1:int, v2:bool):
    branch v2 ? block1(v0) : block1(v1)
block1(v3:int):
    return_value v3
)";
    expectResult(text, text);
}

}  // namespace
}  // namespace kiln::passes
