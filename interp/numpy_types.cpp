#include "interp/numpy_types.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "interp/attribute.h"
#include "interp/numpy_error_state.h"
#include "interp/numpy_flat.h"
#include "interp/numpy_loops.h"
#include "interp/numpy_views.h"

namespace kiln {
namespace {

int64_t integer(PyObject* object, const char* name) {
    Ref<> value = attribute(object, name);
    return value ? PyLong_AsLongLong(value.get()) : -1;
}

// Of a tuple attribute: its items, which must be those of `words`.
bool isTuple(PyObject* object, const char* name, const int64_t* words, int count) {
    Ref<> tuple = attribute(object, name);
    bool same = tuple && PyTuple_Check(tuple.get()) && PyTuple_GET_SIZE(tuple.get()) == count;
    for (int index = 0; same && index < count; index++) {
        same = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple.get(), index)) == words[index];
    }
    return same;
}

// Does the array tell by its attributes what its fields say?
bool isAsItsFields(PyObject* array, PyObject* dtype) {
    using namespace numpy_layout;
    int count = numpyField<int>(array, kDimensionCount);
    Ref<> flags = attribute(array, "flags");
    Ref<> places = attribute(array, "__array_interface__");
    PyObject* data = places && PyDict_Check(places.get()) ? PyDict_GetItemString(places.get(), "data") : nullptr;
    if (!flags || data == nullptr || !PyTuple_Check(data) || integer(array, "ndim") != count || count < 1 ||
        count > kMostDimensions) {
        return false;
    }
    auto address = reinterpret_cast<int64_t>(numpyField<void*>(array, kData));
    return integer(flags.get(), "num") == numpyField<int>(array, kFlags) &&
           PyLong_AsLongLong(PyTuple_GET_ITEM(data, 0)) == address &&
           isTuple(array, "shape", numpyField<const int64_t*>(array, kDimensions), count) &&
           isTuple(array, "strides", numpyField<const int64_t*>(array, kStrides), count) &&
           numpyField<PyObject*>(array, kDescr) == dtype;
}

// As the import system notes it.
bool isBeingImported(PyObject* module) {
    Ref<> spec = attribute(module, "__spec__");
    Ref<> initializing = spec ? attribute(spec.get(), "_initializing") : Ref<>();
    return initializing.get() == Py_True;
}

}  // namespace

const NumPyTypes* NumPyTypes::known_ = nullptr;

void NumPyTypes::look() {
    static bool isDone = false;
    if (isDone) {
        return;
    }
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    if (module == nullptr || !PyModule_Check(module)) {
        return;
    }
    PyObject* raised = PyErr_GetRaisedException();
    isDone = !isBeingImported(module);
    if (isDone) {
        make();
    }
    PyErr_Clear();
    PyErr_SetRaisedException(raised);
}

void NumPyTypes::make() {
    auto* found = new NumPyTypes;
    if (found->find()) {
        known_ = found;
    } else {
        delete found;
    }
}

bool NumPyTypes::find() {
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
    Ref<> array = attribute(module, "ndarray");
    Ref<> version = attribute(module, "__version__");
    const char* number = version ? PyUnicode_AsUTF8(version.get()) : nullptr;
    if (!array || !PyType_Check(array.get()) || number == nullptr ||
        PyType_HasFeature(reinterpret_cast<PyTypeObject*>(array.get()), Py_TPFLAGS_HEAPTYPE)) {
        return false;
    }
    weakNumbers_ = number[0] >= '2';
    array_ = reinterpret_cast<PyTypeObject*>(array.release());
    if (!findElements(module) || !findFunctions(module) || !checkArrays(module) || !checkScalars(module)) {
        return false;
    }
    findNumPyErrorState(module);
    findNumPyViews(module);
    findNumPyFlat(module);
    return true;
}

bool NumPyTypes::findElements(PyObject* module) {
    Ref<> makeDtype = attribute(module, "dtype");
    for (int index = 0; makeDtype && index < kElementCount; index++) {
        Ref<> cls = attribute(module, kElements[index].name);
        Ref<> dtype = Ref<>::steal(PyObject_CallFunction(makeDtype.get(), "s", kElements[index].dtype));
        if (!cls || !PyType_Check(cls.get()) || !dtype ||
            PyType_HasFeature(reinterpret_cast<PyTypeObject*>(cls.get()), Py_TPFLAGS_HEAPTYPE)) {
            return false;
        }
        scalars_[index] = reinterpret_cast<PyTypeObject*>(cls.release());
        dtypes_[index] = dtype.release();
    }
    Ref<> yes = attribute(module, "True_");
    Ref<> no = attribute(module, "False_");
    if (!yes || !no || Py_TYPE(yes.get()) != scalars_[0] || Py_TYPE(no.get()) != scalars_[0]) {
        return false;
    }
    truths_[1] = yes.release();
    truths_[0] = no.release();
    return true;
}

bool NumPyTypes::findFunctions(PyObject* module) {
    static constexpr const char* kNames[] = {
#define KILN_NUMPY_FUNCTION(name, operands, how) #name,
#include "interp/numpy_functions.def"
#undef KILN_NUMPY_FUNCTION
    };
    for (size_t index = 0; index < std::size(kNames); index++) {
        functions_[index] = attribute(module, kNames[index]).release();
        if (functions_[index] == nullptr) {
            return false;
        }
    }
    return findLoops(module);
}

