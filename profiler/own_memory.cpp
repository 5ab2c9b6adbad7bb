// Several ranges by one system call.
#include "profiler/own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
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
    makeWindows();
    askedCount_ = 0;
    iovec remote[kMostRanges];
    size_t size = 0;
    for (size_t i = 0; i < windowCount_; i++) {
        remote[i] = {const_cast<char*>(windows_[i].from), windows_[i].size};
        size += windows_[i].size;
    }
    iovec local = {bytes_, size};
    if (windowCount_ == 0 ||
        ::process_vm_readv(ownPid, &local, 1, remote, windowCount_, 0) == static_cast<ssize_t>(size)) {
        return;
    }
    // Something of it is gone.
    windowCount_ = 0;
    recentCount_ = 0;
}

void OwnMemory::makeWindows() {
    Range sorted[kMostRanges];
    std::copy(recent_, recent_ + recentCount_, sorted);
    std::sort(sorted, sorted + recentCount_, [](const Range& a, const Range& b) { return a.from < b.from; });
    windowCount_ = 0;
    size_t bytes = 0;
    for (size_t i = 0; i < recentCount_; i++) {
        Range* last = windowCount_ > 0 ? &windows_[windowCount_ - 1] : nullptr;
        bool joins = last != nullptr && sorted[i].from <= last->from + last->size + kMostGap;
        const char* from = joins ? last->from : sorted[i].from;
        const char* end = sorted[i].from + sorted[i].size;
        end = joins ? std::max(end, last->from + last->size) : end;
        size_t before = joins ? last->size : 0;
        auto size = static_cast<size_t>(end - from);
        if (bytes - before + size > kMostBytes) {
            break;
        }
        bytes += size - before;
        windows_[joins ? windowCount_ - 1 : windowCount_++] = {from, size};
    }
}

// Puts it behind what this round has asked for so far.
void OwnMemory::remember(const Range& range) {
    Range* end = recent_ + recentCount_;
    Range* known = std::find(recent_, end, range);
    if (known < recent_ + askedCount_ || askedCount_ == kMostRanges) {
        return;
    }
    if (known == end) {
        recentCount_ = std::min(recentCount_ + 1, kMostRanges);
        known = recent_ + recentCount_ - 1;
        *known = range;
    }
    std::rotate(recent_ + askedCount_, known, known + 1);
    askedCount_++;
}

bool OwnMemory::read(void* to, const void* from, size_t size) {
    Range range = {static_cast<const char*>(from), size};
    const char* bytes = bytes_;
    for (size_t i = 0; i < windowCount_; i++) {
        const Range& window = windows_[i];
        // Any address may be asked for, also one whose range would wrap around.
        auto offset = reinterpret_cast<uintptr_t>(from) - reinterpret_cast<uintptr_t>(window.from);
        if (size <= window.size && offset <= window.size - size) {
            std::memcpy(to, bytes + offset, size);
            remember(range);
            return true;
        }
        bytes += window.size;
    }
    if (!readNow(to, from, size)) {
        return false;
    }
    remember(range);
    return true;
}

}  // namespace kiln
