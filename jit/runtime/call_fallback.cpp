// Native calls of functions that have no code at present: they go through CPython, with boxed arguments.
#include "interp/recursion_budget.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/time_away.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {
namespace {

// From one argument for each parameter back to a call: positional ones, those of *args, and keyword-only ones by name.
PyObject* callUnbound(PyFunctionObject* function, const std::vector<Ref<>>& bound) {
    auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
    auto positional = static_cast<size_t>(code->co_argcount);
    auto named = static_cast<size_t>(code->co_kwonlyargcount);
    std::vector<PyObject*> arguments;
    for (size_t index = 0; index < positional; index++) {
        arguments.push_back(bound[index].get());
    }
    for (size_t rest = positional + named; rest < bound.size(); rest++) {
        for (Py_ssize_t item = 0; item < PyTuple_GET_SIZE(bound[rest].get()); item++) {
            arguments.push_back(PyTuple_GET_ITEM(bound[rest].get(), item));
        }
    }
    size_t given = arguments.size();
    Ref<> names;
    if (named != 0) {
        auto first = static_cast<Py_ssize_t>(positional);
        names = Ref<>::steal(PyTuple_GetSlice(code->co_localsplusnames, first, first + static_cast<Py_ssize_t>(named)));
        if (!names) {
            return nullptr;
        }
        for (size_t index = positional; index < positional + named; index++) {
            arguments.push_back(bound[index].get());
        }
    }
    return PyObject_Vectorcall(reinterpret_cast<PyObject*>(function), arguments.data(), given, names.get());
}

}  // namespace

NativeResult callFallback(NativeContext* context, NativeFunction* callee, int64_t* words) {
    TimeAway away(context);
    ensureFrames(context);
    std::vector<Ref<>> arguments;
    size_t parameters = callee->arguments.size() - callee->boxedParameters.size();
    for (size_t index = 0; index < parameters; index++) {
        ir::Type type = callee->arguments[index];
        int64_t word = words[index + 1];
        for (size_t box = 0; box < callee->boxedParameters.size(); box++) {
            int64_t object = words[parameters + box + 1] & ~int64_t{1};  // borrowed either way
            if (callee->boxedParameters[box] == static_cast<int>(index) && object != 0) {
                type = ir::Type::kObject;
                word = object;
            }
        }
        arguments.push_back(type == ir::Type::kObject ? Ref<>::borrow(reinterpret_cast<PyObject*>(word))
                                                      : Ref<>::steal(boxWord(type, word)));
    }
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    thread->c_recursion_remaining += kEvaluationCost;
    thread->py_recursion_remaining++;  // the call was charged for the callee's frame
    PyObject* result = callUnbound(reinterpret_cast<PyFunctionObject*>(words[0]), arguments);
    thread->py_recursion_remaining--;
    thread->c_recursion_remaining -= kEvaluationCost;
    return {reinterpret_cast<int64_t>(result), result != nullptr ? kBoxedResult : kRaised};
}

}  // namespace kiln
