#include "jit/frontend/local_liveness.h"

#include <opcode.h>

namespace kiln {

LocalLiveness::LocalLiveness(PyCodeObject* code, const Bytecode& bytecode, int first, int end)
    : bytecode_(bytecode), first_(first), end_(end) {
    if (static_cast<size_t>(code->co_nlocals) > kMostLocals) {
        return;
    }
    fast_ = Locals().set() >> (kMostLocals - static_cast<size_t>(code->co_nlocals));
    for (const BytecodeInstruction& in : bytecode_.instructions()) {
        if (in.opcode == MAKE_CELL && static_cast<size_t>(in.oparg) < kMostLocals) {
            fast_[static_cast<size_t>(in.oparg)] = false;
        }
    }
    solve();
}

bool LocalLiveness::at(int unit, int local) const {
    auto slot = static_cast<size_t>(local);
    if (slot >= kMostLocals || !fast_[slot]) {
        return true;
    }
    const BytecodeInstruction* in = bytecode_.at(unit);
    if (in == nullptr || in->depth < 0) {
        return true;
    }
    return isCompiled(*in) && live_[static_cast<size_t>(in - bytecode_.instructions().data())][slot];
}

void LocalLiveness::solve() {
    const std::vector<BytecodeInstruction>& instructions = bytecode_.instructions();
    live_.assign(instructions.size(), Locals());
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t index = instructions.size(); index-- > 0;) {
            if (!isCompiled(instructions[index])) {
                continue;
            }
            Locals live = before(instructions[index]);
            if (live != live_[index]) {
                live_[index] = live;
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
    live |= live_[static_cast<size_t>(next - bytecode_.instructions().data())];
}

LocalLiveness::Locals LocalLiveness::before(const BytecodeInstruction& in) const {
    Locals live;
    if (!endsFlow(in.opcode)) {
        join(live, in.next);
    }
    if (in.target >= 0) {
        join(live, in.target);
    }
    if (const ExceptionHandler* handler = bytecode_.handlerOf(in.unit)) {
        join(live, handler->target);
    }
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_FAST_AND_CLEAR: case DELETE_FAST: live[static_cast<size_t>(in.oparg)] = true; break;
        case STORE_FAST: live[static_cast<size_t>(in.oparg)] = false; break;
        default: break;
    }
    return live;
}

}  // namespace kiln
