// What kiln knows about one root: a loop header or a function entry that may be compiled. The report is made from these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

// Counting ──threshold──▶ Recording ──enough seen──▶ Compiling ──installed──▶ Compiled
//    ▲                        │                          │                        │
//    └──── back-off ──────────┴──────── failure ─────────┘         invalidated, or hot exit: Counting / Recording
//                                       └── too many failures, or too many exits for what it did ──▶ Blacklisted, for good
enum class RootState : uint8_t { kCounting, kRecording, kCompiling, kCompiled, kBlacklisted };
enum class RootKind : uint8_t { kFunction, kLoop };

const char* rootStateName(RootState state);

// One way out of compiled code, summed over all recompilations.
struct ExitStatistics {
    std::string reason;  // code of jit/exit_reasons.def, for example "D001"
    int line = 0;
    uint64_t count = 0;
    bool operator==(const ExitStatistics&) const = default;
};

// An operation that compiled code hands to CPython instead of doing it natively.
struct OpaqueStatistics {
    std::string operation;  // for example "CALL random.random", "BINARY_OP + (boxed)"
    int line = 0;
};

struct RootStatistics {
    RootKind kind = RootKind::kLoop;
    RootState state = RootState::kCounting;
    int line = 0;
    int unit = 0;                 // code unit of the loop header, 0 for a function entry
    uint64_t interpreted = 0;     // calls, or back-edges taken, in the interpreter while counting
    uint64_t native = 0;          // calls, or back-edges taken, in compiled code
    int compiles = 0;
    double compileMs = 0;
    double firstMs = 0;           // processor time from the end of a recording to its first code; 0: it got none
    std::string refusal;          // code of jit/refusals.def when the root is not native, else empty
    int refusalLine = 0;
    std::string refusalDetail;
    std::vector<ExitStatistics> exits;
    std::vector<OpaqueStatistics> opaque;
};

struct CodeStatistics {
    std::string qualifiedName;
    std::string file;
    int firstLine = 0;
    uint64_t callsInterpreted = 0;
    uint64_t callsNative = 0;
    std::vector<RootStatistics> roots;
};

}  // namespace kiln
