// Compiles regions on a thread of its own, off the GIL.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interp/support/native_thread.h"
#include "jit/codegen_interface.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {

// One region on its way through passes and code generation. Until it is taken back the worker alone touches the
// region's graph; the program's thread may clear `valid`, and the work is then skipped or thrown away.
struct CompileJob {
    CompiledRegion* region = nullptr;
    CodegenRequest request;
    bool replaces = false;    // the root's other versions go when this one comes
    bool isPrepared = false;  // the region has been through the passes
    bool improves = false;    // the region has quick code, which runs meanwhile: its graph is only read
    double milliseconds = 0;  // of processor time so far
    CodegenResult result;     // not ok without an error: thrown away
};

// Lives for ever. Its worker starts with the first job and ends when it has been idle for a while. A fork does not wait for the job
// at hand: it goes on in the parent, and in the child, which has no such thread, it comes to its end without a result.
class CompileQueue {
   public:
    // `notify` is called by the worker when jobs have come to their end; it returns false to be called again later.
    explicit CompileQueue(bool (*notify)());

    // What emitted code needs. Call before the first job.
    void setEnvironment(const CodegenEnvironment& environment) { environment_ = environment; }
    const CodegenEnvironment& environment() const { return environment_; }
    // Runs the passes, on any thread. False, and the job has the error, when the region is malformed.
    static bool prepare(CompileJob& job);
    // Compiles on another thread, and waits for it: this one's stack may be too small for LLVM.
    void runNow(CompileJob& job);
    void submit(std::unique_ptr<CompileJob> job);
    // The region is not wanted any more: a job that was not begun has come to its end.
    void withdraw(const CompiledRegion& region);
    // The jobs that came to their end since the last call, in order.
    std::vector<std::unique_ptr<CompileJob>> take();
    // Frees machine code, on the worker: nothing may run in it.
    void discard(std::vector<void*> handles);
    // Jobs neither begun nor finished, and the one at hand.
    size_t waiting();
    // Nothing is begun nor told any more; does not wait for the job at hand.
    void stop();

    void beforeFork();
    void afterForkInParent();
    // True when the compiler was at work: the machine code that it made stays, and can't be freed any more.
    bool afterForkInChild();

   private:
    static void work(void* self);
    void workLoop();
    void run(CompileJob& job);
    void compile(CompileJob& job);
    void prepareCompiler();
    void ensureWorker();
    void freeDiscarded(std::unique_lock<std::mutex>& lock);
    void loseJob();
    void reserveEnds();
    bool tell();

    bool (*notify_)();
    CodegenEnvironment environment_;
    std::mutex compilerMutex_;   // guards the three that follow
    Codegen* codegen_ = nullptr;
    bool isSpoilt_ = false;      // by a fork in its midst: another one is to be opened
    std::string loadError_;
    std::mutex openingMutex_;    // held while the LLVM object is being opened or closed

    std::mutex mutex_;           // guards what follows
    std::condition_variable wake_;
    std::deque<std::unique_ptr<CompileJob>> jobs_;
    std::vector<std::unique_ptr<CompileJob>> finished_;
    std::vector<void*> discarded_;
    std::unique_ptr<CompileJob> atHand_;
    NativeThread thread_;
    bool joinable_ = false;      // thread_ was started and not joined
    bool running_ = false;       // and takes jobs
    bool freeing_ = false;
    bool notified_ = false;      // and take() was not called since
    bool stopped_ = false;
};

}  // namespace kiln
