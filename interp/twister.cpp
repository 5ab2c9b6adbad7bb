#include "interp/twister.h"

#include <cstdint>
#include <string_view>

#include "interp/attribute.h"

namespace kiln {
namespace {

constexpr int kWords = 624;
constexpr int kApart = 397;

// As Modules/_randommodule.c has it.
struct Twister {
    PyObject_HEAD
    int index;
    uint32_t state[kWords];
};

uint32_t mixed(uint32_t high, uint32_t low) {
    const uint32_t both = (high & 0x80000000U) | (low & 0x7fffffffU);
    return (both >> 1) ^ ((low & 1U) != 0 ? 0x9908b0dfU : 0U);
}

void twist(Twister& twister) {
    uint32_t* state = twister.state;
    int at = 0;
    for (; at < kWords - kApart; at++) {
        state[at] = state[at + kApart] ^ mixed(state[at], state[at + 1]);
    }
    for (; at < kWords - 1; at++) {
        state[at] = state[at + kApart - kWords] ^ mixed(state[at], state[at + 1]);
    }
    state[at] = state[kApart - 1] ^ mixed(state[at], state[0]);
    twister.index = 0;
}

uint32_t nextWord(Twister& twister) {
    if (twister.index >= kWords) {
        twist(twister);
    }
    uint32_t word = twister.state[twister.index++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

struct TwisterMethods {
    Ref<> random;
    Ref<> bits;
};

PyMethodDef* definitionOf(const Ref<>& method) {
    bool isMethod = method && Py_IS_TYPE(method.get(), &PyMethodDescr_Type);
    return isMethod ? reinterpret_cast<PyMethodDescrObject*>(method.get())->d_method : nullptr;
}

bool drawsBits(PyObject* one, PyObject* other, int bits) {
    Ref<> expected = Ref<>::steal(PyObject_CallMethod(one, "getrandbits", "i", bits));
    return expected && PyLong_CheckExact(expected.get()) && PyLong_AsLongLong(expected.get()) == drawTwisterBits(other, bits);
}

bool drawsFloat(PyObject* one, PyObject* other) {
    Ref<> expected = Ref<>::steal(PyObject_CallMethod(one, "random", nullptr));
    return expected && PyFloat_CheckExact(expected.get()) && PyFloat_AS_DOUBLE(expected.get()) == drawTwister(other);
}

// Two with one seed draw the same, by the methods and here, until each word has changed twice.
TwisterMethods findMethods() {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("_random"));
    Ref<> cls = module ? attribute(module.get(), "Random") : Ref<>();
    Ref<> one = cls ? Ref<>::steal(PyObject_CallFunction(cls.get(), "i", 5489)) : Ref<>();
    Ref<> other = cls ? Ref<>::steal(PyObject_CallFunction(cls.get(), "i", 5489)) : Ref<>();
    if (!one || !other || Py_TYPE(one.get())->tp_basicsize != static_cast<Py_ssize_t>(sizeof(Twister))) {
        return {};
    }
    bool isSame = true;
    for (int number = 0; number < kWords && isSame; number++) {
        isSame = drawsFloat(one.get(), other.get());
    }
    for (int bits = 1; bits <= kMostTwisterBits && isSame; bits++) {
        isSame = drawsBits(one.get(), other.get(), bits);
    }
    return isSame ? TwisterMethods{attribute(cls.get(), "random"), attribute(cls.get(), "getrandbits")} : TwisterMethods{};
}

// What has such a name is most probably one of them.
bool mayBeTwister(const PyMethodDef* definition) {
    const std::string_view name = definition != nullptr ? definition->ml_name : "";
    return name == "random" || name == "getrandbits";
}

const TwisterMethods& twisterMethods() {
    static const auto* const kMethods = [] {
        PyObject* raised = PyErr_GetRaisedException();
        auto* found = new TwisterMethods(findMethods());  // never destroyed: the interpreter may be gone by then
        PyErr_Clear();
        PyErr_SetRaisedException(raised);
        return found;
    }();
    return *kMethods;
}

}  // namespace

TwisterDraw twisterDraw(const PyMethodDef* definition) {
    if (!mayBeTwister(definition)) {
        return TwisterDraw::kNone;
    }
    return definition == definitionOf(twisterMethods().random) ? TwisterDraw::kRandom
           : definition == definitionOf(twisterMethods().bits) ? TwisterDraw::kBits
                                                               : TwisterDraw::kNone;
}

PyObject* twisterMethod(const PyMethodDef* definition) {
    switch (twisterDraw(definition)) {
        case TwisterDraw::kRandom: return twisterMethods().random.get();
        case TwisterDraw::kBits: return twisterMethods().bits.get();
        default: return nullptr;
    }
}

int64_t drawTwisterBits(PyObject* object, int bits) {
    constexpr int kWordBits = 32;
    auto& twister = *reinterpret_cast<Twister*>(object);
    if (bits <= kWordBits) {
        return nextWord(twister) >> (kWordBits - bits);
    }
    const int64_t low = nextWord(twister);
    return low | static_cast<int64_t>(nextWord(twister) >> (2 * kWordBits - bits)) << kWordBits;
}

double drawTwister(PyObject* object) {
    auto& twister = *reinterpret_cast<Twister*>(object);
    const uint32_t high = nextWord(twister) >> 5;
    const uint32_t low = nextWord(twister) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

}  // namespace kiln
