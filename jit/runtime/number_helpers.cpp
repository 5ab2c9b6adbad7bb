// Helpers that compute builtins and functions of numbers. None raises or runs Python code: where CPython would, or where
// the result has another class, they give kFailedInt or the float of kFailedFloatBits.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "interp/cpython/cpython_shim.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/plain_words.h"

namespace kiln {
namespace {

int64_t floatWord(double value) {
    return std::bit_cast<int64_t>(value);
}

bool smallInt(PyObject* item, int64_t& value) {
    if (!PyLong_CheckExact(item) && !PyBool_Check(item)) {
        return false;
    }
    int overflow = 0;
    value = PyLong_AsLongLongAndOverflow(item, &overflow);
    return overflow == 0;
}

// words: range, which part.
int64_t rangePart(const int64_t* w, int64_t) {
    static const std::array<Py_ssize_t, 3> offsets = [] {
        std::array<Py_ssize_t, 3> found{};
        const char* names[] = {"start", "stop", "step"};
        for (size_t part = 0; part < found.size(); part++) {
            bool writable = false;
            Ref<> name = Ref<>::steal(PyUnicode_InternFromString(names[part]));
            PyErr_Clear();
            PyObject* descriptor = name ? kiln_type_lookup(&PyRange_Type, name.get()) : nullptr;
            found[part] = descriptor != nullptr ? kiln_member_offset(descriptor, &PyRange_Type, &writable) : -1;
        }
        return found;
    }();
    Py_ssize_t offset = offsets[static_cast<size_t>(w[1])];
    auto* part = offset > 0 ? *reinterpret_cast<PyObject**>(w[0] + offset) : nullptr;
    int overflow = 0;
    int64_t value = part != nullptr && PyLong_CheckExact(part) ? PyLong_AsLongLongAndOverflow(part, &overflow) : kFailedInt;
    return overflow == 0 ? value : kFailedInt;
}

// words: list or tuple, start.
int64_t sumInts(const int64_t* w, int64_t) {
    PyObject* sequence = object(w[0]);
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    int64_t total = w[1];
    for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(sequence); index++) {
        int64_t value = 0;
        if (!smallInt(items[index], value) || __builtin_add_overflow(total, value, &total)) {
            return kFailedInt;
        }
    }
    return total;
}

// A float sum that carries the low-order part that each addition loses (Neumaier); ints are added as they are.
struct CompensatedSum {
    double total = 0.0;
    double lost = 0.0;

