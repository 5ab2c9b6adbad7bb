// Work in NVIDIA's libraries, which a fork may cut off.
#include "gpu/driver/library_scope.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

namespace kiln::gpu {
namespace {

std::atomic<int> threadsInside = 0;  // scopes of all threads
thread_local int ownScopes = 0;
std::atomic<int> compilerCalls = 0;
thread_local int ownCalls = 0;
std::atomic<bool> isEnding = false;
bool isCutOff = false;

void goOnInChild() {
    isCutOff = isCutOff || threadsInside != ownScopes;
    threadsInside = ownScopes;
    compilerCalls = ownCalls;
}

void leaveCompiler() {
    compilerCalls--;
    compilerCalls.notify_all();
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

CompilerScope::CompilerScope() {
    ownCalls++;
    compilerCalls++;
    if (isEnding) {
        leaveCompiler();
        while (true) {
            pause();
        }
    }
}

CompilerScope::~CompilerScope() {
    leaveCompiler();
    ownCalls--;
}

void waitForCompilers() {
    isEnding = true;
    for (int calls = compilerCalls; calls != ownCalls; calls = compilerCalls) {
        compilerCalls.wait(calls);
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
