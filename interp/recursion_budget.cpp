#include "interp/recursion_budget.h"

namespace kiln {
namespace {

bool isFast(const PyMethodDef* method) {
    constexpr int kConvention = METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS | METH_METHOD;
    return (method->ml_flags & kConvention & ~METH_KEYWORDS) == METH_FASTCALL;
}

}  // namespace

int uncountedNesting(PyObject* callable) {
    if (PyFunction_Check(callable) || PyMethod_Check(callable)) {
        return kEvaluationCost;
    }
    bool fast = (PyCFunction_CheckExact(callable) && isFast(reinterpret_cast<PyCFunctionObject*>(callable)->m_ml)) ||
                (Py_IS_TYPE(callable, &PyMethodDescr_Type) && isFast(reinterpret_cast<PyMethodDescrObject*>(callable)->d_method));
    return fast ? 1 : 0;
}

}  // namespace kiln
