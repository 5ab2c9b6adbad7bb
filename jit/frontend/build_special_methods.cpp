#include "jit/frontend/build_special_methods.h"

#include "interp/operator_methods.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// The entry comes to be an instance of a class that is known, where all seen were the program's.
bool knowPrograms(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    ClassSet programs = seen.programs();
    return !programs.empty() && programs.size() == seen.size() && knowClass(b, in, below, programs);
}

// The entry comes to be an instance of a class with a method for the operation that takes so many arguments and can be inlined.
PyFunctionObject* knowMethod(RegionBuilder& b, const BytecodeInstruction& in, int below, Special special, int arguments) {
    if (!knowPrograms(b, in, below, b.siteOf(in).receivers)) {
        return nullptr;
    }
    PyFunctionObject* function = specialMethod(b.top(below).cls, special);
    auto* code = function != nullptr ? reinterpret_cast<PyCodeObject*>(function->func_code) : nullptr;
    return code != nullptr && takesOnly(code, arguments) && shouldInline(b, Callee::of(function)) ? function : nullptr;
}

void relyOn(RegionBuilder& b, PyTypeObject* cls, Special special, PyFunctionObject* function) {
    dependOn(b, cls);
    dependOnAttribute(b, cls, specialName(special));
    b.result().functions.push_back(function);
}

// The operands stay where they are.
bool inlineMethod(RegionBuilder& b, const BytecodeInstruction& in, Special special, PyFunctionObject* function, std::vector<AbstractValue> bound,
                  const CallRole& role) {
    relyOn(b, bound[0].cls, special, function);
    inlineCall(b, in, CalledFunction::of(function), lent(std::move(bound)), 0, role);
    return true;
}

// The right operand's class comes to be known, and its reflected method is not asked first. False where that can't be told.
bool knowRight(RegionBuilder& b, const BytecodeInstruction& in, PyTypeObject* left) {
    const ClassSet& rights = b.siteOf(in).rights;
    if (b.top().knownClass() == nullptr && !knowPrograms(b, in, 0, rights)) {
        knowBuiltin(b, in, 0, rights);
    }
    PyTypeObject* right = b.top().knownClass();
    if (right == nullptr || (right != left && PyType_IsSubtype(right, left))) {
        return false;
    }
    dependOn(b, right);
    return true;
}

}  // namespace

bool inlineHolding(RegionBuilder& b, const BytecodeInstruction& in, PyFunctionObject* function, int arguments, AbstractState state, int operands) {
    CalledFunction called = CalledFunction::of(function);
    std::vector<AbstractValue> bound;
    if (!isPlainFunction(called.callee.code) || !bindArguments(b, called, arguments, bound) || !shouldInline(b, called.callee)) {
        return false;
    }
    b.state() = std::move(state);
    inlineCall(b, in, called, lent(std::move(bound)), 0, {.use = ResultUse::k_called, .detail = operands});
    return true;
}

bool metaclassCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    auto* cls = reinterpret_cast<PyTypeObject*>(b.top(arguments).constant);
    PyTypeObject* metaclass = Py_TYPE(cls);
    bool isKnown = isProgramClass(metaclass) && ObservedClasses::instance().mayRelyOn(metaclass) && ObservedClasses::instance().mayRelyOn(cls);
    PyFunctionObject* function = isKnown ? specialMethod(metaclass, Special::k_call) : nullptr;
    if (function == nullptr || !inlineHolding(b, in, function, arguments + 1, b.state(), arguments + 2)) {
        return false;
    }
    dependOn(b, cls);
    relyOn(b, metaclass, Special::k_call, function);
    return true;
}

bool subscriptCall(RegionBuilder& b, const BytecodeInstruction& in) {
    ClassSet classes = b.siteOf(in).receivers.programs();
    if (classes.empty() || !knowClass(b, in, 1, classes)) {
        return false;
    }
    PyTypeObject* cls = b.top(1).cls;
    PyFunctionObject* function = specialMethod(cls, Special::k_getitem);
    auto* code = function != nullptr ? reinterpret_cast<PyCodeObject*>(function->func_code) : nullptr;
    if (code == nullptr || !takesOnly(code, 2) || rebinds(b, code, 0)) {
        return false;
    }
    relyOn(b, cls, Special::k_getitem, function);
    settle(b, 0);
    CalledFunction called = CalledFunction::of(function);
    std::vector<AbstractValue> bound = {b.top(1), b.top(0)};
    if (!shouldInline(b, called.callee)) {
        return nativeCall(b, in, called, std::move(bound), 2, 2);
    }
    inlineCall(b, in, called, std::move(bound), 2);
    return true;
}

bool storeItemCall(RegionBuilder& b, const BytecodeInstruction& in) {
    PyFunctionObject* function = knowMethod(b, in, 1, Special::k_setitem, 3);
    if (function == nullptr) {
        return false;
    }
    settle(b, 0);
    settle(b, 2);
    return inlineMethod(b, in, Special::k_setitem, function, {b.top(1), b.top(0), b.top(2)}, {.use = ResultUse::k_nothing});
}

