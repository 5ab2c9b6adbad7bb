#include "interp/numpy_random.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "interp/attribute.h"

namespace kiln {
namespace {

constexpr int kHead = sizeof(PyObject);
constexpr int kWord = sizeof(void*);

// NumPy's bitgen_t: part of its C interface.
struct BitGenerator {
    void* state;
    uint64_t (*next64)(void*);
    uint32_t (*next32)(void*);
    double (*nextDouble)(void*);
    uint64_t (*nextRaw)(void*);
};

// aug_bitgen_t: of normal numbers, which come in pairs, the second one is kept.
struct NormalState {
    BitGenerator* bits;
    int hasSecond;
    double second;
};

// The polar method, in the order of NumPy's legacy_gauss().
double drawNormal(const BitGenerator& bits, NormalState& state) {
    if (state.hasSecond != 0) {
        state.hasSecond = 0;
        return std::exchange(state.second, 0.0);
    }
    double x;
    double y;
    double size;
    do {
        x = 2.0 * bits.nextDouble(bits.state) - 1.0;
        y = 2.0 * bits.nextDouble(bits.state) - 1.0;
        size = x * x + y * y;
    } while (size >= 1.0 || size == 0.0);
    const double scale = std::sqrt(-2.0 * std::log(size) / size);
    state.second = scale * x;
    state.hasSecond = 1;
    return scale * y;
}

// One of 0 to `last`: bits are drawn until they are no larger.
template <typename Word>
uint64_t drawBelow(Word (*next)(void*), void* state, Word last) {
    Word mask = std::numeric_limits<Word>::max() >> __builtin_clzll(last) % std::numeric_limits<Word>::digits;
    Word drawn;
    do {
        drawn = next(state) & mask;
    } while (drawn > last);
    return drawn;
}

// Where the object has these bytes, from its head on; 0 where it has not.
int placeOf(PyObject* object, const void* bytes, int count) {
    const auto* words = reinterpret_cast<const char*>(object);
    for (int place = kHead; place + count <= Py_TYPE(object)->tp_basicsize; place += kWord) {
        if (std::memcmp(words + place, bytes, static_cast<size_t>(count)) == 0) {
            return place;
        }
    }
    return 0;
}

template <typename T>
T& at(PyObject* object, int place) {
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(object) + place);
}

}  // namespace

const NumPyRandom* NumPyRandom::known_ = nullptr;

void NumPyRandom::look() {
    static bool isDone = false;
    PyObject* modules = PyImport_GetModuleDict();
    if (isDone || PyDict_GetItemString(modules, "numpy.random.mtrand") == nullptr || PyDict_GetItemString(modules, "numpy.random") == nullptr) {
        return;
    }
    isDone = true;
    PyObject* raised = PyErr_GetRaisedException();
    auto* found = new NumPyRandom;
    if (found->find()) {
        known_ = found;
    } else {
        delete found;
    }
    PyErr_Clear();
    PyErr_SetRaisedException(raised);
}

bool NumPyRandom::find() {
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy.random");
    Ref<> older = attribute(module, "RandomState");
    Ref<> newer = attribute(module, "Generator");
    Ref<> makeBits = attribute(module, "PCG64");
    Ref<> bits = makeBits ? Ref<>::steal(PyObject_CallFunction(makeBits.get(), "i", 1)) : Ref<>();
    Ref<> source = older ? Ref<>::steal(PyObject_CallFunction(older.get(), "O", bits.get())) : Ref<>();
    Ref<> generator = newer && bits ? Ref<>::steal(PyObject_CallFunction(newer.get(), "O", bits.get())) : Ref<>();
    if (!source || !generator || !findLock() || !findLayout(source.get(), bits.get(), layouts_[0]) ||
        !findLayout(generator.get(), bits.get(), layouts_[1])) {
        return false;
    }
    auto* state = &at<BitGenerator>(source.get(), layouts_[0].bits);
    layouts_[0].normal = placeOf(source.get(), &state, sizeof state);
    return layouts_[0].normal != 0 && addMethods() && drawsTheSame(older.get()) && older.release() != nullptr && newer.release() != nullptr;
}