    void add(double x) {
        double sum = total + x;
        lost += std::fabs(total) >= std::fabs(x) ? (total - sum) + x : (x - sum) + total;
        total = sum;
    }
    // The lost part must not make a nan of an infinite sum, nor a positive zero of a negative one.
    double result() const { return lost != 0.0 && std::isfinite(lost) ? total + lost : total; }
};

// words: list or tuple, is the start a float, the start. Ints before the first float are summed as ints.
int64_t sumFloats(const int64_t* w, int64_t) {
    PyObject* sequence = object(w[0]);
    PyObject** items = PySequence_Fast_ITEMS(sequence);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
    Py_ssize_t index = 0;
    CompensatedSum sum;
    int64_t value = 0;
    if (w[1] != 0) {
        sum.total = std::bit_cast<double>(w[2]);
    } else {
        int64_t whole = w[2];
        for (; index < count && smallInt(items[index], value); index++) {
            if (__builtin_add_overflow(whole, value, &whole)) {
                return kFailedFloatBits;
            }
        }
        if (index == count || !PyFloat_CheckExact(items[index])) {
            return kFailedFloatBits;
        }
        sum.total = static_cast<double>(whole) + PyFloat_AS_DOUBLE(items[index++]);
    }
    for (; index < count; index++) {
        if (PyFloat_CheckExact(items[index])) {
            sum.add(PyFloat_AS_DOUBLE(items[index]));
        } else if (smallInt(items[index], value)) {
            sum.total += static_cast<double>(value);
        } else {
            return kFailedFloatBits;
        }
    }
    return floatWord(sum.result());
}

// words: start, stop, step, what is added to.
int64_t sumRange(const int64_t* w, int64_t) {
    __int128 span = static_cast<__int128>(w[1]) - w[0];
    __int128 step = w[2];
    __int128 count = span == 0 || (span > 0) != (step > 0) ? 0 : (span - (step > 0 ? 1 : -1)) / step + 1;
    if (count > (int64_t{1} << 60)) {
        return kFailedInt;
    }
    __int128 total = count * w[0] + count * (count - 1) / 2 * step + w[3];
    auto result = static_cast<int64_t>(total);
    return result == total ? result : kFailedInt;
}

// words: the float, digits. The limits are those past which CPython gives the number itself, or zero.
int64_t roundDigits(const int64_t* w, int64_t) {
    constexpr int64_t kMostDigits = 323;
    constexpr int64_t kFewestDigits = -308;
    auto x = std::bit_cast<double>(w[0]);
    if (!std::isfinite(x) || w[1] > kMostDigits) {
        return floatWord(x);
    }
    if (w[1] < kFewestDigits) {
        return floatWord(0.0 * x);
    }
    double rounded = 0.0;
    bool done = kiln_round_decimal(x, static_cast<int>(w[1]), &rounded);
    return done && std::isfinite(rounded) ? floatWord(rounded) : kFailedFloatBits;
}

// words: the int, digits; negative digits are places before the point.
int64_t roundInt(const int64_t* w, int64_t) {
    constexpr int64_t kMostPlaces = 18;
    if (w[1] >= 0) {
        return w[0];
    }
    if (w[1] < -kMostPlaces) {
        return kFailedInt;
    }
    int64_t unit = 1;
    for (int64_t place = 0; place < -w[1]; place++) {
        unit *= 10;
    }
    int64_t rest = w[0] % unit;
    int64_t quotient = w[0] / unit;
    int64_t twice = 2 * (rest < 0 ? -rest : rest);
    if (twice > unit || (twice == unit && quotient % 2 != 0)) {
        quotient += w[0] < 0 ? -1 : 1;
    }
    int64_t rounded = 0;
    return __builtin_mul_overflow(quotient, unit, &rounded) ? kFailedInt : rounded;
}

// The inverse of 0 <= a < modulus, or 0 if there is none.
__int128 inverse(__int128 a, __int128 modulus) {
    __int128 rest = modulus;
    __int128 factor = 0;
    __int128 nextFactor = 1;
    while (a != 0) {
        __int128 quotient = rest / a;
        rest = std::exchange(a, rest - quotient * a);
        factor = std::exchange(nextFactor, factor - quotient * nextFactor);
    }
    return rest != 1 ? 0 : factor < 0 ? factor + modulus : factor;
}

// words: base, exponent, modulus. The result has the modulus' sign.
int64_t powMod(const int64_t* w, int64_t) {
    __int128 modulus = w[2] < 0 ? -static_cast<__int128>(w[2]) : w[2];
    if (modulus == 0) {
        return kFailedInt;
    }
    if (modulus == 1) {
        return 0;
    }
    __int128 base = w[0] % modulus;
    base += base < 0 ? modulus : 0;
    __int128 exponent = w[1];
    if (exponent < 0) {
        exponent = -exponent;
        base = inverse(base, modulus);
        if (base == 0) {
            return kFailedInt;
        }
    }
    auto factor = static_cast<unsigned __int128>(base);
    auto divisor = static_cast<unsigned __int128>(modulus);
    unsigned __int128 result = 1;
    for (auto bits = static_cast<unsigned __int128>(exponent); bits != 0; bits >>= 1) {
        if ((bits & 1) != 0) {
            result = result * factor % divisor;
        }
        factor = factor * factor % divisor;
    }
    auto power = static_cast<__int128>(result);
    return static_cast<int64_t>(w[2] < 0 && power != 0 ? power - modulus : power);
}

// Larger ones are CPython's: it may give an argument itself.
constexpr int64_t kMostDivided = int64_t{1} << 60;

int64_t greatestDivisor(const int64_t* w, int64_t) {
    bool fits = std::abs(w[0] / 2) < kMostDivided / 2 && std::abs(w[1] / 2) < kMostDivided / 2;
    return fits ? std::gcd(w[0], w[1]) : kFailedInt;
}

int64_t leastMultiple(const int64_t* w, int64_t) {
    int64_t divisor = greatestDivisor(w, 0);
    int64_t multiple = 0;
    if (divisor == kFailedInt || divisor == 0) {
        return divisor;
    }
    return __builtin_mul_overflow(std::abs(w[0]) / divisor, std::abs(w[1]), &multiple) ? kFailedInt : multiple;
}

// The root of the nearest double is off by one at most.
int64_t integerRoot(const int64_t* w, int64_t) {
    if (w[0] < 0 || w[0] >= kMostDivided) {
        return kFailedInt;
    }
    auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(w[0])));
    return root * root > w[0] ? root - 1 : (root + 1) * (root + 1) <= w[0] ? root + 1 : root;
}

