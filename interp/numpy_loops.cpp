#include "interp/numpy_loops.h"

#include <xmmintrin.h>

#include <bit>
#include <cfenv>

#include "interp/numpy_error_state.h"
#include "interp/py_ref.h"

namespace kiln {
namespace {

using Loop = void (*)(char** arguments, const intptr_t* dimensions, const intptr_t* strides, void* data);

// PyUFuncObject, the same in NumPy 1 and 2: where its loops are, and the type numbers of their operands.
struct UFunc {
    PyObject head;
    int inputs;
    int outputs;
    int operands;
    int identity;
    const Loop* loops;
    void* const* data;
    int count;
    int reserved;
    const char* name;
    const char* types;
};

constexpr unsigned kFlags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;
constexpr char kLastInt = 10;  // of the type numbers
constexpr char kTypeNumbers[] = {12, 11};  // of float64, and float32
constexpr char kComplexNumbers[] = {15, 14};
constexpr double kProbes[][2] = {{0.3, 0.95}, {0.75, 0.5}, {1.1518650712370562, -20.25}, {2.279622187207673, 2.0}};

struct FoundLoop {
    Loop loop = nullptr;
    void* data = nullptr;
};

bool haveInts[static_cast<int>(NumPyFunction::kCount)];  // a loop over ints
FoundLoop loops[2 * static_cast<int>(NumPyFunction::kCount)];

// As far from the others as scalars are: where operands and results touch, loops take a slower path, with other results.
template <typename Number>
struct alignas(64) Apart {
    Number number;
};

template <typename Number>
double call(const FoundLoop& found, double left, double right, bool isBinary) {
    Apart<Number> a = {static_cast<Number>(left)};
    Apart<Number> b = {static_cast<Number>(right)};
    Apart<Number> result = {0};
    char* unary[] = {reinterpret_cast<char*>(&a), reinterpret_cast<char*>(&result)};
    char* binary[] = {reinterpret_cast<char*>(&a), reinterpret_cast<char*>(&b), reinterpret_cast<char*>(&result)};
    constexpr intptr_t kOne = 1;
    constexpr intptr_t kStrides[] = {0, 0, 0};  // as NumPy has it for scalars: power() squares by itself then
    found.loop(isBinary ? binary : unary, &kOne, kStrides, found.data);
    return static_cast<double>(result.number);
}

// The length of a complex number: arrays have another code for it than abs(), with other results.
template <typename Number>
double callForLength(const FoundLoop& found, double real, double imag) {
    struct alignas(64) {
        Number real;
        Number imag;
    } number = {static_cast<Number>(real), static_cast<Number>(imag)};
    Apart<Number> result = {0};
    char* arguments[] = {reinterpret_cast<char*>(&number), reinterpret_cast<char*>(&result)};
    constexpr intptr_t kOne = 1;
    constexpr intptr_t kStrides[] = {0, 0};
    found.loop(arguments, &kOne, kStrides, found.data);
    return static_cast<double>(result.number);
}

bool isOfComplex(int64_t number) {
    return number / 2 == static_cast<int>(NumPyFunction::k_absolute);
}

double callLoop(int64_t number, double left, double right) {
    if (isOfComplex(number)) {
        return number % 2 != 0 ? callForLength<float>(loops[number], left, right) : callForLength<double>(loops[number], left, right);
    }
    bool isBinary = kNumPyFunctions[number / 2].operands == 2;
    return number % 2 != 0 ? call<float>(loops[number], left, right, isBinary) : call<double>(loops[number], left, right, isBinary);
}

bool isSame(double expected, double given) {
    return std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(given) || (expected != expected && given != given);
}

// Does the function give for this number, or these, what its loop does?
bool agrees(PyObject* ufunc, PyObject* scalar, int64_t number, double left, double right) {
    Ref<> a = Ref<>::steal(PyObject_CallFunction(scalar, "d", left));
    Ref<> b = Ref<>::steal(PyObject_CallFunction(scalar, "d", right));
    bool isBinary = kNumPyFunctions[number / 2].operands == 2;
    Ref<> wanted = !a || !b ? Ref<>()
                            : Ref<>::steal(isBinary ? PyObject_CallFunctionObjArgs(ufunc, a.get(), b.get(), nullptr)
                                                    : PyObject_CallOneArg(ufunc, a.get()));
    if (!wanted || reinterpret_cast<PyObject*>(Py_TYPE(wanted.get())) != scalar) {
        return false;
    }
    return isSame(PyFloat_AsDouble(wanted.get()), callLoop(number, left, right));
}

// The same for the length of a complex number, of class `scalar`.
bool agreesForLength(PyObject* ufunc, PyTypeObject* scalar, int64_t number, double real, double imag) {
    Py_complex parts = {real, imag};
    Ref<> argument = Ref<>::steal(PyObject_CallFunction(reinterpret_cast<PyObject*>(scalar), "D", &parts));
    Ref<> wanted = argument ? Ref<>::steal(PyObject_CallOneArg(ufunc, argument.get())) : Ref<>();
    return wanted && isSame(PyFloat_AsDouble(wanted.get()), callLoop(number, real, imag));
}

bool looksLike(const UFunc* ufunc, int operands) {
    return ufunc->inputs == operands && ufunc->outputs == 1 && ufunc->operands == operands + 1 && ufunc->count >= 1 && ufunc->count <= 100;
}

void findLoop(NumPyFunction function, PyObject* object, PyTypeObject* scalar, bool isSingle) {
    const auto* ufunc = reinterpret_cast<const UFunc*>(object);
    int64_t number = numpyLoopNumber(function, isSingle);
    int operands = kNumPyFunctions[static_cast<int>(function)].operands;
    if (!looksLike(ufunc, operands)) {
        return;
    }
    for (int index = 0; index < ufunc->count; index++) {
        const char* types = ufunc->types + index * ufunc->operands;
        haveInts[static_cast<int>(function)] |= types[0] > 0 && types[0] <= kLastInt;
        bool isOfType = true;
        for (int operand = 0; operand < ufunc->operands; operand++) {
            isOfType = isOfType && types[operand] == kTypeNumbers[isSingle ? 1 : 0];
        }
        if (!isOfType || loops[number].loop != nullptr) {
            continue;  // there may be others for the same types, which NumPy does not come to
        }
        loops[number] = {ufunc->loops[index], ufunc->data != nullptr ? ufunc->data[index] : nullptr};
    }
    for (const auto& [left, right] : kProbes) {
        if (loops[number].loop != nullptr && !agrees(object, reinterpret_cast<PyObject*>(scalar), number, left, right)) {
            loops[number] = {};
        }
    }
}

// As fetestexcept() and feclearexcept(), which are calls and slow; both units' flags are at the same bits. Some loops raise a flag by
// feraiseexcept(), which uses the x87's.
unsigned raisedFlags() {
    uint16_t status;
    __asm__ volatile("fnstsw %0" : "=am"(status));
    return (_mm_getcsr() | status) & kFlags;
}

}  // namespace

void findNumPyLoops(NumPyFunction function, PyObject* ufunc, PyTypeObject* float64, PyTypeObject* float32) {
    Ref<> name = Ref<>::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(ufunc)), "__name__"));
    if (name && PyUnicode_Check(name.get()) && PyUnicode_CompareWithASCIIString(name.get(), "ufunc") == 0) {
        findLoop(function, ufunc, float64, false);
        findLoop(function, ufunc, float32, true);
    }
}

