// Work in NVIDIA's libraries, which a fork may cut off.
#include "gpu/driver/library_scope.h"

#include <pthread.h>

#include <atomic>
#include <mutex>

namespace kiln::gpu {
namespace {

std::atomic<int> threadsInside = 0;  // scopes of all threads
thread_local int ownScopes = 0;
bool isCutOff = false;

void goOnInChild() {
    isCutOff = isCutOff || threadsInside != ownScopes;
    threadsInside = ownScopes;
}

}  // namespace

LibraryScope::LibraryScope() {
    static std::once_flag once;
    std::call_once(once, [] { pthread_atfork(nullptr, nullptr, goOnInChild); });
    ownScopes++;
    threadsInside++;
}

LibraryScope::~LibraryScope() {
    threadsInside--;
    ownScopes--;
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
