// Blocks that wait for each other: each has a stack of its own, and the threads of the pool run them in turns.
#pragma once

#include <cstdint>
#include <functional>

namespace kiln::gpu {

inline constexpr int64_t kMostCooperativeBlocks = 1024;

// Runs body(block) for all blocks; returns when all have ended. enter(block) is called on the thread that runs the block from
// there on, before it begins and whenever it goes on. False when there is no memory for the stacks.
[[nodiscard]] bool runCooperatively(int64_t blocks, int threads, const std::function<void(int64_t)>& body,
                                    const std::function<void(int64_t)>& enter);

// In a body: returns when every other block has called it as often, or has ended.
void waitForGrid();

}  // namespace kiln::gpu
