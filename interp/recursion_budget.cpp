#include "interp/recursion_budget.h"

#include "interp/c_functions.h"
#include "interp/cpython/cpython_shim.h"

namespace kiln {
int uncountedNesting(PyObject* callable) {
    if (PyFunction_Check(callable) || PyMethod_Check(callable)) {
        return kEvaluationCost;
    }
    int convention = conventionOf(callable);
    bool fast = convention >= 0 && (convention & ~METH_KEYWORDS) == METH_FASTCALL;
    return fast || (convention == METH_O && kiln_is_len(kiln_thread(), callable)) ? 1 : 0;
}

}  // namespace kiln
