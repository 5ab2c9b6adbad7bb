// CALL: what is called, inlining of small Python functions, and direct native calls.
#include "jit/frontend/build_call.h"

#include <opcode.h>

#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/bound_methods.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_binding.h"
#include "jit/frontend/build_builtin_calls.h"
#include "jit/frontend/build_builtins.h"
#include "jit/frontend/build_cells.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_indirect_call.h"
#include "jit/frontend/build_instantiation.h"
#include "jit/frontend/build_leaf.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/emit.h"
#include "jit/frontend/generator_consumers.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/instance_values.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_calls.h"
#include "jit/frontend/numpy_draws.h"
#include "jit/frontend/numpy_methods.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// Recursion is unrolled: small bodies only, since each call site in a body holds a copy of it.
constexpr int kMostUnrolledCalls = 2;
constexpr int kMostUnrolledInstructions = 30;
// A callee that calls nothing is no larger than its call: however deep. So are the __init__ of small classes. One level beyond the deepest it
// may call: what makes a new instance of its class does.
constexpr int kMostOfLeaf = 24;
constexpr int kUnsupportedFlags = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;

bool isCall(int opcode) {
    return opcode == CALL || opcode == CALL_FUNCTION_EX || opcode == FOR_ITER;
}

Id functionValue(RegionBuilder& b, const CalledFunction& called) {
    return called.value.isReference() ? called.value.value : b.constObject(called.value.constant);
}

// What a native function is given: the arguments, and then the objects that numbers among them are; empty when one has no native form.
std::vector<ir::Type> nativeArguments(RegionBuilder& b, PyCodeObject* code, const std::vector<AbstractValue>& bound,
                                      std::vector<int>& boxes, ir::Operands& operands) {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : bound) {
        bool constant = argument.kind == Kind::kNone || argument.kind == Kind::kConstant;
        types.push_back(constant ? ir::Type::kObject : typeOfKind(argument.kind));
        if (types.back() == ir::Type::kNone) {
            return {};
        }
        bool fresh = false;
        operands.push_back(constant ? boxed(b, argument, fresh) : argument.value);
    }
    boxes = boxedParameters(b, code, types);
    for (int parameter : boxes) {
        types.push_back(ir::Type::kObject);
        operands.push_back(boxFor(b, bound[static_cast<size_t>(parameter)]));
    }
    return types;
}

std::vector<ir::Type> selfTypes(RegionBuilder& b) {
    std::vector<ir::Type> types;
    for (const AbstractValue& argument : b.request().entry) {
        types.push_back(typeOfKind(argument.kind));
    }
    types.resize(types.size() + boxedParameters(b, b.request().code, types).size(), ir::Type::kObject);
    return types;
}

// What a call returns, as observed.
ir::Type observedType(const Site& site) {
    PyTypeObject* cls = site.results.only();
    return cls == &PyLong_Type && !site.bigInt ? ir::Type::kInt
           : cls == &PyFloat_Type              ? ir::Type::kFloat
           : cls == &PyBool_Type               ? ir::Type::kBool
                                               : ir::Type::kObject;
}

// What a recursive call returns: known from an earlier attempt, else expected as observed.
ir::Type selfReturnType(RegionBuilder& b, const Site& site) {
    if (b.knowledge().returnType == ir::Type::kNone) {
        b.knowledge().returnType = observedType(site);
    }
    return b.knowledge().returnType;
}

// Of a function that is compiled, or may be; nullptr otherwise. `returnType`: what is expected, and then what it returns.
const void* otherEntry(RegionBuilder& b, const Callee& callee, const std::vector<ir::Type>& types,
                       const std::vector<int>& boxes, ir::Type& returnType) {
    NativeFunction* native = b.environment().nativeFunction(callee, types, boxes, returnType);
    if (native != nullptr) {
        returnType = b.environment().returnType(native);
        b.result().codes.push_back(callee.code);
    }
    return native;
}

Kind kindOfType(ir::Type type) {
    return type == ir::Type::kInt ? Kind::kInt : type == ir::Type::kFloat ? Kind::kFloat : type == ir::Type::kBool ? Kind::kBool : Kind::kObject;
}

// The top entry becomes the number that a native function gave.
void takeNativeNumber(RegionBuilder& b, Id status, ir::Type returnType) {
    AbstractValue number = AbstractValue::number(kindOfType(returnType), ir::kNoId);
    bool seen = number.hasIdentity() && isSeen(b, b.state().frame(), b.state().frame().slots.size() - 1);
    ir::Op take = seen ? ir::Op::k_native_number : ir::Op::k_native_result;
    number.value = b.emitExitingAt(take, {status}, b.snapshotHere(ExitReason::k_result), 0, returnType);
    if (seen) {
        number.box = b.emit(ir::Op::k_native_box, {status});
        number.owned = number.mayLackBox = true;
    }
    b.top() = number;
}

