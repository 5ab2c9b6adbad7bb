// What running a Python function costs of CPython's C recursion budget.
#pragma once

namespace kiln {

// Each run of the evaluation loop takes so much. A Python function that the interpreter's CALL enters takes nothing: it
// does not nest in C. Compiled code gives back what it takes where CPython would not have nested.
inline constexpr int kEvaluationCost = 2;

}  // namespace kiln