bool comparisonCall(RegionBuilder& b, const BytecodeInstruction& in) {
    int operation = in.oparg >> 4;
    Special special = specialOf(operation);
    PyFunctionObject* function = knowMethod(b, in, 1, special, 2);
    if (function == nullptr) {
        return false;
    }
    settle(b, 0);
    return knowRight(b, in, b.top(1).cls) &&
           inlineMethod(b, in, special, function, {b.top(1), b.top(0)}, {.use = ResultUse::k_comparison, .detail = operation});
}

bool containmentCall(RegionBuilder& b, const BytecodeInstruction& in) {
    PyFunctionObject* function = knowMethod(b, in, 0, Special::k_contains, 2);
    if (function == nullptr) {
        return false;
    }
    settle(b, 1);
    return inlineMethod(b, in, Special::k_contains, function, {b.top(0), b.top(1)}, {.use = ResultUse::k_containment, .detail = in.oparg});
}

bool lengthCall(RegionBuilder& b, const BytecodeInstruction& in) {
    PyFunctionObject* function = knowMethod(b, in, 0, Special::k_len, 1);
    return function != nullptr && inlineMethod(b, in, Special::k_len, function, {b.top(0)}, {.use = ResultUse::k_length});
}

bool iteratorCall(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!knowPrograms(b, in, 0, b.siteOf(in).receivers)) {
        return false;
    }
    PyTypeObject* cls = b.top().cls;
    PyFunctionObject* function = specialMethod(cls, Special::k_iter);
    auto* code = function != nullptr ? reinterpret_cast<PyCodeObject*>(function->func_code) : nullptr;
    if (code == nullptr || code->co_argcount != 1) {
        return false;
    }
    if (isPlainGenerator(b, code)) {
        std::vector<AbstractValue> bound = {b.top()};
        relyOn(b, cls, Special::k_iter, function);
        return makeGenerator(b, in, CalledFunction::of(function), bound, 1);
    }
    return takesOnly(code, 1) && shouldInline(b, Callee::of(function)) &&
           inlineMethod(b, in, Special::k_iter, function, {b.top()}, {.use = ResultUse::k_iterator});
}

bool truthCall(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!knowPrograms(b, in, 0, b.siteOf(in).receivers)) {
        return false;
    }
    Special special = truthMethod(b.top().cls);
    PyFunctionObject* function = knowMethod(b, in, 0, special, 1);
    int detail = in.firstUnit * 2 + (special == Special::k_len);
    return function != nullptr && inlineMethod(b, in, special, function, {b.top(0)}, {.use = ResultUse::k_truth, .detail = detail});
}

bool nextCall(RegionBuilder& b, const BytecodeInstruction& in) {
    PyFunctionObject* function = knowMethod(b, in, 0, Special::k_next, 1);
    return function != nullptr && inlineMethod(b, in, Special::k_next, function, {b.top(0)}, {.use = ResultUse::k_item, .detail = in.firstUnit});
}

bool enterCall(RegionBuilder& b, const BytecodeInstruction& in) {
    PyFunctionObject* function = knowMethod(b, in, 0, Special::k_enter, 1);
    PyFunctionObject* leave = function != nullptr ? specialMethod(b.top().cls, Special::k_exit) : nullptr;
    if (leave == nullptr) {
        return false;
    }
    own(b, b.top());
    AbstractValue manager = b.pop();
    relyOn(b, manager.cls, Special::k_exit, leave);
    AbstractValue method = heldConstant(b, AbstractValue::constantObject(reinterpret_cast<PyObject*>(leave)));
    b.push(virtualObject(b, Kind::kMethod, {std::move(method), manager}));
    return inlineMethod(b, in, Special::k_enter, function, {manager}, {.use = ResultUse::k_entered});
}

bool boundCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    AbstractValue method = b.top(arguments + 1);
    if (method.kind != Kind::kMethod) {
        return false;
    }
    auto* function = reinterpret_cast<PyFunctionObject*>(method.parts[0].constant);
    AbstractState state = b.state();
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    slots.insert(slots.end() - (arguments + 1), method.parts[1]);
    bool isInlined = inlineHolding(b, in, function, arguments + 2, state, arguments + 2);
    if (!isInlined) {
        b.state() = std::move(state);
    }
    return isInlined;
}

bool instanceCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    if (!knowPrograms(b, in, arguments, b.siteOf(in).rights)) {
        return false;
    }
    PyTypeObject* cls = b.top(arguments).cls;
    PyFunctionObject* function = specialMethod(cls, Special::k_call);
    if (function == nullptr) {
        return false;
    }
    relyOn(b, cls, Special::k_call, function);
    return inlineHolding(b, in, function, arguments + 1, b.state(), arguments + 2);
}

}  // namespace kiln
