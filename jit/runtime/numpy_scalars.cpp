#include "jit/runtime/numpy_scalars.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "interp/numpy_types.h"
#include "jit/runtime/memory_reserve.h"

namespace kiln {
namespace {

// An operation with a signalling nan is invalid; one that was a float is quiet since it became a double.
bool isSignalling(double number) {
    constexpr uint64_t kQuiet = uint64_t{1} << 51;
    return std::isnan(number) && (std::bit_cast<uint64_t>(number) & kQuiet) == 0;
}

}  // namespace

PyObject* boxScalar(PyTypeObject* cls, int64_t word) {
    const NumPyTypes& numpy = *NumPyTypes::known();
    Element element = numpy.elementOf(cls);
    if (element == Element::k_bool_) {
        return Py_NewRef(numpy.truth((word & 1) != 0));
    }
    PyObject* scalar = makeSurely([&] { return cls->tp_alloc(cls, 0); });
    char* value = reinterpret_cast<char*>(scalar) + numpy_layout::kScalarValue;
    if (element == Element::k_float32) {
        auto number = static_cast<float>(std::bit_cast<double>(word));
        std::memcpy(value, &number, sizeof number);
    } else {
        std::memcpy(value, &word, static_cast<size_t>(info(element).bytes));  // the low bytes
    }
    return scalar;
}

bool hasWord(PyTypeObject* cls) {
    if (!isScalarClass(cls)) {
        return false;
    }
    Element element = NumPyTypes::known()->elementOf(cls);
    return element != Element::k_bool_ && !isComplex(element);
}

int64_t wordOf(PyObject* scalar) {
    const char* value = reinterpret_cast<const char*>(scalar) + numpy_layout::kScalarValue;
    Element element = NumPyTypes::known()->elementOf(Py_TYPE(scalar));
    if (element == Element::k_float32) {
        float number;
        std::memcpy(&number, value, sizeof number);
        return std::bit_cast<int64_t>(static_cast<double>(number));
    }
    int64_t word = 0;
    std::memcpy(&word, value, static_cast<size_t>(info(element).bytes));
    return word;
}

PyObject* boxComplexScalar(PyTypeObject* cls, double real, double imag) {
    PyObject* scalar = makeSurely([&] { return cls->tp_alloc(cls, 0); });
    char* value = reinterpret_cast<char*>(scalar) + numpy_layout::kScalarValue;
    if (NumPyTypes::known()->elementOf(cls) == Element::k_complex64) {
        const float parts[] = {static_cast<float>(real), static_cast<float>(imag)};
        std::memcpy(value, parts, sizeof parts);
    } else {
        const double parts[] = {real, imag};
        std::memcpy(value, parts, sizeof parts);
    }
    return scalar;
}

bool mayRaiseFlag(double result, double left, double right, double smallest) {
    if (std::isnan(result)) {
        bool isLeft = std::isnan(left);
        bool isRight = std::isnan(right);
        bool isEither = isLeft && isRight && std::bit_cast<uint64_t>(left) != std::bit_cast<uint64_t>(right);
        return !(isLeft || isRight) || isEither || isSignalling(left) || isSignalling(right);
    }
    if (std::isinf(result)) {
        return !std::isinf(left) && !std::isinf(right);
    }
    return std::fabs(result) < smallest && left != 0.0 && right != 0.0 && !std::isinf(right);
}

}  // namespace kiln
