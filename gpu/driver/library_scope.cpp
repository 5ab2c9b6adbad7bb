// Work in libraries, which a fork or the end may cut off.
#include "gpu/driver/library_scope.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

namespace kiln::gpu {
namespace {

std::atomic<int> threadsInside = 0;
thread_local int ownScopes = 0;
std::atomic<bool> isEnding = false;
bool isCutOff = false;

int insideHere() {
    return ownScopes > 0 ? 1 : 0;
}

void goOnInChild() {
    isCutOff = isCutOff || threadsInside != insideHere();
    threadsInside = insideHere();
}

void leave() {
    threadsInside--;
    threadsInside.notify_all();
}

}  // namespace

LibraryScope::LibraryScope() {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, goOnInChild); });
    if (ownScopes++ > 0) {
        return;
    }
    threadsInside++;
    if (isEnding) {
        leave();
        while (true) {
            pause();
        }
    }
}

LibraryScope::~LibraryScope() {
    if (--ownScopes == 0) {
        leave();
    }
}

void waitForLibraries() {
    isEnding = true;
    for (int threads = threadsInside; threads != insideHere(); threads = threadsInside) {
        threadsInside.wait(threads);
    }
}

bool areLibrariesCutOff() {
    return isCutOff;
}

Failure cutOffFailure() {
    return {"CudaSupportError",
            "this process was forked while another thread was using NVIDIA's libraries; they cannot be used in such a "
            "child. Start children with multiprocessing's 'spawn', or before that thread."};
}

}  // namespace kiln::gpu
