// CALL_FUNCTION_EX: `f(*items, **names)`. What exists as an inlined function's `*arguments` or `**keywords` only, or was collected for
// the call, are arguments as others.
#include <opcode.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "jit/frontend/bound_methods.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_indirect_call.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/build_spread_calls.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "jit/native_interface.h"

namespace kiln {
namespace {

constexpr int64_t kMostSpread = 16;

// Only what is taken in: a call would leave more operands behind than the instruction has.
bool takesIn(RegionBuilder& b, const Callee& callee) {
    return isPlainFunction(callee.code) ? shouldInline(b, callee) : isPlainGenerator(b, callee.code);
}

bool inlineKnown(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    const AbstractValue callee = b.top(arguments);
    auto* function = reinterpret_cast<PyFunctionObject*>(callee.constant);
    CalledFunction called = CalledFunction::of(function);
    called.value = callee;
    std::vector<AbstractValue> bound;
    if (!takesIn(b, called.callee) || !bindArguments(b, called, arguments, bound)) {
        return false;
    }
    b.result().functions.push_back(function);
    if (!isPlainFunction(called.callee.code)) {
        return makeGenerator(b, in, called, bound, arguments + 2);
    }
    inlineCall(b, in, called, std::move(bound), arguments + 2);
    return true;
}

bool inlineSeen(RegionBuilder& b, const BytecodeInstruction& in, int arguments, int index) {
    PyCodeObject* code = b.siteOf(in).calleeCodes[index];
    return takesIn(b, {code, b.state().frame().globals, b.state().frame().builtins}) && callCode(b, in, arguments, arguments + 2, index);
}

// [items] and maybe names, which exist as their parts only, become the arguments themselves, with `first` before them and the names in
// keywordNames(). How many arguments there are; nullopt where the items have no parts, and the stack is of no use then.
std::optional<int> layOutArguments(RegionBuilder& b, bool named, std::vector<AbstractValue> first) {
    std::vector<AbstractValue> names;
    std::vector<AbstractValue> items;
    if (named) {
        names = b.pop().parts;
    }
    if (!takeItems(b, items)) {
        return std::nullopt;
    }
    if (names.size() > 1) {
        b.keywordNames() = names[0].constant;
        std::move(names.begin() + 1, names.end(), std::back_inserter(items));
    }
    auto arguments = static_cast<int>(items.size());
    std::ranges::move(items, std::back_inserter(first));
    for (AbstractValue& entry : first) {
        b.push(std::move(entry));
    }
    return arguments;
}

// [NULL, function, items] and maybe names, which exist as their parts only. `index`: of the code that the function is known to have
// among those seen; the function itself is known where it is a constant.
bool callItems(RegionBuilder& b, const BytecodeInstruction& in, bool named, int index) {
    if (named && b.top().kind != Kind::kKeywords) {
        return false;
    }
    AbstractState whole = b.state();
    std::optional<int> arguments = layOutArguments(b, named, {});
    if (!arguments) {
        b.state() = std::move(whole);
        return false;
    }
    bool isConstant = b.top(*arguments).kind == Kind::kConstant;
    bool done = isConstant ? inlineKnown(b, in, *arguments) : inlineSeen(b, in, *arguments, index);
    b.keywordNames() = nullptr;
    if (!done && !b.stopped()) {
        b.state() = std::move(whole);
    }
    return done || b.stopped();
}

// The items of a list go into a tuple, and the list goes, before the call begins.
void becomeTuple(RegionBuilder& b, int below) {
    AbstractValue list = b.top(below);
    Id tuple = b.emitExitingAt(ir::Op::k_opaque_object, {list.value}, b.raising(), static_cast<int64_t>(Helper::k_list_to_tuple));
    b.top(below) = AbstractValue::object(tuple, &PyTuple_Type, true);
    giveUpUnpacked(b, list);
    repeatFromHere(b);
}

// Do the arguments exist as their parts only?
bool hasParts(RegionBuilder& b, int keywords) {
    const AbstractValue& items = b.top(keywords);
    bool isConstant = items.kind == Kind::kConstant && PyTuple_CheckExact(items.constant);
    return (keywords == 0 || b.top().kind == Kind::kKeywords) && (items.kind == Kind::kTuple || isConstant) && items.value == ir::kNoId;
}

// [NULL, method, items] and maybe names. As CPython calls what is no function, it holds the items until the call returns.
bool callMethodWithItems(RegionBuilder& b, const BytecodeInstruction& in) {
    int keywords = in.oparg & 1;
    std::optional<BoundParts> method = partsOfMethod(b.top(keywords + 1));
    if (!method || b.stopped()) {
        return false;
    }
    AbstractState whole = b.state();
    std::optional<int> arguments = layOutArguments(b, keywords != 0, {method->function, method->instance});
    auto* function = reinterpret_cast<PyFunctionObject*>(method->function.constant);
    bool done = arguments && inlineHolding(b, in, function, *arguments + 1, whole, 3 + keywords);
    b.keywordNames() = nullptr;
    if (done) {
        b.result().functions.push_back(function);
    } else {
        b.state() = std::move(whole);
    }
    return done;
}

// The list or tuple of all arguments, which had so many items each time, becomes one that exists as its parts only: what goes wrong
// from here on finds a tuple.
void spread(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    const int64_t count = site.number.only();
    if ((in.oparg & 1) != 0 || site.generic || count <= 0 || count > kMostSpread) {
        return;
    }
    takeConstantSequence(b, 0);
    knowSequence(b, site.receivers);
    const bool isList = b.top().cls == &PyList_Type;
    if (b.top().kind != Kind::kObject || !(isList || b.top().cls == &PyTuple_Type)) {
        return;
    }
    AbstractValue sequence = b.top();
    guardLength(b, sequence.value, count, ExitReason::k_plain);
    b.pop();
    pushItems(b, sequence.value, static_cast<int>(count), isList);
    std::vector<AbstractValue> items;
    for (int64_t index = 0; index < count; index++) {
        items.push_back(b.pop());
    }
    b.push(virtualObject(b, Kind::kTuple, std::move(items)));
    giveUpUnpacked(b, std::move(sequence));
    repeatFromHere(b);
}

bool maySee(RegionBuilder& b, const CodeSet& codes) {
    const AbstractFrame& frame = b.state().frame();
    for (int index = 0; index < codes.size(); index++) {
        if (codes[index] != nullptr && takesIn(b, {codes[index], frame.globals, frame.builtins})) {
            return true;
        }
    }
    return false;
}

// Is what is called to be taken in, if its arguments exist as their parts only? What CPython calls gets the very tuple.
bool mayTakeIn(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& callee) {
    if (callee.kind != Kind::kMethod && callee.kind != Kind::kConstant) {
        return b.siteOf(in).rights.only() == &PyFunction_Type && maySee(b, b.siteOf(in).calleeCodes);
    }
    PyObject* function = callee.kind == Kind::kMethod ? callee.parts[0].constant : callee.constant;
    return PyFunction_Check(function) && takesIn(b, Callee::of(reinterpret_cast<PyFunctionObject*>(function)));
}

void callObjects(RegionBuilder& b, const BytecodeInstruction& in) {
    int keywords = in.oparg & 1;
    if (b.top(keywords).kind == Kind::kTuple || b.top(keywords).kind == Kind::kList) {
        boxEntry(b, keywords);
    }
    if (keywords == 0) {
        knowSequence(b, b.siteOf(in).receivers);
    }
    if (b.top(keywords).kind == Kind::kObject && b.top(keywords).cls == &PyList_Type) {
        becomeTuple(b, keywords);
    }
    NativeFunction* any = b.siteOf(in).callsPython ? b.environment().anyCallable(Called::kAnythingSpread, 2) : nullptr;
    Id version = any != nullptr ? beforeNativeCall(b, in) : beforeOpaque(b, "CALL_FUNCTION_EX");
    if (b.stopped()) {
        return;
    }
    if (any != nullptr) {
        std::vector<CallOperand> operands = {{boxEntry(b, keywords + 1), keywords + 1}, {boxEntry(b, keywords), keywords}};
        operands.push_back(keywords != 0 ? CallOperand{boxEntry(b, 0), 0} : CallOperand{b.constObject(Py_None)});
        callAnything(b, in, any, operands, 3 + keywords, version);
    } else {
        wantCallees(b, in);
        Id callable = boxEntry(b, keywords + 1);
        Id tuple = boxEntry(b, keywords);
        Id names = keywords != 0 ? boxEntry(b, 0) : b.constInt(0);
        finishOpaque(b, in, Helper::k_call_sequence, {callable, tuple, names}, 3 + keywords, OpaqueResult::kObject, version);
    }
}

}  // namespace

bool callWithSequence(RegionBuilder& b, const BytecodeInstruction& in) {
    int keywords = in.oparg & 1;
    if (!hasParts(b, keywords) && mayTakeIn(b, in, b.top(keywords + 1))) {
        spread(b, in);
    }
    if (hasParts(b, keywords) && callMethodWithItems(b, in)) {
        return true;
    }
    const AbstractValue& callee = b.top(keywords + 1);
    const CodeSet& codes = b.siteOf(in).calleeCodes;
    if (callee.kind == Kind::kConstant ? PyFunction_Check(callee.constant) && callItems(b, in, keywords != 0, 0)
                                       : hasParts(b, keywords) && maySee(b, codes) &&
                                             branchByCode(b, b.siteOf(in), keywords + 1,
                                                          {.call = [&](int index) { return callItems(b, in, keywords != 0, index); },
                                                           .callByCPython = [&] { callObjects(b, in); }})) {
        return true;
    }
    if (!b.stopped()) {
        callObjects(b, in);
    }
    return true;
}

}  // namespace kiln
