// Exits against rounds: judged at each doubling, by what came since.
#include <gtest/gtest.h>

#include "jit/engine/exit_account.h"

namespace kiln {
namespace {

TEST(ExitAccount, IsDueAtEachDoubling) {
    ExitAccount account(8, 256);
    account.addExits(255);
    EXPECT_FALSE(account.isDue());
    account.addExits(1);
    EXPECT_TRUE(account.isDue());
    EXPECT_FALSE(account.isLosing(100000));
    account.addExits(255);
    EXPECT_FALSE(account.isDue());
    account.addExits(1);
    EXPECT_TRUE(account.isDue());
}

TEST(ExitAccount, FewRoundsLose) {
    ExitAccount account(8, 256, 1000);
    account.addExits(256);
    EXPECT_TRUE(account.isLosing(1000 + 256 * 8 - 1));
}

TEST(ExitAccount, GoodTimesBeforeDoNotCount) {
    ExitAccount account(8, 256);
    account.addExits(256);
    EXPECT_FALSE(account.isLosing(1000000));
    account.addExits(256);
    EXPECT_TRUE(account.isLosing(1000000 + 256));
}

TEST(ExitAccount, BeginsAnew) {
    ExitAccount account(8, 256);
    account.addExits(256);
    account.begin(500);
    EXPECT_EQ(account.exitsSince(), 0u);
    account.addExits(64);
    EXPECT_EQ(account.exitsSince(), 64u);
    EXPECT_FALSE(account.isLosing(500 + 64 * 8));
}

}  // namespace
}  // namespace kiln
