#include "jit/frontend/identity_liveness.h"

#include <opcode.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "interp/buffers.h"

namespace kiln {
namespace {

enum class Callee { kOther, kBlind, kGivesArgument };

// What is known of C functions and classes: they look at the value of a number only, or their result may be an argument itself.
Callee kindOfCallee(PyObject* callee) {
    static constexpr const char* kBlind[] = {"chr", "divmod", "isinstance", "len", "ord", "pow", "sum"};
    static constexpr const char* kGiving[] = {"abs", "max", "min", "round"};
    if (callee == reinterpret_cast<PyObject*>(&PyFloat_Type) || callee == reinterpret_cast<PyObject*>(&PyLong_Type)) {
        return Callee::kGivesArgument;
    }
    if (callee == reinterpret_cast<PyObject*>(&PyRange_Type) || callee == reinterpret_cast<PyObject*>(&PyBool_Type)) {
        return Callee::kBlind;
    }
    if (!PyCFunction_Check(callee)) {
        return Callee::kOther;
    }
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    auto isOf = [&](const char* module) {
        return function->m_module != nullptr && PyUnicode_Check(function->m_module) &&
               PyUnicode_CompareWithASCIIString(function->m_module, module) == 0;
    };
    auto isOneOf = [&](const auto& names) {
        return std::any_of(std::begin(names), std::end(names), [&](const char* name) { return std::strcmp(function->m_ml->ml_name, name) == 0; });
    };
    if (isOf("math")) {
        return Callee::kGivesArgument;  // floor() of an int
    }
    return !isOf("builtins") ? Callee::kOther : isOneOf(kBlind) ? Callee::kBlind : isOneOf(kGiving) ? Callee::kGivesArgument : Callee::kOther;
}

// Only sequences, which look at an index's value, were met.
bool isIndexed(const ClassSet& classes) {
    bool indexed = !classes.others();
    for (int index = 0; indexed && index < classes.size(); index++) {
        PyTypeObject* cls = classes[index];
        indexed = cls == &PyList_Type || cls == &PyTuple_Type || cls == &PyUnicode_Type || isBufferClass(cls);
    }
    return indexed;
}

}  // namespace

IdentityLiveness::IdentityLiveness(PyCodeObject* code, const CodeProfile& profile, bool resultSeen, const ParameterSeen* parameterSeen)
    : profile_(profile), parameterSeen_(parameterSeen), resultSeen_(resultSeen), locals_(code->co_nlocalsplus),
      slots_(static_cast<size_t>(code->co_nlocalsplus + code->co_stacksize) + 2) {
    if (slots_ <= kMostSlots) {
        for (const BytecodeInstruction& in : profile.bytecode().instructions()) {
            if (in.opcode == MAKE_CELL) {
                cells_.set(static_cast<size_t>(in.oparg));
            }
        }
        solve();
    }
}

bool IdentityLiveness::at(int unit, int slot) const {
    const BytecodeInstruction* in = profile_.bytecode().at(unit);
    if (in == nullptr || in->depth < 0 || static_cast<size_t>(slot) >= slots_ || live_.empty()) {
        return true;
    }
    const Slots& live = live_[static_cast<size_t>(in - profile_.bytecode().instructions().data())];
    return (live | cells_)[static_cast<size_t>(slot)];
}

std::vector<IdentityLiveness::Flow> IdentityLiveness::flows() const {
    const Bytecode& bytecode = profile_.bytecode();
    auto indexOf = [&](int unit) {
        const BytecodeInstruction* in = unit >= 0 ? bytecode.at(unit) : nullptr;
        return in != nullptr ? static_cast<size_t>(in - bytecode.instructions().data()) : kNowhere;
    };
    std::vector<Flow> flows;
    flows.reserve(bytecode.instructions().size());
    for (const BytecodeInstruction& in : bytecode.instructions()) {
        Flow flow = {endsFlow(in.opcode) ? kNowhere : indexOf(in.next), indexOf(in.target), kNowhere, {}, {}};
        if (const ExceptionHandler* handler = bytecode.handlerOf(in.unit)) {
            flow.handler = indexOf(handler->target);
            flow.reached = Slots().set() >> (kMostSlots - static_cast<size_t>(locals_ + handler->depth));
        }
        flows.push_back(flow);
    }
    for (const auto& [unit, slot] : profile_.identitySeen()) {
        // With the prefixes in front of it, or without.
        auto found = std::ranges::lower_bound(bytecode.instructions(), unit, {}, &BytecodeInstruction::unit);
        if (found != bytecode.instructions().end() && (found->unit == unit || found->firstUnit == unit)) {
            flows[static_cast<size_t>(found - bytecode.instructions().begin())].seen[static_cast<size_t>(slot)] = true;
        }
    }
    return flows;
}

// Backwards until nothing changes: an instruction is looked at again only when one behind it was.
void IdentityLiveness::solve() {
    std::vector<Flow> all = flows();
    std::vector<bool> moved(all.size() + 1, true);
    auto mayHaveChanged = [&](size_t index, bool first) {
        const Flow& flow = all[index];
        auto hasMoved = [&](size_t other) { return other != kNowhere && moved[other]; };
        return first || hasMoved(flow.next) || hasMoved(flow.target) || hasMoved(flow.handler);
    };
    live_.assign(all.size(), Slots());
    bool changed = true;
    for (bool first = true; changed; first = false) {
        changed = false;
        for (size_t index = all.size(); index-- > 0;) {
            bool look = mayHaveChanged(index, first);
            Slots live = live_[index];
            if (look) {
                live.reset();
                flowInto(index, all[index], live);
            }
            moved[index] = live != live_[index];
            changed = changed || moved[index];
            live_[index] = live;
        }
    }
}

void IdentityLiveness::flowInto(size_t index, const Flow& flow, Slots& live) const {
    const BytecodeInstruction& in = profile_.bytecode().instructions()[index];
    for (size_t follower : {flow.next, flow.target}) {
        if (follower != kNowhere) {
            live |= live_[follower];
        }
    }
    if (in.depth >= 0) {
        step(in, live);
    } else if (in.opcode == LOAD_FAST || in.opcode == LOAD_FAST_CHECK || in.opcode == LOAD_FAST_AND_CLEAR || in.opcode == STORE_FAST) {
        live[static_cast<size_t>(in.oparg)] = in.opcode != STORE_FAST;  // in a handler
    }
    if (flow.handler != kNowhere) {
        live |= live_[flow.handler] & flow.reached;
    }
    live |= flow.seen;
}

void IdentityLiveness::pop(Slots& live, const BytecodeInstruction& in, int count, bool seen) const {
    for (int place = std::max(0, in.depth - count); place < in.depth; place++) {
        live[stack(in, place)] = seen;
    }
}

void IdentityLiveness::stepLocal(const BytecodeInstruction& in, Slots& live) const {
    auto local = static_cast<size_t>(in.oparg);
    size_t pushed = stack(in, in.depth);
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: live[local] = live[local] || live[pushed]; break;
        case LOAD_FAST_AND_CLEAR: live[local] = live[pushed]; break;
        case DELETE_FAST: live[local] = false; break;
        default: {  // STORE_FAST
            live[pushed - 1] = live[local];
            live[local] = false;
            return;
        }
    }
    live[pushed] = false;
}

