// The compiler behind the one LLVM object, without an LLVM type: opened at the first compile, called off the GIL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jit/ir/region.h"
#include "jit/ir/tables.h"
#include "jit/native_interface.h"

namespace kiln {

// Differences from the first, and products with and quotients by the other, are what LLVM makes changes of sign, if it knows them.
inline constexpr double kSignChanges[] = {-0.0, -1.0};

// Addresses and numbers that emitted code holds. All outlive the code.
struct CodegenEnvironment {
    const void* runtime[static_cast<int>(RuntimeFunction::kCount)] = {};
    const void* helpers[static_cast<int>(Helper::kCount)] = {};
    const void* math[static_cast<int>(MathFunction::kCount)] = {};
    int64_t fields[static_cast<int>(Field::kCount)] = {};
    int64_t valuesOffset = 0;          // from an instance to the word that tells where its values are
    const void* evalBreaker = nullptr;
    const void* objectTrue = nullptr;
    const void* objectFalse = nullptr;
    const void* floatClass = nullptr;
    const void* longClass = nullptr;
    const void* boolClass = nullptr;
    const void* listClass = nullptr;
    const double* signChanges = nullptr;  // kSignChanges, where code finds them: the host's, for it outlives the LLVM object
    bool dumpLlvm = false;
    bool dumpAssembly = false;
    bool nativeTools = false;          // results name their symbols, and GDB is told of them
    bool codePlaces = false;           // and say where their code comes from
    bool stressDeopt = false;
    bool stressGc = false;             // a collection at each opaque operation
};

// Quick code is there soon and runs at about half the speed of thorough code, which replaces it where it goes on running.
enum class Tier : uint8_t { kQuick, kThorough };
inline const char* tierName(Tier tier) { return tier == Tier::kQuick ? "quick" : "thorough"; }

struct CodegenRequest {
    const ir::Region* region = nullptr;
    void* owner = nullptr;             // passed to the exit functions
    const void* validFlag = nullptr;   // a byte: zero once an assumption broke
    uint64_t* counters = nullptr;      // by `count`'s immediate
    bool needsFrame = false;
    size_t activationWords = 0;        // of its activation record; 0: it never waits
    int64_t frameBytes = 0;            // of the root's frame: what follows it is the record, if it needs a frame
    uint8_t* executedOps = nullptr;    // a byte for each op, set when it is executed; mostly nullptr
    Tier tier = Tier::kThorough;
    int64_t* budget = nullptr;         // quick code takes one off at each poll and call, and asks for better code below zero
    const CallSite* callSites = nullptr;  // by snapshot
    const void* self = nullptr;        // object-table entry that means this very function
    void* const* entry = nullptr;      // where its entry stands once it is installed
};

// From `offset` on code is of the place of an exit.
struct CodePlace {
    uint64_t offset = 0;
    ir::SnapshotId snapshot = ir::kNoId;
};

// A function of the compiled code.
struct CodeSymbol {
    std::string name;
    const void* address = nullptr;
    uint64_t size = 0;
    std::vector<CodePlace> places = {};  // with `codePlaces` only; by offset
};

struct CodegenResult {
    bool ok = false;
    std::string error;
    bool unfit = false;           // the error is the region's, not the compiler's
    void* entry = nullptr;        // LoopEntry, or the native entry of a function
    void* boxedEntry = nullptr;   // BoxedEntry of a function
    void* handle = nullptr;       // for release()
    double milliseconds = 0;
    std::vector<CodeSymbol> symbols;   // with `nativeTools` only
};

class Codegen {
   public:
    virtual ~Codegen() = default;
    // Thread-safe; needs no GIL. Never throws: failures are in the result.
    virtual CodegenResult compile(const CodegenRequest& request) = 0;
    // Frees a region's code. Nothing may run in it.
    virtual void release(void* handle) = 0;
};

}  // namespace kiln

// The LLVM object's only entry point.
extern "C" kiln::Codegen* kiln_create_codegen(const kiln::CodegenEnvironment* environment);
