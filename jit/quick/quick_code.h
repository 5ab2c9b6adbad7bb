// Quick code: a region's machine code, copied from stencils in microseconds on the program's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "jit/codegen_interface.h"
#include "jit/quick/debugger_entry.h"

namespace kiln {

// Where things lie in a native frame: bytes from its start.
struct NativeFrameLayout {
    std::vector<int32_t> slots;   // by ValueId
    int32_t spare = 0;            // a word for moves
    int32_t shadowFrames = 0;
    int32_t activation = 0;       // of a function without a frame
    int32_t size = 0;

    int32_t wordOf(ir::ValueId value) const {
        return slots[static_cast<size_t>(value)] / static_cast<int32_t>(sizeof(int64_t));
    }
};

// The machine code. Nothing may run in it when it is destroyed.
class QuickCode {
   public:
    QuickCode(void* memory, size_t size) : memory_(memory), size_(size) {}
    QuickCode(const QuickCode&) = delete;
    QuickCode& operator=(const QuickCode&) = delete;
    ~QuickCode();

    void* entry = nullptr;        // LoopEntry, or the native entry of a function
    void* boxedEntry = nullptr;   // BoxedEntry of a function
    NativeFrameLayout layout;
    std::vector<CodePlace> places;  // with `codePlaces` only
    const void* start() const { return memory_; }
    size_t size() const { return size_; }
    // Tells gdb.
    void nameForDebugger(const std::string& name);

   private:
    void* memory_;
    size_t size_;
    std::unique_ptr<DebuggerEntry> debuggerEntry_;
};

// NULL where an op of the region has no stencil, or memory for code lacks. The request's region has been through the passes.
std::unique_ptr<QuickCode> assembleQuickCode(const CodegenEnvironment& environment, const CodegenRequest& request);

}  // namespace kiln
