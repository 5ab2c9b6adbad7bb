#include "interp/numpy_views.h"

#include "interp/attribute.h"

namespace kiln {
namespace {

using NewFromDescr = PyObject* (*)(PyTypeObject* cls, PyObject* dtype, int dimensions, const int64_t* lengths, const int64_t* strides,
                                   void* data, int flags, PyObject* like);
using SetBaseObject = int (*)(PyObject* array, PyObject* base);

// Where NumPy's table of C functions has them.
constexpr int kNewFromDescr = 94;
constexpr int kSetBaseObject = 282;

NewFromDescr newFromDescr = nullptr;
SetBaseObject setBaseObject = nullptr;

// The module that has the table is NumPy's own: it is there when NumPy is.
void* const* tableOfFunctions() {
    for (const char* name : {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"}) {
        PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), name);
        Ref<> table = module != nullptr ? attribute(module, "_ARRAY_API") : Ref<>();
        if (table && PyCapsule_CheckExact(table.get())) {
            return static_cast<void* const*>(PyCapsule_GetPointer(table.get(), PyCapsule_GetName(table.get())));
        }
    }
    return nullptr;
}

// Two arrays that tell the same of themselves.
bool isAlike(PyObject* view, PyObject* expected) {
    for (const char* name : {"base", "dtype"}) {
        Ref<> ours = attribute(view, name);
        Ref<> theirs = attribute(expected, name);
        if (!ours || ours.get() != theirs.get()) {
            return false;
        }
    }
    Ref<> ours = attribute(view, "__array_interface__");
    Ref<> theirs = attribute(expected, "__array_interface__");
    return ours && theirs && PyObject_RichCompareBool(ours.get(), theirs.get(), Py_EQ) == 1 &&
           numpyField<int>(view, numpy_layout::kFlags) == numpyField<int>(expected, numpy_layout::kFlags);
}

// A row, and a row of a view, of a new array: as NumPy's own.
bool makesRows(PyObject* module) {
    Ref<> cls = attribute(module, "ndarray");
    if (!cls || reinterpret_cast<PyTypeObject*>(cls.get())->tp_weaklistoffset != numpy_layout::kWeakReferences) {
        return false;
    }
    Ref<> block = Ref<>::steal(PyObject_CallMethod(module, "zeros", "((ii))", 3, 4));
    Ref<> turned = block ? attribute(block.get(), "T") : Ref<>();
    for (PyObject* array : {block.get(), turned.get()}) {
        if (array == nullptr) {
            return false;
        }
        Ref<> expected = Ref<>::steal(PySequence_GetItem(array, 1));
        const auto* lengths = numpyField<const int64_t*>(array, numpy_layout::kDimensions);
        const auto* strides = numpyField<const int64_t*>(array, numpy_layout::kStrides);
        int64_t address = numpyField<int64_t>(array, numpy_layout::kData) + strides[0];
        auto* dtype = numpyField<PyObject*>(array, numpy_layout::kDescr);
        Ref<> view = Ref<>::steal(makeNumPyView(array, dtype, address, 1, lengths + 1, strides + 1));
        if (!expected || !view || !isAlike(view.get(), expected.get())) {
            return false;
        }
    }
    return true;
}

}  // namespace

void findNumPyViews(PyObject* module) {
    if (void* const* table = tableOfFunctions()) {
        newFromDescr = reinterpret_cast<NewFromDescr>(table[kNewFromDescr]);
        setBaseObject = reinterpret_cast<SetBaseObject>(table[kSetBaseObject]);
        newFromDescr = makesRows(module) ? newFromDescr : nullptr;
    }
    PyErr_Clear();
}

bool canMakeNumPyViews() {
    return newFromDescr != nullptr;
}

bool makesItems(const ArrayLayout& layout) {
    return layout.dimensions == 1 || canMakeNumPyViews();
}

PyObject* makeNumPyView(PyObject* array, PyObject* dtype, int64_t address, int dimensions, const int64_t* lengths,
                        const int64_t* strides) {
    int flags = numpyField<int>(array, numpy_layout::kFlags);
    auto* data = reinterpret_cast<void*>(address);
    PyObject* view = newFromDescr(Py_TYPE(array), Py_NewRef(dtype), dimensions, lengths, strides, data, flags, nullptr);
    if (view != nullptr && setBaseObject(view, Py_NewRef(array)) != 0) {
        Py_CLEAR(view);
    }
    return view;
}

}  // namespace kiln
