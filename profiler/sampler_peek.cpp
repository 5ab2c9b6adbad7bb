// The walk along the frames.
#include "profiler/sampler_peek.h"

#include <algorithm>
#include <cstddef>

#include "interp/cpython/sampling.h"
#include "profiler/first_stack.h"
#include "profiler/own_memory.h"
#include "profiler/running_thread.h"
#include "profiler/sampler.h"
#include "profiler/stay_pool.h"

namespace kiln {
namespace {

constexpr int kTries = 3;
// How far to look for the frame at which compiled code was entered.
constexpr int kMostDepth = 64;
// Of other threads', further in.
constexpr int kMostStaysTried = 4;
constexpr char kOwnedByEntry = 3;

PyInterpreterState* mainInterpreter = nullptr;
// The sampler's thread alone uses it. One look is a round: a program that stays where it is costs one system call.
OwnMemory memory;
// Much of what a look reads lies on it: the evaluation loops' entry frames.
FirstStack firstStack;
bool chunksAreWatched = false;

PyThreadState* mainThread = nullptr;
ThreadClocks threadClocks;

template <typename T>
bool readField(T& value, const void* object, int64_t offset) {
    return memory.read(&value, static_cast<const char*>(object) + offset, sizeof value);
}

// The fields of a frame up to its owner, as they lie in memory.
class FrameImage {
public:
    bool read(const KilnFrame* frame) {
        return static_cast<size_t>(kiln_layout()->frame_owner) < sizeof bytes_ &&
               memory.read(bytes_, frame, static_cast<size_t>(kiln_layout()->frame_owner) + 1);
    }
    PyCodeObject* code() const { return at<PyCodeObject*>(kiln_layout()->frame_code); }
    KilnFrame* previous() const { return at<KilnFrame*>(kiln_layout()->frame_previous); }
    const void* prevInstr() const { return at<const void*>(kiln_layout()->frame_prev_instr); }
    bool isEntry() const { return at<char>(kiln_layout()->frame_owner) == kOwnedByEntry; }

private:
    template <typename T>
    T at(int64_t offset) const {
        T value;
        __builtin_memcpy(&value, bytes_ + offset, sizeof value);
        return value;
    }

    char bytes_[128];
};

// Sub-interpreters may share the GIL, but nobody watches their code objects.
bool isOurs(const PyThreadState* thread) {
    PyInterpreterState* interpreter = nullptr;
    return readField(interpreter, thread, kiln_layout()->thread_interp) && interpreter == mainInterpreter;
}

bool isCode(const PyCodeObject* code) {
    const PyTypeObject* type = nullptr;
    const char* field = reinterpret_cast<const char*>(code) + kiln_layout()->ob_type;
    return memory.readNow(&type, field, sizeof type) && type == &PyCode_Type;
}

// Decides whether compiled code or the compiler was running: its entry's frame is reached from the top without crossing into an
// evaluation loop that it called.
class StaySearch {
public:
    // The stay lies on the other thread's stack: it may end, and its memory be used again, while it is read. `stay` was the
    // current one before the round began.
    StaySearch(const SamplerStay* stay, PyThreadState* thread, bool (*isKnown)(PyCodeObject*)) {
        active_ = findOf(thread, stay) && currentStay.load(std::memory_order_acquire) == stay &&
                  (isKnown(stay_.code) || isCode(stay_.code));
        if (active_ && stay_.place != nullptr && !memory.read(&mark_, stay_.place, sizeof mark_)) {
            mark_ = 0;
        }
    }
    bool active() const { return active_; }
    void visit(KilnFrame* frame, const FrameImage& image, Peek& peek) {
        if (!active_) {
            return;
        }
        if (frame == stay_.frame) {
            peek.tier = stay_.tier;
            peek.mark = mark_;
            peek.aboveStay = peek.count;
            peek.stayOwnsFrame = !image.isEntry() && image.code() == stay_.code;
            peek.stayCode = peek.count == 0 ? stay_.code : nullptr;
            active_ = false;
        } else if (image.isEntry()) {
            active_ = false;
        }
    }

private:
    // The innermost of the thread's: others may wait in compiled code meanwhile.
    bool findOf(PyThreadState* thread, const SamplerStay* stay) {
        for (int tried = 0; stay != nullptr && tried < kMostStaysTried && memory.read(&stay_, stay, sizeof stay_); tried++) {
            if (stay_.thread == thread) {
                return true;
            }
            stay = stay_.outer;
        }
        return false;
    }

    SamplerStay stay_ = {};
    int64_t mark_ = 0;
    bool active_ = false;
};

class Walk {
public:
    Walk(Peek& peek, const Peek& before, const SamplerStay* stay, bool (*isKnown)(PyCodeObject*))
        : peek_(peek), before_(before), isKnown_(isKnown), search_(stay, peek.thread, isKnown) {}

    PeekResult run() {
        void* cframe = nullptr;
        KilnFrame* top = nullptr;
        KilnFrame* again = nullptr;
        bool ok = readField(cframe, peek_.thread, kiln_layout()->thread_cframe) &&
                  readField(top, cframe, kiln_layout()->cframe_current) && follow(top);
        if (ok && doubtful_) {
            const char* current = static_cast<const char*>(cframe) + kiln_layout()->cframe_current;
            ok = memory.readNow(&again, current, sizeof again) && top == again;
        }
        return !ok ? PeekResult::kFailed : peek_.count > 0 ? PeekResult::kFrames : PeekResult::kIdle;
    }

private:
    bool isFinished() const {
        if (search_.active()) {
            return false;
        }
        return peek_.count == Peek::kMostFrames || (peek_.count > 1 && wasSeen(peek_.frames[peek_.count - 1]));
    }

