// A thread of kiln's own: it takes none of the program's signals, and os.fork(), which warns of other threads, does not count it.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace kiln {

class NativeThread {
   public:
    NativeThread() = default;
    ~NativeThread();
    // Runs body(data) on a new thread. False when none could be made. Not while one runs.
    bool start(const char* name, void (*body)(void*), void* data);
    // Waits for the end of the thread, until the kernel no longer counts it.
    void join();
    // In a forked child, where the thread is not: start() may be called again.
    void forget();

   private:
    static void* run(void* self);
    static int countAlive();
    bool isAlive() const;
    void enroll();

    pthread_t thread_ = {};
    const char* name_ = nullptr;
    void (*body_)(void*) = nullptr;
    void* data_ = nullptr;
    std::atomic<bool> started_{false};  // and not joined
    std::atomic<pid_t> id_{0};          // as the kernel has it; 0 at first
    bool enrolled_ = false;
};

}  // namespace kiln
