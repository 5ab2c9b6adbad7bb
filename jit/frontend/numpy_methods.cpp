#include "jit/frontend/numpy_methods.h"

#include <cstring>

#include "jit/frontend/array_elements.h"
#include "jit/frontend/array_parts.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/numpy_arithmetic.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/release_references.h"

namespace kiln {
namespace {

// The method's name, where it is one of C that this instance has.
const char* nameOf(PyObject* method, const AbstractValue& instance) {
    PyTypeObject* cls = instance.knownClass();
    bool isOwn =
        cls != nullptr && Py_IS_TYPE(method, &PyMethodDescr_Type) && PyType_IsSubtype(cls, PyDescr_TYPE(method));
    return isOwn ? reinterpret_cast<PyMethodDescrObject*>(method)->d_method->ml_name : "";
}

// A scalar as the number of Python's that it holds. None where the entry is no scalar, or a number of Python's.
std::optional<AbstractValue> pythonItem(RegionBuilder& b, const AbstractValue& scalar) {
    if (!isScalarClass(scalar.knownClass())) {
        return std::nullopt;
    }
    if (isAnyComplex(scalar)) {
        return complexValue(b, &PyComplex_Type, complexParts(b, scalar));
    }
    std::optional<NumPyNumber> number = numberOf(b, scalar);
    return number ? std::optional(pythonNumber(b, *number)) : std::nullopt;
}

// An index for each dimension, or one that counts the elements of an array in C order. Empty where it is something else.
std::vector<Id> givenPositions(RegionBuilder& b, const KnownArray& array, int arguments) {
    std::vector<Id> positions;
    for (int argument = 0; argument < arguments; argument++) {
        Id position = indexOf(b, b.top(arguments - 1 - argument));
        if (position == ir::kNoId) {
            return {};
        }
        positions.push_back(position);
    }
    return arguments == array.layout.dimensions || (arguments == 1 && array.layout.contiguous) ? positions
                                                                                               : std::vector<Id>{};
}

Id itemOffset(RegionBuilder& b, const KnownArray& array, std::vector<Id> positions) {
    if (static_cast<int>(positions.size()) == array.layout.dimensions) {
        for (int dimension = 0; dimension < array.layout.dimensions; dimension++) {
            Id& position = positions[static_cast<size_t>(dimension)];
            position = normalizedIndex(b, position, arrayLength(b, array, dimension));
        }
        return elementOffset(b, array, positions);
    }
    Id count = arrayLength(b, array, 0);
    for (int dimension = 1; dimension < array.layout.dimensions; dimension++) {
        count = b.emit(ir::Op::k_int_mul_index, {count, arrayLength(b, array, dimension)});
    }
    Id position = normalizedIndex(b, positions[0], count);
    return b.emit(ir::Op::k_int_mul_index, {position, b.constInt(info(array.layout.element).bytes)});
}

bool callItem(RegionBuilder& b, const BytecodeInstruction& in, int arguments) {
    const AbstractValue& instance = b.top(arguments);
    if (std::optional<AbstractValue> item = arguments == 0 ? pythonItem(b, instance) : std::nullopt) {
        finishCall(b, in, 2, std::move(*item));
        return true;
    }
    KnownArray array = arguments > 0 ? knownArray(instance) : KnownArray{};
    std::vector<Id> positions = array ? givenPositions(b, array, arguments) : std::vector<Id>{};
    if (positions.empty()) {
        return false;
    }
    AbstractValue element = loadElement(b, array, itemOffset(b, array, std::move(positions)));
    finishCall(b, in, arguments + 2, *pythonItem(b, element));
    return true;
}

bool callFill(RegionBuilder& b, const BytecodeInstruction& in) {
    KnownArray array = knownArray(b.top(1));
    if (!array || !array.layout.writable || knownArray(b.top(0)) ||
        !storePart(b, in, array, 0)) {
        return false;
    }
    finishCall(b, in, 3, AbstractValue::none());
    return true;
}

}  // namespace

void knowMethodsArray(RegionBuilder& b, const BytecodeInstruction& in, PyObject* name) {
    if (PyUnicode_CompareWithASCIIString(name, "item") == 0 || PyUnicode_CompareWithASCIIString(name, "fill") == 0) {
        knowArrayClass(b, in, 0, b.siteOf(in).receivers);
        knowArray(b, in, 0);
    }
}

bool callNumPyMethod(RegionBuilder& b, const BytecodeInstruction& in, PyObject* method, int arguments) {
    if (b.keywordNames() != nullptr || b.siteOf(in).generic) {
        return false;
    }
    const char* name = nameOf(method, b.top(arguments));
    if (std::strcmp(name, "fill") == 0) {
        return arguments == 1 && callFill(b, in);
    }
    return std::strcmp(name, "item") == 0 && callItem(b, in, arguments);
}

}  // namespace kiln
