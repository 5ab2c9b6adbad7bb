#include "jit/frontend/numpy_promotion.h"

#include <algorithm>

namespace kiln {
namespace {

Element signedOf(int bytes) {
    switch (bytes) {
    case 1: return Element::k_int8;
    case 2: return Element::k_int16;
    case 4: return Element::k_int32;
    case 8: return Element::k_int64;
    default: return Element::k_float64;  // there is no larger one
    }
}

bool isInteger(Element element) {
    return info(element).kind == ElementKind::kSigned || info(element).kind == ElementKind::kUnsigned;
}

// What a Python number is to a scalar of that class.
Element classBeside(const NumPyNumber& python, Element other) {
    switch (python.kind) {
    case Kind::kBool: return Element::k_bool_;
    case Kind::kInt:
        return NumPyTypes::known()->hasWeakNumbers() && other != Element::k_bool_ ? other : Element::k_int64;
    default: return NumPyTypes::known()->hasWeakNumbers() && isFloat(other) ? other : Element::k_float64;
    }
}

}  // namespace

Element promoted(Element left, Element right) {
    if (left == right || right == Element::k_bool_) {
        return left;
    }
    if (left == Element::k_bool_) {
        return right;
    }
    const ElementInfo& a = info(left);
    const ElementInfo& b = info(right);
    if (isFloat(left) || isFloat(right)) {
        bool isDouble = left == Element::k_float64 || right == Element::k_float64 || (isInteger(left) && a.bytes > 2) ||
                        (isInteger(right) && b.bytes > 2);
        return isDouble ? Element::k_float64 : Element::k_float32;
    }
    if (a.kind == b.kind) {
        return a.bytes > b.bytes ? left : right;
    }
    int whole = a.kind == ElementKind::kSigned ? a.bytes : b.bytes;
    int natural = a.kind == ElementKind::kSigned ? b.bytes : a.bytes;
    return signedOf(std::max(whole, 2 * natural));
}

Element promoted(const NumPyNumber& left, const NumPyNumber& right) {
    Element a = left.isPython() ? classBeside(left, right.element) : left.element;
    Element b = right.isPython() ? classBeside(right, left.element) : right.element;
    return promoted(a, b);
}

}  // namespace kiln
