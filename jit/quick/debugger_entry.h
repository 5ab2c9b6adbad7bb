// Tells gdb the name of machine code and how its frames are unwound, by gdb's JIT interface: a small ELF object in memory for each.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

// Known to gdb as long as it lives. Made and destroyed with the GIL held.
class DebuggerEntry {
   public:
    // `entries`: where code begins that pushes a frame, as bytes from `start`, rising; the first is 0.
    DebuggerEntry(const std::string& name, const void* start, size_t size, const std::vector<size_t>& entries);
    DebuggerEntry(const DebuggerEntry&) = delete;
    DebuggerEntry& operator=(const DebuggerEntry&) = delete;
    ~DebuggerEntry();

   private:
    struct Registration;
    std::unique_ptr<Registration> registration_;
};

}  // namespace kiln
