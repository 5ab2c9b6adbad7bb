// The CPU backend's compiler behind the one LLVM object, without an LLVM type.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {

// Laid out for emitted code.
struct LaunchShape {
    int32_t grid[3] = {1, 1, 1};
    int32_t block[3] = {1, 1, 1};
    int64_t dynamicBytes = 0;  // of shared memory
    int32_t cores = 0;         // that blocks are spread over; 0: all, if the launch is worth it
    int64_t threads() const { return int64_t(block[0]) * block[1] * block[2]; }
    int64_t blocks() const { return int64_t(grid[0]) * grid[1] * grid[2]; }
};

// Runs blocks [first, end) of the grid, counted with x fastest. Arguments are packed as argument_layout.h says. `scratch`
// holds CpuKernel::scratchBytes() bytes, aligned to 64, for this call alone.
using CpuEntry = void (*)(const uint8_t* arguments, const LaunchShape* shape, int64_t first, int64_t end, uint8_t* scratch);

struct CpuKernel {
    CpuEntry entry = nullptr;
    int64_t sharedBytes = 0;     // of a block
    int64_t bytesPerThread = 0;  // what lives across barriers
    void* code = nullptr;        // what release() frees
    int64_t scratchBytes(const LaunchShape& shape) const {
        return sharedBytes + shape.dynamicBytes + 64 + bytesPerThread * shape.threads() + 64;
    }
};

// Compiled code before it is loaded, which another process may do, too.
struct CpuImage {
    int64_t sharedBytes = 0;  // as in CpuKernel
    int64_t bytesPerThread = 0;
    std::string object;
};

// What emitted code of a module with Module::accesses calls beside. `place` is a thread's index and its block's.
struct CpuChecks {
    // A block begins; `shared` is all of its shared memory.
    void (*beginBlock)(int64_t block, const uint8_t* shared, int64_t sharedBytes) = nullptr;
    void (*endBlock)() = nullptr;
    // Before an access: a row of Module::accesses, an AccessKind, the element and its indices, and what a store writes, or null.
    void (*access)(int64_t row, int64_t kind, const uint8_t* address, int64_t bytes, const int64_t* indices,
                   const void* value, const int32_t* place) = nullptr;
    void (*atomicDone)(const uint8_t* address, const int32_t* place) = nullptr;
    // What a local array holds is not known from here on.
    void (*undefine)(const uint8_t* address, int64_t bytes) = nullptr;
    void (*fence)(const int32_t* place) = nullptr;
    void (*blockBarrier)() = nullptr;
    void (*gridBarrier)() = nullptr;
    // Arrays by thread, as for CpuRuntime::warp.
    void (*warp)(const uint8_t* active, const uint32_t* mask) = nullptr;
};

// Functions that emitted code calls.
struct CpuRuntime {
    // A WarpOp for all threads of a block at once: arrays by thread. `active` may be null: all are.
    void (*warp)(int64_t op, int64_t threads, const uint8_t* active, const uint32_t* mask, const void* value,
                 int64_t valueBytes, const int32_t* argument, void* result) = nullptr;
    // printf of one value or text: kind 0 text, 1 int64, 2 uint64, 3 double, 4 bool.
    void (*print)(int64_t kind, const char* text, int64_t bits) = nullptr;
    // A thread fails: `place` is its index and its block's, x, y and z each. Does not return.
    void (*raise)(int64_t fault, const int32_t* place, int64_t index, int64_t size) = nullptr;
    // Once for a block: returns when all blocks of the grid have come here, or ended.
    void (*gridBarrier)() = nullptr;
    // Called now and then while one of two words is not 0: ends the launch, then it does not return, or lets it go on.
    void (*poll)() = nullptr;
    // A function that may call itself is entered: does not return when too little is left of the stack.
    void (*checkStack)() = nullptr;
    CpuChecks checks;
    const void* stopWord = nullptr;  // int32
    const void* signalWord = nullptr;
    bool dumpLlvm = false;
};

class KernelCodegen {
   public:
    virtual ~KernelCodegen() = default;
    // What an image depends on beside the module and the block: LLVM's version, the processor. Thread-safe.
    virtual std::string target() = 0;
    // For blocks of these three dimensions, or with nullptr of any. Thread-safe, needs no GIL. False with `error` set.
    virtual bool compile(const Module& module, const int32_t* block, CpuImage& image, std::string& error) = 0;
    // Likewise, of an image that this or another process compiled.
    virtual bool load(const CpuImage& image, CpuKernel& kernel, std::string& error) = 0;
    // Frees the code of a compiled kernel, which no thread may be running. Thread-safe, needs no GIL.
    virtual void release(CpuKernel& kernel) = 0;
};

}  // namespace kiln::gpu

extern "C" kiln::gpu::KernelCodegen* kiln_create_kernel_codegen(const kiln::gpu::CpuRuntime* runtime);
