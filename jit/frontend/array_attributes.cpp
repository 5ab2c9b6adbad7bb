// Attributes of NumPy's arrays: what their heads tell, and views.
#include "jit/frontend/array_attributes.h"

#include <algorithm>
#include <cstring>

#include "interp/numpy_flat.h"
#include "interp/numpy_views.h"
#include "jit/frontend/array_views.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

AbstractValue number(Id value) {
    return AbstractValue::number(Kind::kInt, value);
}

AbstractValue shape(RegionBuilder& b, const AbstractValue&, const KnownArray& array) {
    std::vector<AbstractValue> lengths;
    for (int dimension = 0; dimension < array.layout.dimensions; dimension++) {
        lengths.push_back(number(arrayLength(b, array, dimension)));
    }
    return virtualObject(b, Kind::kTuple, std::move(lengths));
}

AbstractValue size(RegionBuilder& b, const AbstractValue&, const KnownArray& array) {
    Id product = arrayLength(b, array, 0);
    for (int dimension = 1; dimension < array.layout.dimensions; dimension++) {
        product = b.emit(ir::Op::k_int_mul_index, {product, arrayLength(b, array, dimension)});
    }
    return number(product);
}

AbstractValue dimensions(RegionBuilder& b, const AbstractValue&, const KnownArray& array) {
    return number(b.constInt(array.layout.dimensions));
}

AbstractValue itemSize(RegionBuilder& b, const AbstractValue&, const KnownArray& array) {
    return number(b.constInt(info(array.layout.element).bytes));
}

AbstractValue dtype(RegionBuilder& b, const AbstractValue&, const KnownArray& array) {
    return constantValue(b, NumPyTypes::known()->dtype(array.layout.element));
}

AbstractValue transposed(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    return canMakeNumPyViews() ? transposedView(b, entry, array) : AbstractValue::null();
}

// Of an array of real numbers the array itself.
AbstractValue realParts(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    if (!isComplex(array.layout.element)) {
        return copyOf(entry);
    }
    return canMakeNumPyViews() ? complexPartView(b, entry, array, true) : AbstractValue::null();
}

AbstractValue imaginaryParts(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    bool isView = isComplex(array.layout.element) && canMakeNumPyViews();
    return isView ? complexPartView(b, entry, array, false) : AbstractValue::null();
}

// Of a view NumPy makes one over the array that the view becomes.
AbstractValue flat(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array) {
    if (entry.kind != Kind::kObject || !array.layout.contiguous || numpyFlatClass() == nullptr) {
        return AbstractValue::null();
    }
    return virtualObject(b, Kind::kFlat, {AbstractValue::constantObject(numpyFlatGetter()), copyOf(entry)});
}

struct ArrayAttribute {
    const char* name;
    AbstractValue (*load)(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array);  // kNull: only NumPy can
};

constexpr ArrayAttribute kAttributes[] = {
    {"shape", shape}, {"size", size},       {"ndim", dimensions},     {"itemsize", itemSize},
    {"dtype", dtype}, {"T", transposed}, {"flat", flat}, {"real", realParts}, {"imag", imaginaryParts}};

}  // namespace

bool arrayAttribute(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    const auto* attribute = std::ranges::find_if(kAttributes, [&](const ArrayAttribute& candidate) {
        return PyUnicode_CompareWithASCIIString(name, candidate.name) == 0;
    });
    if (attribute == std::end(kAttributes)) {
        return false;
    }
    knowArrayClass(b, in, 0, b.siteOf(in).receivers);
    KnownArray array = knowArray(b, in, 0);
    if (!array) {
        return false;
    }
    AbstractValue value = attribute->load(b, b.top(), array);
    if (value.kind != Kind::kNull) {
        finishCall(b, in, 1, std::move(value));
        return true;
    }
    return false;
}

}  // namespace kiln