void findNumPyLengths(PyObject* absolute, PyTypeObject* complex128, PyTypeObject* complex64) {
    Ref<> name = Ref<>::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(absolute)), "__name__"));
    const auto* ufunc = reinterpret_cast<const UFunc*>(absolute);
    if (!name || !PyUnicode_Check(name.get()) || PyUnicode_CompareWithASCIIString(name.get(), "ufunc") != 0 || !looksLike(ufunc, 1)) {
        return;
    }
    for (bool isSingle : {false, true}) {
        int64_t number = numpyLoopNumber(NumPyFunction::k_absolute, isSingle);
        for (int index = 0; index < ufunc->count && loops[number].loop == nullptr; index++) {
            const char* types = ufunc->types + 2 * index;
            if (types[0] == kComplexNumbers[isSingle ? 1 : 0] && types[1] == kTypeNumbers[isSingle ? 1 : 0]) {
                loops[number] = {ufunc->loops[index], ufunc->data != nullptr ? ufunc->data[index] : nullptr};
            }
        }
        for (const auto& [real, imag] : kProbes) {
            if (loops[number].loop != nullptr && !agreesForLength(absolute, isSingle ? complex64 : complex128, number, real, imag)) {
                loops[number] = {};
            }
        }
    }
}

bool takesInts(NumPyFunction function) {
    return !haveInts[static_cast<int>(function)] && hasNumPyLoop(function, false);
}

bool hasNumPyLoop(NumPyFunction function, bool isSingle) {
    return loops[numpyLoopNumber(function, isSingle)].loop != nullptr;
}

double callNumPyLoop(int64_t loop, double left, double right, int64_t* failed) {
    double result = callLoop(loop, left, right);
    unsigned raised = raisedFlags();
    if (raised != 0) {  // by something else, maybe: to ask before each call would take as long as many of them
        std::feclearexcept(FE_ALL_EXCEPT);
        result = callLoop(loop, left, right);
        raised = raisedFlags();
    }
    *failed = raised != 0 && (raised != FE_UNDERFLOW || !ignoresUnderflow()) ? 1 : 0;
    return result;
}

}  // namespace kiln
