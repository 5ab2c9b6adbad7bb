// Attributes of NumPy's arrays that their heads tell.
#include "jit/frontend/array_attributes.h"

#include <algorithm>
#include <cstring>

#include "jit/frontend/build_call.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

AbstractValue number(Id value) {
    return AbstractValue::number(Kind::kInt, value);
}

AbstractValue shape(RegionBuilder& b, const KnownArray& array) {
    std::vector<AbstractValue> lengths;
    for (int dimension = 0; dimension < array.layout.dimensions; dimension++) {
        lengths.push_back(number(arrayLength(b, array, dimension)));
    }
    return virtualObject(b, Kind::kTuple, std::move(lengths));
}

AbstractValue size(RegionBuilder& b, const KnownArray& array) {
    Id product = arrayLength(b, array, 0);
    for (int dimension = 1; dimension < array.layout.dimensions; dimension++) {
        product = b.emit(ir::Op::k_int_mul_index, {product, arrayLength(b, array, dimension)});
    }
    return number(product);
}

AbstractValue dimensions(RegionBuilder& b, const KnownArray& array) {
    return number(b.constInt(array.layout.dimensions));
}

AbstractValue itemSize(RegionBuilder& b, const KnownArray& array) {
    return number(b.constInt(info(array.layout.element).bytes));
}

struct ArrayAttribute {
    const char* name;
    AbstractValue (*load)(RegionBuilder& b, const KnownArray& array);
};

constexpr ArrayAttribute kAttributes[] = {
    {"shape", shape}, {"size", size}, {"ndim", dimensions}, {"itemsize", itemSize}};

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
    finishCall(b, in, 1, attribute->load(b, array));
    return true;
}

}  // namespace kiln
