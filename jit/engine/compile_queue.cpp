#include "jit/engine/compile_queue.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>
#include <utility>

#include "interp/config.h"
#include "interp/support/monotonic_clock.h"
#include "jit/engine/codegen_loader.h"
#include "jit/engine/sampled_places.h"
#include "jit/passes/form_strips.h"
#include "jit/passes/pass_runner.h"
#include "jit/passes/passes.h"
#include "jit/passes/read_lists_before.h"
#include "jit/passes/settle_checks.h"
#include "jit/passes/sink_flag_guards.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/strip_buffer.h"
#include "jit/strips.h"
#include "profiler/timeline_events.h"

namespace kiln {
namespace {

constexpr auto kIdle = std::chrono::milliseconds(100);
constexpr auto kNotifyAgain = std::chrono::milliseconds(5);
constexpr const char* kNoMemory = "out of memory";  // short enough for a string that allocates nothing

// A fork waits for the compiler only where the memory allocator demands it: glibc's is whole in the child, AddressSanitizer's is
// as another thread left it.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kForkWaits = true;
#else
constexpr bool kForkWaits = false;
#endif

void dump(const char* stage, const std::string& text) {
    std::fprintf(stderr, "; after %s\n%s\n", stage, text.c_str());
}

// Runs the passes. Empty, or what is wrong with the region.
std::string improve(ir::Region& region) {
    if (config().stressMalformed) {
        region.blocks.back().instructions.pop_back();
    }
    std::string problem = passes::runPasses(region, config().dumpIr ? passes::DumpHook(dump) : nullptr).problem;
    problem = problem.empty() ? ir::findUnguardedRelease(region) : problem;
    if (ir::BlockId block = problem.empty() ? ir::findLoopWithoutPoll(region) : ir::kNoId; block != ir::kNoId) {
        problem = "block" + std::to_string(block) + ": a loop that never polls";
    }
    if (!problem.empty() && config().jitAlways && !config().stressMalformed) {  // tests shall see it
        std::fprintf(stderr, "kiln: malformed region: %s\n%s", problem.c_str(), ir::print(region).c_str());
    }
    return problem;
}

// With KILN_DEBUG_CHECKS, on stderr: tests shall see it.
void tellIfMalformed([[maybe_unused]] const char* pass, [[maybe_unused]] const ir::Region& region) {
#ifdef KILN_DEBUG_CHECKS
    const std::string problem = ir::verify(region);
    if (!problem.empty()) {
        std::fprintf(stderr, "kiln: malformed region after %s: %s\n%s", pass, problem.c_str(), ir::print(region).c_str());
    }
#endif
}

// The request with a region that is improved for LLVM: a copy, as quick code may be running of the region itself. Under stress all that
// LLVM compiles gets strips, for the shortest loops too, and guards stay where exits are forced.
CodegenRequest forThoroughCode(CodegenRequest request, const std::vector<int32_t>& places, ir::Region& copy) {
    const bool stressed = config().stressDeopt;
    const bool strips = (request.tier == Tier::kThorough || stressed) && passes::mayFormStrips(*request.region);
    const bool sinks = request.tier == Tier::kThorough && !stressed && passes::maySinkFlagGuards(*request.region);
    const bool settles = request.tier == Tier::kThorough && !stressed && passes::maySettleChecks(*request.region);
    const bool reads = (request.tier == Tier::kThorough || stressed) && passes::mayReadListsBefore(*request.region);
    if (!strips && !sinks && !settles && !reads && places.empty()) {
        return request;
    }
    copy = *request.region;
    auto changed = [&](const char* pass) {
        if (config().dumpIr) {
            dump(pass, ir::print(copy));
        }
        tellIfMalformed(pass, copy);
        request.region = &copy;
    };
    if (settles && passes::hoistArrayParts(copy)) {
        passes::eliminateRedundantGuards(copy);
        changed("hoist_array_parts");
    }
    const auto marks = reinterpret_cast<int64_t>(stripMarks());
    if (strips && passes::formStrips(copy, stressed ? 1 : kFewestStripRounds, marks)) {
        changed("form_strips");
    }
    if (settles && passes::settleChecks(copy)) {
        passes::eliminateDeadCode(copy);
        changed("settle_checks");
    }
    if (reads && passes::readListsBefore(copy)) {
        changed("read_lists_before");
    }
    if (sinks && passes::sinkFlagGuards(copy)) {
        changed("sink_flag_guards");
    }
    if (settles && passes::askChecksBefore(copy)) {
        changed("ask_checks_before");
    }
    if (!places.empty()) {
        markForSampler(copy, places, request.tier);
        changed("mark_places");
    }
    return request;
}

// What the job may have been changing is given up unread.
void loseGraph(CompileJob& job) {
    if (!job.improves) {
        job.region->loseGraph();
    }
}

// On a thread of its own, and waits for it. False when there can be none.
bool runElsewhere(const std::function<void()>& body) {
    NativeThread thread;
    auto call = [](void* data) { (*static_cast<const std::function<void()>*>(data))(); };
    if (!thread.start("kiln-compiler", call, const_cast<std::function<void()>*>(&body))) {
        return false;
    }
    thread.join();
    return true;
}

bool isWanted(const CompiledRegion& region) {
    return __atomic_load_n(&region.valid, __ATOMIC_RELAXED) != 0;
}

}  // namespace

CompileQueue::CompileQueue(bool (*notify)()) : notify_(notify) {}

// Needs compilerMutex_.
void CompileQueue::prepareCompiler() {
    if (isSpoilt_) {
        std::lock_guard lock(openingMutex_);
        if (!closeCodegen()) {
            loadError_ = "the process was forked in the midst of a compilation";
        }
        isSpoilt_ = false;
    }
    if (codegen_ != nullptr || !loadError_.empty()) {
        return;
    }
    readCodegenAhead();
    CreateCodegen create = nullptr;
    {
        std::lock_guard lock(openingMutex_);
        survivesLackOfMemory([&] { create = openCodegen(loadError_); });
    }
    codegen_ = create != nullptr ? create(&environment_) : nullptr;
    if (codegen_ == nullptr && loadError_.empty()) {
        loadError_ = kNoMemory;
    }
}

void CompileQueue::run(CompileJob& job) {
    std::lock_guard lock(compilerMutex_);
    if (!survivesLackOfMemory([&] { compile(job); })) {
        loseGraph(job);
        job.result = CodegenResult{.error = kNoMemory};
    }
}

bool CompileQueue::prepare(CompileJob& job) {
    job.isPrepared = true;
    job.result.error = improve(job.region->region);
    job.result.unfit = !job.result.error.empty();
    if (!job.result.unfit) {
        job.region->settleSnapshots();
        job.request.callSites = job.region->callSites.data();
        job.request.activationWords = job.region->activationWords;
    }
    return !job.result.unfit;
}

// Needs compilerMutex_.
void CompileQueue::compile(CompileJob& job) {
    double start = threadMilliseconds();
    prepareCompiler();
    if (codegen_ == nullptr) {
        job.result.error = loadError_;
        return;
    }
    if (!job.isPrepared && !prepare(job)) {
        return;
    }
    ir::Region copy;
    ReportTier tier = job.request.tier == Tier::kQuick ? ReportTier::kQuick : ReportTier::kThorough;
    TimelineScope timed(TimelineLane::kCompilations, tier, job.region->region.name);
    job.result = codegen_->compile(forThoroughCode(job.request, job.region->places, copy));
    job.milliseconds += threadMilliseconds() - start;
    if (job.result.ok && !isWanted(*job.region)) {
        codegen_->release(job.result.handle);
        job.result = CodegenResult();
    }
}

void CompileQueue::runNow(CompileJob& job) {
    auto body = [&] { run(job); };
    if (!runElsewhere(body)) {
        job.result.error = "no thread can be made";
    }
}

void CompileQueue::submit(std::unique_ptr<CompileJob> job) {
    std::lock_guard lock(mutex_);
    auto improves = [](const std::unique_ptr<CompileJob>& other) { return other->improves; };
    auto place = job->improves ? jobs_.end() : std::find_if(jobs_.begin(), jobs_.end(), improves);
    jobs_.insert(place, std::move(job));
    reserveEnds();
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
    auto ended = std::exchange(finished_, {});
    reserveEnds();
    return ended;
}

// Needs the lock. The worker allocates nothing while it holds it.
void CompileQueue::reserveEnds() {
    finished_.reserve(finished_.size() + jobs_.size() + (atHand_ != nullptr ? 1 : 0));
}

void CompileQueue::discard(std::vector<void*> handles) {
    if (handles.empty()) {
        return;
    }
    std::unique_lock lock(mutex_);
    discarded_.insert(discarded_.end(), handles.begin(), handles.end());
    if (config().jitAlways) {
        runElsewhere([&] { freeDiscarded(lock); });
    } else {
        ensureWorker();
    }
}

// Needs the lock, and gives it up meanwhile.
void CompileQueue::freeDiscarded(std::unique_lock<std::mutex>& lock) {
    std::vector<void*> handles = std::exchange(discarded_, {});
    freeing_ = codegen_ != nullptr;  // else they are of a compiler that a fork has spoilt
    lock.unlock();
    {
        std::lock_guard compiler(compilerMutex_);
        for (size_t index = 0; freeing_ && index < handles.size(); index++) {
            codegen_->release(handles[index]);
        }
    }
    lock.lock();
    freeing_ = false;
}

size_t CompileQueue::waiting() {
    std::lock_guard lock(mutex_);
    return jobs_.size() + (atHand_ != nullptr ? 1 : 0);
}

void CompileQueue::stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_one();
}

