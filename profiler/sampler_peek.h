// A look at the running thread's frames from another thread, without stopping it.
//
// The frames change while they are read, so reads go through the kernel, which answers a bad address with an error, except those of
// memory that is known to stay. A frame read a moment after its end still names the function that ran; to insist on an unchanged top would
// favour functions that run long. Code objects in a peek stay valid until their destruction is announced, which the
// caller must watch.
#pragma once

#include <Python.h>

#include "interp/cpython/cpython_shim.h"
#include "profiler/report_model.h"

namespace kiln {

struct PeekedFrame {
    KilnFrame* frame = nullptr;
    PyCodeObject* code = nullptr;  // null once destroyed
    const void* prevInstr = nullptr;
};

enum class PeekResult : uint8_t {
    kFrames,  // at least one frame
    kIdle,    // no Python code runs
    kFailed,  // the frames changed too fast, a sub-interpreter runs, or the kernel forbids such reads
};

struct Peek {
    static constexpr int kMostFrames = 8;
    PeekResult result = PeekResult::kFailed;
    ReportTier tier = ReportTier::kInterpreted;
    PyCodeObject* stayCode = nullptr;  // what was compiled or ran compiled, unless it has a frame of its own on top
    int aboveStay = -1;  // so many of the frames stand above that at which compiled code was entered; -1: it was not
    bool isIdle = false;              // it waits, and nobody else runs
    bool stayOwnsFrame = false;       // and that frame is the compiled code's
    int64_t mark = 0;                 // where the compiled code told that it was: compiled_places.h
    PyThreadState* thread = nullptr;  // null when not even that is known
    int count = 0;
    PeekedFrame frames[kMostFrames];  // top first, without entry shims
    KilnFrame* below = nullptr;       // the frame under the last one
    double at = 0;                    // when the time begins that it stands for
    double seconds = 0;
    int ticks = 0;

    bool sameAs(const Peek& other) const;
};

// Once in each process, before the first look. `onFree` is called, with any GIL or none, when memory goes that may have been met, and
// has forgetMemory() told.
void preparePeeks(void (*onFree)(const void* from, size_t size));
// `thread` runs, GIL held: learns where its stacks are, which makes looks cheaper. Never during a look.
void meetStacks(PyThreadState* thread);
// This memory goes. Never during a look; no GIL needed.
void forgetMemory(const void* from, size_t size);
// Any thread, no GIL needed. `isKnown` tells code objects that are certainly alive: frames with others are looked at
// twice. The look ends early at a frame that `before`, the last peek, has seen, too: what lies below it is the same.
void peekStack(Peek& peek, const Peek& before, bool (*isKnown)(PyCodeObject* code));

}  // namespace kiln