bool NumPyRandom::findLayout(PyObject* source, PyObject* bitGenerator, Layout& layout) const {
    Ref<> capsule = attribute(bitGenerator, "capsule");
    Ref<> lock = attribute(bitGenerator, "lock");
    void* bits = capsule && PyCapsule_CheckExact(capsule.get()) ? PyCapsule_GetPointer(capsule.get(), "BitGenerator") : nullptr;
    if (bits == nullptr || !lock || PyType_HasFeature(Py_TYPE(source), Py_TPFLAGS_HEAPTYPE)) {
        return false;
    }
    PyObject* address = lock.get();
    layout.cls = Py_TYPE(source);
    layout.bits = placeOf(source, bits, sizeof(BitGenerator));
    layout.lock = placeOf(source, &address, sizeof address);
    return layout.bits != 0 && layout.lock != 0;
}

// The byte that says whether a lock is taken.
bool NumPyRandom::findLock() {
    constexpr int kPlace = kHead + 2 * kWord;  // behind the lock itself and its weak references
    Ref<> module = Ref<>::steal(PyImport_ImportModule("_thread"));
    Ref<> lock = module ? Ref<>::steal(PyObject_CallMethod(module.get(), "allocate_lock", nullptr)) : Ref<>();
    if (!lock || Py_TYPE(lock.get())->tp_basicsize <= kPlace) {
        return false;
    }
    bool wasFree = at<char>(lock.get(), kPlace) == 0;
    Ref<> taken = Ref<>::steal(PyObject_CallMethod(lock.get(), "acquire", nullptr));
    bool isTaken = at<char>(lock.get(), kPlace) == 1;
    Ref<> freed = Ref<>::steal(PyObject_CallMethod(lock.get(), "release", nullptr));
    locked_ = kPlace;
    return taken && freed && wasFree && isTaken && at<char>(lock.get(), kPlace) == 0;
}

bool NumPyRandom::addMethods() {
    struct Row {
        int cls;
        const char* name;
        NumPyDraw draw;
        int fewest, most;
    };
    constexpr Row kRows[] = {{0, "random", NumPyDraw::kUniform, 0, 0},
                             {0, "random_sample", NumPyDraw::kUniform, 0, 0},
                             {0, "rand", NumPyDraw::kUniform, 0, 0},
                             {0, "uniform", NumPyDraw::kUniform, 0, 2},
                             {0, "standard_normal", NumPyDraw::kNormal, 0, 0},
                             {0, "randn", NumPyDraw::kNormal, 0, 0},
                             {0, "normal", NumPyDraw::kNormal, 0, 2},
                             {0, "randint", NumPyDraw::kInteger, 1, 2},
                             {1, "random", NumPyDraw::kUniform, 0, 0}};
    static_assert(std::size(kRows) <= kMostMethods);
    for (const Row& row : kRows) {
        PyTypeObject* cls = layouts_[row.cls].cls;
        PyObject* method = PyDict_GetItemString(cls->tp_dict, row.name);
        if (method == nullptr) {
            return false;
        }
        methods_[count_++] = {Py_NewRef(method), cls, row.draw, row.fewest, row.most};
    }
    return true;
}

// Two sources with one seed: by NumPy, and here.
bool NumPyRandom::drawsTheSame(PyObject* cls) const {
    Ref<> one = Ref<>::steal(PyObject_CallFunction(cls, "i", 5489));
    Ref<> other = Ref<>::steal(PyObject_CallFunction(cls, "i", 5489));
    auto isFloat = [&](const char* name, NumPyDraw draw, double a, double b, bool passes) {
        Ref<> expected = Ref<>::steal(passes ? PyObject_CallMethod(one.get(), name, "dd", a, b) : PyObject_CallMethod(one.get(), name, nullptr));
        double drawn = 0;
        return expected && PyFloat_CheckExact(expected.get()) && drawFloat(other.get(), draw, a, b, drawn) &&
               drawn == PyFloat_AS_DOUBLE(expected.get());
    };
    auto isInteger = [&](int64_t low, int64_t high) {
        Ref<> expected = Ref<>::steal(PyObject_CallMethod(one.get(), "randint", "LL", low, high));
        int64_t drawn = 0;
        return expected && PyLong_CheckExact(expected.get()) && drawInteger(other.get(), low, high, drawn) &&
               drawn == PyLong_AsLongLong(expected.get());
    };
    constexpr int kTimes = 3;
    constexpr int64_t kWide = int64_t{1} << 32;
    bool isSame = one && other;
    for (int time = 0; isSame && time < kTimes; time++) {
        isSame = isFloat("random_sample", NumPyDraw::kUniform, 0.0, 1.0, false) && isFloat("uniform", NumPyDraw::kUniform, -3.1, 7.7, true) &&
                 isFloat("standard_normal", NumPyDraw::kNormal, 0.0, 1.0, false) && isFloat("normal", NumPyDraw::kNormal, 1.3, 2.7, true) &&
                 isInteger(0, 2) && isInteger(-5, 100) && isInteger(7, 8) && isInteger(0, kWide) && isInteger(-9, kWide + 5);
    }
    return isSame;
}

