// The threads that run blocks on the CPU.
#include "gpu/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace kiln::gpu {
namespace {

constexpr int64_t kChunksPerThread = 8;
constexpr auto kPause = std::chrono::milliseconds(20);  // between looks at what else there is to do

uint64_t forks = 0;  // of this process and those it comes from

int usableCores() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

class Pool {
   public:
    explicit Pool(int helpers) {
        // Signals are the program's: its handlers expect the interpreter's threads.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        for (int i = 0; i < helpers; i++) {
            threads_.emplace_back([this, i] { serve(i); });
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        helpers_ = helpers;
    }

    // Ends the threads. No launch may run.
    ~Pool() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ends_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) {
            thread.join();
        }
    }

    // False when the process was forked meanwhile, of whose threads the child has one: nothing of the pool may be touched there.
    bool run(int64_t count, int most, const std::function<void(int64_t, int64_t)>& body, const std::function<bool()>& goesOn) {
        uint64_t before = forks;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            body_ = &body;
            count_ = count;
            wanted_ = most > 0 ? std::min(helpers_, most - 1) : helpers_;
            chunk_ = std::max<int64_t>(1, count / ((wanted_ + 1) * kChunksPerThread));
            next_ = 0;
            busy_ = helpers_;
            round_++;
        }
        wake_.notify_all();
        work();
        while (forks == before) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                if (done_.wait_for(lock, kPause, [this] { return busy_ == 0; })) {
                    return true;
                }
            }
            if (goesOn) {
                (void)goesOn();
            }
        }
        return false;
    }

   private:
    void work() {
        for (;;) {
            int64_t first = next_.fetch_add(chunk_);
            if (first >= count_) {
                return;
            }
            (*body_)(first, std::min(first + chunk_, count_));
        }
    }

    void serve(int helper) {
        uint64_t seen = 0;
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [&] { return round_ != seen || ends_; });
                if (ends_) {
                    return;
                }
                seen = round_;
            }
            if (helper < wanted_) {
                work();
            }
            std::lock_guard<std::mutex> lock(mutex_);
            if (--busy_ == 0) {
                done_.notify_one();
            }
        }
    }

    int helpers_ = 0;
    bool ends_ = false;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const std::function<void(int64_t, int64_t)>* body_ = nullptr;
    int64_t count_ = 0;
    int64_t chunk_ = 1;
    std::atomic<int64_t> next_{0};
    int busy_ = 0;
    int wanted_ = 0;  // helpers, the first ones
    uint64_t round_ = 0;
};

std::timed_mutex poolMutex;  // held by a launch
Pool* pool = nullptr;  // left alone at exit: a daemon thread may be in a launch

bool forksAtRest = false;

// A fork ends the threads: the child would have none of them, and a process with threads is warned about when it forks. Both start
// new ones when they need them. It does not wait for a launch that another thread is in.
void endPool() {
    forksAtRest = poolMutex.try_lock();
    if (forksAtRest) {
        delete pool;
        pool = nullptr;
    }
}

void goOnInParent() {
    if (forksAtRest) {
        poolMutex.unlock();
    }
}

void goOnInChild() {
    new (&poolMutex) std::timed_mutex;
    pool = nullptr;
    forks++;
}

}  // namespace

bool parallelFor(int64_t count, int threads, const std::function<void(int64_t, int64_t)>& body, const std::function<bool()>& goesOn,
                 int most) {
    thread_local bool isInside = false;
    int wanted = threads > 0 ? threads : usableCores();
    if (wanted == 1 || count == 1 || isInside) {
        body(0, count);
        return true;
    }
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(endPool, goOnInParent, goOnInChild); });
    while (!poolMutex.try_lock_for(kPause)) {
        if (goesOn && !goesOn()) {
            return true;
        }
    }
    if (pool == nullptr) {
        pool = new Pool(wanted - 1);
    }
    isInside = true;
    bool done = pool->run(count, most, body, goesOn);
    isInside = false;
    if (done) {
        poolMutex.unlock();
    }
    return done;
}

}  // namespace kiln::gpu
