#include "jit/frontend/generator_values.h"

#include <opcode.h>

#include <algorithm>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_cells.h"
#include "jit/frontend/build_entry.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/generator_consumers.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr int kStopIterationError = 3;  // INTRINSIC_STOPITERATION_ERROR

const Callee* rememberCallee(RegionBuilder& b, const Callee& callee) {
    auto known = std::ranges::find(b.generatorCallees(), callee);
    return known != b.generatorCallees().end() ? &*known : &b.generatorCallees().emplace_back(callee);
}

// The unit that a generator which has not begun waits at; -1 without one.
int startOf(const Bytecode& bytecode) {
    auto start = std::ranges::find(bytecode.instructions(), static_cast<uint8_t>(RETURN_GENERATOR),
                                   &BytecodeInstruction::opcode);
    return start != bytecode.instructions().end() ? start->unit : -1;
}

bool hasBegun(const Bytecode& bytecode, const AbstractValue& generator) {
    return bytecode.at(generator.unit)->opcode != RETURN_GENERATOR;
}

// Would a generator that waits there run code of its own when it is given up? There is a handler around all of its code that every
// generator has.
bool isClosedByCode(const Bytecode& bytecode, int unit) {
    const ExceptionHandler* handler = bytecode.handlerOf(unit);
    const BytecodeInstruction* first = handler != nullptr ? bytecode.at(handler->target) : nullptr;
    return first != nullptr && !(first->opcode == CALL_INTRINSIC_1 && first->oparg == kStopIterationError);
}

AbstractFrame frameOf(const Callee& callee, AbstractValue function, int unit) {
    return {.callee = std::move(function),
            .code = callee.code,
            .globals = callee.globals,
            .builtins = callee.builtins,
            .unit = unit,
            .localCount = callee.code->co_nlocalsplus};
}

// The innermost frame becomes the parts of the generator below it, which waits at `unit`.
void putBack(RegionBuilder& b, AbstractValue& generator, AbstractFrame frame, int unit) {
    generator.unit = unit;
    generator.callee = rememberCallee(b, {frame.code, frame.globals, frame.builtins});
    generator.parts.clear();
    generator.parts.push_back(std::move(frame.callee));
    std::ranges::move(frame.slots, std::back_inserter(generator.parts));
}

}  // namespace

bool isPlainGenerator(RegionBuilder& b, PyCodeObject* code) {
    constexpr int kOthers = CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE;
    if ((code->co_flags & CO_GENERATOR) == 0 || (code->co_flags & CO_OPTIMIZED) == 0 ||
        (code->co_flags & kOthers) != 0) {
        return false;
    }
    return std::ranges::none_of(b.bytecodeOf(code).instructions(), [](const BytecodeInstruction& in) { return in.opcode == SEND; });
}

void mustEnd(RegionBuilder& b, const AbstractValue& generator) {
    PyCodeObject* code = generator.parts.empty() ? nullptr : generator.callee->code;
    if (code != nullptr && isClosedByCode(b.bytecodeOf(code), generator.unit)) {
        b.knowledge().notInlined.insert(code);
        b.doom();
    }
}

int unitBehind(const Bytecode& bytecode, const AbstractValue& generator) {
    const BytecodeInstruction* in = bytecode.at(generator.unit);
    return in->opcode == RETURN_GENERATOR ? bytecode.entryUnit() : bytecode.at(in->next)->next;
}

bool makeGenerator(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called,
                   std::vector<AbstractValue>& bound, int popped) {
    PyCodeObject* code = called.callee.code;
    int start = startOf(b.bytecodeOf(code));
    if (!isPlainGenerator(b, code) || start < 0 || !shouldInline(b, called.callee)) {
        return false;
    }
    b.result().codes.push_back(code);
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    slots.resize(slots.size() - static_cast<size_t>(popped));
    b.state().frame().unit = in.next;
    AbstractFrame frame = frameOf(called.callee, called.value, start);
    frame.slots = std::move(bound);
    frame.slots.resize(static_cast<size_t>(frame.localCount));
    Id function = called.value.isReference() ? called.value.value : b.constObject(called.value.constant);
    b.state().frames.push_back(std::move(frame));
    enterCells(b, function);
    if (int counter = b.environment().counterFor(code, 0); counter >= 0) {
        b.emit(ir::Op::k_count, {}, counter);
    }
    AbstractFrame made = b.state().frames.take();
    b.push({.kind = Kind::kGenerator});
    putBack(b, b.top(), std::move(made), start);
    return true;
}

bool mayResume(RegionBuilder& b, const AbstractValue& value) {
    return value.kind == Kind::kGenerator && !value.parts.empty() && b.state().frames.size() <= b.limits().depth;
}

bool resumeGenerator(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!mayResume(b, b.top())) {
        return false;
    }
    b.state().frame().unit = in.next;
    resumeFor(b, Consumer::kLoop, in.target);
    return true;
}