bool NumPyRandom::isMethod(PyObject* method) const {
    return drawingOf(method, 0).draw != NumPyDraw::kNone || drawingOf(method, 1).draw != NumPyDraw::kNone;
}

NumPyDrawing NumPyRandom::drawingOf(PyObject* callee, int arguments) const {
    PyObject* source = nullptr;
    PyObject* method = callee;
    PyMethodDef* definition = nullptr;
    if (Py_IS_TYPE(callee, &PyMethod_Type)) {
        method = PyMethod_GET_FUNCTION(callee);
        source = PyMethod_GET_SELF(callee);
    } else if (Py_IS_TYPE(callee, &PyCFunction_Type)) {
        definition = reinterpret_cast<PyCFunctionObject*>(callee)->m_ml;
        source = PyCFunction_GET_SELF(callee);
    }
    for (int index = 0; index < count_; index++) {
        const Method& known = methods_[index];
        bool isDescriptor = definition != nullptr && Py_IS_TYPE(known.method, &PyMethodDescr_Type);
        bool isSame = isDescriptor ? reinterpret_cast<PyMethodDescrObject*>(known.method)->d_method == definition : known.method == method;
        bool fits = arguments >= known.fewest && arguments <= known.most && !(arguments == 1 && known.fewest != 1);
        if (isSame && fits && (source == nullptr || Py_IS_TYPE(source, known.cls))) {
            return {known.draw, known.cls, source};
        }
    }
    return {};
}

const NumPyRandom::Layout* NumPyRandom::layoutOf(PyObject* source) const {
    for (const Layout& layout : layouts_) {
        if (Py_IS_TYPE(source, layout.cls)) {
            bool isFree = at<char>(at<PyObject*>(source, layout.lock), locked_) == 0;
            return isFree ? &layout : nullptr;
        }
    }
    return nullptr;
}

bool NumPyRandom::drawFloat(PyObject* source, NumPyDraw draw, double a, double b, double& drawn) const {
    const Layout* layout = layoutOf(source);
    if (layout == nullptr) {
        return false;
    }
    const BitGenerator& bits = at<BitGenerator>(source, layout->bits);
    if (draw == NumPyDraw::kUniform) {
        const double range = b - a;
        if (!std::isfinite(range)) {
            return false;
        }
        drawn = a + range * bits.nextDouble(bits.state);
        return true;
    }
    if (!(b >= 0.0) || std::signbit(b) || std::isnan(a)) {
        return false;
    }
    drawn = a + b * drawNormal(bits, at<NormalState>(source, layout->normal));
    return true;
}

bool NumPyRandom::drawInteger(PyObject* source, int64_t low, int64_t high, int64_t& drawn) const {
    constexpr uint64_t kNarrow = std::numeric_limits<uint32_t>::max();
    const Layout* layout = low < high ? layoutOf(source) : nullptr;
    if (layout == nullptr) {
        return false;
    }
    const BitGenerator& bits = at<BitGenerator>(source, layout->bits);
    const uint64_t last = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) - 1;
    uint64_t more = 0;
    if (last > kNarrow) {
        more = drawBelow<uint64_t>(bits.next64, bits.state, last);
    } else if (last != 0) {
        more = drawBelow<uint32_t>(bits.next32, bits.state, static_cast<uint32_t>(last));
    }
    drawn = static_cast<int64_t>(static_cast<uint64_t>(low) + more);
    return true;
}

}  // namespace kiln
