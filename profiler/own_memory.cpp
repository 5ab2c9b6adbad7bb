// Several ranges by one system call.
#include "profiler/own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace kiln {
namespace {

pid_t ownPid = 0;

}  // namespace

void OwnMemory::prepare() {
    ownPid = ::getpid();
}

bool OwnMemory::readNow(void* to, const void* from, size_t size) {
    iovec local = {to, size};
    iovec remote = {const_cast<void*>(from), size};
    return ::process_vm_readv(ownPid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

void OwnMemory::begin() {
    // What was not asked for this time comes last: it may be asked for again, and may be gone.
    for (size_t i = 0; i < count_; i++) {
        remember(inAdvance_[i]);
    }
    iovec local[kMostReads];
    iovec remote[kMostReads];
    for (size_t i = 0; i < askedCount_; i++) {
        inAdvance_[i] = asked_[i];
        local[i] = {bytes_[i], asked_[i].size};
        remote[i] = {const_cast<void*>(asked_[i].from), asked_[i].size};
    }
    ssize_t done = askedCount_ > 0 ? ::process_vm_readv(ownPid, local, askedCount_, remote, askedCount_, 0) : 0;
    // It stops at the first address that is gone.
    count_ = 0;
    while (count_ < askedCount_ && done >= static_cast<ssize_t>(inAdvance_[count_].size)) {
        done -= static_cast<ssize_t>(inAdvance_[count_].size);
        count_++;
    }
    next_ = 0;
    askedCount_ = 0;
}

void OwnMemory::remember(const Range& range) {
    Range* end = asked_ + askedCount_;
    if (askedCount_ < kMostReads && range.size <= kMostBytes && std::find(asked_, end, range) == end) {
        asked_[askedCount_++] = range;
    }
}

bool OwnMemory::read(void* to, const void* from, size_t size) {
    for (size_t i = 0; i < count_; i++) {
        size_t at = (next_ + i) % count_;
        if (inAdvance_[at].from == from && inAdvance_[at].size == size) {
            std::memcpy(to, bytes_[at], size);
            next_ = at + 1;
            remember(inAdvance_[at]);
            return true;
        }
    }
    if (!readNow(to, from, size)) {
        return false;
    }
    remember({from, size});
    return true;
}

}  // namespace kiln
