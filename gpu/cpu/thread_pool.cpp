// The threads that run blocks on the CPU.
#include "gpu/cpu/thread_pool.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

namespace kiln::gpu {
namespace {

constexpr int64_t kChunksPerThread = 8;

int usableCores() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

class Pool {
   public:
    explicit Pool(int helpers) : owner_(getpid()) {
        // Signals are the program's: its handlers expect the interpreter's threads.
        sigset_t all;
        sigset_t before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        for (int i = 0; i < helpers; i++) {
            std::thread([this] { serve(); }).detach();
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        helpers_ = helpers;
    }

    pid_t owner() const { return owner_; }

    void run(int64_t count, const std::function<void(int64_t, int64_t)>& body) {
        std::lock_guard<std::mutex> turn(turn_);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            body_ = &body;
            count_ = count;
            chunk_ = std::max<int64_t>(1, count / ((helpers_ + 1) * kChunksPerThread));
            next_ = 0;
            busy_ = helpers_;
            round_++;
        }
        wake_.notify_all();
        work();
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
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

    void serve() {
        uint64_t seen = 0;
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [&] { return round_ != seen; });
                seen = round_;
            }
            work();
            std::lock_guard<std::mutex> lock(mutex_);
            if (--busy_ == 0) {
                done_.notify_one();
            }
        }
    }

    pid_t owner_;
    int helpers_ = 0;
    std::mutex turn_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const std::function<void(int64_t, int64_t)>* body_ = nullptr;
    int64_t count_ = 0;
    int64_t chunk_ = 1;
    std::atomic<int64_t> next_{0};
    int busy_ = 0;
    uint64_t round_ = 0;
};

}  // namespace

void parallelFor(int64_t count, int threads, const std::function<void(int64_t, int64_t)>& body) {
    static std::atomic<Pool*> pool{nullptr};  // never deleted: its threads use it until the process ends
    int wanted = threads > 0 ? threads : usableCores();
    if (wanted == 1 || count == 1) {
        body(0, count);
        return;
    }
    Pool* current = pool.load();
    if (current == nullptr || current->owner() != getpid()) {
        Pool* made = new Pool(wanted - 1);
        if (pool.compare_exchange_strong(current, made)) {
            current = made;
        }
    }
    current->run(count, body);
}

}  // namespace kiln::gpu