    bool wasSeen(const PeekedFrame& frame) const {
        for (int i = 0; i < before_.count; i++) {
            if (before_.frames[i].frame == frame.frame && before_.frames[i].code == frame.code) {
                return true;
            }
        }
        return false;
    }

    bool follow(KilnFrame* frame) {
        for (int depth = 0; frame != nullptr && depth < kMostDepth && !isFinished(); depth++) {
            FrameImage image;
            if (!image.read(frame)) {
                return false;
            }
            search_.visit(frame, image, peek_);
            if (!image.isEntry() && peek_.count < Peek::kMostFrames) {
                if (!isKnown_(image.code())) {
                    doubtful_ = true;
                    if (!isCode(image.code())) {
                        return false;
                    }
                }
                peek_.frames[peek_.count++] = {frame, image.code(), image.prevInstr()};
                peek_.below = image.previous();
            }
            frame = image.previous();
        }
        return true;
    }

    Peek& peek_;
    const Peek& before_;
    bool (*isKnown_)(PyCodeObject*);
    bool doubtful_ = false;
    StaySearch search_;
};

}  // namespace

bool Peek::sameAs(const Peek& other) const {
    if (result != other.result || thread != other.thread || count != other.count || tier != other.tier ||
        stayCode != other.stayCode || mark != other.mark || isIdle != other.isIdle || aboveStay != other.aboveStay || below != other.below) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        const PeekedFrame& a = frames[i];
        const PeekedFrame& b = other.frames[i];
        if (a.frame != b.frame || a.code != b.code || a.prevInstr != b.prevInstr) {
            return false;
        }
    }
    return true;
}

void preparePeeks(void (*onFree)(const void* from, size_t size)) {
    OwnMemory::prepare();
    chunksAreWatched = kiln_watch_root_chunks(onFree);
    memory.stays(firstStays, firstStays + kFirstStays);
    mainInterpreter = PyInterpreterState_Main();
    mainThread = kiln_main_thread();
    const void* from = nullptr;
    size_t size = 0;
    kiln_runtime_memory(&from, &size);
    memory.stays(from, static_cast<const char*>(from) + size);
}

void meetStacks(PyThreadState* thread) {
    if (firstStack.meet()) {
        memory.stays(firstStack.from(), firstStack.end());
    }
    if (!chunksAreWatched || !isOurs(thread)) {
        return;
    }
    const void* from = nullptr;
    size_t size = 0;
    kiln_root_chunk(thread, &from, &size);
    if (size != 0) {
        memory.stays(from, static_cast<const char*>(from) + size);
    }
}

void forgetMemory(const void* from, size_t size) {
    memory.leaves(from, size);
}

namespace {

void peekThread(Peek& peek, const Peek& before, PyThreadState* thread, bool (*isKnown)(PyCodeObject* code)) {
    for (int i = 0; i < kTries; i++) {
        const SamplerStay* stay = currentStay.load(std::memory_order_acquire);
        memory.begin();
        peek = Peek();
        if (!isOurs(thread)) {
            return;
        }
        peek.thread = thread;
        peek.result = Walk(peek, before, stay, isKnown).run();
        if (peek.result != PeekResult::kFailed) {
            return;
        }
    }
    peek = Peek();
    peek.thread = thread;
}

unsigned long nativeIdOf(PyThreadState* thread) {
    unsigned long id = 0;
    return readField(id, thread, offsetof(PyThreadState, native_thread_id)) ? id : 0;
}

// Nobody holds the GIL: the thread that gave it up last may run C code meanwhile, and so may any other. If none does, the program waits
// for what the main thread waits for.
void peekWithoutGil(Peek& peek, const Peek& before, PyThreadState* holder, bool (*isKnown)(PyCodeObject* code)) {
    PyThreadState* threads[ThreadClocks::kMostThreads] = {holder, mainThread};
    size_t count = mainThread == nullptr || mainThread == holder ? 1 : 2;
    count += kiln_other_threads(threads + count, ThreadClocks::kMostThreads - count, threads, count);
    PyThreadState* main = mainThread != nullptr ? mainThread : holder;
    threadClocks.begin(threads, count, nativeIdOf);
    peekThread(peek, before, main, isKnown);
    PyThreadState* running = threadClocks.running();
    if (running != nullptr ? running != main : peek.result != PeekResult::kFrames) {
        peekThread(peek, before, running != nullptr ? running : holder, isKnown);
    }
    peek.isIdle = running == nullptr;
}

}  // namespace

void peekStack(Peek& peek, const Peek& before, bool (*isKnown)(PyCodeObject* code)) {
    PyThreadState* holder = kiln_gil_holder();
    if (holder == nullptr) {
        peek = Peek();
    } else if (kiln_gil_is_held()) {
        peekThread(peek, before, holder, isKnown);
    } else {
        peekWithoutGil(peek, before, holder, isKnown);
    }
}

}  // namespace kiln
