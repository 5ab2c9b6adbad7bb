// The functions of runtime_functions.def: what emitted code calls by itself.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <limits>

#include "interp/config.h"
#include "interp/numpy_error_state.h"
#include "interp/numpy_loops.h"
#include "jit/runtime/activation.h"
#include "jit/runtime/compiled_region.h"
#include "jit/runtime/numpy_scalars.h"
#include "jit/runtime/release_effects.h"
#include "jit/runtime/shadow_frames.h"
#include "jit/runtime/virtual_objects.h"
#include "jit/runtime/quick_exits.h"
#include "jit/runtime/strip_buffer.h"

namespace kiln {
namespace {

void* pushFrame(NativeContext* context, PyFunctionObject* function, size_t words) {
    ensureFrames(context);
    auto* thread = static_cast<PyThreadState*>(context->threadState);
    KilnFrame* frame = kiln_frame_push(thread, function, reinterpret_cast<PyCodeObject*>(function->func_code), words);
    if (frame != nullptr && words != 0) {
        attachRecord(frame, static_cast<Activation*>(kiln_frame_behind(frame)));
    }
    return frame;
}

void popFrame(NativeContext* context, void* frame) {
    kiln_frame_pop(static_cast<PyThreadState*>(context->threadState), static_cast<KilnFrame*>(frame));
}

int64_t unboxInt(PyObject* object, int64_t* value) {
    int overflow = 0;
    *value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0;
}

// Of what a dead local holds where a loop is entered: see op bare_box. Singletons are never counted.
int64_t bareBox(PyObject* object) {
    if (object == nullptr || object == Py_None || PyBool_Check(object)) {
        return reinterpret_cast<int64_t>(object);
    }
    int64_t number = 0;
    bool fits = PyLong_CheckExact(object) && unboxInt(object, &number) != 0;
    return fits ? kBareInt : PyFloat_CheckExact(object) ? kBareFloat : kNotBare;
}

int64_t bareBits(PyObject* object) {
    int64_t bits = 0;
    if (object != nullptr && PyLong_CheckExact(object)) {
        unboxInt(object, &bits);
    } else if (object != nullptr && PyFloat_CheckExact(object)) {
        bits = std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(object));
    }
    return bits;
}

void deallocate(PyObject* object) {
    _Py_Dealloc(object);
}

// Keeps ten registers with floats and two more with words, so that a loop which seldom comes here has its numbers in them.
#define KILN_ASIDE __attribute__((ms_abi))

KILN_ASIDE void deallocateAside(PyObject* object) {
    _Py_Dealloc(object);
}

KILN_ASIDE PyObject* boxFloatAside(double number) {
    return boxFloat(number);
}

int64_t mayRunPython(PyObject* const* references, int64_t count) {
    return mayRunCode(references, static_cast<size_t>(count));
}

KILN_ASIDE int64_t mayRunPythonAside(PyObject* const* references, int64_t count) {
    return mayRunCode(references, static_cast<size_t>(count));
}

int64_t textsEqual(PyObject* a, PyObject* b) {
    return _PyUnicode_EQ(a, b);
}

int64_t errorOccurred() {
    return PyErr_Occurred() != nullptr;
}

PyObject* loadName(CompiledRegion* region, int name) {
    PyObject* dict = region->dictOf(name);
    if (!kiln_dict_has_plain_keys(dict)) {
        return nullptr;
    }
    PyObject* value = PyDict_GetItemWithError(dict, region->keyOf(name));
    if (value == nullptr) {
        PyErr_Clear();
    }
    return value;
}

int64_t storeName(CompiledRegion* region, int name, PyObject* value) {
    return PyDict_SetItem(region->dictOf(name), region->keyOf(name), value);
}

int64_t namesVersion(CompiledRegion* region, int name) {
    PyObject* dict = region->dictOf(name);
    const char* version = reinterpret_cast<const char*>(dict) + kiln_layout()->dict_version;
    return kiln_dict_has_plain_keys(dict) ? *reinterpret_cast<const int64_t*>(version) : 0;
}

void noteAttribute(int64_t values, int64_t offset) {
    kiln_note_value_added(reinterpret_cast<PyObject**>(values), offset / static_cast<int64_t>(sizeof(PyObject*)));
}

int64_t listAppend(PyObject* list, PyObject* item) {
    return PyList_Append(list, item);
}

// float ** float where both are finite and the result is a finite float; elsewhere CPython decides.
double floatPow(double base, double exponent, int64_t* failed) {
    bool whole = exponent == std::floor(exponent);
    bool plain = std::isfinite(base) && std::isfinite(exponent) && (base > 0.0 || (base < 0.0 && whole) || exponent >= 0.0);
    double result = plain && !(base < 0.0 && !whole) ? std::pow(base, exponent) : std::numeric_limits<double>::infinity();
    *failed = !std::isfinite(result);
    return result;
}

// As NumPy's scalars: what that may raise the caller sees by the result.
double singlePow(double base, double exponent) {
    return static_cast<double>(powf(static_cast<float>(base), static_cast<float>(exponent)));
}

// abs(complex(real, imag)).
double complexAbs(double real, double imag, int64_t* failed) {
    errno = 0;
    double result = _Py_c_abs({real, imag});
    *failed = errno == ERANGE;
    return result;
}

// The Euclidean norm as math.hypot computes it: scaled by a power of two, squared and summed without loss, and the root
// corrected by what is left over.
double floatHypot(double a, double b) {
    double largest = std::max(std::fabs(a), std::fabs(b));
    if (std::isinf(a) || std::isinf(b)) {
        return std::numeric_limits<double>::infinity();
    }
    if (std::isnan(a) || std::isnan(b)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (largest == 0.0) {
        return largest;
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    if (exponent < -1023) {  // the scale itself would overflow
        constexpr double kSmallestNormal = std::numeric_limits<double>::min();
        return kSmallestNormal * floatHypot(a / kSmallestNormal, b / kSmallestNormal);
    }
    double scale = std::ldexp(1.0, -exponent);
    double sum = 1.0;
    double productRests = 0.0;
    double sumRests = 0.0;
    auto addProduct = [&](double x, double y) {
        double product = x * y;
        productRests += std::fma(x, y, -product);
        double before = sum;
        sum += product;
        sumRests += product - (sum - before);
    };
    addProduct(a * scale, a * scale);
    addProduct(b * scale, b * scale);
    double root = std::sqrt(sum - 1.0 + (productRests + sumRests));
    addProduct(-root, root);
    double rest = sum - 1.0 + (productRests + sumRests);
    return (root + rest / (2.0 * root)) / scale;
}

// The remainder has the divisor's sign; a zero remainder too.
double floatMod(double a, double b) {
    double rest = std::fmod(a, b);
    if (rest != 0.0) {
        return (b < 0.0) != (rest < 0.0) ? rest + b : rest;
    }
    return std::copysign(0.0, b);
}

// As CPython's float_floor_div: the quotient of the exact difference, snapped to the nearest whole number.
double floatFloordiv(double a, double b) {
    double rest = std::fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest != 0.0 && (b < 0.0) != (rest < 0.0)) {
        quotient -= 1.0;
    }
    if (quotient == 0.0) {
        return std::copysign(0.0, a / b);
    }
    double whole = std::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

int64_t intPow(int64_t base, int64_t exponent, int64_t* failed) {
    int64_t result = 1;
    *failed = 0;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result)) {
            *failed = 1;
            return 0;
        }
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) {
            *failed = 1;
            return 0;
        }
    }
    return result;
}

