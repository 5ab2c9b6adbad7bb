// How compiled code is entered, how it returns, and what it calls in the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/ir/ir_op.h"
#include "jit/ir/tables.h"

namespace kiln {

inline constexpr int kMostExitValues = 2048;

// The box of a number that has not been an object yet: see ir/ir_ops.def. That of a float may be another than that of an int where
// both may stand in one place.
inline constexpr int64_t kBareInt = 1;
inline constexpr int64_t kBareFloat = 3;
inline constexpr int64_t kNotBare = -1;

// Where an activation of compiled code may wait for a callee: a snapshot of frames and locals.
struct CallSite {
    void* owner = nullptr;  // the compiled region
    int32_t snapshot = 0;
    bool lacksFrames = false;  // whoever may look makes some first: of inlined functions, or the root's
    Failure failure = Failure::kSeen;
    const void* discarded = nullptr;  // kDiscarded: the class, borrowed
};

// Of a frame, without locals.
inline constexpr size_t kShadowFrameWords = 10;
inline constexpr int32_t kShadowStacktop = 0x7fffffff;  // tells it: KILN_SHADOW_STACKTOP

enum Published : int64_t { kUnpublished = 0, kShadowed = 1, kPublishedFrame = 2, kPublishedLocals = 3 };

// One waiting activation of compiled code. Its frames are made real only when somebody may look.
//
// Where the root has a frame, the record lies on the data stack and the frame tells where (kiln_frame_record()): whoever has the frame
// can read it. Without a frame it lies on the native stack, and only code above it, of the same context, looks at it.
struct Activation {
    Activation* previous;
    const CallSite* site;  // NULL while a record on the data stack does not wait
    void* frame;        // the root's frame; NULL while a function root has none
    void* function;     // of a function root: the function that it runs for, borrowed from the caller
    int64_t published;  // what was made real or has a shadow, and is given up when the callee returns
    union {
        void* shadow;     // kShadowed: the innermost frame, or shadow frame, of this activation and those below it
        void* innermost;  // published, in the record that the root's frame has: the innermost of the activation's frames
    };
    int64_t* native;      // of quick code: its native frame, where what the site's snapshot names lies
    // Of LLVM's code, and of a record on the data stack before a greenlet swaps the native stack (keepValues()), that follows, a word each.
    int64_t* values() { return reinterpret_cast<int64_t*>(this + 1); }
};

// One entry from the interpreter; passed to all compiled code as its first argument.
struct NativeContext {
    void* threadState = nullptr;
    int64_t* exitValues = nullptr;  // kMostExitValues words of the thread's: what an exit's snapshot names, until the exit has read it
    char* stackLimit = nullptr;   // native calls below this address leave for the interpreter
    Activation* top = nullptr;    // the innermost activation that waits
    Activation* record = nullptr; // of a loop root that waits for callees: room on the data stack
    bool entryMissed = false;     // the loop entered with this context left by an entry guard: its frame is untouched
    int looksBehind = -1;         // the unit of the instruction behind which it left, if CPython looks at the evaluation breaker there
    int64_t place = 0;            // where it is, as code that was compiled for somebody who samples tells (CompiledPlaces); 0: not known
    uint64_t exits = 0;           // of the loop; one by an exception counts twice, as it costs
};

// Two registers: what a compiled function gives back.
struct NativeResult {
    int64_t value;   // the raw result, or an object reference
    int64_t status;  // NativeStatus
};

enum NativeStatus : int64_t {
    kRawResult = 0,    // of the function's declared type
    kBoxedResult = 1,  // a new reference
    kRaised = 2,       // an exception is set
    kNotEntered = 3,   // boxed entry only: the arguments have other classes; nothing happened
    kLastStatus = 3,   // above: the raw result is this object, a new reference
};

// A loop root runs on its live frame and has restored it when it returns.
using LoopEntry = void (*)(NativeContext*, void* frame);
// The function object that is called, and its arguments in the order of its locals: borrowed references.
using BoxedEntry = NativeResult (*)(NativeContext*, void* function, void** arguments);

// What a call is compiled for: functions of one code object, or whatever comes, with arguments or with a tuple of them.
enum class Called : uint8_t { kFunction, kAnything, kAnythingSpread };

// The native entry of all functions of one code object with the same namespaces, for one tuple of argument types and one
// result type. Callers are compiled against it, before the function itself is or after its code was thrown away, and load
// `entry` at each call. It takes the context, the function object, and the arguments.
struct NativeFunction {
    void* entry = nullptr;       // NULL: no code at present
    void* boxedEntry = nullptr;
    void* owner = nullptr;       // the compiled region, which may still be without code
    const void* globals = nullptr;   // of the functions, borrowed
    const void* builtins = nullptr;
    std::vector<ir::Type> arguments;  // the parameters', then a box, borrowed, for each of
    std::vector<int> boxedParameters; // numbers that come with the object that they are
    ir::Type returnType = ir::Type::kObject;
    uint64_t numbers = 0;             // a bit for each parameter that is a number: callers keep the references to these
    Called called = Called::kFunction;  // if not, it has no entry, and the words are those of callFallback()
};

inline constexpr size_t kMostNativeParameters = 64;

enum class RuntimeFunction : uint8_t {
#define KILN_RUNTIME(name) k_##name,
#include "jit/runtime_functions.def"
#undef KILN_RUNTIME
    kCount
};

}  // namespace kiln
