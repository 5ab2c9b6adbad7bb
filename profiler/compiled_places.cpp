#include "profiler/compiled_places.h"

namespace kiln {

int32_t CompiledPlaces::numberOf(const CompiledFrames& frames) {
    auto [found, isNew] = numbers_.try_emplace(frames, static_cast<int32_t>(places_.size()) + 1);
    if (isNew) {
        places_.push_back(frames);
        for (const CompiledFrame& frame : frames) {
            byCode_[frame.code].push_back(found->second);
        }
    }
    return found->second;
}

int64_t CompiledPlaces::markOf(const CompiledParts& parts, ReportTier tier) {
    auto [found, isNew] = markNumbers_.try_emplace(parts, static_cast<int64_t>(marks_.size()) + 1);
    if (isNew) {
        marks_.push_back(parts);
    }
    return found->second * 2 + (tier == ReportTier::kThorough ? 1 : 0);
}

const CompiledFrames* CompiledPlaces::at(int64_t mark, uint32_t turn) const {
    int64_t number = mark / 2;
    if (number <= 0 || number > static_cast<int64_t>(marks_.size())) {
        return nullptr;
    }
    const CompiledParts& parts = marks_[static_cast<size_t>(number) - 1];
    int all = 0;
    for (const auto& [place, share] : parts) {
        all += share;
    }
    // Turns that follow one another lie far apart: multiples of the golden ratio do.
    uint64_t fraction = (turn * uint64_t{2654435769}) & 0xffffffff;
    int64_t left = static_cast<int64_t>(fraction * static_cast<uint64_t>(all) >> 32);
    for (const auto& [place, share] : parts) {
        left -= share;
        if (left < 0) {
            return &places_[static_cast<size_t>(place) - 1];
        }
    }
    return nullptr;
}

void CompiledPlaces::forget(PyCodeObject* code) {
    auto found = byCode_.find(code);
    if (found == byCode_.end()) {
        return;
    }
    for (int32_t number : found->second) {
        CompiledFrames& frames = places_[static_cast<size_t>(number) - 1];
        numbers_.erase(frames);
        for (CompiledFrame& frame : frames) {
            frame.code = frame.code == code ? nullptr : frame.code;
        }
    }
    byCode_.erase(found);
}

}  // namespace kiln