int64_t raisesAnyFlag(double result, double left, double right, double smallest) {
    return mayRaiseFlag(result, left, right, smallest) ? 1 : 0;
}

int64_t rangeLength(int64_t start, int64_t stop, int64_t step) {
    if (step > 0 ? start >= stop : start <= stop) {
        return 0;
    }
    auto span = static_cast<unsigned __int128>(step > 0 ? static_cast<__int128>(stop) - start : static_cast<__int128>(start) - stop);
    auto stride = static_cast<unsigned __int128>(step > 0 ? static_cast<__int128>(step) : -static_cast<__int128>(step));
    unsigned __int128 length = (span - 1) / stride + 1;
    return length > static_cast<unsigned __int128>(std::numeric_limits<int64_t>::max()) ? -1 : static_cast<int64_t>(length);
}

int64_t readAs(ir::Type type, PyObject* object, int64_t* value) {
    switch (type) {
        case ir::Type::kInt:
            if (!PyLong_CheckExact(object) || !unboxInt(object, value)) {
                return 0;
            }
            break;
        case ir::Type::kFloat: {
            if (!PyFloat_CheckExact(object)) {
                return 0;
            }
            double number = PyFloat_AS_DOUBLE(object);
            __builtin_memcpy(value, &number, sizeof number);
            break;
        }
        case ir::Type::kBool:
            if (!PyBool_Check(object)) {
                return 0;
            }
            *value = object == Py_True;
            break;
        default: return 0;
    }
    return 1;
}

int64_t unboxResult(PyObject* object, int type, int64_t* value, const char* valid, int keep) {
    if (*valid == 0 || readAs(static_cast<ir::Type>(type), object, value) == 0) {
        return 0;
    }
    if (keep == 0) {
        Py_DECREF(object);
    }
    return 1;
}

