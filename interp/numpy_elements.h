// The elements of NumPy arrays that compiled code works on, derived from numpy_elements.def. Knows no Python header.
#pragma once

#include <cstdint>
#include <cstring>

namespace kiln {

enum class Element : uint8_t {
#define KILN_ELEMENT(name, dtype, bytes, kind) k_##name,
#include "interp/numpy_elements.def"
#undef KILN_ELEMENT
    kCount
};

enum class ElementKind : uint8_t { kBool, kSigned, kUnsigned, kFloat, kComplex };

struct ElementInfo {
    const char* name;
    const char* dtype;
    int bytes;
    ElementKind kind;
};

inline constexpr ElementInfo kElements[] = {
#define KILN_ELEMENT(name, dtype, bytes, kind) {#name, dtype, bytes, ElementKind::k##kind},
#include "interp/numpy_elements.def"
#undef KILN_ELEMENT
};
inline constexpr int kElementCount = static_cast<int>(Element::kCount);
// Those before the complex ones: what one load or store can move.
inline constexpr int kSingleElementCount = static_cast<int>(Element::k_complex64);

inline const ElementInfo& info(Element element) {
    return kElements[static_cast<int>(element)];
}
inline bool isFloat(Element element) {
    return info(element).kind == ElementKind::kFloat;
}
inline bool isComplex(Element element) {
    return info(element).kind == ElementKind::kComplex;
}
// Of a complex element: what its two parts are.
inline Element partOf(Element element) {
    return element == Element::k_complex64 ? Element::k_float32 : Element::k_float64;
}
inline Element complexOf(Element part) {
    return part == Element::k_float32 ? Element::k_complex64 : Element::k_complex128;
}

enum class NumPyFunction : uint8_t {
#define KILN_NUMPY_FUNCTION(name, operands, how) k_##name,
#include "interp/numpy_functions.def"
#undef KILN_NUMPY_FUNCTION
    kCount
};

enum class NumPyMeans : uint8_t { kExact, kLoop };

struct NumPyFunctionInfo {
    int operands;
    NumPyMeans how;
};

inline constexpr NumPyFunctionInfo kNumPyFunctions[] = {
#define KILN_NUMPY_FUNCTION(name, operands, how) {operands, NumPyMeans::k##how},
#include "interp/numpy_functions.def"
#undef KILN_NUMPY_FUNCTION
};

// Which results of a floating-point operation are so small that bits may have been lost. None of a sum's or a difference's.
enum class Underflow : uint8_t { kNever, kDouble, kSingle, kCount };

// Where PyArrayObject_fields and the scalar objects keep what compiled code reads: the same in NumPy 1 and 2, and checked by
// NumPyTypes on the NumPy at hand.
namespace numpy_layout {
inline constexpr int kData = 16;
inline constexpr int kDimensionCount = 24;  // 32 bits
inline constexpr int kDimensions = 32;
inline constexpr int kStrides = 40;
inline constexpr int kBase = 48;
inline constexpr int kDescr = 56;
inline constexpr int kFlags = 64;  // 32 bits
inline constexpr int kWeakReferences = 72;
inline constexpr int kArrayBytes = 80;
inline constexpr int kScalarValue = 16;
inline constexpr int kContiguous = 0x1;
inline constexpr int kOwnsData = 0x4;
inline constexpr int kAligned = 0x100;
inline constexpr int kWritable = 0x400;
inline constexpr int kCopiesBack = 0x2000;  // to its base, as it ends
}  // namespace numpy_layout

template <typename T>
T numpyField(const void* object, int offset) {
    T field;
    std::memcpy(&field, static_cast<const char*>(object) + offset, sizeof field);
    return field;
}

// What a guard asks of an array besides its class.
struct ArrayLayout {
    Element element = Element::kCount;
    int dimensions = 0;
    bool contiguous = false;  // in C order
    bool writable = false;

    bool operator==(const ArrayLayout&) const = default;
    bool isKnown() const { return element != Element::kCount; }
    // The flags that the array must have.
    int flags() const {
        return numpy_layout::kAligned | (contiguous ? numpy_layout::kContiguous : 0) |
               (writable ? numpy_layout::kWritable : 0);
    }
    // Of an array of this layout all is true that `wanted` asks for.
    bool satisfies(const ArrayLayout& wanted) const {
        return element == wanted.element && dimensions == wanted.dimensions && (contiguous || !wanted.contiguous) &&
               (writable || !wanted.writable);
    }
};
// Of op guard_array: the flags, and above them the number of dimensions.
inline constexpr int kPackedDimensions = 16;
inline constexpr int kPackedFlags = (1 << kPackedDimensions) - 1;
inline int64_t packed(const ArrayLayout& layout) {
    return int64_t{layout.dimensions} << kPackedDimensions | layout.flags();
}
// Arrays of more dimensions are CPython's.
inline constexpr int kMostDimensions = 4;

}  // namespace kiln
