// numba's typing rules for scalars.
#include "gpu/frontend/typing_rules.h"

#include <algorithm>
#include <array>

namespace kiln::gpu {
namespace {

const Type* uint64() {
    return scalarType(Scalar::kUInt64);
}
const Type* boolean() {
    return scalarType(Scalar::kBool);
}

// Integer operators exist for 64 bits only: unsigned when both operands are, which a bool is not.
const Type* wideInteger(const Type* left, const Type* right) {
    return left->isUnsigned() && right->isUnsigned() ? uint64() : int64Type();
}

// The float that numba's conversions make of a number.
const Type* safeFloat(const Type* type) {
    if (type->isFloat()) {
        return type;
    }
    bool isHalf = type->bits <= 8 && !type->isUnsigned();
    bool isSingle = type->bits <= 8 || (type->bits == 16 && type->isSigned());
    return floatType(isHalf ? 16 : isSingle ? 32 : 64);
}

// The float that NumPy promotes a number to.
const Type* promotedFloat(const Type* type) {
    return type->isFloat() ? type : floatType(type->bits <= 8 ? 16 : type->bits <= 16 ? 32 : 64);
}

const Type* wider(const Type* left, const Type* right) {
    return left->bits >= right->bits ? left : right;
}

const Type* commonFloat(const Type* left, const Type* right) {
    return wider(safeFloat(left), safeFloat(right));
}

BinaryRule same(const Type* type) {
    return {type, type, type};
}

const Type* partOrSelf(const Type* type) {
    return type->isComplex() ? partType(type) : type;
}

// Complex with parts as two floats would have.
const Type* commonComplex(const Type* left, const Type* right) {
    return complexType(std::max(commonFloat(partOrSelf(left), partOrSelf(right))->bits, 32) * 2);
}

BinaryRule complexRule(Op op, const Type* left, const Type* right) {
    const Type* type = commonComplex(left, right);
    switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kPower: return same(type);
    case Op::kEqual:
    case Op::kNotEqual: return {type, type, boolean()};
    default: return {};
    }
}

BinaryRule comparisonRule(const Type* left, const Type* right) {
    if (left->isFloat() || right->isFloat()) {
        const Type* type = commonFloat(left, right);
        return {type, type, boolean()};
    }
    if (left == right && left->isBool()) {
        return {left, right, boolean()};
    }
    if (left->isUnsigned() == right->isUnsigned()) {
        const Type* type = wideInteger(left, right);
        return {type, type, boolean()};
    }
    if (left->isBool() || right->isBool()) {
        return {uint64(), uint64(), boolean()};
    }
    // Of different sign. Narrow unsigned integers fit an int64; with a uint64 the values are compared as they are.
    const Type* other = left->isUnsigned() ? left : right;
    const Type* wide = other->bits < 64 ? int64Type() : uint64();
    return {left->isUnsigned() ? wide : int64Type(), right->isUnsigned() ? wide : int64Type(), boolean()};
}

BinaryRule powerRule(const Type* left, const Type* right) {
    if (!left->isFloat() && !right->isFloat()) {
        return same(wideInteger(left, right));
    }
    if (left->isFloat() && !right->isFloat()) {
        return same(atLeastSingle(left));
    }
    return same(atLeastSingle(commonFloat(left, right)));
}

}  // namespace

BinaryRule binaryRule(Op op, const Type* left, const Type* right) {
    bool floats = left->isFloat() || right->isFloat();
    if (left->isComplex() || right->isComplex()) {
        return complexRule(op, left, right);
    }
    switch (op) {
    case Op::kDivide: return same(floats ? commonFloat(left, right) : float64Type());
    case Op::kPower: return powerRule(left, right);
    case Op::kFloorDivide:
    case Op::kModulo: return same(floats ? atLeastSingle(commonFloat(left, right)) : wideInteger(left, right));
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
        if (floats) {
            return {};
        }
        return same(left->isBool() && right->isBool() ? boolean() : wideInteger(left, right));
    case Op::kShiftLeft:
    case Op::kShiftRight:
        if (floats) {
            return {};
        }
        return same(left->isUnsigned() ? uint64() : int64Type());
    default: break;
    }
    if (opInfo(op).result == ResultRule::kBool) {
        return comparisonRule(left, right);
    }
    return same(floats ? commonFloat(left, right) : wideInteger(left, right));
}

const Type* unaryType(const Type* operand) {
    return operand->isFloat() || operand->isComplex() ? operand : wideInteger(operand, operand);
}

const Type* unifyScalars(const Type* left, const Type* right) {
    if (left == right) {
        return left;
    }
    if (left->isBrain() || right->isBrain()) {
        return left->isBrain() ? unifyScalars(floatType(32), right) : unifyScalars(left, floatType(32));
    }
    if (left->isTime() || right->isTime()) {
        return commonTime(left, right);
    }
    if (left->isBool() || right->isBool()) {
        return left->isBool() ? right : left;
    }
    if (left->isComplex() || right->isComplex()) {
        return complexType(std::max(wider(promotedFloat(partOrSelf(left)), promotedFloat(partOrSelf(right)))->bits, 32) * 2);
    }
    if (left->isFloat() || right->isFloat()) {
        return wider(promotedFloat(left), promotedFloat(right));
    }
    if (left->isSigned() == right->isSigned()) {
        return left->bits > right->bits ? left : right;
    }
    const Type* plus = left->isUnsigned() ? left : right;
    const Type* minus = left->isUnsigned() ? right : left;
    int bits = std::max(minus->bits, plus->bits * 2);
    return bits > 64 ? float64Type() : intType(bits, true);
}