// Native callees take NumPy's scalars and arrays, and instances, as objects. True when there were any among the topmost entries.
bool boxScalars(RegionBuilder& b, int count) {
    bool found = false;
    for (int below = 0; below < count; below++) {
        if (b.top(below).isShareable()) {
            boxEntry(b, below);
            found = true;
        }
    }
    return found;
}

// The call takes `popped` entries off the stack, of which the last `arguments` are the callee's.
bool callPython(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& callee, int arguments,
                int popped) {
    auto* function = reinterpret_cast<PyFunctionObject*>(callee.constant);
    CalledFunction called = CalledFunction::of(function);
    called.value = callee;
    std::vector<AbstractValue> bound;
    bool isGenerator = isPlainGenerator(b, called.callee.code);
    if ((!isGenerator && !isPlainFunction(called.callee.code)) || !bindArguments(b, called, arguments, bound)) {
        return false;
    }
    b.result().functions.push_back(function);
    bool isMethod = popped == arguments + 1;
    bool keeps = !isMethod || !rebinds(b, called.callee.code, 0);  // a method lives as long as its instance
    if (isGenerator) {
        return keeps && makeGenerator(b, in, called, bound, popped);
    }
    if (keeps && shouldInline(b, called.callee)) {
        inlineCall(b, in, called, std::move(bound), popped);
        return true;
    }
    if (!keeps) {
        called.value = b.top(popped - 1) = b.before().frame().top(popped - 1) = heldConstant(b, callee);
        startHere(b);
    }
    return nativeCall(b, in, called, std::move(bound), arguments, popped);
}

// [function, self], then the arguments.
bool callMethod(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    PyObject* method = b.top(arguments + 1).constant;
    if (PyFunction_Check(method)) {
        return callPython(b, in, b.top(arguments + 1), arguments + 1, arguments + 2);
    }
    return callConsumer(b, in, method, arguments) || callAppend(b, in, arguments) || (arguments == 0 && complexMethod(b, in, method)) ||
           callNumPyMethod(b, in, method, arguments) || drawNumber(b, in, method, arguments) ||
           callLeafMethod(b, in, method, arguments) || callByTable(b, in, method, arguments + 1);
}

bool callConstant(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (looksAtCaller(callee)) {
        b.sideExit(ExitReason::k_unsupported);
        return true;
    }
    if (PyFunction_Check(callee)) {
        return callPython(b, in, b.top(arguments), arguments, arguments + 2);
    }
    if (callConsumer(b, in, callee, arguments)) {
        return true;
    }
    if (PyType_Check(callee) && isProgramClass(reinterpret_cast<PyTypeObject*>(callee))) {
        return instantiate(b, in, reinterpret_cast<PyTypeObject*>(callee), arguments);
    }
    if (b.keywordNames() != nullptr && !keywordsArePositional(b, callee, arguments)) {
        return false;
    }
    if (Py_IS_TYPE(callee, &PyMethodDescr_Type)) {
        return callByTable(b, in, callee, arguments);
    }
    if (callNumPy(b, in, callee, arguments) || drawNumber(b, in, callee, arguments) || callNew(b, in, callee, arguments)) {
        return true;
    }
    if (PyCFunction_Check(callee)) {
        return callBuiltin(b, in, callee, arguments) ||
               (b.isOpen() && !b.stopped() &&
                (callLeaf(b, in, callee, arguments) || callByTable(b, in, callee, arguments)));
    }
    return PyType_Check(callee) && (callClass(b, in, callee, arguments) ||
                                    (b.isOpen() && !b.stopped() && callByTable(b, in, callee, arguments)));
}

}  // namespace

bool isPlainFunction(const PyCodeObject* code) {
    return !(code->co_flags & kUnsupportedFlags) && (code->co_flags & CO_OPTIMIZED);
}

Id beforeNativeCall(RegionBuilder& b, const BytecodeInstruction& in) {
    callWhatRaises(b);
    b.progress().reliesOnNoFrame = b.progress().reliesOnNoFrame || !b.knowledge().needsFrame;
    if (b.isRootFrame() && (!b.request().isFunction || b.knowledge().needsFrame)) {
        b.emit(ir::Op::k_set_position, {}, in.next - 1);
    }
    flushNames(b);
    Id version = namesVersion(b);
    b.emitExiting(ir::Op::k_guard_stack, {}, ExitReason::k_deep);
    return version;
}

