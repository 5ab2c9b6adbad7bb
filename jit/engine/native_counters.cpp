#include "jit/engine/native_counters.h"

#include <climits>

namespace kiln {

constexpr int kMost = 1 << 16;

NativeCounters::NativeCounters() {
    counters_.reserve(kMost);
}

int NativeCounters::indexOf(PyCodeObject* code, int unit) {
    int next = free_.empty() ? static_cast<int>(counters_.size()) : free_.back();
    if (next == kMost) {
        return -1;
    }
    auto [found, added] = indices_.try_emplace({code, unit}, next);
    if (added && free_.empty()) {
        counters_.push_back(0);
    } else if (added) {
        free_.pop_back();
        counters_[static_cast<size_t>(next)] = 0;
    }
    return found->second;
}

void NativeCounters::codeDestroyed(PyCodeObject* code) {
    auto counter = indices_.lower_bound({code, INT_MIN});
    while (counter != indices_.end() && counter->first.first == code) {
        free_.push_back(counter->second);
        counter = indices_.erase(counter);
    }
}

}  // namespace kiln
