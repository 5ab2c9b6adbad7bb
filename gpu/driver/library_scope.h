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

// This process was forked while another thread was in such work: it must not begin any.
bool areLibrariesCutOff();
// The error that says so.
Failure cutOffFailure();

}  // namespace kiln::gpu
