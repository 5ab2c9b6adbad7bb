#include "interp/bytecode.h"

#include <opcode.h>

#include <algorithm>

#include "interp/py_ref.h"

namespace kiln {
namespace {

// Cache units that follow an opcode, by its base opcode.
int cacheUnits(int opcode) {
    switch (opcode) {
        case LOAD_GLOBAL: case STORE_ATTR: return 4;
        case LOAD_ATTR: return 9;
        case CALL: return 3;
        case BINARY_OP: case BINARY_SUBSCR: case STORE_SUBSCR: case COMPARE_OP: case FOR_ITER: case UNPACK_SEQUENCE:
        case LOAD_SUPER_ATTR: case SEND: return 1;
        default: return 0;
    }
}

int jumpTarget(int opcode, int next, int oparg) {
    switch (opcode) {
        case JUMP_FORWARD: case POP_JUMP_IF_TRUE: case POP_JUMP_IF_FALSE: case POP_JUMP_IF_NONE: case POP_JUMP_IF_NOT_NONE:
        case SEND:
            return next + oparg;
        case FOR_ITER:
            return next + oparg + 1;  // an exhausted iterator also skips END_FOR
        case JUMP_BACKWARD: case JUMP_BACKWARD_NO_INTERRUPT:
            return next - oparg;
        default:
            return -1;
    }
}

int depthAfter(const BytecodeInstruction& instruction, bool jumps) {
    if (instruction.opcode == FOR_ITER) {
        return jumps ? instruction.depth - 1 : instruction.depth + 1;
    }
    int effect = PyCompile_OpcodeStackEffectWithJump(instruction.opcode, instruction.oparg, jumps ? 1 : 0);
    return effect == PY_INVALID_STACK_EFFECT ? -1 : instruction.depth + effect;
}

}  // namespace

bool isConditionalJump(int opcode) {
    return opcode == POP_JUMP_IF_TRUE || opcode == POP_JUMP_IF_FALSE || opcode == POP_JUMP_IF_NONE ||
           opcode == POP_JUMP_IF_NOT_NONE || opcode == FOR_ITER || opcode == SEND;
}

bool endsFlow(int opcode) {
    return opcode == JUMP_FORWARD || opcode == JUMP_BACKWARD || opcode == JUMP_BACKWARD_NO_INTERRUPT ||
           opcode == RETURN_VALUE || opcode == RETURN_CONST || opcode == RAISE_VARARGS || opcode == RERAISE ||
           opcode == INTERPRETER_EXIT;
}

Bytecode::Bytecode(PyCodeObject* code) {
    decode(code);
    findDepths();
    findLoops();
}

void Bytecode::decode(PyCodeObject* code) {
    Ref<> bytes = Ref<>::steal(PyCode_GetCode(code));
    if (!bytes) {
        PyErr_Clear();
        return;
    }
    const auto* raw = reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(bytes.get()));
    int units = static_cast<int>(PyBytes_GET_SIZE(bytes.get()) / 2);
    indexOfUnit_.assign(units + 1, -1);
    int first = 0;
    int oparg = 0;
    for (int unit = 0; unit < units;) {
        int opcode = raw[2 * unit];
        oparg = (oparg << 8) | raw[2 * unit + 1];
        if (opcode == EXTENDED_ARG) {
            unit++;
            continue;
        }
        BytecodeInstruction instruction;
        instruction.unit = unit;
        instruction.firstUnit = first;
        instruction.opcode = static_cast<uint8_t>(opcode);
        instruction.oparg = oparg;
        instruction.next = unit + 1 + cacheUnits(opcode);
        instruction.target = jumpTarget(opcode, instruction.next, oparg);
        for (int covered = first; covered <= unit; covered++) {
            indexOfUnit_[covered] = static_cast<int>(instructions_.size());
        }
        if (opcode == RESUME && oparg == 0) {
            entryUnit_ = instruction.next;
        }
        unit = first = instruction.next;
        oparg = 0;
        instructions_.push_back(instruction);
    }
}

const BytecodeInstruction* Bytecode::at(int unit) const {
    if (unit < 0 || unit >= static_cast<int>(indexOfUnit_.size()) || indexOfUnit_[unit] < 0) {
        return nullptr;
    }
    return &instructions_[indexOfUnit_[unit]];
}

void Bytecode::findDepths() {
    if (instructions_.empty()) {
        return;
    }
    std::vector<int> pending;
    auto reach = [&](int unit, int depth, bool joins) {
        if (unit < 0 || unit >= static_cast<int>(indexOfUnit_.size()) || indexOfUnit_[unit] < 0 || depth < 0) {
            return;
        }
        BytecodeInstruction& instruction = instructions_[indexOfUnit_[unit]];
        if (joins) {
            instruction.leader = true;
        }
        if (instruction.depth < 0) {
            instruction.depth = depth;
            pending.push_back(indexOfUnit_[unit]);
        }
    };
    reach(0, 0, false);
    while (!pending.empty()) {
        const BytecodeInstruction instruction = instructions_[pending.back()];
        pending.pop_back();
        if (!endsFlow(instruction.opcode)) {
            reach(instruction.next, depthAfter(instruction, false), isConditionalJump(instruction.opcode));
        }
        if (instruction.target >= 0) {
            reach(instruction.target, depthAfter(instruction, true), true);
        }
    }
}

void Bytecode::findLoops() {
    for (const BytecodeInstruction& instruction : instructions_) {
        if (instruction.opcode != JUMP_BACKWARD || instruction.depth < 0) {
            continue;
        }
        auto sameHeader = [&](const BytecodeLoop& loop) { return loop.header == instruction.target; };
        auto found = std::find_if(loops_.begin(), loops_.end(), sameHeader);
        if (found == loops_.end()) {
            loops_.push_back({instruction.target, instruction.next});
        } else {
            found->end = std::max(found->end, instruction.next);
        }
    }
    std::ranges::sort(loops_, {}, &BytecodeLoop::header);
}

const BytecodeLoop* Bytecode::loopAt(int header) const {
    for (const BytecodeLoop& loop : loops_) {
        if (loop.header == header) {
            return &loop;
        }
    }
    return nullptr;
}

}  // namespace kiln
