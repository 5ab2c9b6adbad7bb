// Several ranges by one system call.
#include "profiler/own_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace kiln {
namespace {

pid_t ownPid = 0;

// Of another thread's variables, some of which AddressSanitizer would have nobody read.
__attribute__((no_sanitize("address"))) void copyShared(void* to, const void* from, size_t size) {
    const volatile char* source = static_cast<const char*>(from);
    char* target = static_cast<char*>(to);
    for (size_t i = 0; i < size; i++) {
        target[i] = source[i];
    }
    std::atomic_thread_fence(std::memory_order_acquire);
}

}  // namespace

void OwnMemory::prepare() {
    ownPid = ::getpid();
}

bool OwnMemory::readNow(void* to, const void* from, size_t size) const {
    if (isStaying({static_cast<const char*>(from), size})) {
        copyShared(to, from, size);
        return true;
    }
    iovec local = {to, size};
    iovec remote = {const_cast<void*>(from), size};
    return ::process_vm_readv(ownPid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

void OwnMemory::stays(const void* from, const void* end) {
    const char* begin = static_cast<const char*>(from);
    Range place = {begin, static_cast<size_t>(static_cast<const char*>(end) - begin)};
    Range* known = std::find_if(staying_, staying_ + stayingCount_,
                                [end](const Range& other) { return other.from + other.size == end; });
    if (known < staying_ + stayingCount_) {
        *known = known->size < place.size ? place : *known;
    } else if (stayingCount_ < kMostPlaces) {
        staying_[stayingCount_++] = place;
    }
}

void OwnMemory::leaves(const void* from, size_t size) {
    auto begin = static_cast<const char*>(from);
    Range* end = std::remove_if(staying_, staying_ + stayingCount_, [&](const Range& place) {
        return place.from < begin + size && begin < place.from + place.size;
    });
    stayingCount_ = static_cast<size_t>(end - staying_);
}

bool OwnMemory::isStaying(const Range& range) const {
    return std::any_of(staying_, staying_ + stayingCount_, [&](const Range& place) {
        return range.from >= place.from && range.from < place.from + place.size &&
               range.size <= static_cast<size_t>(place.from + place.size - range.from);
    });
}

void OwnMemory::begin() {
    forgetOld();
    makeWindows();
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

void OwnMemory::forgetOld() {
    for (size_t i = 0; i < recentCount_; i++) {
        recent_[i].rounds = i < askedCount_ ? 0 : recent_[i].rounds + 1;
    }
    Range* end = std::remove_if(recent_, recent_ + recentCount_, [](const Range& range) { return range.rounds > kMostRounds; });
    recentCount_ = static_cast<size_t>(end - recent_);
    askedCount_ = 0;
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
    if (isStaying(range)) {
        return readNow(to, from, size);
    }
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
