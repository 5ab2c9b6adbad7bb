// The rows of class_operations.def, found by class.
#include "jit/frontend/class_operations.h"

#include <algorithm>
#include <iterator>

#include "interp/array_module.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/numpy_flat.h"
#include "interp/numpy_types.h"

namespace kiln {
namespace {

// Stand for the classes of NumPy's arrays and of what iterates over all of their elements, and of the arrays of the module `array`, which
// are known when these are there.
PyTypeObject NumPyArray_Type;
PyTypeObject NumPyFlat_Type;
PyTypeObject ArrayModule_Type;
// And for the subclasses of dict.
PyTypeObject DictSubclass_Type;

// Which row's class stands for it.
PyTypeObject* rowClass(PyTypeObject* cls) {
    // Strings have two classes of iterators, of which one has no name.
    return kiln_is_text_iterator(cls) ? &PyUnicodeIter_Type
           : isArrayClass(cls)        ? &NumPyArray_Type
           : isFlatClass(cls)         ? &NumPyFlat_Type
           : isArrayModuleClass(cls)  ? &ArrayModule_Type
           : isDictSubclass(cls)      ? &DictSubclass_Type
                                      : cls;
}

constexpr ClassOperations kUnknown = {nullptr,   Field::kCount, notNative, notNative, notNative, notNative,
                                      notNative, notNative,     notNative, notNative, noOperator};

}  // namespace

const ClassOperations& operationsOf(PyTypeObject* cls) {
    static const ClassOperations kRows[] = {
#define KILN_CLASS(cls, length, ...) {&cls, Field::length, __VA_ARGS__},
#include "jit/frontend/class_operations.def"
#undef KILN_CLASS
    };
    if (cls == nullptr) {
        return kUnknown;
    }
    const ClassOperations* found = std::ranges::find(kRows, rowClass(cls), &ClassOperations::cls);
    return found != std::end(kRows) ? *found : kUnknown;
}

const ClassOperations& operationsAt(RegionBuilder& b, int below) {
    const AbstractValue& value = b.top(below);
    bool isObject = value.kind == Kind::kObject || value.kind == Kind::kConstant || value.kind == Kind::kTuple || value.kind == Kind::kView || value.kind == Kind::kFlat;
    return isObject ? operationsOf(value.knownClass()) : kUnknown;
}

bool isDictSubclass(PyTypeObject* cls) {
    return PyType_HasFeature(cls, Py_TPFLAGS_DICT_SUBCLASS) && cls != &PyDict_Type;
}

bool notNative(RegionBuilder&, const BytecodeInstruction&) {
    return false;
}

bool noOperator(int, PyTypeObject*, PyTypeObject*) {
    return false;
}

}  // namespace kiln
