// Blocks that wait for each other: each has a stack of its own, and the threads of the pool run them in turns.
#pragma once

#include <cstdint>
#include <functional>

namespace kiln::gpu {

inline constexpr int64_t kMostCooperativeBlocks = 1024;

enum class Cooperation { kDone, kForked, kNoMemory };

// Runs body(block) for all blocks; returns when all have ended, or why they cannot. enter(block) is called on the thread that runs the
// block from there on, before it begins and whenever it goes on. goesOn() and forks are as parallelFor() has them.
[[nodiscard]] Cooperation runCooperatively(int64_t blocks, int threads, const std::function<void(int64_t)>& body,
                                           const std::function<void(int64_t)>& enter, const std::function<bool()>& goesOn);

// In a body: returns when every other block has called it as often, or has ended.
void waitForGrid();

// The lowest address of the stack of the block that this thread runs; nullptr when blocks have none of their own.
const void* blockStack();

// Does something on the stack of the thread, where it is not on that of a block.
void onThreadStack(const std::function<void()>& work);

}  // namespace kiln::gpu
