// Work in NVIDIA's libraries, which a fork may cut off: their locks are taken for ever in the child then.
#pragma once

#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// A thread is in such work until the scope ends; scopes nest.
class LibraryScope {
public:
    LibraryScope();
    LibraryScope(const LibraryScope&) = delete;
    LibraryScope& operator=(const LibraryScope&) = delete;
    ~LibraryScope();
};

// A call of NVRTC or nvJitLink, in which exit() would destroy tables that the call still needs.
class CompilerScope {
public:
    CompilerScope();
    CompilerScope(const CompilerScope&) = delete;
    CompilerScope& operator=(const CompilerScope&) = delete;
    ~CompilerScope();
};

// For the end of the interpreter: waits until no other thread is in such a call. A thread that begins one later stops there.
void waitForCompilers();

// This process was forked while another thread was in such work: it must not begin any.
bool areLibrariesCutOff();
// The error that says so.
Failure cutOffFailure();

}  // namespace kiln::gpu
