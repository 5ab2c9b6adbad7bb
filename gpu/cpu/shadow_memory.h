// What was last done with each byte of memory, and by whom.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "gpu/cpu/access_kind.h"
#include "gpu/cpu/happens_before.h"

namespace kiln::gpu {

struct MemoryAccess {
    uint64_t address = 0;
    int64_t bytes = 0;
    AccessKind kind = AccessKind::kRead;
    bool keepsBytes = false;  // a write of what is there already
    uint32_t row = 0;         // of Module::accesses
    Moment moment;
};

// Thread-safe. It takes about ten times the memory that it knows of, up to `limit` bytes: what is accessed first behind
// that is not recorded.
class ShadowMemory {
public:
    explicit ShadowMemory(size_t limit) : limit_(limit) {}

    // Records an access. The result is one by another thread of the same bytes that has not happened before it and that it
    // conflicts with: one of both writes, and not both are atomic. Two writes of the same value do not conflict.
    std::optional<MemoryAccess> record(const MemoryAccess& access, const BlockOrder& order);

private:
    struct Record {
        Record* next = nullptr;
        int64_t block = 0;
        uint32_t grid = 0;
        uint32_t epoch = 0;
        uint32_t clock = 0;
        uint32_t row = 0;
        uint16_t thread = 0;
        AccessKind kind = AccessKind::kRead;
        uint8_t bytes = 0;  // of its granule, a bit for each
    };
    static constexpr uint64_t kGranuleBytes = 8;
    static constexpr uint64_t kPageGranules = 512;
    struct Page {
        Record* granules[kPageGranules] = {};
    };
    // A part of all pages, with a lock of its own.
    struct Shard {
        std::mutex mutex;
        std::unordered_map<uint64_t, Page> pages;
        std::deque<Record> records;
        Record* unused = nullptr;
    };
    static constexpr size_t kShards = 64;

    static Moment momentOf(const Record& record);
    Record* newRecord(Shard& shard) const;
    const Record* recordIn(Shard& shard, Record*& first, uint8_t bytes, const MemoryAccess& access,
                           const BlockOrder& order);
    void insert(Shard& shard, Record*& first, uint8_t bytes, const MemoryAccess& access);

    size_t limit_;
    Shard shards_[kShards];
};

}  // namespace kiln::gpu
