#include "jit/build/local_liveness.h"

#include <opcode.h>

#include <utility>

namespace kiln {

LocalLiveness::LocalLiveness(PyCodeObject* code, const Bytecode& bytecode, int first, int end)
    : bytecode_(bytecode), first_(first), end_(end), fast_(static_cast<size_t>(code->co_nlocalsplus)) {
    for (size_t local = 0; local < fast_.size(); local++) {
        fast_[local] = static_cast<int>(local) < code->co_nlocals;
    }
    for (const BytecodeInstruction& in : bytecode_.instructions()) {
        if (in.opcode == MAKE_CELL) {
            fast_[static_cast<size_t>(in.oparg)] = false;
        }
    }
    solve();
}

bool LocalLiveness::at(int unit, int local) const {
    auto slot = static_cast<size_t>(local);
    if (slot >= fast_.size() || !fast_[slot]) {
        return true;
    }
    const BytecodeInstruction* in = bytecode_.at(unit);
    if (in == nullptr || in->depth < 0) {
        return true;
    }
    return isCompiled(unit) && live_[static_cast<size_t>(in - bytecode_.instructions().data())][slot];
}

void LocalLiveness::solve() {
    const std::vector<BytecodeInstruction>& instructions = bytecode_.instructions();
    live_.assign(instructions.size(), Locals(fast_.size()));
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t index = instructions.size(); index-- > 0;) {
            if (!isCompiled(instructions[index].unit)) {
                continue;
            }
            Locals live = before(instructions[index]);
            if (live != live_[index]) {
                live_[index] = std::move(live);
                changed = true;
            }
        }
    }
}

void LocalLiveness::join(Locals& live, int unit) const {
    const BytecodeInstruction* next = bytecode_.at(unit);
    if (next == nullptr) {
        return;
    }
    const Locals& there = live_[static_cast<size_t>(next - bytecode_.instructions().data())];
    for (size_t local = 0; local < live.size(); local++) {
        live[local] = live[local] || there[local];
    }
}

LocalLiveness::Locals LocalLiveness::before(const BytecodeInstruction& in) const {
    Locals live(fast_.size());
    if (!endsFlow(in.opcode)) {
        join(live, in.next);
    }
    if (in.target >= 0) {
        join(live, in.target);
    }
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_FAST_AND_CLEAR: case DELETE_FAST: live[static_cast<size_t>(in.oparg)] = true; break;
        case STORE_FAST: live[static_cast<size_t>(in.oparg)] = false; break;
        default: break;
    }
    return live;
}

}  // namespace kiln