int64_t ordinal(const int64_t* w, int64_t) {
    PyObject* text = object(w[0]);
    if (PyUnicode_Check(text) && PyUnicode_GET_LENGTH(text) == 1) {
        return PyUnicode_READ_CHAR(text, 0);
    }
    if (PyBytes_Check(text) && PyBytes_GET_SIZE(text) == 1) {
        return static_cast<unsigned char>(PyBytes_AS_STRING(text)[0]);
    }
    return kFailedInt;
}

int64_t character(const int64_t* w, int64_t) {
    return reinterpret_cast<int64_t>(PyUnicode_FromOrdinal(static_cast<int>(w[0])));
}

// words: object, class. Where an object is no instance by its bases CPython asks its __class__ too: no code runs where
// that is object's own.
int64_t isInstance(const int64_t* w, int64_t) {
    PyTypeObject* cls = Py_TYPE(object(w[0]));
    if (PyType_IsSubtype(cls, reinterpret_cast<PyTypeObject*>(w[1]))) {
        return 1;
    }
    return kiln_instances_tell_class(cls) ? 0 : kFailedInt;
}

// words: a function of exact ints and floats, a bit for each argument that is a float, the arguments.
Ref<> callWithNumbers(const int64_t* w, int64_t count) {
    constexpr int64_t kMostArguments = 8;
    Ref<> boxes[kMostArguments];
    PyObject* arguments[kMostArguments];
    int64_t given = std::min(count - 2, kMostArguments);
    for (int64_t index = 0; index < given; index++) {
        bool isFloat = (w[1] >> index & 1) != 0;
        int64_t word = w[index + 2];
        boxes[index] = Ref<>::steal(isFloat ? PyFloat_FromDouble(std::bit_cast<double>(word)) : PyLong_FromLongLong(word));
        arguments[index] = boxes[index].get();
        if (arguments[index] == nullptr) {
            PyErr_Clear();
            return Ref<>();
        }
    }
    Ref<> result = Ref<>::steal(PyObject_Vectorcall(object(w[0]), arguments, static_cast<size_t>(given), nullptr));
    if (!result) {
        PyErr_Clear();
    }
    return result;
}

int64_t callForInt(const int64_t* w, int64_t count) {
    Ref<> result = callWithNumbers(w, count);
    int64_t value = 0;
    return result && PyLong_CheckExact(result.get()) && smallInt(result.get(), value) ? value : kFailedInt;
}

int64_t callForFloat(const int64_t* w, int64_t count) {
    Ref<> result = callWithNumbers(w, count);
    return result && PyFloat_CheckExact(result.get()) ? floatWord(PyFloat_AS_DOUBLE(result.get())) : kFailedFloatBits;
}

}  // namespace

void fillNumberHelpers(const void** table) {
    HelperSetter set(table);
    set(Helper::k_range_part, rangePart);
    set(Helper::k_sum_ints, sumInts);
    set(Helper::k_sum_floats, sumFloats);
    set(Helper::k_sum_range, sumRange);
    set(Helper::k_round_digits, roundDigits);
    set(Helper::k_round_int, roundInt);
    set(Helper::k_pow_mod, powMod);
    set(Helper::k_greatest_divisor, greatestDivisor);
    set(Helper::k_least_multiple, leastMultiple);
    set(Helper::k_integer_root, integerRoot);
    set(Helper::k_ord, ordinal);
    set(Helper::k_chr, character);
    set(Helper::k_is_instance, isInstance);
    set(Helper::k_call_for_int, callForInt);
    set(Helper::k_call_for_float, callForFloat);
}

}  // namespace kiln
