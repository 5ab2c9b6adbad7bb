// Subclasses of dict, as defaultdict and Counter, in what they leave to dict: items that are there are found as a dict's are. Those that
// are not there CPython makes, or asks `__missing__` for.
#include "interp/cpython/cpython_shim.h"
#include "interp/operator_methods.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/class_tables.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// The class has dict's own method. It is watched since it was found to be the entry's.
bool isDicts(PyTypeObject* cls, Special special) {
    PyObject* name = specialName(special);
    return kiln_type_lookup(cls, name) == kiln_type_lookup(&PyDict_Type, name);
}

}  // namespace

bool subclassItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    bool byInt = b.top(0).isInt();
    if (site.generic || !isDicts(b.top(1).knownClass(), Special::k_getitem) || (!byInt && !isBuiltinKey(b, 0, site.rights))) {
        return false;
    }
    Id item = findInDict(b, byInt ? b.top(0).value : ir::kNoId);
    b.branchAside(b.emit(ir::Op::k_is_null, {item}), true, [&] {
        startHere(b);
        opaqueInstruction(b, in, Helper::k_get_item, 2, OpaqueResult::kObject, "BINARY_SUBSCR");
        if (b.isOpen() && !b.stopped()) {
            b.goTo(b.state().frame().unit);
        }
    });
    startHere(b);
    pushBorrowedItem(b, in, item);
    return true;
}

bool storeSubclassItem(RegionBuilder& b, const BytecodeInstruction& in) {
    return isDicts(b.top(1).knownClass(), Special::k_setitem) && storeDictItem(b, in);
}

bool subclassContains(RegionBuilder& b, const BytecodeInstruction& in) {
    return isDicts(b.top(0).knownClass(), Special::k_contains) && containsPlain(b, in);
}

bool iterateSubclass(RegionBuilder& b, const BytecodeInstruction& in) {
    return isDicts(b.top(0).knownClass(), Special::k_iter) && iterateDict(b, in);
}

}  // namespace kiln
