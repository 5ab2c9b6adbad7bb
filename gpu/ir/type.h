// Types of kernel values. Each type exists once, for ever: equal types are equal pointers. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::gpu {

enum class Scalar : uint8_t {
#define KILN_SCALAR(id, name, kind, bits, cType, codes) k##id,
#include "gpu/ir/types.def"
#undef KILN_SCALAR
    kCount
};

enum class Kind : uint8_t { kBool, kInt, kUInt, kFloat, kComplex, kBrain, kDate, kDuration, kRecord, kArray };

// Where an array's elements lie. Only arrays made in a kernel are not global.
enum class Space : uint8_t { kGlobal, kShared, kLocal };

// C: contiguous, last index fastest; F: first index fastest; A: any strides.
enum class Layout : char { kC = 'C', kF = 'F', kA = 'A' };

struct Type;

// Of a record: a scalar, a record, or (with a shape) an array in C order of either.
struct Field {
    std::string name;
    const Type* type = nullptr;
    std::vector<int64_t> shape;
    int64_t offset = 0;  // in bytes
};

struct Type {
    Kind kind = Kind::kBool;
    Scalar scalar = Scalar::kCount;  // of scalars
    int bits = 0;                    // of scalars and records
    // of arrays
    const Type* element = nullptr;
    int ndim = 0;
    Layout layout = Layout::kC;
    Space space = Space::kGlobal;
    bool readonly = false;
    std::string name;  // numba's spelling
    // of records, which are elements of arrays only
    std::vector<Field> fields;
    int alignment = 1;  // in bytes; 1 where a field is not aligned to its size
    std::string cText;
    int unit = 0;  // of dates and durations: the place of its name in NumPy's list, the coarsest first
    bool isText = false;  // of records: a string of NumPy's types S and U; its one field has the codes, which zeros fill up
    bool isStructure = false;  // of records: a value of a type that the program adds, by its members

    bool isScalar() const { return kind != Kind::kArray && kind != Kind::kRecord; }
    bool isRecord() const { return kind == Kind::kRecord; }
    bool isArray() const { return kind == Kind::kArray; }
    bool isFloat() const { return kind == Kind::kFloat; }
    bool isComplex() const { return kind == Kind::kComplex; }
    bool isBool() const { return kind == Kind::kBool; }
    bool isSigned() const { return kind == Kind::kInt; }
    bool isUnsigned() const { return kind == Kind::kUInt; }
    // bfloat16: the upper half of a float32, which IR takes for a uint16.
    bool isBrain() const { return kind == Kind::kBrain; }
    // datetime64 and timedelta64: int64s that count units.
    bool isTime() const { return kind == Kind::kDate || kind == Kind::kDuration; }
    bool isInteger() const { return kind == Kind::kInt || kind == Kind::kUInt; }
    int bytes() const { return bits / 8; }
    const char* cName() const;  // of scalars and records
};

inline constexpr int kMaxDimensions = 8;

const Type* scalarType(Scalar scalar);
inline const Type* int32Type() {
    return scalarType(Scalar::kInt32);
}
inline const Type* int64Type() {
    return scalarType(Scalar::kInt64);
}
inline const Type* uint32Type() {
    return scalarType(Scalar::kUInt32);
}
inline const Type* float64Type() {
    return scalarType(Scalar::kFloat64);
}
const Type* intType(int bits, bool isSigned);
const Type* floatType(int bits);
const Type* complexType(int bits);
// The float type of a complex type's parts.
const Type* partType(const Type* complex);
const Type* arrayType(const Type* element, int ndim, Layout layout, Space space = Space::kGlobal, bool readonly = false);
// The fields lie in `bytes` bytes. `isAligned`: NumPy's flag, a part of the name.
const Type* recordType(std::vector<Field> fields, int64_t bytes, bool isAligned);
// A string of up to `count` characters, whose codes are integers of 8 or 32 bits.
const Type* textType(int codeBits, int64_t count);
// A new type with these fields, unlike any other.
const Type* structureType(const std::string& name, std::vector<Field> fields, int64_t bytes, int alignment);
const Type* brainType();
// datetime64 or timedelta64 of a unit: "datetime64[ns]", "timedelta64". nullptr for another name.
const Type* timeNamed(std::string_view name);
// The type of the finer unit of two of one kind; nullptr when they do not go together, as those of years and of days.
const Type* commonTime(const Type* left, const Type* right);
const Type* durationOf(const Type* time);  // of the same unit
const Type* dateOf(const Type* time);
// How many units of the second type one of the first is; 0 where that is no integer of 64 bits.
int64_t unitsOf(const Type* coarse, const Type* fine);
// The scalar type of numba's name, nullptr for another name.
const Type* scalarNamed(std::string_view name);
// The scalar type of a buffer-protocol format ("<d", "l", "?", "Zd"); nullptr when it has none, or another byte order.
const Type* scalarOfFormat(std::string_view format);

}  // namespace kiln::gpu