// Needs the lock.
void CompileQueue::ensureWorker() {
    if (stopped_ || (jobs_.empty() && discarded_.empty())) {
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
    while (!stopped_) {
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
        atHand_ = std::move(jobs_.front());
        jobs_.pop_front();
        CompileJob& job = *atHand_;
        lock.unlock();
        if (isWanted(*job.region)) {
            run(job);
        }
        lock.lock();
        finished_.push_back(std::move(atHand_));
        tell();
    }
    running_ = false;
}

// The locks are held over the fork, so that both processes find the queue as it should be. The LLVM object is opened in three
// milliseconds; nothing else is waited for.
void CompileQueue::beforeFork() {
    if (kForkWaits) {
        compilerMutex_.lock();
    }
    openingMutex_.lock();
    mutex_.lock();
    if (!stopped_ && (!jobs_.empty() || atHand_ != nullptr)) {
        tell();  // in both processes the interpreter comes to take(), which starts the child's worker
    }
}

void CompileQueue::afterForkInParent() {
    mutex_.unlock();
    openingMutex_.unlock();
    if (kForkWaits) {
        compilerMutex_.unlock();
    }
}

// Only the thread that forked is here. What the worker had in its hands is as it left it: it is neither read nor freed.
bool CompileQueue::afterForkInChild() {
    bool wasAtWork = atHand_ != nullptr || freeing_;
    new (&mutex_) std::mutex;
    new (&openingMutex_) std::mutex;
    new (&compilerMutex_) std::mutex;
    new (&wake_) std::condition_variable;
    thread_.forget();
    joinable_ = running_ = freeing_ = false;
    if (!wasAtWork) {
        return false;
    }
    isSpoilt_ = isSpoilt_ || codegen_ != nullptr;
    codegen_ = nullptr;
    discarded_.clear();
    for (const std::unique_ptr<CompileJob>& job : finished_) {
        job->result.handle = nullptr;
    }
    if (atHand_ != nullptr) {
        loseJob();
    }
    return true;
}

void CompileQueue::loseJob() {
    CompileJob* lost = atHand_.release();
    auto ended = std::make_unique<CompileJob>();
    ended->region = lost->region;
    ended->replaces = lost->replaces;
    ended->improves = lost->improves;
    loseGraph(*ended);
    finished_.push_back(std::move(ended));
}

}  // namespace kiln
