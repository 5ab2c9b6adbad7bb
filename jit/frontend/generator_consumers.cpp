#include "jit/frontend/generator_consumers.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/builtin_calls.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

struct ConsumerRow {
    Consumer consumer;
    const char* name;
    const char* owner;
    int most;
};

constexpr ConsumerRow kRows[] = {
#define KILN_CONSUMER(name, owner, most) {Consumer::k_##name, #name, owner, most},
#include "jit/ir/consumers.def"
#undef KILN_CONSUMER
};

bool isCalled(const char* name, const char* owner, PyObject* callee) {
    if (std::strcmp(owner, "type") == 0) {
        PyTypeObject* const known[] = {&PyList_Type, &PySet_Type, &PyTuple_Type};
        return std::ranges::any_of(known, [&](PyTypeObject* cls) {
            return callee == reinterpret_cast<PyObject*>(cls) && std::strcmp(cls->tp_name, name) == 0;
        });
    }
    if (Py_IS_TYPE(callee, &PyMethodDescr_Type)) {
        return std::strcmp(PyDescr_TYPE(callee)->tp_name, owner) == 0 && PyDescr_TYPE(callee) == &PyUnicode_Type &&
               std::strcmp(reinterpret_cast<PyMethodDescrObject*>(callee)->d_method->ml_name, name) == 0;
    }
    auto* function = reinterpret_cast<PyCFunctionObject*>(callee);
    return PyCFunction_CheckExact(callee) && function->m_module != nullptr && PyUnicode_Check(function->m_module) &&
           PyUnicode_CompareWithASCIIString(function->m_module, owner) == 0 && std::strcmp(function->m_ml->ml_name, name) == 0;
}

// The caller's entries for the call's state.
struct CallState {
    AbstractValue& first;
    AbstractValue& second;
};

CallState stateBelow(AbstractFrame& caller) {
    return {caller.top(2), caller.top(1)};
}

AbstractFrame& callerOf(RegionBuilder& b) {
    return b.state().frames.change(b.state().frames.size() - 2);
}

// Behind the `yield`: the item is done with.
void goOn(RegionBuilder& b, const BytecodeInstruction& in) {
    b.push(AbstractValue::none());  // what is sent
    b.state().frame().unit = b.bytecode().at(in.next)->next;
}

// ---- sum: ints as long as they are small, then floats with Neumaier's compensation, as CPython 3.12's

AbstractValue totalOf(RegionBuilder& b, const AbstractValue& number) {
    return number.isFloat() ? AbstractValue::part(Kind::kFloat, number.value) : AbstractValue::part(Kind::kInt, asInt(b, number));
}

void addFloat(RegionBuilder& b, CallState state, Id item) {
    Id total = state.first.value;
    Id sum = b.emit(ir::Op::k_float_add, {total, item});
    Id larger = b.emit(ir::Op::k_float_ge, {b.emit(ir::Op::k_float_abs, {total}), b.emit(ir::Op::k_float_abs, {item})});
    Id big = b.emit(ir::Op::k_float_select, {larger, total, item});
    Id small = b.emit(ir::Op::k_float_select, {larger, item, total});
    Id lost = b.emit(ir::Op::k_float_add, {b.emit(ir::Op::k_float_sub, {big, sum}), small});
    state.second.value = b.emit(ir::Op::k_float_add, {state.second.value, lost});
    state.first.value = sum;
}

bool addItem(RegionBuilder& b, const BytecodeInstruction& in, CallState state) {
    const AbstractValue item = b.top();
    if (!item.isNumber() || b.siteOf(in).bigInt || (!state.first.isInt() && !state.first.isFloat())) {
        return false;
    }
    if (state.first.isInt() && item.isIntLike()) {
        state.first.value = b.emitExiting(ir::Op::k_int_add, {state.first.value, asInt(b, item)}, ExitReason::k_overflow);
    } else if (state.first.isInt()) {
        Id total = b.emit(ir::Op::k_int_to_float, {state.first.value});
        state.first = AbstractValue::part(Kind::kFloat, b.emit(ir::Op::k_float_add, {total, item.value}));
        state.second = AbstractValue::part(Kind::kFloat, b.constFloat(0));
    } else if (item.isFloat()) {
        addFloat(b, state, item.value);
    } else {
        state.first.value = b.emit(ir::Op::k_float_add, {state.first.value, asFloat(b, item)});
    }
    release(b, b.pop());
    goOn(b, in);
    return true;
}

