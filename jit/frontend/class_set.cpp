// Sets and frozensets: iteration, and which operators have a result without Python code.
#include <opcode.h>

#include "interp/cpython/cpython_shim.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/class_tables.h"

namespace kiln {

bool iterateSet(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.siteOf(in).generic) {
        return false;
    }
    pushTableIterator(b, in, &PySetIter_Type);
    return true;
}

bool nextMember(RegionBuilder& b, const BytecodeInstruction& in) {
    if (!kiln_is_set_iterator(b.top().cls)) {
        return false;
    }
    finishIteration(b, in, loadFromEntry(b, nextEntry(b, in), 0));
    return true;
}

bool setOperator(int operation, PyTypeObject* left, PyTypeObject* right) {
    auto isSet = [](PyTypeObject* cls) { return cls == &PySet_Type || cls == &PyFrozenSet_Type; };
    bool known = operation == NB_AND || operation == NB_OR || operation == NB_XOR || operation == NB_SUBTRACT;
    return known && isSet(left) && isSet(right);
}

}  // namespace kiln