bool nativeCall(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue> bound, int arguments,
                int popped) {
    bool boxed = boxScalars(b, popped);
    if (makeSharedObjects(b, arguments) || boxed) {
        bindArguments(b, called, arguments, bound);
    }
    const Callee& callee = called.callee;
    ir::Operands operands = {functionValue(b, called)};
    std::vector<int> boxes;
    std::vector<ir::Type> types = nativeArguments(b, callee.code, bound, boxes, operands);
    if (types.empty() && !bound.empty()) {
        return false;
    }
    bool self = b.request().self != nullptr &&
                callee == Callee{b.request().code, b.request().globals, b.request().builtins} && types == selfTypes(b);
    ir::Type returnType = self ? selfReturnType(b, b.siteOf(in)) : observedType(b.siteOf(in));
    const void* entry = self ? b.request().self : otherEntry(b, callee, types, boxes, returnType);
    if (entry == nullptr) {
        return false;
    }
    Id version = beforeNativeCall(b, in);
    AbstractState raised = leaveToCallee(b, popped);
    for (size_t parameter = 0; parameter < bound.size(); parameter++) {
        if (types[parameter] == ir::Type::kObject) {
            giveArgument(b, bound[parameter], operands[parameter + 1], popped, raised);
        }
    }
    ir::SnapshotId raise = b.snapshot(raised, ExitReason::k_exception, true);
    int index = b.objectIndex(entry, self ? "self" : "native");
    Id status = ir::kNoId;
    asCallee(b, in.next, [&] {
        status = emitFailing(b, ir::Op::k_call_native, operands, raise, index, returnType);
        for (AbstractValue& argument : bound) {
            release(b, argument);  // of a number
        }
        release(b, called.value);
    });
    handleFailure(b, ir::Op::k_call_native, status, popped, version);
    b.state().frame().unit = in.next;
    Id boxedResult = b.emit(ir::Op::k_native_boxed, {status});
    b.push(AbstractValue::object(boxedResult, nullptr, true));
    if (returnType == ir::Type::kObject) {
        afterOpaque(b, version);
        refineTop(b, b.siteOf(in), in.next);
        return true;
    }
    takeNativeNumber(b, status, returnType);
    // A raw result of this very region: it was valid when the callee returned. native_result looks at a boxed one.
    bool mayHaveChanged = !self || version != ir::kNoId || b.knowledge().dropsAtReturn;
    b.progress().reliesOnQuietReturn = b.progress().reliesOnQuietReturn || !mayHaveChanged;
    if (mayHaveChanged) {
        afterOpaque(b, version);
    }
    return true;
}

bool buildCall(RegionBuilder& b, const BytecodeInstruction& in) {
    int arguments = in.oparg;
    AbstractValue& below = b.top(arguments + 1);
    if (below.kind != Kind::kNull || unbindCallee(b, arguments, b.siteOf(in)) || unbindMethod(b, arguments, b.siteOf(in))) {
        bool known = below.kind == Kind::kConstant;
        // A generator expression's function is called on its iterator as a method is, and so is that of a bound method.
        bool called = known ? callMethod(b, in, arguments) : boundCall(b, in, arguments) || callByCode(b, in, arguments + 1, arguments + 2);
        if (!called && b.isOpen() && !b.stopped()) {
            opaqueCall(b, in, arguments);
        }
        return true;
    }
    if (instanceCall(b, in, arguments)) {
        return true;
    }
    bool constant = b.top(arguments).kind == Kind::kConstant || guardCallee(b, arguments, b.siteOf(in));
    bool called = constant ? callConstant(b, in, b.top(arguments).constant, arguments) : callByCode(b, in, arguments, arguments + 2);
    if (!called && b.isOpen() && !b.stopped()) {
        opaqueCall(b, in, arguments);
    }
    return true;
}

void replaceTop(RegionBuilder& b, int popped, AbstractValue result) {
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    std::vector<AbstractValue> operands(slots.end() - popped, slots.end());
    slots.resize(slots.size() - static_cast<size_t>(popped));
    b.push(std::move(result));
    for (AbstractValue& operand : operands) {
        release(b, std::move(operand));
    }
}

void finishCall(RegionBuilder& b, const BytecodeInstruction& in, int popped, AbstractValue result) {
    replaceTop(b, popped, std::move(result));
    b.state().frame().unit = in.next;
}

