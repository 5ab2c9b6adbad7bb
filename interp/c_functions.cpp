#include "interp/c_functions.h"

#include "interp/cpython/cpython_shim.h"
#include "interp/py_ref.h"

namespace kiln {
namespace {

bool isMethod(PyObject* callee) {
    return Py_IS_TYPE(callee, &PyMethodDescr_Type);
}

bool isSlotWrapper(PyObject* callee) {
    return Py_IS_TYPE(callee, &PyWrapperDescr_Type);
}

const PyMethodDef* definitionOf(PyObject* callee) {
    return isMethod(callee) ? reinterpret_cast<PyMethodDescrObject*>(callee)->d_method
                            : reinterpret_cast<PyCFunctionObject*>(callee)->m_ml;
}

// These count as a level of recursion.
template <typename Call>
PyObject* callNested(PyThreadState* thread, const Call& call) {
    thread->c_recursion_remaining--;
    PyObject* result = call();
    thread->c_recursion_remaining++;
    return result;
}

PyObject* callByConvention(PyThreadState* thread, PyObject* callee, PyObject* self, PyObject* const* own, Py_ssize_t given) {
    const PyMethodDef* definition = definitionOf(callee);
    auto* function = reinterpret_cast<void*>(definition->ml_meth);
    switch (conventionOf(callee)) {
        case METH_NOARGS: return callNested(thread, [&] { return definition->ml_meth(self, nullptr); });
        case METH_O: {
            auto call = [&] { return definition->ml_meth(self, own[0]); };
            return kiln_is_len(thread, callee) ? call() : callNested(thread, call);  // CALL has an instruction of its own for it
        }
        case METH_FASTCALL: return reinterpret_cast<_PyCFunctionFast>(function)(self, own, given);
        default: return reinterpret_cast<_PyCFunctionFastWithKeywords>(function)(self, own, given, nullptr);
    }
}

// What it wraps takes its arguments in a tuple.
PyObject* callSlot(PyThreadState* thread, PyObject* callee, PyObject* self, PyObject* const* own, Py_ssize_t given) {
    auto* descriptor = reinterpret_cast<PyWrapperDescrObject*>(callee);
    Ref<> arguments = Ref<>::steal(PyTuple_New(given));
    if (!arguments) {
        return nullptr;
    }
    for (Py_ssize_t index = 0; index < given; index++) {
        PyTuple_SET_ITEM(arguments.get(), index, Py_NewRef(own[index]));
    }
    const wrapperbase* base = descriptor->d_base;
    auto* wrapper = reinterpret_cast<void*>(base->wrapper);
    return callNested(thread, [&] {
        return (base->flags & PyWrapperFlag_KEYWORDS) != 0
                   ? reinterpret_cast<wrapperfunc_kwds>(wrapper)(self, arguments.get(), descriptor->d_wrapped, nullptr)
                   : base->wrapper(self, arguments.get(), descriptor->d_wrapped);
    });
}

}  // namespace

bool isMethodOfC(PyObject* object) {
    return isMethod(object) || isSlotWrapper(object);
}

int conventionOf(PyObject* callee) {
    constexpr int kConventions = METH_NOARGS | METH_O | METH_FASTCALL | METH_VARARGS | METH_KEYWORDS | METH_METHOD;
    return isMethod(callee) || PyCFunction_CheckExact(callee) ? definitionOf(callee)->ml_flags & kConventions : -1;
}

bool takesPlainly(PyObject* callee, Py_ssize_t given) {
    Py_ssize_t own = given - isMethodOfC(callee);
    if (isSlotWrapper(callee)) {
        return own >= 0;
    }
    switch (conventionOf(callee)) {
        case METH_NOARGS: return own == 0;
        case METH_O: return own == 1;
        case METH_FASTCALL:
        case METH_FASTCALL | METH_KEYWORDS: return own >= 0;
        default: return false;
    }
}

PyObject* callPlainly(PyThreadState* thread, PyObject* callee, PyObject* const* arguments, Py_ssize_t given) {
    bool method = isMethodOfC(callee);
    bool suits = !method || PyObject_TypeCheck(arguments[0], PyDescr_TYPE(callee));
    if (!suits || thread->c_recursion_remaining <= 0) {
        return PyObject_Vectorcall(callee, arguments, static_cast<size_t>(given), nullptr);
    }
    PyObject* self = method ? arguments[0] : PyCFunction_GET_SELF(callee);
    PyObject* result = isSlotWrapper(callee) ? callSlot(thread, callee, self, arguments + 1, given - 1)
                                             : callByConvention(thread, callee, self, arguments + method, given - method);
    bool isPlain = (result == nullptr) == (thread->current_exception != nullptr);
    return isPlain ? result : _Py_CheckFunctionResult(thread, callee, result, nullptr);
}

}  // namespace kiln