bool IdentityLiveness::argumentSeen(const BytecodeInstruction& in, int argument, bool resultSeen) const {
    const Site& site = profile_.site(in.unit);
    const BytecodeInstruction* before = &in - 1;
    bool named = &in != profile_.bytecode().instructions().data() && before->opcode == KW_NAMES;
    if (parameterSeen_ == nullptr || site.executed == 0 || named) {
        return true;
    }
    PyObject* callee = site.calleeVaries ? nullptr : site.observedCallee();
    PyCodeObject* code = callee == nullptr ? site.calleeCodes.only() : nullptr;
    if (callee != nullptr && PyFunction_Check(callee)) {
        code = reinterpret_cast<PyCodeObject*>(reinterpret_cast<PyFunctionObject*>(callee)->func_code);
    }
    if (code != nullptr) {
        bool plain = code->co_argcount == in.oparg && (code->co_flags & CO_VARARGS) == 0;
        return !plain || (*parameterSeen_)(code, argument, resultSeen);
    }
    Callee kind = callee != nullptr ? kindOfCallee(callee) : Callee::kOther;
    return kind == Callee::kOther || (kind == Callee::kGivesArgument && resultSeen);
}

// [method, self] or [NULL, callable], then the arguments.
void IdentityLiveness::stepCall(const BytecodeInstruction& in, Slots& live) const {
    int first = in.depth - in.oparg;
    bool resultSeen = live[stack(in, std::max(0, first - 2))];
    pop(live, in, in.oparg + 2, false);
    for (int argument = 0; argument < in.oparg; argument++) {
        live[stack(in, first + argument)] = argumentSeen(in, argument, resultSeen);
    }
}

void IdentityLiveness::stepShuffle(const BytecodeInstruction& in, Slots& live) const {
    size_t other = stack(in, in.depth - in.oparg);
    if (in.opcode == COPY) {
        live[other] = live[other] || live[stack(in, in.depth)];
        live[stack(in, in.depth)] = false;
        return;
    }
    size_t top = stack(in, std::max(0, in.depth - 1));
    bool seen = live[other];
    live[other] = live[top];
    live[top] = seen;
}

void IdentityLiveness::stepItem(const BytecodeInstruction& in, Slots& live, bool keySeen) const {
    bool item = live[stack(in, in.depth - 2)];
    pop(live, in, 2, keySeen);
    live[stack(in, in.depth - 2)] = item;  // of a tuple that exists as its parts only
}

