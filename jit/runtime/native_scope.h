// Stays in compiled code: from an entry by the interpreter to the return to it. They tell which code may still be on a stack.
//
// A greenlet may take its native stack away in the middle of a stay, and come back or never. So what is known of stays lies
// apart from that stack, and a stay ends at its return, or when the data stack below its frames is given back: then its greenlet
// or thread is gone, and nothing will return.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

#include "jit/native_interface.h"
#include "profiler/sampler.h"

namespace kiln {

// The stays that began above one chunk of the data stack, which is one greenlet's or thread's: they end in the opposite order, so
// that the outermost is the oldest.
struct ChunkStays {
    PyThreadState* thread = nullptr;
    uint64_t outermost = 0;
    size_t underWay = 0;
    std::vector<SamplerStay*> sampled = {};  // where somebody samples
};

// Lives on the native stack while compiled code runs. Needs the GIL.
class NativeScope {
   public:
    NativeScope(PyThreadState* thread, PyCodeObject* code, ReportTier tier);
    ~NativeScope();
    NativeScope(const NativeScope&) = delete;
    NativeScope& operator=(const NativeScope&) = delete;
    NativeContext* context() { return &context_; }

   private:
    NativeContext context_;
    ChunkStays& stays_;
};

// Stays are numbered as they begin, but for those within others. The number of the next one:
uint64_t nextStay();
// The oldest that may still return to its code; nextStay() when there is none.
uint64_t oldestStay();
// In a forked child, where nothing returns to the stays of other threads.
void endStaysOfOthers(PyThreadState* thread);
// Once, before the first stay.
void watchStays();

}  // namespace kiln
