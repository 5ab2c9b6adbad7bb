// Work in NVIDIA's or LLVM's libraries that a fork may cut off (their locks are taken for ever in the child then), and in which
// exit() would destroy what the work still needs.
#pragma once

#include "gpu/runtime/failure.h"

namespace kiln::gpu {

// Opening such a library, starting it, compiling with it: a thread is in such work until the scope ends; scopes nest. The
// thread must not wait for the GIL meanwhile.
class LibraryScope {
public:
    LibraryScope();
    LibraryScope(const LibraryScope&) = delete;
    LibraryScope& operator=(const LibraryScope&) = delete;
    ~LibraryScope();
};

// For the end of the interpreter: waits until no other thread is in such work. A thread that begins some later stops there.
void waitForLibraries();

// This process was forked while another thread was in such work: it must not begin any.
bool areLibrariesCutOff();
// The error that says so.
Failure cutOffFailure();

}  // namespace kiln::gpu
