// A thread of kiln's own: it takes none of the program's signals, and is gone for the kernel too once it is joined.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>

namespace kiln {

class NativeThread {
   public:
    // Runs body(data) on a new thread. False when none could be made. Not while one runs.
    bool start(const char* name, void (*body)(void*), void* data);
    // Waits for the end of the thread, until the kernel no longer counts it: os.fork() warns of a second thread.
    void join();

   private:
    static void* run(void* self);

    pthread_t thread_ = {};
    const char* name_ = nullptr;
    void (*body_)(void*) = nullptr;
    void* data_ = nullptr;
    std::atomic<pid_t> id_{0};
};

}  // namespace kiln
