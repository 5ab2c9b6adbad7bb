// Operators that the program's classes define: their methods are inlined.
#include <opcode.h>

#include "interp/operator_methods.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

bool RegionBuilder::isOperatorMethod(PyFunctionObject* function) {
    auto* code = function != nullptr ? reinterpret_cast<PyCodeObject*>(function->func_code) : nullptr;
    return code != nullptr && takesOnly(code, 2) && !rebinds(code, 0) && shouldInline(Callee::of(function));
}

// One operand is an instance; the other is one of the same class, or a number, which leaves the operation to it.
bool RegionBuilder::operatorCall(const BytecodeInstruction& in) {
    const Site& site = siteOf(in);
    bool leftNumber = top(1).isNumber();
    bool rightNumber = top(0).isNumber();
    if ((leftNumber && rightNumber) || (!leftNumber && !knowClass(in, 1, site.receivers.programs())) ||
        (!rightNumber && !knowClass(in, 0, site.rights.programs()))) {
        return false;
    }
    if (!leftNumber && !rightNumber && top(1).cls != top(0).cls) {
        return false;
    }
    PyTypeObject* cls = leftNumber ? top(0).cls : top(1).cls;
    PyFunctionObject* function = operatorMethod(cls, in.oparg, leftNumber);
    std::vector<AbstractValue> bound = {top(1), top(0)};
    if (leftNumber) {
        std::swap(bound[0], bound[1]);
    }
    if (!isOperatorMethod(function) || endsArgument(Callee::of(function).code, bound)) {
        return false;
    }
    std::string operation = operatorText(in.oparg);
    if (in.oparg >= NB_INPLACE_ADD) {
        operation = (in.oparg == NB_INPLACE_POWER ? "**" : operation) + "=";
    }
    PyObject* text = PyUnicode_FromFormat("unsupported operand type(s) for %.100s: '%.100s' and '%.100s'", operation.c_str(),
                                          top(1).knownClass()->tp_name, top(0).knownClass()->tp_name);
    if (text == nullptr) {
        PyErr_Clear();
        return false;
    }
    result_.keptAlive.push_back(Ref<>::steal(text));
    dependOn(cls);
    dependOnAttribute(cls, operatorMethodName(in.oparg, leftNumber));
    result_.functions.push_back(function);
    inlineCall(in, CalledFunction::of(function), std::move(bound), 2, {.unsupported = text});
    return true;
}

bool RegionBuilder::subscriptCall(const BytecodeInstruction& in) {
    ClassSet classes = siteOf(in).receivers.programs();
    if (top(1).kind != Kind::kObject || classes.empty() || !knowClass(in, 1, classes)) {
        return false;
    }
    PyFunctionObject* function = subscriptMethod(top(1).cls);
    if (!isOperatorMethod(function)) {
        return false;
    }
    dependOn(top(1).cls);
    dependOnAttribute(top(1).cls, subscriptMethodName());
    result_.functions.push_back(function);
    inlineCall(in, CalledFunction::of(function), {top(1), top(0)}, 2);
    return true;
}

// The result of an operator's method: NotImplemented is for the interpreter. False when it is, or may be.
bool RegionBuilder::guardImplemented() {
    const AbstractValue& result = top();
    if (result.kind == Kind::kConstant) {
        return result.constant != Py_NotImplemented;
    }
    if (result.kind == Kind::kObject && result.cls == nullptr) {
        Id refused = emit(ir::Op::k_object_is, {result.value, constObject(Py_NotImplemented)});
        emitExiting(ir::Op::k_guard_false, {refused}, ExitReason::k_unsupported);
    }
    return true;
}

}  // namespace kiln
