// Which parameters arguments fit, and their packed form.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/typing_rules.h"
#include "gpu/runtime/arguments.h"

namespace kiln::gpu {
namespace {

template <typename To>
void store(uint8_t* at, To value) {
    std::memcpy(at, &value, sizeof value);
}

// A scalar argument of one type as one of another, as a C cast does it.
int64_t castBits(int64_t bits, const Type* from, const Type* to) {
    if (to->isFloat()) {
        return bitsOf(nearestOf(bits, from), to);
    }
    if (from->isFloat()) {
        double value = floatOf(bits, from);
        return to->isBool() ? value != 0 : static_cast<int64_t>(value);
    }
    return to->isBool() ? bits != 0 : bits;
}

// A real or complex scalar as a complex one.
void packComplex(const RawArgument& argument, const Type* type, uint8_t* at) {
    const Type* to = partType(type);
    const Type* from = argument.type->isComplex() ? partType(argument.type) : argument.type;
    auto bytes = static_cast<size_t>(to->bytes());
    int64_t real = castBits(argument.bits, from, to);
    int64_t imaginary = castBits(argument.imaginary, from, to);
    std::memcpy(at, &real, bytes);
    std::memcpy(at + bytes, &imaginary, bytes);
}

// Records whose fields are where those of a value that the program's types describe are.
bool sameFields(const Type* given, const Type* wanted) {
    auto isSame = [](const Field& a, const Field& b) { return a.type == b.type && a.offset == b.offset && a.shape == b.shape; };
    return wanted->isStructure && given->bits == wanted->bits &&
           std::equal(given->fields.begin(), given->fields.end(), wanted->fields.begin(), wanted->fields.end(), isSame);
}

// Integers of one width are the same bytes with a sign or without, which the signature decides, as in numba.
bool sameBytes(const Type* given, const Type* wanted) {
    return given == wanted || (given->isInteger() && wanted->isInteger() && given->bits == wanted->bits) ||
           (given->isRecord() && wanted->isRecord() && sameFields(given, wanted));
}

bool fitsArray(const Type* given, const Type* wanted) {
    return given->isArray() && wanted->isArray() && sameBytes(given->element, wanted->element) && given->ndim == wanted->ndim &&
           (wanted->readonly || !given->readonly) && (given->layout == wanted->layout || wanted->layout == Layout::kA);
}

}  // namespace

// By numba's order: first the unsafe conversions count, then the safe ones, then the promotions.
int64_t ArgumentList::distanceTo(const std::vector<const Type*>& parameters) const {
    constexpr int64_t kWeights[] = {0, 1, 1 << 16, int64_t(1) << 32};
    if (parameters.size() != flat_.size()) {
        return -1;
    }
    int64_t distance = 0;
    for (size_t i = 0; i < parameters.size(); i++) {
        const Type* given = flat_[i].type;
        const Type* wanted = parameters[i];
        if (wanted->isArray() || given->isArray()) {
            if (!fitsArray(given, wanted)) {
                return -1;
            }
            Conversion conversion = given->element == wanted->element ? Conversion::kSafe : Conversion::kUnsafe;
            distance += given == wanted ? 0 : kWeights[static_cast<int>(conversion)];
            continue;
        }
        Conversion conversion = conversionBetween(given, wanted);
        if (conversion == Conversion::kNone) {
            return -1;
        }
        distance += kWeights[static_cast<int>(conversion)];
    }
    return distance;
}

bool ArgumentList::pack(const std::vector<const Type*>& parameters, const std::vector<int64_t>& offsets, PackedArguments& out) const {
    if (parameters.size() != flat_.size()) {
        PyErr_Format(PyExc_TypeError, "the kernel takes %zu argument%s, and got %zu", parameters.size(),
                     parameters.size() == 1 ? "" : "s", flat_.size());
        return false;
    }
    uint8_t* begin = out.make(static_cast<size_t>(offsets.back()));
    for (size_t i = 0; i < parameters.size(); i++) {
        const Type* type = parameters[i];
        const RawArgument& argument = flat_[i];
        uint8_t* at = begin + offsets[i];
        if (type->isScalar() != argument.type->isScalar() || (type->isArray() && !fitsArray(argument.type, type))) {
            PyErr_Format(PyExc_TypeError,
                         "No matching definition for argument type(s): argument %zu is %s and must be %s", i + 1,
                         argument.type->name.c_str(), type->name.c_str());
            return false;
        }
        bool isOtherKind = argument.type != type && (argument.type->isTime() || type->isTime() || argument.type->isBrain() || type->isBrain());
        if (type->isComplex() && !isOtherKind) {
            packComplex(argument, type, at);
            continue;
        }
        bool losesKind = argument.type->isComplex() || (argument.type->isFloat() && type->isInteger()) || isOtherKind;
        if (type->isScalar() && losesKind) {
            PyErr_Format(PyExc_TypeError, "argument %zu is %s and must be %s", i + 1, argument.type->name.c_str(),
                         type->name.c_str());
            return false;
        }
        if (type->isScalar()) {
            int64_t bits = castBits(argument.bits, argument.type, type);
            std::memcpy(at, &bits, static_cast<size_t>(type->bytes()));
            continue;
        }
        store(at, argument.data);
        for (int k = 0; k < type->ndim; k++) {
            store(at + 8 * (1 + k), static_cast<int64_t>(argument.shape[k]));
            if (type->layout == Layout::kA) {
                store(at + 8 * (1 + type->ndim + k), static_cast<int64_t>(argument.strides[k]));
            }
        }
    }
    return true;
}

}  // namespace kiln::gpu