const Type* unifyArrays(const Type* left, const Type* right) {
    if (left->element != right->element || left->ndim != right->ndim) {
        return nullptr;
    }
    Layout layout = left->layout == right->layout ? left->layout : Layout::kA;
    Space space = left->space == right->space ? left->space : Space::kGlobal;
    return arrayType(left->element, left->ndim, layout, space, left->readonly || right->readonly);
}

const Type* rangeType(const Type* const* types, size_t count) {
    bool narrow = true;
    bool isUnsigned = true;
    for (size_t i = 0; i < count; i++) {
        narrow = narrow && (types[i]->isSigned() || types[i]->isBool()) && types[i]->bits <= 32;
        isUnsigned = isUnsigned && types[i]->isUnsigned();
    }
    return narrow ? scalarType(Scalar::kInt32) : isUnsigned ? uint64() : int64Type();
}

namespace {

constexpr size_t kScalars = static_cast<size_t>(Scalar::kCount);
using Conversions = std::array<std::array<Conversion, kScalars>, kScalars>;

// What numba says of neighbours; a way of several steps is as bad as its worst one.
Conversions conversions() {
    struct Step {
        Scalar from;
        Scalar to;
        Conversion there;
        Conversion back;
    };
    using S = Scalar;
    using C = Conversion;
    static constexpr Step kSteps[] = {
        {S::kBool, S::kInt8, C::kSafe, C::kUnsafe},
        {S::kBool, S::kUInt8, C::kSafe, C::kUnsafe},
        {S::kInt8, S::kInt16, C::kPromote, C::kUnsafe},
        {S::kUInt8, S::kUInt16, C::kPromote, C::kUnsafe},
        {S::kInt16, S::kInt32, C::kPromote, C::kUnsafe},
        {S::kUInt16, S::kUInt32, C::kPromote, C::kUnsafe},
        {S::kInt32, S::kInt64, C::kPromote, C::kUnsafe},
        {S::kUInt32, S::kUInt64, C::kPromote, C::kUnsafe},
        {S::kUInt8, S::kInt16, C::kSafe, C::kUnsafe},
        {S::kUInt16, S::kInt32, C::kSafe, C::kUnsafe},
        {S::kUInt32, S::kInt64, C::kSafe, C::kUnsafe},
        {S::kInt16, S::kFloat32, C::kSafe, C::kUnsafe},
        {S::kInt8, S::kFloat16, C::kSafe, C::kUnsafe},
        {S::kInt16, S::kFloat16, C::kUnsafe, C::kUnsafe},
        {S::kFloat16, S::kFloat32, C::kPromote, C::kUnsafe},
        {S::kInt32, S::kFloat64, C::kSafe, C::kUnsafe},
        {S::kInt32, S::kFloat32, C::kUnsafe, C::kUnsafe},
        {S::kInt64, S::kFloat64, C::kSafe, C::kUnsafe},
        {S::kFloat32, S::kFloat64, C::kPromote, C::kUnsafe},
        {S::kFloat32, S::kComplex64, C::kSafe, C::kNone},
        {S::kFloat64, S::kComplex128, C::kSafe, C::kNone},
        {S::kComplex64, S::kComplex128, C::kPromote, C::kUnsafe},
    };
    Conversions found;
    for (size_t i = 0; i < kScalars; i++) {
        found[i].fill(Conversion::kNone);
        found[i][i] = Conversion::kExact;
    }
    for (const Step& step : kSteps) {
        auto from = static_cast<size_t>(step.from);
        auto to = static_cast<size_t>(step.to);
        found[from][to] = step.there;
        found[to][from] = step.back;
    }
    for (size_t over = 0; over < kScalars; over++) {
        for (auto& row : found) {
            for (size_t to = 0; to < kScalars; to++) {
                row[to] = std::min(row[to], std::max(row[over], found[over][to]));
            }
        }
    }
    return found;
}

}  // namespace

Conversion conversionBetween(const Type* from, const Type* to) {
    if (from->isTime() || to->isTime() || from->isBrain() || to->isBrain()) {
        return from == to ? Conversion::kExact : Conversion::kNone;
    }
    static const Conversions kFound = conversions();
    return kFound[static_cast<size_t>(from->scalar)][static_cast<size_t>(to->scalar)];
}

const Type* atLeastSingle(const Type* type) {
    bool isNarrow = !type->isComplex() && !type->isTime() && !type->isBrain() && safeFloat(type)->bits <= 32;
    return isNarrow ? floatType(32) : type;
}

const Type* mathType(const Type* const* types, size_t count) {
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        most = std::max(most, types[i]->isFloat() ? types[i]->bits : 64);
    }
    return floatType(most);
}

}  // namespace kiln::gpu
