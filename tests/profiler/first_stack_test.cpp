// What is known of the first thread's stack. gtest runs the tests on that thread.
#include "profiler/first_stack.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <thread>

namespace kiln {
namespace {

const char* addressOf(const void* place) {
    return static_cast<const char*>(place);
}

// Meets the stack deeper down than its caller.
__attribute__((noinline)) bool meetBelow(FirstStack& stack, size_t bytes) {
    auto* room = static_cast<volatile char*>(__builtin_alloca(bytes));
    room[0] = 1;
    bool result = stack.meet();
    return room[0] != 0 && result;
}

TEST(FirstStackTest, ReachesDownToWhoeverMeetsIt) {
    FirstStack stack;
    int here = 0;
    EXPECT_TRUE(stack.meet());
    EXPECT_FALSE(stack.meet());
    EXPECT_GT(addressOf(stack.end()), addressOf(&here));
    const char* before = addressOf(stack.from());
    EXPECT_TRUE(meetBelow(stack, 100000));
    EXPECT_LE(addressOf(stack.from()), before - 100000);
    EXPECT_FALSE(meetBelow(stack, 1000));
    char last = 0;
    for (const char* place = addressOf(stack.from()); place < addressOf(stack.end()) - 4096; place += 4096) {
        last ^= *static_cast<const volatile char*>(place);  // all of it is there
    }
    SUCCEED() << last;
}

TEST(FirstStackTest, OtherThreadsTellNothing) {
    FirstStack stack;
    std::thread([&] { EXPECT_FALSE(stack.meet()); }).join();
    EXPECT_EQ(stack.from(), nullptr);
    EXPECT_TRUE(stack.meet());
    const void* known = stack.from();
    std::thread([&] { EXPECT_FALSE(meetBelow(stack, 100000)); }).join();
    EXPECT_EQ(stack.from(), known);
}

FirstStack* metOnOther = nullptr;
bool learntOnOther = false;

TEST(FirstStackTest, OtherStacksOfTheThreadTellNothing) {
    FirstStack stack;
    ASSERT_TRUE(stack.meet());
    const void* known = stack.from();
    constexpr size_t kSize = 1 << 18;
    void* other = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(other, MAP_FAILED);
    ucontext_t back = {};
    ucontext_t context = {};
    ASSERT_EQ(getcontext(&context), 0);
    context.uc_stack.ss_sp = other;
    context.uc_stack.ss_size = kSize;
    context.uc_link = &back;
    metOnOther = &stack;
    makecontext(
        &context, [] { learntOnOther = metOnOther->meet(); }, 0);
    ASSERT_EQ(swapcontext(&back, &context), 0);
    EXPECT_FALSE(learntOnOther);
    EXPECT_EQ(stack.from(), known);
    ::munmap(other, kSize);
}

}  // namespace
}  // namespace kiln
