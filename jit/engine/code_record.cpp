#include "jit/engine/code_record.h"

#include <algorithm>
#include <utility>

#include "interp/config.h"

namespace kiln {

bool isSuspendable(const PyCodeObject* code) {
    return (code->co_flags & CO_GENERATOR) != 0 || isAsynchronous(code);
}

bool isAsynchronous(const PyCodeObject* code) {
    return (code->co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE)) != 0;
}

bool Root::yields() const {
    if (kind == RootKind::kFunction) {
        return isSuspendable(record->code);
    }
    const BytecodeLoop* loop = record->profile().bytecode().loopAt(unit);
    return loop != nullptr && loop->yields;
}

std::pair<int, int> Root::units() const {
    const BytecodeLoop* loop = kind == RootKind::kLoop ? record->profile().bytecode().loopAt(unit) : nullptr;
    return loop != nullptr ? std::pair(loop->begin, loop->end) : std::pair(0, static_cast<int>(Py_SIZE(record->code)));
}

bool Root::isForCallers() const {
    return kind == RootKind::kFunction && record->doesLittle && !config().jitAlways;
}

bool CodeRecord::isKnown() const {
    bool compiled = (function && !function->versions.empty()) ||
                    std::ranges::any_of(loops, [](const auto& loop) { return !loop.second->versions.empty(); });
    return compiled && profile_ != nullptr;
}

CodeProfile& CodeRecord::profile() {
    if (!profile_) {
        profile_ = std::make_unique<CodeProfile>(code);
    }
    return *profile_;
}

Root& CodeRecord::functionRoot() {
    if (!function) {
        function = std::make_unique<Root>();
        function->record = this;
        function->kind = RootKind::kFunction;
    }
    return *function;
}

Root& CodeRecord::loopRoot(int unit) {
    std::unique_ptr<Root>& root = loops[unit];
    if (!root) {
        root = std::make_unique<Root>();
        root->record = this;
        root->unit = unit;
        root->place = loops.size() - 1;
        if (root->place == 0) {
            entry->loop = {.unit = unit, .left = 0};
        } else {
            moreLoops_.push_back({.unit = unit, .left = 0});
            more_loops = moreLoops_.data();
            more_loop_count = moreLoops_.size();
        }
    }
    return *root;
}

void CodeRecord::settleAll() {
    if (function) {
        function->settle();
    }
    for (auto& [unit, root] : loops) {
        root->settle();
    }
}

uint32_t& Root::left() {
    if (kind == RootKind::kFunction) {
        return record->entry->calls_left;
    }
    return place == 0 ? record->entry->loop.left : record->moreLoops_[place - 1].left;
}

void Root::add(uint64_t events) {
    count += events;
    interpreted += events;
}

void Root::settle() {
    add(std::exchange(granted, 0) - std::exchange(left(), 0));
}

void Root::countEvent() {
    settle();
    add(1);
}

void Root::grant(uint64_t events) {
    settle();
    left() = static_cast<uint32_t>(std::min<uint64_t>(events, UINT32_MAX));
    granted = left();
}

}  // namespace kiln
