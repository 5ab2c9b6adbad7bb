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
    if (instruction.opcode == RETURN_GENERATOR) {
        return instruction.depth + 1;  // goes on when it is resumed, with what was sent on the stack
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

bool suspends(int opcode) {
    return opcode == YIELD_VALUE || opcode == SEND;
}

Bytecode::Bytecode(PyCodeObject* code) {
    decode(code);
    findHandlers(code);
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

// The table is a sequence of numbers in groups of six bits, most significant first: start, size, target, depth and lasti.
void Bytecode::findHandlers(PyCodeObject* code) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(PyBytes_AS_STRING(code->co_exceptiontable));
    const uint8_t* end = bytes + PyBytes_GET_SIZE(code->co_exceptiontable);
    auto number = [&] {
        int value = *bytes & 63;
        while ((*bytes++ & 64) != 0 && bytes < end) {
            value = (value << 6) | (*bytes & 63);
        }
        return value;
    };
    while (bytes < end) {
        int start = number();
        int size = number();
        int target = number();
        int state = number();
        handlers_.push_back({start, start + size, target, state >> 1, (state & 1) != 0});
    }
}

const ExceptionHandler* Bytecode::handlerOf(int unit) const {
    auto found = std::ranges::find_if(handlers_, [&](const ExceptionHandler& handler) { return handler.covers(unit); });
    return found != handlers_.end() ? &*found : nullptr;
}

// What no exception leads to first, then handlers, and what only they lead to.
void Bytecode::findDepths() {
    std::vector<int> pending;
    reach(0, 0, false, false, pending);
    follow(pending, false);
    while (enterHandlers(pending)) {
        follow(pending, true);
    }
}

void Bytecode::reach(int unit, int depth, bool joins, bool inHandler, std::vector<int>& pending) {
    if (unit < 0 || unit >= static_cast<int>(indexOfUnit_.size()) || indexOfUnit_[unit] < 0 || depth < 0) {
        return;
    }
    BytecodeInstruction& instruction = instructions_[indexOfUnit_[unit]];
    instruction.leader = instruction.leader || joins;
    if (instruction.depth < 0) {
        instruction.depth = depth;
        instruction.inHandler = inHandler;
        pending.push_back(indexOfUnit_[unit]);
    }
}

void Bytecode::follow(std::vector<int>& pending, bool inHandler) {
    while (!pending.empty()) {
        const BytecodeInstruction instruction = instructions_[pending.back()];
        pending.pop_back();
        if (!endsFlow(instruction.opcode)) {
            reach(instruction.next, depthAfter(instruction, false), isConditionalJump(instruction.opcode), inHandler, pending);
        }
        if (instruction.target >= 0) {
            reach(instruction.target, depthAfter(instruction, true), true, inHandler, pending);
        }
    }
}

// True when there were some that nothing has led to so far.
bool Bytecode::enterHandlers(std::vector<int>& pending) {
    for (const ExceptionHandler& handler : handlers_) {
        auto guards = [&](const BytecodeInstruction& in) { return in.depth >= 0 && handler.covers(in.unit); };
        if (std::ranges::any_of(instructions_, guards)) {
            reach(handler.target, handler.depth + (handler.keepsPlace ? 1 : 0) + 1, true, true, pending);
        }
    }
    return !pending.empty();
}

void Bytecode::findLoops() {
    for (const BytecodeInstruction& instruction : instructions_) {
        if (instruction.opcode != JUMP_BACKWARD || instruction.depth < 0 || instruction.inHandler) {
            continue;
        }
        auto sameHeader = [&](const BytecodeLoop& loop) { return loop.header == instruction.target; };
        auto found = std::find_if(loops_.begin(), loops_.end(), sameHeader);
        if (found == loops_.end()) {
            loops_.push_back({instruction.target, instruction.target, instruction.next});
        } else {
            found->end = std::max(found->end, instruction.next);
        }
    }
    std::ranges::sort(loops_, {}, &BytecodeLoop::header);
    while (joinOverlapping()) {
    }
    for (BytecodeLoop& loop : loops_) {
        auto isIn = [&](const BytecodeInstruction& in) { return in.depth >= 0 && loop.contains(in.unit) && suspends(in.opcode); };
        loop.yields = std::ranges::any_of(instructions_, isIn);
    }
}

// True when there were any. What begins in one loop and ends behind it jumps back into it: together they are one.
bool Bytecode::joinOverlapping() {
    for (BytecodeLoop& first : loops_) {
        for (BytecodeLoop& second : loops_) {
            bool overlap = first.begin <= second.begin && second.begin < first.end && first.end < second.end;
            if (overlap) {
                second.begin = first.begin;
                first.end = second.end;
                return true;
            }
        }
    }
    return false;
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
