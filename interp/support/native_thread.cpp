#include "interp/support/native_thread.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interp/cpython/cpython_shim.h"

namespace kiln {
namespace {

// All that were ever started and live still; a process has few.
constexpr int kMostThreads = 16;
std::atomic<NativeThread*> threads[kMostThreads];

}  // namespace

// On the way to its first start: from then on it is counted.
void NativeThread::enroll() {
    for (std::atomic<NativeThread*>& place : threads) {
        NativeThread* none = nullptr;
        if (!enrolled_ && place.compare_exchange_strong(none, this)) {
            enrolled_ = true;
        }
    }
    kiln_uncount_threads(countAlive);
}

NativeThread::~NativeThread() {
    for (std::atomic<NativeThread*>& place : threads) {
        NativeThread* self = this;
        place.compare_exchange_strong(self, nullptr);
    }
}

bool NativeThread::isAlive() const {
    return started_ && (id_ == 0 || syscall(SYS_tgkill, getpid(), id_.load(), 0) == 0);
}

int NativeThread::countAlive() {
    int count = 0;
    for (std::atomic<NativeThread*>& place : threads) {
        NativeThread* thread = place;
        count += thread != nullptr && thread->isAlive();
    }
    return count;
}

void* NativeThread::run(void* self) {
    auto* thread = static_cast<NativeThread*>(self);
    thread->id_ = static_cast<pid_t>(syscall(SYS_gettid));
    pthread_setname_np(pthread_self(), thread->name_);
    thread->body_(thread->data_);
    return nullptr;
}

bool NativeThread::start(const char* name, void (*body)(void*), void* data) {
    constexpr size_t kStackBytes = size_t{16} << 20;  // not the program's limit, which may be too small for LLVM
    name_ = name;
    body_ = body;
    data_ = data;
    id_ = 0;
    started_ = true;
    enroll();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    sigset_t all;
    sigset_t saved;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    bool started = pthread_create(&thread_, &attributes, run, this) == 0;
    pthread_sigmask(SIG_SETMASK, &saved, nullptr);
    pthread_attr_destroy(&attributes);
    started_ = started;
    return started;
}

void NativeThread::join() {
    pthread_join(thread_, nullptr);
    // The kernel wakes the joiner a little before it takes the thread off its count.
    while (syscall(SYS_tgkill, getpid(), id_.load(), 0) == 0) {
        sched_yield();
    }
    started_ = false;
}

void NativeThread::forget() {
    started_ = false;
}

}  // namespace kiln
