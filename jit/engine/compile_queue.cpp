#include "jit/engine/compile_queue.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "interp/config.h"
#include "interp/support/monotonic_clock.h"
#include "jit/engine/codegen_loader.h"
#include "jit/passes/pass_runner.h"

namespace kiln {
namespace {

constexpr auto kIdle = std::chrono::milliseconds(100);
constexpr auto kNotifyAgain = std::chrono::milliseconds(5);

void dump(const char* stage, const std::string& text) {
    std::fprintf(stderr, "; after %s\n%s\n", stage, text.c_str());
}

// Runs the passes. Empty, or what is wrong with the region.
std::string improve(ir::Region& region) {
    if (config().stressMalformed) {
        region.blocks.back().instructions.pop_back();
    }
    std::string problem = passes::runPasses(region, config().dumpIr ? passes::DumpHook(dump) : nullptr).problem;
    if (ir::BlockId block = problem.empty() ? ir::findLoopWithoutPoll(region) : ir::kNoId; block != ir::kNoId) {
        problem = "block" + std::to_string(block) + ": a loop that never polls";
    }
    if (!problem.empty() && config().jitAlways && !config().stressMalformed) {  // tests shall see it
        std::fprintf(stderr, "kiln: malformed region: %s\n%s", problem.c_str(), ir::print(region).c_str());
    }
    return problem;
}

bool isWanted(const CompiledRegion& region) {
    return __atomic_load_n(&region.valid, __ATOMIC_RELAXED) != 0;
}

}  // namespace

CompileQueue::CompileQueue(bool (*notify)()) : notify_(notify) {}

void CompileQueue::runNow(CompileJob& job) {
    std::lock_guard lock(compilerMutex_);
    double start = threadMilliseconds();
    if (codegen_ == nullptr && loadError_.empty()) {
        codegen_ = loadCodegen(environment_, loadError_);
    }
    if (codegen_ == nullptr) {
        job.result.error = loadError_;
        return;
    }
    job.result.error = improve(job.region->region);
    if (!job.result.error.empty()) {
        job.result.unfit = true;
        return;
    }
    job.region->settleSnapshots();
    job.request.callSites = job.region->callSites.data();
    job.request.activationWords = job.region->activationWords;
    job.request.frameBytes = job.region->code->co_framesize * static_cast<int64_t>(sizeof(PyObject*));
    job.result = codegen_->compile(job.request);
    job.milliseconds += threadMilliseconds() - start;
    if (job.result.ok && !isWanted(*job.region)) {
        codegen_->release(job.result.handle);
        job.result = CodegenResult();
    }
}

void CompileQueue::submit(std::unique_ptr<CompileJob> job) {
    std::lock_guard lock(mutex_);
    auto isBefore = [](double rank, const std::unique_ptr<CompileJob>& other) { return rank < other->rank; };
    auto place = std::upper_bound(jobs_.begin(), jobs_.end(), job->rank, isBefore);
    jobs_.insert(place, std::move(job));
    ensureWorker();
}

void CompileQueue::withdraw(const CompiledRegion& region) {
    std::lock_guard lock(mutex_);
    auto isOf = [&](const std::unique_ptr<CompileJob>& job) { return job->region == &region; };
    auto found = std::find_if(jobs_.begin(), jobs_.end(), isOf);
    if (found != jobs_.end()) {
        finished_.push_back(std::move(*found));
        jobs_.erase(found);
        tell();
    }
}

std::vector<std::unique_ptr<CompileJob>> CompileQueue::take() {
    std::lock_guard lock(mutex_);
    ensureWorker();
    notified_ = false;
    return std::exchange(finished_, {});
}

void CompileQueue::discard(std::vector<void*> handles) {
    if (handles.empty()) {
        return;
    }
    std::unique_lock lock(mutex_);
    discarded_.insert(discarded_.end(), handles.begin(), handles.end());
    if (config().jitAlways) {
        freeDiscarded(lock);  // this thread compiles
    } else {
        ensureWorker();
    }
}

// Needs the lock, and gives it up meanwhile.
void CompileQueue::freeDiscarded(std::unique_lock<std::mutex>& lock) {
    std::vector<void*> handles = std::exchange(discarded_, {});
    lock.unlock();
    for (void* handle : handles) {
        codegen_->release(handle);
    }
    lock.lock();
}

size_t CompileQueue::waiting() {
    std::lock_guard lock(mutex_);
    return jobs_.size() + (busy_ ? 1 : 0);
}

void CompileQueue::stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_one();
}

// Needs the lock.
void CompileQueue::ensureWorker() {
    if (stopped_ || pausing_ || (jobs_.empty() && discarded_.empty())) {
        return;
    }
    if (!running_) {
        if (joinable_) {
            thread_.join();
        }
        joinable_ = running_ = thread_.start("kiln-compiler", work, this);
    }
    wake_.notify_one();
}

// Needs the lock.
bool CompileQueue::tell() {
    notified_ = notified_ || stopped_ || notify_();
    return notified_;
}

void CompileQueue::work(void* self) {
    static_cast<CompileQueue*>(self)->workLoop();
}

void CompileQueue::workLoop() {
    std::unique_lock lock(mutex_);
    while (!stopped_ && !pausing_) {
        if (!discarded_.empty()) {
            freeDiscarded(lock);
            continue;
        }
        if (jobs_.empty()) {
            bool told = finished_.empty() || tell();
            bool idle = wake_.wait_for(lock, told ? kIdle : kNotifyAgain) == std::cv_status::timeout;
            if (idle && told && jobs_.empty() && discarded_.empty()) {
                break;
            }
            continue;
        }
        std::unique_ptr<CompileJob> job = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        lock.unlock();
        if (isWanted(*job->region)) {
            runNow(*job);
        }
        lock.lock();
        busy_ = false;
        finished_.push_back(std::move(job));
        tell();
    }
    running_ = false;
}

// The lock is held over the fork, so that both processes find the queue as it should be.
void CompileQueue::beforeFork() {
    mutex_.lock();
    pausing_ = true;
    wake_.notify_one();
    while (joinable_) {
        joinable_ = false;
        mutex_.unlock();
        thread_.join();
        mutex_.lock();
    }
    if (!stopped_ && !jobs_.empty()) {
        tell();  // in both processes the interpreter comes to take(), which starts the worker again
    }
}

void CompileQueue::afterFork() {
    pausing_ = false;
    running_ = false;
    mutex_.unlock();
}

}  // namespace kiln