AbstractValue sumOf(RegionBuilder& b, CallState state) {
    if (state.first.isInt()) {
        return AbstractValue::number(Kind::kInt, state.first.value);
    }
    Id zero = b.constFloat(0);
    Id lost = state.second.value;
    Id isFinite = b.emit(ir::Op::k_float_eq, {b.emit(ir::Op::k_float_sub, {lost, lost}), zero});
    Id counts = b.emit(ir::Op::k_bool_and, {b.emit(ir::Op::k_float_ne, {lost, zero}), isFinite});
    Id corrected = b.emit(ir::Op::k_float_add, {state.first.value, lost});
    return AbstractValue::number(Kind::kFloat, b.emit(ir::Op::k_float_select, {counts, corrected, state.first.value}));
}

// ---- max and min: of ints, or of floats

// The item becomes the call's first entry, at which its result will be: which object it is is seen there if it is seen at all.
void takeItem(RegionBuilder& b, const BytecodeInstruction& in) {
    settle(b, 0);
    b.top() = heldConstant(b, b.top());
    ownTop(b);
    AbstractValue item = b.pop();
    release(b, std::exchange(stateBelow(callerOf(b)).first, std::move(item)));
    goOn(b, in);
}

bool pickItem(RegionBuilder& b, const BytecodeInstruction& in, bool isMax) {
    const AbstractValue& best = stateBelow(callerOf(b)).first;
    const AbstractValue& item = b.top();
    bool isFirst = best.kind == Kind::kNull;
    if ((!item.isInt() && !item.isFloat()) || (!isFirst && item.kind != best.kind)) {
        return false;
    }
    if (isFirst) {
        takeItem(b, in);
        return true;
    }
    ir::Op compare = item.isInt() ? (isMax ? ir::Op::k_int_gt : ir::Op::k_int_lt) : (isMax ? ir::Op::k_float_gt : ir::Op::k_float_lt);
    b.branchAside(b.emit(compare, {item.value, best.value}), true, [&] {
        startHere(b);
        takeItem(b, in);
        b.goTo(b.state().frame().unit);
    });
    startHere(b);
    release(b, b.pop());
    goOn(b, in);
    return true;
}

// ---- any and all

// The call ends before the generator does, which goes as it waits.
void endEarly(RegionBuilder& b, const BytecodeInstruction& in, PyObject* result) {
    release(b, b.pop());
    suspendGenerator(b, in);
    releaseTop(b, 1);
    b.pop();
    b.pop();
    b.push(constantValue(b, result));
    b.goTo(b.state().frame().unit);
}

bool testItem(RegionBuilder& b, const BytecodeInstruction& in, bool ends) {
    Id condition = truth(b, b.top());
    if (condition == ir::kNoId) {
        return false;
    }
    b.branchAside(condition, ends, [&] {
        startHere(b);
        endEarly(b, in, ends ? Py_True : Py_False);
    });
    startHere(b);
    release(b, b.pop());
    goOn(b, in);
    return true;
}

// ---- those that gather the items in a list first

// A set hashes and compares an item as it comes. Of these nobody can tell that it is done later.
bool isPlain(const AbstractValue& item) {
    PyTypeObject* cls = item.knownClass();
    bool known = cls == &PyUnicode_Type || cls == &PyBytes_Type || item.isNumber() || item.kind == Kind::kNone;
    return known || (item.kind == Kind::kTuple && std::ranges::all_of(item.parts, isPlain));
}

bool gatherItem(RegionBuilder& b, const BytecodeInstruction& in, CallState state) {
    if (state.first.kind != Kind::kObject) {
        return false;
    }
    Id list = state.first.value;
    Id object = boxEntry(b, 0);
    b.emitExitingAt(ir::Op::k_list_append, {list, object}, b.raising());
    releaseHeld(b, b.pop());
    goOn(b, in);
    return true;
}

// By the table of calls that run no Python code; else the region is left, and the rest of the call done by CPython.
Id callWithList(RegionBuilder& b, PyObject* callee, std::vector<Id> arguments, int unsure) {
    int64_t row = findBuiltinCall(callee, static_cast<int>(arguments.size()));
    ir::Operands operands = {b.constInt(row | int64_t{1} << (unsure + kBuiltinRowBits)), b.constObject(callee)};
    operands.insert(operands.end(), arguments.begin(), arguments.end());
    return makePlain(b, Helper::k_call_by_table, std::move(operands));
}

PyObject* joinMethod() {
    static PyObject* const name = PyUnicode_InternFromString("join");
    return kiln_type_lookup(&PyUnicode_Type, name);
}

PyObject* sortMethod() {
    static PyObject* const name = PyUnicode_InternFromString("sort");
    return kiln_type_lookup(&PyList_Type, name);
}