void IdentityLiveness::stepUnpack(const BytecodeInstruction& in, Slots& live) const {
    size_t top = stack(in, std::max(0, in.depth - 1));
    bool seen = false;
    for (int item = 0; item < in.oparg; item++) {
        seen = seen || live[top + static_cast<size_t>(item)];
        live[top + static_cast<size_t>(item)] = false;
    }
    live[top] = seen;
}

void IdentityLiveness::step(const BytecodeInstruction& in, Slots& live) const {
    // Only where an operand is an instance of the program's does an operator get to see the other.
    auto meetsInstances = [&] {
        const Site& site = profile_.site(in.unit);
        return !site.receivers.programs().empty() || !site.rights.programs().empty();
    };
    // Items of tuples that are the very object are equal, even a nan; and so a dict or set finds a key.
    auto comparesItems = [&] {
        const ClassSet& rights = profile_.site(in.unit).rights;
        return rights.others() || rights.has(&PyTuple_Type);
    };
    auto findsKeys = [&] { return meetsInstances() || !isIndexed(profile_.site(in.unit).receivers); };
    size_t top = stack(in, std::max(0, in.depth - 1));
    switch (in.opcode) {
        case LOAD_FAST: case LOAD_FAST_CHECK: case LOAD_FAST_AND_CLEAR: case STORE_FAST: case DELETE_FAST: stepLocal(in, live); return;
        case COPY: case SWAP: stepShuffle(in, live); return;
        case LOAD_CONST: case PUSH_NULL: case LOAD_NAME: case LOAD_DEREF: case LOAD_CLOSURE: case LOAD_GLOBAL:
            live[stack(in, in.depth)] = live[stack(in, in.depth + 1)] = false;
            return;
        case NOP: case RESUME: case KW_NAMES: case MAKE_CELL: case COPY_FREE_VARS: case JUMP_FORWARD: case JUMP_BACKWARD:
        case JUMP_BACKWARD_NO_INTERRUPT: case RETURN_CONST:
            return;
        case POP_TOP: case POP_JUMP_IF_TRUE: case POP_JUMP_IF_FALSE: case POP_JUMP_IF_NONE: case POP_JUMP_IF_NOT_NONE:
        case UNARY_NEGATIVE: case UNARY_INVERT: case UNARY_NOT:
            pop(live, in, 1, false);
            return;
        case END_FOR: pop(live, in, 2, false); return;
        case CONTAINS_OP: pop(live, in, 2, true); return;
        case BINARY_OP: pop(live, in, 2, meetsInstances()); return;
        case COMPARE_OP: pop(live, in, 2, meetsInstances() || comparesItems()); return;
        case IS_OP: pop(live, in, 2, true); return;
        case BINARY_SUBSCR: stepItem(in, live, findsKeys()); return;
        case STORE_SUBSCR: case STORE_ATTR: {
            pop(live, in, in.opcode == STORE_ATTR ? 2 : 3, in.opcode == STORE_SUBSCR && findsKeys());
            live[stack(in, in.depth - (in.opcode == STORE_ATTR ? 2 : 3))] = true;
            return;
        }
        case STORE_NAME: case STORE_GLOBAL: case STORE_DEREF: case LIST_APPEND: case SET_ADD: case GET_ITER: pop(live, in, 1, true); return;
        case LOAD_ATTR: {
            bool attribute = live[top];
            pop(live, in, 1, attribute);  // of an instance that exists as its parts only
            live[stack(in, in.depth)] = false;
            return;
        }
        case MAP_ADD: pop(live, in, 2, true); return;
        case BINARY_SLICE: pop(live, in, 3, false); return;
        case BUILD_STRING: pop(live, in, in.oparg, false); return;
        case FORMAT_VALUE: pop(live, in, (in.oparg & 4) != 0 ? 2 : 1, false); return;
        case BUILD_TUPLE: pop(live, in, in.oparg, live[stack(in, in.depth - in.oparg)]); return;
        case BUILD_LIST: case BUILD_SET: case BUILD_SLICE: pop(live, in, in.oparg, true); return;
        case BUILD_MAP: pop(live, in, 2 * in.oparg, true); return;
        case BUILD_CONST_KEY_MAP: pop(live, in, in.oparg + 1, true); return;
        case UNPACK_SEQUENCE: stepUnpack(in, live); return;
        case FOR_ITER: live[top] = live[stack(in, in.depth)] = false; return;
        case CALL: stepCall(in, live); return;
        case RETURN_VALUE: pop(live, in, 1, resultSeen_); return;
        default:  // anything may be done with what lies on the stack
            for (size_t place = static_cast<size_t>(locals_); place < slots_; place++) {
                live[place] = place < stack(in, in.depth);
            }
            return;
    }
}

}  // namespace kiln
