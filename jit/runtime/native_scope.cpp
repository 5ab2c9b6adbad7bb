#include "jit/runtime/native_scope.h"

#include <memory>
#include <unordered_map>

#include "interp/cpython/cpython_shim.h"
#include "jit/engine/native_stack.h"

namespace kiln {
namespace {

// All stays of all threads and greenlets. Threads and greenlets end theirs in any order.
class Stays {
   public:
    Stay* begin(PyThreadState* thread, PyCodeObject* code);
    void end(Stay* stay);
    void chunkGone(void* chunk);
    void endOthers(PyThreadState* thread);
    uint64_t next() const { return next_; }
    uint64_t oldest() const { return oldest_ != nullptr ? oldest_->number : next_; }

   private:
    Stay* unused();
    Stay*& firstInChunk(void* chunk);

    uint64_t next_ = 1;
    Stay* newest_ = nullptr;
    Stay* oldest_ = nullptr;
    Stay* free_ = nullptr;  // by `older`; never given back, as the sampler may look at one that has just ended
    std::unordered_map<void*, Stay*> chunks_;
    void* lastChunk_ = nullptr;
    Stay** firstInLast_ = nullptr;
};

Stays& stays() {
    static Stays& instance = *new Stays;  // never destroyed: chunks go after static destructors, too
    return instance;
}

Stay* Stays::unused() {
    if (free_ == nullptr) {
        return new Stay;
    }
    Stay* stay = free_;
    free_ = stay->older;
    return stay;
}

Stay*& Stays::firstInChunk(void* chunk) {
    if (chunk != lastChunk_ || firstInLast_ == nullptr) {
        lastChunk_ = chunk;
        firstInLast_ = &chunks_[chunk];
    }
    return *firstInLast_;
}

Stay* Stays::begin(PyThreadState* thread, PyCodeObject* code) {
    Stay* stay = unused();
    stay->number = next_++;
    stay->thread = thread;
    stay->chunk = kiln_stack_chunk(thread);
    Stay*& first = firstInChunk(stay->chunk);
    stay->nextInChunk = first;
    stay->previousInChunk = nullptr;
    if (first != nullptr) {
        first->previousInChunk = stay;
    }
    first = stay;
    stay->newer = nullptr;
    stay->older = newest_;
    (newest_ != nullptr ? newest_->newer : oldest_) = stay;
    newest_ = stay;
    beginStay(stay->sampled, thread, code);
    return stay;
}

void Stays::end(Stay* stay) {
    endStay(stay->sampled);
    (stay->newer != nullptr ? stay->newer->older : newest_) = stay->older;
    (stay->older != nullptr ? stay->older->newer : oldest_) = stay->newer;
    (stay->previousInChunk != nullptr ? stay->previousInChunk->nextInChunk : firstInChunk(stay->chunk)) = stay->nextInChunk;
    if (stay->nextInChunk != nullptr) {
        stay->nextInChunk->previousInChunk = stay->previousInChunk;
    }
    stay->older = free_;
    free_ = stay;
}

void Stays::chunkGone(void* chunk) {
    auto found = chunks_.find(chunk);
    if (found == chunks_.end()) {
        return;
    }
    while (found->second != nullptr) {
        end(found->second);
    }
    chunks_.erase(found);
    firstInLast_ = nullptr;
}

void Stays::endOthers(PyThreadState* thread) {
    for (Stay* stay = oldest_; stay != nullptr;) {
        Stay* newer = stay->newer;
        if (stay->thread != thread) {
            end(stay);
        }
        stay = newer;
    }
}

// What exits store. Apart from the thread's own data, which the C library takes from its stack.
int64_t* exitValues() {
    static thread_local std::unique_ptr<int64_t[]> values;
    if (!values) {
        values.reset(new int64_t[kMostExitValues]);
    }
    return values.get();
}

}  // namespace

NativeScope::NativeScope(PyThreadState* thread, PyCodeObject* code) : stay_(stays().begin(thread, code)) {
    context_ = {.threadState = thread, .exitValues = exitValues(), .stackLimit = nativeStackLimit()};
}

NativeScope::~NativeScope() {
    stays().end(stay_);
}

uint64_t nextStay() {
    return stays().next();
}

uint64_t oldestStay() {
    return stays().oldest();
}

void endStaysOfOthers(PyThreadState* thread) {
    stays().endOthers(thread);
}

void watchStays() {
    kiln_watch_stack_chunks([](void* chunk) { stays().chunkGone(chunk); });
}

}  // namespace kiln
