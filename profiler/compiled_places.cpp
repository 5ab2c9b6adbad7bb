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

const CompiledFrames* CompiledPlaces::at(int64_t mark, bool& isThorough) const {
    int64_t number = mark / 2;
    if (number <= 0 || number > static_cast<int64_t>(places_.size())) {
        return nullptr;
    }
    isThorough = mark % 2 != 0;
    return &places_[static_cast<size_t>(number) - 1];
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