// KILN_STRESS=deopt: a guard fails at its first execution and then at every n-th, n seeded by guard.
int64_t underflowIgnored() {
    return ignoresUnderflow() ? 1 : 0;
}

int64_t stressGuard(CompiledRegion* region, int exit) {
    uint32_t& left = region->stressNext[exit];
    region->stressForced = left <= 1;
    if (left > 1) {
        left--;
        return 0;
    }
    uint64_t mixed = (config().seed * 0x9E3779B97F4A7C15ull) ^ (static_cast<uint64_t>(exit) * 0xBF58476D1CE4E5B9ull);
    left = 2 + static_cast<uint32_t>((mixed >> 33) % 49);
    return 1;
}

// KILN_STRESS=gc, after an opaque operation: it might as well have ended in Python code that started a collection.
void collect() {
    PyGC_Collect();
}

int64_t budgetSpent(CompiledRegion* region) {
    return region->listener.budgetSpent(*region) ? 1 : 0;
}

template <typename Function>
const void* address(Function function) {
    return reinterpret_cast<const void*>(function);
}

}  // namespace

void fillRuntimeFunctions(const void** table) {
    auto set = [&](RuntimeFunction function, const void* code) { table[static_cast<int>(function)] = code; };
    set(RuntimeFunction::k_exit_loop, address(exitLoop));
    set(RuntimeFunction::k_exit_function, address(exitFunction));
    set(RuntimeFunction::k_budget_spent, address(budgetSpent));
    set(RuntimeFunction::k_leave_quick, address(leaveQuick));
    set(RuntimeFunction::k_link_quick, address(linkQuick));
    set(RuntimeFunction::k_add_traceback, address(addTraceback));
    set(RuntimeFunction::k_unwind, address(unwind));
    set(RuntimeFunction::k_retract, address(retract));
    set(RuntimeFunction::k_shadow_callers, address(shadowCallers));
    set(RuntimeFunction::k_push_frame, address(pushFrame));
    set(RuntimeFunction::k_pop_frame, address(popFrame));
    set(RuntimeFunction::k_unbox_int, address(unboxInt));
    set(RuntimeFunction::k_bare_box, address(bareBox));
    set(RuntimeFunction::k_bare_bits, address(bareBits));
    set(RuntimeFunction::k_box_int, address(boxInt));
    set(RuntimeFunction::k_box_float, address(boxFloat));
    set(RuntimeFunction::k_deallocate, address(deallocate));
    set(RuntimeFunction::k_deallocate_number, address(deallocate));
    set(RuntimeFunction::k_may_run_code, address(mayRunPython));
    set(RuntimeFunction::k_may_run_code_aside, address(mayRunPythonAside));
    set(RuntimeFunction::k_deallocate_aside, address(deallocateAside));
    set(RuntimeFunction::k_box_float_aside, address(boxFloatAside));
    set(RuntimeFunction::k_error_occurred, address(errorOccurred));
    set(RuntimeFunction::k_texts_equal, address(textsEqual));
    set(RuntimeFunction::k_load_name, address(loadName));
    set(RuntimeFunction::k_store_name, address(storeName));
    set(RuntimeFunction::k_names_version, address(namesVersion));
    set(RuntimeFunction::k_list_append, address(listAppend));
    set(RuntimeFunction::k_note_attribute, address(noteAttribute));
    set(RuntimeFunction::k_box_scalar, address(boxScalar));
    set(RuntimeFunction::k_raises_flag, address(raisesAnyFlag));
    set(RuntimeFunction::k_underflow_ignored, address(underflowIgnored));
    set(RuntimeFunction::k_save_elements, address(saveElements));
    set(RuntimeFunction::k_restore_elements, address(restoreElements));
    set(RuntimeFunction::k_stress_strip, address(stressStrip));
    set(RuntimeFunction::k_numpy_loop, address(callNumPyLoop));
    set(RuntimeFunction::k_complex_abs, address(complexAbs));
    set(RuntimeFunction::k_float_pow, address(floatPow));
    set(RuntimeFunction::k_single_pow, address(singlePow));
    set(RuntimeFunction::k_float_hypot, address(floatHypot));
    set(RuntimeFunction::k_float_mod, address(floatMod));
    set(RuntimeFunction::k_float_floordiv, address(floatFloordiv));
    set(RuntimeFunction::k_int_pow, address(intPow));
    set(RuntimeFunction::k_range_length, address(rangeLength));
    set(RuntimeFunction::k_unbox_result, address(unboxResult));
    set(RuntimeFunction::k_stress, address(stressGuard));
    set(RuntimeFunction::k_collect, address(collect));
}

}  // namespace kiln
