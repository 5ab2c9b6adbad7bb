// Checks of what a launch's threads read and write.
#include "gpu/cpu/access_checks.h"

namespace kiln::gpu {
namespace {

constexpr size_t kSharedLimit = size_t(256) << 20;  // of the records of one block's shared memory: all of them fit

}  // namespace

void LaunchChecks::tell(uint64_t address, const Knowledge& told) {
    std::lock_guard<std::mutex> lock(mutex_);
    told_[address].add(told);
    isAnyTold_ = true;
}

Knowledge LaunchChecks::toldAt(uint64_t address) {
    if (!isAnyTold_) {
        return {};
    }
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = told_.find(address);
    return found != told_.end() ? found->second : Knowledge();
}

void BlockChecks::begin(int64_t block, int64_t threads, uint64_t shared, int64_t sharedBytes) {
    order_ = std::make_unique<BlockOrder>(block, threads);
    own_ = std::make_unique<LaunchChecks>(kSharedLimit);
    shared_ = shared;
    sharedRange_ = {sharedBytes, std::vector<bool>(static_cast<size_t>(sharedBytes))};
    locals_.clear();
}

// False when it reads a byte that has not been written.
bool BlockChecks::touch(Range& range, uint64_t begin, const MemoryAccess& access) {
    auto first = static_cast<int64_t>(access.address - begin);
    bool isWhole = true;
    for (int64_t i = first; i < first + access.bytes && i < range.bytes; i++) {
        isWhole = isWhole && range.written[static_cast<size_t>(i)];
        range.written[static_cast<size_t>(i)] = true;
    }
    return isWhole || access.kind == AccessKind::kWrite;
}

LaunchChecks& BlockChecks::checksOf(uint64_t address) {
    bool isShared = address >= shared_ && address < shared_ + static_cast<uint64_t>(sharedRange_.bytes);
    return isShared ? *own_ : launch_;
}

std::optional<AccessFault> BlockChecks::access(MemoryAccess access, int32_t thread) {
    access.moment = order_->now(thread);
    auto local = locals_.upper_bound(access.address);
    if (local != locals_.begin() &&
        access.address < std::prev(local)->first + static_cast<uint64_t>(std::prev(local)->second.bytes)) {
        local--;
        return touch(local->second, local->first, access) ? std::nullopt
                                                          : std::optional(AccessFault{false, false, access, {}});
    }
    LaunchChecks& checks = checksOf(access.address);
    bool isNew = &checks == own_.get() && !touch(sharedRange_, shared_, access);
    if (std::optional<MemoryAccess> other = checks.memory().record(access, *order_)) {
        return AccessFault{true, false, access, *other};
    }
    if (isNew) {
        return AccessFault{false, true, access, {}};
    }
    if (access.kind == AccessKind::kAtomic) {
        Knowledge told = order_->toldBy(thread);
        if (!told.isEmpty()) {
            checks.tell(access.address, told);
        }
    }
    return {};
}

void BlockChecks::atomicDone(uint64_t address, int32_t thread) {
    Knowledge told = checksOf(address).toldAt(address);
    if (!told.isEmpty()) {
        order_->learn(thread, told);
    }
}

void BlockChecks::undefine(uint64_t address, int64_t bytes) {
    uint64_t end = address + static_cast<uint64_t>(bytes);
    auto first = locals_.lower_bound(address);
    if (first != locals_.begin() &&
        std::prev(first)->first + static_cast<uint64_t>(std::prev(first)->second.bytes) > address) {
        first--;
    }
    while (first != locals_.end() && first->first < end) {  // what lay there before is gone
        first = locals_.erase(first);
    }
    locals_[address] = {bytes, std::vector<bool>(static_cast<size_t>(bytes))};
}

}  // namespace kiln::gpu
