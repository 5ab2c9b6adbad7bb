// Operators that the program's classes define: their methods are inlined.
#include "jit/frontend/build_operators.h"

#include <opcode.h>

#include "interp/operator_methods.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/region_builder.h"

namespace kiln {
namespace {

bool isOperatorMethod(RegionBuilder& b, PyFunctionObject* function) {
    auto* code = function != nullptr ? reinterpret_cast<PyCodeObject*>(function->func_code) : nullptr;
    return code != nullptr && takesOnly(code, 2) && !rebinds(b, code, 0) && shouldInline(b, Callee::of(function));
}

// A float or bool on the left does by itself what is to be done with an int of the program's class, whose method is not asked.
bool isNumbersOwn(const AbstractValue& left, PyTypeObject* right) {
    return !left.isInt() && PyType_IsSubtype(right, &PyLong_Type) != 0;
}

// Instances of the program's classes and others were seen: the others are CPython's to do, and all where there are too many classes.
bool splitOperand(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    const AbstractValue& operand = b.top(below);
    ClassSet programs = seen.programs();
    bool isMixed = !programs.empty() && programs.size() != seen.size();
    if (!isMixed || operand.isNumber() || operand.knownClass() != nullptr) {
        return false;
    }
    splitOnClasses(b, in, below, programs);
    return true;
}

}  // namespace

bool operatorCall(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (splitOperand(b, in, 1, site.receivers) || splitOperand(b, in, 0, site.rights)) {
        return false;
    }
    bool leftNumber = b.top(1).isNumber();
    bool rightNumber = b.top(0).isNumber();
    if ((leftNumber && rightNumber) || (!leftNumber && !knowClass(b, in, 1, site.receivers.programs())) ||
        (!rightNumber && !knowClass(b, in, 0, site.rights.programs()))) {
        return false;
    }
    if (!leftNumber && !rightNumber && b.top(1).cls != b.top(0).cls) {
        return false;
    }
    PyTypeObject* cls = leftNumber ? b.top(0).cls : b.top(1).cls;
    if (leftNumber && isNumbersOwn(b.top(1), cls)) {
        return false;
    }
    PyFunctionObject* function = operatorMethod(cls, in.oparg, leftNumber);
    std::vector<AbstractValue> bound = {b.top(1), b.top(0)};
    if (leftNumber) {
        std::swap(bound[0], bound[1]);
    }
    if (!isOperatorMethod(b, function) || endsArgument(b, Callee::of(function).code, bound)) {
        return false;
    }
    std::string operation = operatorText(in.oparg);
    if (in.oparg >= NB_INPLACE_ADD) {
        operation = (in.oparg == NB_INPLACE_POWER ? "**" : operation) + "=";
    }
    PyObject* text = PyUnicode_FromFormat("unsupported operand type(s) for %.100s: '%.100s' and '%.100s'", operation.c_str(),
                                          b.top(1).knownClass()->tp_name, b.top(0).knownClass()->tp_name);
    if (text == nullptr) {
        PyErr_Clear();
        return false;
    }
    PyUnicode_InternInPlace(&text);  // one object for one text: states differ by it
    b.result().keptAlive.push_back(Ref<>::steal(text));
    dependOn(b, cls);
    dependOnAttribute(b, cls, operatorMethodName(in.oparg, leftNumber));
    b.result().functions.push_back(function);
    inlineCall(b, in, CalledFunction::of(function), std::move(bound), 2, {.use = ResultUse::k_operator, .text = text});
    return true;
}

}  // namespace kiln
