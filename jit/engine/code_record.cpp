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
        root->place = loopGrants_.size();
        loopGrants_.push_back({.unit = unit, .rounds = {}});
        loop_grants = loopGrants_.data();
        loop_count = loopGrants_.size();
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

KilnGrant& Root::events() {
    return kind == RootKind::kFunction ? record->calls : record->loopGrants_[place].rounds;
}

void Root::add(uint64_t events) {
    count += events;
    interpreted += events;
}

void Root::settle() {
    KilnGrant gone = std::exchange(events(), {});
    add(gone.granted - gone.left);
}

void Root::countEvent() {
    settle();
    add(1);
}

void Root::grant(uint64_t events) {
    settle();
    this->events() = {.granted = events, .left = events};
}

}  // namespace kiln
