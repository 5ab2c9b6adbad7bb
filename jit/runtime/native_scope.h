// Stays in compiled code: from an entry by the interpreter to the return to it. They tell which code may still be on a stack.
//
// A greenlet may take its native stack away in the middle of a stay, and come back or never. So what is known of stays lies
// apart from that stack, and a stay ends at its return, or when the data stack below its frames is given back: then its greenlet
// or thread is gone, and nothing will return.
#pragma once

#include <Python.h>

#include "jit/native_interface.h"
#include "profiler/sampler.h"

namespace kiln {

// What is known of one stay.
struct Stay {
    uint64_t number = 0;
    PyThreadState* thread = nullptr;
    void* chunk = nullptr;         // of the data stack
    Stay* newer = nullptr;         // of all stays
    Stay* older = nullptr;
    Stay* nextInChunk = nullptr;
    Stay* previousInChunk = nullptr;
    SamplerStay sampled;
};

// Lives on the native stack while compiled code runs. Needs the GIL.
class NativeScope {
   public:
    NativeScope(PyThreadState* thread, PyCodeObject* code);
    ~NativeScope();
    NativeScope(const NativeScope&) = delete;
    NativeScope& operator=(const NativeScope&) = delete;
    NativeContext* context() { return &context_; }

   private:
    NativeContext context_;
    Stay* stay_;
};

// Stays are numbered as they begin. The number of the next one:
uint64_t nextStay();
// The oldest that may still return to its code; nextStay() when there is none.
uint64_t oldestStay();
// In a forked child, where nothing returns to the stays of other threads.
void endStaysOfOthers(PyThreadState* thread);
// Once, before the first stay.
void watchStays();

}  // namespace kiln