void resumeFor(RegionBuilder& b, Consumer consumer, int exhausted) {
    AbstractValue& generator = b.top();
    const Callee& callee = *generator.callee;
    std::vector<AbstractValue> parts = std::exchange(generator.parts, {});
    AbstractFrame frame = frameOf(callee, std::move(parts[0]), unitBehind(b.bytecodeOf(callee.code), generator));
    std::move(parts.begin() + 1, parts.end(), std::back_inserter(frame.slots));
    if (hasBegun(b.bytecodeOf(callee.code), generator)) {
        frame.slots.push_back(AbstractValue::none());  // what is sent
    }
    frame.exhausted = exhausted;
    frame.consumer = consumer;
    generator.unit = 0;
    b.state().frames.push_back(std::move(frame));
}

void suspendGenerator(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractFrame frame = b.state().frames.take();
    putBack(b, b.top(), std::move(frame), in.unit);
}

bool yieldValue(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.isRootFrame() || b.state().frame().exhausted < 0) {
        return false;
    }
    if (b.state().frame().consumer != Consumer::kLoop) {
        return consumeItem(b, in);
    }
    settle(b, 0);
    b.top() = heldConstant(b, b.top());
    ownTop(b);
    AbstractValue value = b.pop();
    suspendGenerator(b, in);
    b.push(std::move(value));
    return true;
}

void endGenerator(RegionBuilder& b) {
    int exhausted = b.state().frames.back().exhausted;
    b.state().frames.pop_back();
    AbstractValue generator = b.pop();
    if (generator.value != ir::kNoId) {
        Id object = generator.home ? b.emit(ir::Op::k_take_slot, {}, generator.slot) : generator.value;
        b.emitList(ir::Op::k_pure_object, {object}, static_cast<int64_t>(Helper::k_end_generator));
    }
    b.state().frame().unit = exhausted;
}

Id materializeGenerator(RegionBuilder& b, const AbstractValue& generator) {
    ir::Operands operands;
    std::vector<Id> temporaries;
    for (const AbstractValue& part : generator.parts) {
        bool fresh = false;
        operands.push_back(part.kind == Kind::kNull ? b.constInt(0) : boxed(b, part, fresh));
        if (fresh) {
            temporaries.push_back(operands.back());
        }
    }
    operands.insert(operands.begin() + 1, b.constInt(generator.unit));
    Id object = b.emitList(ir::Op::k_pure_object, operands, static_cast<int64_t>(Helper::k_build_generator));
    for (Id temporary : temporaries) {
        b.emit(ir::Op::k_decref_held, {temporary});
    }
    return object;
}

AbstractValue enterableGenerator(RegionBuilder& b, const AbstractValue& expected) {
    Callee callee = Callee::of(reinterpret_cast<PyFunctionObject*>(expected.constant));
    bool isNested =
        std::ranges::any_of(expected.parts, [](const AbstractValue& part) { return part.kind == Kind::kGenerator; });
    if (isNested || !isPlainGenerator(b, callee.code) || !shouldInline(b, callee)) {
        return AbstractValue::object(ir::kNoId, nullptr, false);
    }
    AbstractValue entered = expected;
    entered.constant = nullptr;
    entered.callee = rememberCallee(b, callee);
    return entered;
}

void enterGenerator(RegionBuilder& b, Id object, AbstractValue& value) {
    const Callee& callee = *value.callee;
    b.result().codes.push_back(callee.code);
    Id code = b.emit(ir::Op::k_const_object, {}, b.objectIndex(callee.code, "code"));
    Id waits = b.emitList(
        ir::Op::k_pure_int,
        {object, code, b.constInt(value.unit), b.constObject(callee.globals), b.constObject(callee.builtins)},
        static_cast<int64_t>(Helper::k_generator_waits));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {waits, b.constInt(1)})}, ExitReason::k_entry);
    value.value = object;
    for (size_t part = 1; part < value.parts.size(); part++) {
        Id held = b.emitList(ir::Op::k_read_object, {object, b.constInt(static_cast<int64_t>(part) - 1)},
                             static_cast<int64_t>(Helper::k_generator_slot));
        if (value.parts[part].kind == Kind::kNull) {
            b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_is_null, {held})}, ExitReason::k_entry);
        } else {
            enterObject(b, held, value.parts[part]);
        }
    }
}

void takeGenerator(RegionBuilder& b, AbstractValue& value) {
    Id function = b.emitList(ir::Op::k_pure_object, {value.value}, static_cast<int64_t>(Helper::k_take_generator));
    value.parts[0] = AbstractValue::object(function, &PyFunction_Type, true);
    for (size_t part = 1; part < value.parts.size(); part++) {
        AbstractValue& slot = value.parts[part];
        slot.owned = slot.value != ir::kNoId && !slot.isBool();
    }
}

}  // namespace kiln
