// What was last done with each byte of memory, and by whom.
#include "gpu/cpu/shadow_memory.h"

#include <algorithm>

namespace kiln::gpu {
namespace {

// Of one kind, of unordered accesses to the same bytes: of more, a later one is ordered with all or with none but by chance.
constexpr int kMostUnordered = 3;

bool conflicts(AccessKind first, AccessKind second) {
    return first != second || first == AccessKind::kWrite;
}

}  // namespace

Moment ShadowMemory::momentOf(const Record& record) {
    return {record.block, record.thread, record.grid, record.epoch, record.clock};
}

ShadowMemory::Record* ShadowMemory::newRecord(Shard& shard) const {
    if (Record* record = shard.unused) {
        shard.unused = record->next;
        return record;
    }
    size_t bytes = shard.records.size() * sizeof(Record) + shard.pages.size() * sizeof(Page);
    return bytes < limit_ / kShards ? &shard.records.emplace_back() : nullptr;
}

std::optional<MemoryAccess> ShadowMemory::record(const MemoryAccess& access, const BlockOrder& order) {
    uint64_t end = access.address + static_cast<uint64_t>(access.bytes);
    for (uint64_t at = access.address; at < end;) {
        uint64_t granule = at / kGranuleBytes;
        uint64_t first = at % kGranuleBytes;
        uint64_t count = std::min(kGranuleBytes - first, end - at);
        auto bytes = static_cast<uint8_t>(((1u << count) - 1) << first);
        uint64_t page = granule / kPageGranules;
        Shard& shard = shards_[page % kShards];
        std::lock_guard<std::mutex> lock(shard.mutex);
        const Record* other =
            recordIn(shard, shard.pages[page].granules[granule % kPageGranules], bytes, access, order);
        if (other != nullptr) {
            return MemoryAccess{access.address, access.bytes, other->kind, false, other->row, momentOf(*other)};
        }
        at += count;
    }
    return {};
}

// What happened before this access is forgotten where a later access that conflicts with it conflicts with this one, too, or has
// happened after both.
const ShadowMemory::Record* ShadowMemory::recordIn(Shard& shard, Record*& first, uint8_t bytes,
                                                   const MemoryAccess& access, const BlockOrder& order) {
    for (Record** link = &first; *link != nullptr;) {
        Record& earlier = **link;
        if ((earlier.bytes & bytes) == 0) {
            link = &earlier.next;
            continue;
        }
        if (!order.isBefore(momentOf(earlier), access.moment.thread)) {
            bool isSameWrite = earlier.kind == AccessKind::kWrite && access.keepsBytes;
            if (conflicts(earlier.kind, access.kind) && !isSameWrite) {
                return &earlier;
            }
        } else if (access.kind == AccessKind::kWrite || access.kind == earlier.kind) {
            earlier.bytes &= static_cast<uint8_t>(~bytes);
        }
        if (earlier.bytes != 0) {
            link = &earlier.next;
            continue;
        }
        *link = earlier.next;
        earlier.next = shard.unused;
        shard.unused = &earlier;
    }
    insert(shard, first, bytes, access);
    return nullptr;
}

void ShadowMemory::insert(Shard& shard, Record*& first, uint8_t bytes, const MemoryAccess& access) {
    int likeIt = 0;
    Record* newest = nullptr;
    for (Record* record = first; record != nullptr; record = record->next) {
        if (record->kind == access.kind && record->bytes == bytes) {
            newest = likeIt++ == 0 ? record : newest;
        }
    }
    bool isNew = likeIt < kMostUnordered;
    Record* made = isNew ? newRecord(shard) : newest;
    if (made == nullptr) {
        return;
    }
    if (isNew) {
        made->next = first;
        first = made;
    }
    const Moment& moment = access.moment;
    made->block = moment.block;
    made->grid = moment.grid;
    made->epoch = moment.epoch;
    made->clock = moment.clock;
    made->row = access.row;
    made->thread = static_cast<uint16_t>(moment.thread);
    made->kind = access.kind;
    made->bytes = bytes;
}

}  // namespace kiln::gpu
