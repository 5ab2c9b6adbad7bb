#include "interp/recursion_budget.h"

#include "interp/c_functions.h"

namespace kiln {
int uncountedNesting(PyObject* callable) {
    if (PyFunction_Check(callable) || PyMethod_Check(callable)) {
        return kEvaluationCost;
    }
    int convention = conventionOf(callable);
    bool fast = convention >= 0 && (convention & ~METH_KEYWORDS) == METH_FASTCALL;
    return fast ? 1 : 0;
}

}  // namespace kiln
