#include "jit/runtime/native_scope.h"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "interp/cpython/cpython_shim.h"
#include "jit/engine/native_stack.h"
#include "profiler/stay_pool.h"

namespace kiln {
namespace {

// All stays of all threads and greenlets.
class Stays {
   public:
    ChunkStays& in(PyThreadState* thread) {
        void* chunk = kiln_stack_chunk(thread);
        return chunk == lastChunk_ && last_ != nullptr ? *last_ : find(chunk);
    }
    void begin(ChunkStays& stays, PyThreadState* thread) {
        if (stays.underWay++ == 0) {
            stays.outermost = next_++;
            stays.thread = thread;
        }
    }
    void chunkGone(void* chunk);
    void endOthers(PyThreadState* thread);
    uint64_t next() const { return next_; }
    uint64_t oldest() const;

   private:
    ChunkStays& find(void* chunk);

    uint64_t next_ = 1;
    std::unordered_map<void*, ChunkStays> chunks_;
    void* lastChunk_ = nullptr;
    ChunkStays* last_ = nullptr;
};

Stays* const all = new Stays;  // never destroyed: chunks go after static destructors, too

ChunkStays& Stays::find(void* chunk) {
    lastChunk_ = chunk;
    last_ = &chunks_[chunk];
    return *last_;
}

uint64_t Stays::oldest() const {
    uint64_t oldest = next_;
    for (const auto& [chunk, stays] : chunks_) {
        oldest = stays.underWay != 0 ? std::min(oldest, stays.outermost) : oldest;
    }
    return oldest;
}

void beginSampled(ChunkStays& stays, PyThreadState* thread, PyCodeObject* code, ReportTier tier, const int64_t* place) {
    stays.sampled.push_back(takeStay());
    beginStay(*stays.sampled.back(), thread, code, tier, place);
}

void endSampled(ChunkStays& stays) {
    endStay(*stays.sampled.back());
    giveStayBack(stays.sampled.back());
    stays.sampled.pop_back();
}

void endAll(ChunkStays& stays) {
    while (!stays.sampled.empty()) {
        endSampled(stays);
    }
    stays.underWay = 0;
}

void Stays::chunkGone(void* chunk) {
    auto found = chunks_.find(chunk);
    if (found != chunks_.end()) {
        endAll(found->second);
        chunks_.erase(found);
        last_ = nullptr;
    }
}

void Stays::endOthers(PyThreadState* thread) {
    for (auto& [chunk, stays] : chunks_) {
        if (stays.thread != thread) {
            endAll(stays);
        }
    }
}

// What exits store. Apart from the thread's own data, which the C library takes from its stack.
constinit thread_local int64_t* exitValues = nullptr;

int64_t* makeExitValues() {
    static thread_local std::unique_ptr<int64_t[]> values(new int64_t[kMostExitValues]);
    exitValues = values.get();
    return exitValues;
}

}  // namespace

NativeScope::NativeScope(PyThreadState* thread, PyCodeObject* code, ReportTier tier) : stays_(all->in(thread)) {
    int64_t* values = exitValues != nullptr ? exitValues : makeExitValues();
    context_ = {.threadState = thread, .exitValues = values, .stackLimit = nativeStackLimit()};
    all->begin(stays_, thread);
    if (__builtin_expect(samplerWanted, 0)) {
        beginSampled(stays_, thread, code, tier, &context_.place);
    }
}

NativeScope::~NativeScope() {
    stays_.underWay--;
    if (__builtin_expect(!stays_.sampled.empty(), 0)) {
        endSampled(stays_);
    }
}

uint64_t nextStay() {
    return all->next();
}

uint64_t oldestStay() {
    return all->oldest();
}

void endStaysOfOthers(PyThreadState* thread) {
    all->endOthers(thread);
}

void watchStays() {
    kiln_watch_stack_chunks([](void* chunk) { all->chunkGone(chunk); });
}

}  // namespace kiln
