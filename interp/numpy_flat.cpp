#include "interp/numpy_flat.h"

#include "interp/attribute.h"

namespace kiln {
namespace {

PyTypeObject* flatClass = nullptr;  // static
PyObject* flatGetter = nullptr;     // held

// Behind one step over six elements.
bool isAsExpected(PyObject* flat, PyObject* array, int64_t coordinate, bool contiguous) {
    auto data = numpyField<int64_t>(array, numpy_layout::kData);
    const auto* strides = numpyField<const int64_t*>(array, numpy_layout::kStrides);
    int64_t step = strides[numpyField<int>(array, numpy_layout::kDimensionCount) - 1];
    return numpyField<int64_t>(flat, flat_layout::kIndex) == 1 && numpyField<int64_t>(flat, flat_layout::kSize) == 6 &&
           numpyField<int64_t>(flat, flat_layout::kCoordinates) == coordinate &&
           numpyField<int64_t>(flat, flat_layout::kStrides) == strides[0] && arrayOfFlat(flat) == array &&
           numpyField<int64_t>(flat, flat_layout::kPlace) == data + step &&
           numpyField<char>(flat, flat_layout::kContiguous) == (contiguous ? 1 : 0);
}

// Of an array with six elements.
bool steps(PyObject* array, int64_t coordinate, bool contiguous) {
    Ref<> flat = attribute(array, "flat");
    if (!flat || Py_TYPE(flat.get())->tp_basicsize < flat_layout::kBytes ||
        Py_TYPE(flat.get())->tp_iternext == nullptr) {
        return false;
    }
    Ref<> item = Ref<>::steal(PyIter_Next(flat.get()));
    return item && isAsExpected(flat.get(), array, coordinate, contiguous);
}

}  // namespace

void findNumPyFlat(PyObject* module) {
    Ref<> row = Ref<>::steal(PyObject_CallMethod(module, "zeros", "i", 6));
    Ref<> block = Ref<>::steal(PyObject_CallMethod(module, "zeros", "((ii))", 2, 3));
    Ref<> turned = block ? attribute(block.get(), "T") : Ref<>();
    Ref<> every = Ref<>::steal(PyObject_CallMethod(module, "zeros", "i", 12));
    Ref<> two = Ref<>::steal(PyLong_FromLong(2));
    Ref<> slice = Ref<>::steal(PySlice_New(nullptr, nullptr, two.get()));
    Ref<> second = every && slice ? Ref<>::steal(PyObject_GetItem(every.get(), slice.get())) : Ref<>();
    bool isKnown = row && turned && second && steps(row.get(), 1, true) && steps(block.get(), 0, true) &&
                   steps(second.get(), 1, false);
    Ref<> flat = isKnown ? attribute(turned.get(), "flat") : Ref<>();
    Ref<> getter = isKnown ? attribute(reinterpret_cast<PyObject*>(Py_TYPE(row.get())), "flat") : Ref<>();
    if (flat && getter && Py_IS_TYPE(getter.get(), &PyGetSetDescr_Type) &&
        numpyField<char>(flat.get(), flat_layout::kContiguous) == 0 &&
        !PyType_HasFeature(Py_TYPE(flat.get()), Py_TPFLAGS_HEAPTYPE)) {
        flatClass = Py_TYPE(flat.get());
        flatGetter = getter.release();
    }
    PyErr_Clear();
}

PyTypeObject* numpyFlatClass() {
    return flatClass;
}

PyObject* numpyFlatGetter() {
    return flatGetter;
}

bool isFlatClass(const PyTypeObject* cls) {
    return cls != nullptr && cls == flatClass;
}

PyObject* arrayOfFlat(PyObject* flat) {
    return numpyField<PyObject*>(flat, flat_layout::kArray);
}

}  // namespace kiln
