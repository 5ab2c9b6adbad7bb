// Foreign code may run only where a region is ready for it.
#include <gtest/gtest.h>

#include "jit/ir/region.h"
#include "tests/jit/region_text.h"

namespace kiln::ir {
namespace {

using test::regionOf;

// The check of a function whose body is `body`, of two objects v0 and v1.
std::string problemOf(const std::string& body) {
    return findUnguardedRelease(regionOf("region \"f\" function(object, object) -> none\ncode 0 \"f\"\nblock0(v0:object, v1:object):\n" + body +
                                         "snapshot 0 reason=0: frame 0 @unit 0 [v0]\n"));
}

TEST(ReleaseCheck, ReleaseAfterItsGuard) {
    EXPECT_EQ(problemOf("guard_quiet v0, v1 !0\nincref v0\ndecref v1\ndecref v0\nleave_frame\nreturn_value\n"), "");
    EXPECT_EQ(problemOf("guard_displaced v0 !0\nxdecref v0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, ReleaseOfWhatMayBeNoReference) {
    EXPECT_EQ(problemOf("v2:object = counted v0\nguard_displaced v2 !0\nxdecref v2\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("v2:object = counted v0\nguard_displaced v0 !0\nxdecref v2\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, ReleaseWithoutGuard) {
    EXPECT_NE(problemOf("guard_quiet v0 !0\ndecref v1\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("decref v0\nguard_quiet v0 !0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, AnAnswerIsForOneRelease) {
    EXPECT_NE(problemOf("guard_quiet v0 !0\ndecref v0\ndecref v0\nleave_frame\nreturn_value\n"), "");
    EXPECT_EQ(problemOf("guard_quiet v0, v0 !0\ndecref v0\ndecref v0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, AnAnswerEndsWithForeignCode) {
    EXPECT_NE(problemOf("guard_quiet v0 !0\nsuspend !0\ndrop v1\nresume\ndecref v0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, AnAnswerHoldsInBlocksBehindIt) {
    EXPECT_EQ(problemOf("guard_quiet v0 !0\njump block1()\nblock1():\ndecref v0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, ForeignCodeRunsWhileTheActivationWaits) {
    EXPECT_EQ(problemOf("suspend !0\nv2:object = opaque_object[get_item] v0, v1 !0\ndrop v0\nresume\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("v2:object = opaque_object[get_item] v0, v1 !0\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("drop v0\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("suspend !0\nresume\ndrop v0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, TracebacksAreMadeWhileTheActivationWaits) {
    EXPECT_EQ(problemOf("suspend !0\nv2:object = attempt_object[get_item] v0, v1\nadd_traceback\nresume\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("add_traceback\nleave_frame\nreturn_value\n"), "");
    EXPECT_NE(problemOf("v2:object = attempt_object[get_item] v0, v1\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, AnExceptionLeavesWithoutTheFrame) {
    EXPECT_EQ(problemOf("suspend !0\nunwind[1]\ndrop v0\ndrop v1\nreturn_raised\n"), "");
    EXPECT_NE(problemOf("unwind[0]\nreturn_raised\n"), "");
    EXPECT_NE(problemOf("return_raised\n"), "");
}

TEST(ReleaseCheck, LeafHelpersNeedNothing) {
    EXPECT_EQ(problemOf("v2:object = opaque_object[build_list] v0, v1 !0\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, WaitingEndsWithinTheBlock) {
    EXPECT_NE(problemOf("suspend !0\njump block1()\nblock1():\nresume\nleave_frame\nreturn_value\n"), "");
}

TEST(ReleaseCheck, DropsAfterTheFrame) {
    EXPECT_EQ(problemOf("leave_frame\ndrop v0\nreturn_value\n"), "");
    EXPECT_NE(problemOf("return_value\n"), "");
}

}  // namespace
}  // namespace kiln::ir