bool takesOnly(PyCodeObject* code, int count) {
    bool takesMore = code->co_kwonlyargcount != 0 || (code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0;
    return isPlainFunction(code) && code->co_argcount == count && !takesMore;
}

bool rebinds(RegionBuilder& b, PyCodeObject* code, int parameter) {
    for (const BytecodeInstruction& in : b.bytecodeOf(code).instructions()) {
        bool sets = in.opcode == STORE_FAST || in.opcode == DELETE_FAST || in.opcode == LOAD_FAST_AND_CLEAR || in.opcode == MAKE_CELL;
        if (sets && in.oparg == parameter) {
            return true;
        }
    }
    return false;
}

bool endsArgument(RegionBuilder& b, PyCodeObject* code, const std::vector<AbstractValue>& bound) {
    for (size_t parameter = 1; parameter < bound.size(); parameter++) {
        const AbstractValue& argument = bound[parameter];
        if ((argument.owned || argument.isVirtual()) && !argument.isNumber() &&
            rebinds(b, code, static_cast<int>(parameter))) {
            return true;
        }
    }
    return false;
}

bool shouldInline(RegionBuilder& b, const Callee& callee) {
    PyCodeObject* code = callee.code;
    bool isDeep = b.state().frames.size() > b.limits().depth;
    if (b.knowledge().notInlined.contains(code)) {
        return false;
    }
    int copies = 0;
    const AbstractFrames& frames = b.state().frames;
    for (size_t index = 0; index < frames.size(); index++) {
        copies += frames[index].code == code;
    }
    CodeProfile& profile = b.environment().profileOf(code);
    int reached = 0;
    for (const BytecodeInstruction& in : profile.bytecode().instructions()) {
        reached += profile.reached(in.unit);
        if (isDeep && ((isCall(in.opcode) && b.state().frames.size() > b.limits().depth + 1) || reached > kMostOfLeaf)) {
            return false;
        }
        if (in.opcode == STORE_GLOBAL) {
            return false;
        }
    }
    int most = copies > 0 ? kMostUnrolledInstructions : b.limits().inlined;
    return copies <= kMostUnrolledCalls && reached > 0 && reached <= most && hasPlainNames(callee.globals) &&
           hasPlainNames(callee.builtins);
}

std::vector<AbstractValue> lent(std::vector<AbstractValue> arguments) {
    for (AbstractValue& argument : arguments) {
        argument = copyOf(argument);
    }
    return arguments;
}

void inlineCall(RegionBuilder& b, const BytecodeInstruction& in, const CalledFunction& called,
                std::vector<AbstractValue> bound, int popped, const CallRole& role) {
    PyCodeObject* code = called.callee.code;
    b.result().codes.push_back(code);
    AbstractFrame frame{.callee = called.value,
                        .code = code,
                        .globals = called.callee.globals,
                        .builtins = called.callee.builtins,
                        .unit = b.environment().profileOf(code).bytecode().entryUnit(),
                        .localCount = code->co_nlocalsplus};
    frame.slots = std::move(bound);
    frame.slots.resize(frame.localCount);
    // The arguments moved into the callee's locals, the callable into its frame.
    b.state().frame().slots.resize(b.state().frame().slots.size() - popped);
    b.state().frame().unit = role.use == ResultUse::k_truth ? in.unit : in.next;
    if (role.instance != nullptr) {
        b.push(*role.instance);
    }
    frame.use = role.use;
    frame.detail = role.detail;
    frame.text = role.text;
    // The operation's operands are lent to the callee.
    size_t place = b.state().frame().slots.size() - static_cast<size_t>(operandsOf(role.use, role.detail));
    frame.resultSeen = isSeen(b, b.state().frame(), place);
    forgetUnseen(b, b.state().frame(), place);
    b.state().frames.push_back(std::move(frame));
    enterCells(b, functionValue(b, called));
    if (int counter = b.environment().counterFor(code, 0); counter >= 0) {
        b.emit(ir::Op::k_count, {}, counter);
    }
}

AbstractState leaveToCallee(RegionBuilder& b, int popped) {
    AbstractState raised = b.before();
    raised.frame().unit = b.unit();
    b.state().frame().slots.resize(b.state().frame().slots.size() - static_cast<size_t>(popped));
    return raised;
}

void giveArgument(RegionBuilder& b, AbstractValue& argument, Id object, int popped, AbstractState& raised) {
    bool isImmortal = argument.kind == Kind::kNone || (argument.kind == Kind::kConstant && _Py_IsImmortal(argument.constant));
    bool moves = argument.isReference() && argument.owned && !transferOwnership(b.state(), object);
    if (argument.isReference()) {
        argument.owned = false;
    }
    if (!moves) {
        if (!isImmortal) {
            b.emit(ir::Op::k_incref, {object});
        }
        return;
    }
    std::vector<AbstractValue>& slots = raised.frame().slots;
    for (auto entry = slots.end() - popped; entry != slots.end(); ++entry) {
        bool same = entry->isReference() && entry->value == object;
        *entry = same ? AbstractValue::none() : *entry;
    }
}

}  // namespace kiln