AbstractValue gathered(RegionBuilder& b, Consumer consumer, CallState state) {
    Id list = state.first.value;
    switch (consumer) {
        case Consumer::k_join: {
            bool fresh = false;
            Id separator = boxed(b, state.second, fresh);
            return AbstractValue::object(callWithList(b, joinMethod(), {separator, list}, 1), &PyUnicode_Type, true);
        }
        case Consumer::k_set:
            return AbstractValue::object(callWithList(b, reinterpret_cast<PyObject*>(&PySet_Type), {list}, 0), &PySet_Type, true);
        case Consumer::k_tuple:
            return AbstractValue::object(b.emitExitingAt(ir::Op::k_opaque_object, {list}, b.raising(), static_cast<int64_t>(Helper::k_list_to_tuple)),
                                         &PyTuple_Type, true);
        case Consumer::k_sorted: callWithList(b, sortMethod(), {list}, 0); [[fallthrough]];
        default: return std::exchange(stateBelow(callerOf(b)).first, AbstractValue::null());
    }
}

// ---- the beginning

bool gathers(Consumer consumer) {
    switch (consumer) {
        case Consumer::k_join: case Consumer::k_list: case Consumer::k_set: case Consumer::k_sorted: case Consumer::k_tuple: return true;
        default: return false;
    }
}

// The call's state at its beginning. False when it is not taken in.
bool begin(RegionBuilder& b, const BytecodeInstruction& in, Consumer consumer, int arguments, CallState state) {
    if (consumer == Consumer::k_sum) {
        const AbstractValue& start = b.top();
        if (arguments == 2 && !start.isInt() && !start.isFloat()) {
            return false;
        }
        state.first = arguments == 2 ? totalOf(b, start) : AbstractValue::part(Kind::kInt, b.constInt(0));
        state.second = state.first.isFloat() ? AbstractValue::part(Kind::kFloat, b.constFloat(0)) : AbstractValue::null();
        return b.siteOf(in).results.only() == &PyFloat_Type || (b.siteOf(in).results.only() == &PyLong_Type && !b.siteOf(in).bigInt);
    }
    if (consumer == Consumer::k_join) {
        if (b.top(1).knownClass() != &PyUnicode_Type) {
            return false;
        }
        boxEntry(b, 1);
        state.second = copyOf(b.top(1));
        own(b, state.second);
    }
    if (gathers(consumer)) {
        Id list = b.emitExitingAt(ir::Op::k_opaque_object, {}, b.raising(), static_cast<int64_t>(Helper::k_build_list));
        state.first = AbstractValue::object(list, &PyList_Type, true);
    }
    return true;
}

}  // namespace

bool callConsumer(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    const auto* row = std::ranges::find_if(kRows, [&](const ConsumerRow& candidate) {
        return arguments >= 1 && arguments <= candidate.most && isCalled(candidate.name, candidate.owner, callee);
    });
    bool isOpen = row != std::end(kRows) && b.keywordNames() == nullptr && mayResume(b, b.top(arguments - 1));
    if (!isOpen || b.top(arguments - 1).value != ir::kNoId || b.knowledge().unconsumed.contains({b.state().frame().code, in.next})) {
        return false;
    }
    AbstractValue first;
    AbstractValue second;
    if (!begin(b, in, row->consumer, arguments, {first, second})) {
        return false;
    }
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    std::vector<AbstractValue> popped(slots.end() - arguments - 2, slots.end());
    slots.resize(slots.size() - popped.size());
    AbstractValue generator = std::exchange(popped[2], {});
    b.push(std::move(first));
    b.push(std::move(second));
    b.push(std::move(generator));
    for (AbstractValue& entry : popped) {
        release(b, std::move(entry));
    }
    b.state().frame().unit = in.next;
    resumeFor(b, row->consumer, in.next);
    return true;
}

bool consumeItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Consumer consumer = b.state().frame().consumer;
    AbstractFrame& caller = callerOf(b);
    std::pair<PyCodeObject*, int> place = {caller.code, caller.unit};
    bool done = false;
    switch (consumer) {
        case Consumer::k_sum: done = addItem(b, in, stateBelow(caller)); break;
        case Consumer::k_any: done = testItem(b, in, true); break;
        case Consumer::k_all: done = testItem(b, in, false); break;
        case Consumer::k_max: done = pickItem(b, in, true); break;
        case Consumer::k_min: done = pickItem(b, in, false); break;
        case Consumer::k_set: done = isPlain(b.top()) && gatherItem(b, in, stateBelow(caller)); break;
        default: done = gatherItem(b, in, stateBelow(caller)); break;
    }
    if (!done) {
        b.knowledge().unconsumed.insert(place);
        b.restart();
    }
    return true;
}

AbstractValue resultOfConsumer(RegionBuilder& b) {
    Consumer consumer = b.state().frame().consumer;
    CallState state = stateBelow(callerOf(b));
    switch (consumer) {
        case Consumer::k_sum: return sumOf(b, state);
        case Consumer::k_any: return constantValue(b, Py_False);
        case Consumer::k_all: return constantValue(b, Py_True);
        case Consumer::k_max: case Consumer::k_min: return std::exchange(state.first, AbstractValue::null());
        default: return gathered(b, consumer, state);
    }
}

}  // namespace kiln
