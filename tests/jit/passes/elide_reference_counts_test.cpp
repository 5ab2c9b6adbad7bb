// elide_reference_counts: text in, text out.
#include <gtest/gtest.h>

#include "jit/passes/passes.h"
#include "tests/jit/region_text.h"

namespace kiln::passes {
namespace {

// Regions of one block over two objects and an int; `snapshots` follows.
std::string blockOf(const std::string& instructions, const std::string& snapshots = "") {
    return "region \"f\" function(object, object, int) -> none\nobject 0 \"int\"\ncode 0 \"f\"\nname 0 \"total\"\n"
           "block0(v0:object, v1:object, v2:int):\n" +
           instructions + "return_value\n" + snapshots;
}

void expectResult(const std::string& text, const std::string& expected) {
    EXPECT_EQ(test::after(elideReferenceCounts, text), test::normalised(expected));
}

void expectUnchanged(const std::string& text) {
    expectResult(text, text);
}

TEST(ElideReferenceCounts, PairsOverPureAndReadOps) {
    const std::string between = "v3:bool = is_null v0\nv4:int = load_field[ob_size] v0\n";
    for (const char* release : {"decref v0\n", "decref_number v0\n", "xdecref v0\n"}) {
        expectResult(blockOf("incref v0\n" + between + release), blockOf(between));
    }
}

TEST(ElideReferenceCounts, GuardsBetweenTakeACopyInstead) {
    expectResult(blockOf("incref v0\nguard_class[0] v0 !0\nv3:int = unbox_int v0 !0\ndecref v0\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [own v0, home] names {0: v2}\n"),
                 blockOf("guard_class[0] v0 !0\nv3:int = unbox_int v0 !0\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [v0, home] names {0: v2}\n"));
}

TEST(ElideReferenceCounts, WhatIsNotGivenUpIsNotAskedAbout) {
    const std::string owning = "snapshot 0 reason=1: frame 0 @unit 4 [own v0]\n";
    const std::string copying = "snapshot 0 reason=1: frame 0 @unit 4 [v0]\n";
    expectResult(blockOf("incref v0\nguard_quiet v1, v0 !0\ndecref v0\ndecref v1\n", owning),
                 blockOf("guard_quiet v1 !0\ndecref v1\n", copying));
    expectResult(blockOf("incref v0\nguard_set v1 !0\nguard_quiet v0 !0\ndecref v0\n", owning),
                 blockOf("guard_set v1 !0\n", copying));
}

TEST(ElideReferenceCounts, ContainersOfStoresThatAreNotGivenUp) {
    const std::string owning = "snapshot 0 reason=1: frame 0 @unit 4 [own v0]\n";
    const std::string copying = "snapshot 0 reason=1: frame 0 @unit 4 [v0]\n";
    expectResult(blockOf("incref v0\nguard_exchange v1, v2, v0 !0\ndecref_held v0\n", owning),
                 blockOf("guard_exchange v1, v2 !0\n", copying));
    const std::string other = blockOf("guard_exchange v1, v2, v0 !0\ndecref_held v0\n", owning);
    expectResult(other, other);
}

TEST(ElideReferenceCounts, WhatIsTakenAgainIsNotGivenUp) {
    const std::string owning = "snapshot 0 reason=1: frame 0 @unit 4 [own v0]\n";
    const std::string pure = "v3:bool = is_null v1\n";
    expectResult(blockOf("guard_quiet v0, v1 !0\ndecref v0\n" + pure + "incref v0\ndecref v1\n", owning),
                 blockOf("guard_quiet v1 !0\n" + pure + "decref v1\n", owning));
    for (const std::string between : {"guard_set v0 !0\n", "v3:int = load_field[ob_refcnt] v0\n"}) {
        const std::string seen = blockOf("decref v0\n" + between + "incref v0\n", owning);
        expectResult(seen, seen);
    }
}

TEST(ElideReferenceCounts, OnlyOneOfSeveralReferencesGoes) {
    expectResult(blockOf("incref v0\nguard_set v0 !0\ndecref v0\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [own v1, v0, own v0, own v0]\n"),
                 blockOf("guard_set v0 !0\n", "snapshot 0 reason=1: frame 0 @unit 4 [own v1, v0, v0, own v0]\n"));
}

TEST(ElideReferenceCounts, OwnersInsideOtherObjectsAndNames) {
    expectResult(blockOf("incref v0\nguard_set v0 !0\nguard_set v0 !1\ndecref v0\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [tuple(v2, tuple(own v0))]\n"
                         "snapshot 1 reason=1: frame 0 @unit 4 [v0] names {0: own v0}\n"),
                 blockOf("guard_set v0 !0\nguard_set v0 !1\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [tuple(v2, tuple(v0))]\n"
                         "snapshot 1 reason=1: frame 0 @unit 4 [v0] names {0: v0}\n"));
}

TEST(ElideReferenceCounts, SharedSnapshotIsClonedForTheGuardsBetween) {
    expectResult(blockOf("guard_set v1 !0\nincref v0\nguard_set v0 !0\nguard_class[0] v0 !0\ndecref v0\n"
                         "guard_class[0] v1 !0\n",
                         "snapshot 0 reason=7 place=5: frame 0 @unit 4 [own v0]\n"),
                 blockOf("guard_set v1 !0\nguard_set v0 !1\nguard_class[0] v0 !1\nguard_class[0] v1 !0\n",
                         "snapshot 0 reason=7 place=5: frame 0 @unit 4 [own v0]\n"
                         "snapshot 1 reason=7 place=5: frame 0 @unit 4 [v0]\n"));
}

TEST(ElideReferenceCounts, SnapshotSharedWithAnotherBlockIsCloned) {
    const std::string rest = "block1():\nguard_set v0 !0\njump block1()\n";
    const std::string head = "region \"f\" function(object) -> none\ncode 0 \"f\"\nblock0(v0:object):\n";
    expectResult(head + "incref v0\nguard_set v0 !0\ndecref v0\njump block1()\n" + rest +
                     "snapshot 0 reason=7 place=5: frame 0 @unit 4 [own v0]\n",
                 head + "guard_set v0 !1\njump block1()\n" + rest +
                     "snapshot 0 reason=7 place=5: frame 0 @unit 4 [own v0]\nsnapshot 1 reason=7 place=5: frame 0 "
                     "@unit 4 [v0]\n");
}

// Whoever comes last needs no clone: the snapshot is its own by then.
TEST(ElideReferenceCounts, TwoPairsThatShareOneSnapshot) {
    expectResult(blockOf("incref v0\nguard_set v0 !0\ndecref v0\nset_position[3]\nincref v0\nguard_class[0] v0 !0\n"
                         "decref v0\n",
                         "snapshot 0 reason=7 place=5: frame 0 @unit 4 [own v0]\n"),
                 blockOf("guard_set v0 !0\nset_position[3]\nguard_class[0] v0 !1\n",
                         "snapshot 0 reason=7 place=5: frame 0 @unit 4 [v0]\n"
                         "snapshot 1 reason=7 place=5: frame 0 @unit 4 [v0]\n"));
}

// Two pairs over one guard: its snapshot gives up one reference of each value.
TEST(ElideReferenceCounts, NestedAndCrossedPairs) {
    const std::string before = "snapshot 0 reason=1: frame 0 @unit 4 [own v0, own v1]\n";
    const std::string after = "snapshot 0 reason=1: frame 0 @unit 4 [v0, v1]\n";
    expectResult(blockOf("incref v0\nincref v1\nguard_set v0 !0\ndecref v1\ndecref v0\n", before),
                 blockOf("guard_set v0 !0\n", after));
    expectResult(blockOf("incref v0\nincref v1\nguard_set v0 !0\ndecref v0\ndecref v1\n", before),
                 blockOf("guard_set v0 !0\n", after));
}

TEST(ElideReferenceCounts, TwoReferencesToOneValue) {
    expectResult(blockOf("incref v0\nincref v0\nguard_set v0 !0\ndecref v0\ndecref v0\n",
                         "snapshot 0 reason=1: frame 0 @unit 4 [own v0, own v0]\n"),
                 blockOf("guard_set v0 !0\n", "snapshot 0 reason=1: frame 0 @unit 4 [v0, v0]\n"));
    // One release only: the other reference stays, wherever it ends up.
    expectResult(blockOf("incref v0\nincref v0\ndecref v0\n"), blockOf("incref v0\n"));
}

TEST(ElideReferenceCounts, BoxingAndBookkeepingBetweenDoNoHarm) {
    const std::string between = "v3:object = box_int v2\nset_position[4]\ncount[0]\n";
    expectResult(blockOf("incref v0\n" + between + "decref v0\n"), blockOf(between));
}

TEST(ElideReferenceCounts, WhatMayReleaseKeepsThePair) {
    for (const char* between : {
             "decref v1\n",
             "xdecref v1\n",
             "decref_number v1\n",
             "list_store v1, v2, v0\n",
             "cell_store v1, v0\n",
             "v3:object = take_slot[0]\n",
             "v3:object = opaque_object[get_item] v1, v0 !0\n",
             "list_append v1, v0 !0\n",
             "v3:object = pure_object[build_tuple] v0\n",
         }) {
        expectUnchanged(blockOf(std::string("incref v0\n") + between + "decref v0\n",
                                "snapshot 0 reason=1: frame 0 @unit 4 [own v0]\n"));
    }
}

// The reference that the exit hands over bears another name: taking it away here would release it twice.
TEST(ElideReferenceCounts, ExitThatDoesNotOwnTheValueKeepsThePair) {
    expectUnchanged(
        blockOf("incref v0\nguard_set v0 !0\ndecref v0\n", "snapshot 0 reason=1: frame 0 @unit 4 [v0, own v1]\n"));
}

TEST(ElideReferenceCounts, PairsAcrossBlocksStay) {
    expectUnchanged(
        "region \"f\" function(object) -> none\nblock0(v0:object):\nincref v0\njump block1()\n"
        "block1():\ndecref v0\nreturn_value\n");
}

// Of releases that are no last ones no guard has asked: the guard's question is that of the release before the pair.
TEST(ElideReferenceCounts, QuestionsOfOtherReleasesStay) {
    const std::string snapshot = "snapshot 0 reason=1: frame 0 @unit 4 [own v0]\n";
    for (const char* release : {"drop v0\n", "decref_held v0\n", "decref_number v0\n"}) {
        expectResult(blockOf("guard_quiet v0 !0\ndecref v0\nincref v0\n" + std::string(release), snapshot),
                     blockOf("guard_quiet v0 !0\ndecref v0\n", snapshot));
    }
}

}  // namespace
}  // namespace kiln::passes