// Tries them, with numbers that are not for all; nobody shall hear of that.
bool NumPyTypes::findLoops(PyObject* module) const {
    Ref<> make = attribute(module, "errstate");
    Ref<> nothing = Ref<>::steal(PyTuple_New(0));
    Ref<> all = Ref<>::steal(Py_BuildValue("{ss}", "all", "ignore"));
    Ref<> silence = make && nothing && all ? Ref<>::steal(PyObject_Call(make.get(), nothing.get(), all.get())) : Ref<>();
    Ref<> entered = silence ? Ref<>::steal(PyObject_CallMethod(silence.get(), "__enter__", nullptr)) : Ref<>();
    if (!entered) {
        return false;
    }
    for (size_t index = 0; index < std::size(functions_); index++) {
        if (kNumPyFunctions[index].how == NumPyMeans::kLoop) {
            findNumPyLoops(static_cast<NumPyFunction>(index), functions_[index], scalar(Element::k_float64),
                           scalar(Element::k_float32));
        }
    }
    findNumPyLengths(functions_[static_cast<int>(NumPyFunction::k_absolute)], scalar(Element::k_complex128), scalar(Element::k_complex64));
    PyErr_Clear();
    return static_cast<bool>(Ref<>::steal(PyObject_CallMethod(silence.get(), "__exit__", "OOO", Py_None, Py_None, Py_None)));
}

NumPyFunction NumPyTypes::functionOf(const PyObject* callee) const {
    return static_cast<NumPyFunction>(std::ranges::find(functions_, callee) - std::begin(functions_));
}

bool NumPyTypes::checkArrays(PyObject* module) const {
    for (PyObject* dtype : dtypes_) {
        Ref<> row = Ref<>::steal(PyObject_CallMethod(module, "empty", "(i)O", 5, dtype));
        Ref<> block = Ref<>::steal(PyObject_CallMethod(module, "empty", "(iii)O", 2, 3, 4, dtype));
        Ref<> turned = block ? attribute(block.get(), "T") : Ref<>();
        if (!row || !block || !turned || !isAsItsFields(row.get(), dtype) || !isAsItsFields(block.get(), dtype) ||
            !isAsItsFields(turned.get(), dtype)) {
            return false;
        }
    }
    return true;
}

// A scalar's value lies behind the object's head.
bool NumPyTypes::checkScalars(PyObject* module) const {
    for (int index = 0; index < kElementCount; index++) {
        Ref<> one = Ref<>::steal(PyObject_CallFunction(reinterpret_cast<PyObject*>(scalars_[index]), "i", 1));
        if (!one || Py_TYPE(one.get()) != scalars_[index] ||
            scalars_[index]->tp_basicsize < numpy_layout::kScalarValue + kElements[index].bytes) {
            return false;
        }
        int64_t expected[2] = {1, 0};
        const auto element = static_cast<Element>(index);
        if (element == Element::k_float32 || element == Element::k_complex64) {
            float number = 1;
            expected[0] = 0;
            std::memcpy(expected, &number, sizeof number);
        } else if (element == Element::k_float64 || element == Element::k_complex128) {
            double number = 1;
            std::memcpy(expected, &number, sizeof number);
        }
        if (std::memcmp(reinterpret_cast<const char*>(one.get()) + numpy_layout::kScalarValue, expected,
                        static_cast<size_t>(kElements[index].bytes)) != 0) {
            return false;
        }
    }
    return true;
}

Element NumPyTypes::elementOf(const PyTypeObject* cls) const {
    for (int index = 0; index < kElementCount; index++) {
        if (scalars_[index] == cls) {
            return static_cast<Element>(index);
        }
    }
    return Element::kCount;
}

Element NumPyTypes::dtypeOf(PyObject* array) const {
    auto* dtype = numpyField<PyObject*>(array, numpy_layout::kDescr);
    for (int index = 0; index < kElementCount; index++) {
        if (dtypes_[index] == dtype) {
            return static_cast<Element>(index);
        }
    }
    return Element::kCount;
}

std::optional<ArrayLayout> NumPyTypes::layoutOf(PyObject* array) const {
    using namespace numpy_layout;
    ArrayLayout layout{.element = dtypeOf(array), .dimensions = numpyField<int>(array, kDimensionCount)};
    int flags = numpyField<int>(array, kFlags);
    layout.contiguous = (flags & kContiguous) != 0;
    layout.writable = (flags & kWritable) != 0;
    bool isKnown = layout.isKnown() && layout.dimensions >= 1 && layout.dimensions <= kMostDimensions && (flags & kAligned) != 0;
    return isKnown ? std::optional(layout) : std::nullopt;
}

bool NumPyTypes::holdsNumbers(PyObject* array) const {
    return dtypeOf(array) != Element::kCount && (numpyField<int>(array, numpy_layout::kFlags) & numpy_layout::kCopiesBack) == 0;
}

PyObject* NumPyTypes::baseOf(PyObject* array) {
    return numpyField<PyObject*>(array, numpy_layout::kBase);
}

bool isArrayClass(const PyTypeObject* cls) {
    const NumPyTypes* numpy = NumPyTypes::known();
    return cls != nullptr && numpy != nullptr && numpy->array() == cls;
}

bool isScalarClass(const PyTypeObject* cls) {
    const NumPyTypes* numpy = NumPyTypes::known();
    return cls != nullptr && numpy != nullptr && numpy->elementOf(cls) != Element::kCount;
}

}  // namespace kiln
