// What the threads of a kernel know to have happened.
#include "gpu/cpu/happens_before.h"

#include <algorithm>
#include <bit>

#include "gpu/ir/block_limits.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kLanes = 32;
constexpr int kThreadBits = std::bit_width(static_cast<uint64_t>(kMostBlockThreads - 1));

uint64_t keyOf(int64_t block, int32_t thread) {
    return static_cast<uint64_t>(block) << kThreadBits | static_cast<uint64_t>(thread);
}

// Of the first of these lanes: those that name each other by one mask.
uint32_t groupOf(const uint32_t* masks, uint32_t lanes) {
    int lead = std::countr_zero(lanes);
    uint32_t group = 0;
    for (int lane = lead; lane < kLanes; lane++) {
        bool isHere = (lanes >> lane & 1) != 0 && masks[lane] == masks[lead] && (masks[lead] >> lane & 1) != 0;
        group |= isHere ? 1u << lane : 0;
    }
    return (group >> lead & 1) != 0 ? group : 1u << lead;
}

}  // namespace

void Knowledge::raise(Past& past, uint64_t key, uint32_t value) {
    auto found = std::lower_bound(past.begin(), past.end(), std::pair(key, uint32_t(0)));
    if (found == past.end() || found->first != key) {
        past.insert(found, {key, value});
    } else {
        found->second = std::max(found->second, value);
    }
}

bool Knowledge::isPast(const Past& past, uint64_t key, uint32_t value) {
    auto found = std::lower_bound(past.begin(), past.end(), std::pair(key, uint32_t(0)));
    return found != past.end() && found->first == key && value < found->second;
}

void Knowledge::merge(Past& past, const Past& other) {
    Past merged;
    merged.reserve(past.size() + other.size());
    auto first = past.begin();
    for (const auto& [key, value] : other) {
        for (; first != past.end() && first->first < key; first++) {
            merged.push_back(*first);
        }
        bool isKnown = first != past.end() && first->first == key;
        merged.emplace_back(key, isKnown ? std::max(first->second, value) : value);
        first += isKnown ? 1 : 0;
    }
    merged.insert(merged.end(), first, past.end());
    past = std::move(merged);
}

bool Knowledge::has(const Moment& moment) const {
    return isPast(threads_, keyOf(moment.block, moment.thread), moment.clock) ||
           isPast(blocks_, static_cast<uint64_t>(moment.block), moment.epoch);
}

void Knowledge::addThread(int64_t block, int32_t thread, uint32_t clock) {
    raise(threads_, keyOf(block, thread), clock);
}

void Knowledge::addBlock(int64_t block, uint32_t epoch) {
    raise(blocks_, static_cast<uint64_t>(block), epoch);
}

void Knowledge::add(const Knowledge& other) {
    if (!other.threads_.empty()) {
        merge(threads_, other.threads_);
    }
    if (!other.blocks_.empty()) {
        merge(blocks_, other.blocks_);
    }
}

Moment BlockOrder::now(int32_t thread) const {
    return {block_, thread, grid_, epoch_, threads_[static_cast<size_t>(thread)].clock};
}

bool BlockOrder::isBefore(const Moment& earlier, int32_t thread) const {
    if (earlier.grid < grid_) {
        return true;
    }
    bool isOwn = earlier.block == block_ && (earlier.thread == thread || earlier.epoch < epoch_);
    return isOwn || threads_[static_cast<size_t>(thread)].known.has(earlier) || known_.has(earlier);
}

void BlockOrder::passBarrier() {
    epoch_++;
    for (Thread& thread : threads_) {
        if (!thread.known.isEmpty()) {
            known_.add(thread.known);
            thread.known = Knowledge();
        }
        if (thread.fenceClock != 0) {
            fencedEpoch_ = epoch_;
            thread.fenceClock = 0;
        }
    }
}

void BlockOrder::passWarps(const uint8_t* active, const uint32_t* masks) {
    auto count = static_cast<int64_t>(threads_.size());
    for (int64_t first = 0; first < count; first += kLanes) {
        uint32_t here = 0;
        for (int64_t lane = 0; lane < std::min(kLanes, count - first); lane++) {
            here |= active == nullptr || active[first + lane] != 0 ? 1u << lane : 0;
        }
        for (uint32_t left = here; left != 0;) {
            uint32_t group = groupOf(masks + first, left);
            passWarp(first, group);
            left &= ~group;
        }
    }
}

void BlockOrder::passWarp(int64_t first, uint32_t lanes) {
    Knowledge together;
    for (int32_t lane = 0; lane < kLanes; lane++) {
        if ((lanes >> lane & 1) != 0) {
            Thread& thread = threads_[static_cast<size_t>(first + lane)];
            thread.clock++;
            together.add(thread.known);
            together.addThread(block_, static_cast<int32_t>(first + lane), thread.clock);
        }
    }
    for (int32_t lane = 0; lane < kLanes; lane++) {
        if ((lanes >> lane & 1) != 0) {
            threads_[static_cast<size_t>(first + lane)].known = together;
        }
    }
}

void BlockOrder::passFence(int32_t thread) {
    Thread& own = threads_[static_cast<size_t>(thread)];
    own.fenceClock = ++own.clock;
}

Knowledge BlockOrder::toldBy(int32_t thread) const {
    const Thread& own = threads_[static_cast<size_t>(thread)];
    Knowledge told;
    if (own.fenceClock == 0 && fencedEpoch_ == 0) {
        return told;
    }
    told = own.known;
    told.add(known_);
    if (own.fenceClock != 0) {
        told.addThread(block_, thread, own.fenceClock);
    }
    told.addBlock(block_, own.fenceClock != 0 ? epoch_ : fencedEpoch_);
    return told;
}

}  // namespace kiln::gpu
