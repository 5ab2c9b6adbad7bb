#include "interp/support/native_thread.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kiln {

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
    return started;
}

void NativeThread::join() {
    pthread_join(thread_, nullptr);
    // The kernel wakes the joiner a little before it takes the thread off its count.
    while (syscall(SYS_tgkill, getpid(), id_.load(), 0) == 0) {
        sched_yield();
    }
}

}  // namespace kiln
