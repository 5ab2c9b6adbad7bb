#include "interp/twister.h"

#include <cstdint>

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

// Two with one seed draw the same, by the method and here, until each word has changed twice.
PyMethodDef* findMethod() {
    Ref<> module = Ref<>::steal(PyImport_ImportModule("_random"));
    Ref<> cls = module ? attribute(module.get(), "Random") : Ref<>();
    Ref<> method = cls ? attribute(cls.get(), "random") : Ref<>();
    Ref<> one = cls ? Ref<>::steal(PyObject_CallFunction(cls.get(), "i", 5489)) : Ref<>();
    Ref<> other = cls ? Ref<>::steal(PyObject_CallFunction(cls.get(), "i", 5489)) : Ref<>();
    if (!method || !Py_IS_TYPE(method.get(), &PyMethodDescr_Type) || !one || !other ||
        Py_TYPE(one.get())->tp_basicsize != static_cast<Py_ssize_t>(sizeof(Twister))) {
        return nullptr;
    }
    for (int number = 0; number < kWords; number++) {
        Ref<> expected = Ref<>::steal(PyObject_CallNoArgs(attribute(one.get(), "random").get()));
        if (!expected || !PyFloat_CheckExact(expected.get()) || PyFloat_AS_DOUBLE(expected.get()) != drawTwister(other.get())) {
            return nullptr;
        }
    }
    return reinterpret_cast<PyMethodDescrObject*>(method.get())->d_method;
}

}  // namespace

PyMethodDef* twisterMethod() {
    static PyMethodDef* const kMethod = [] {
        PyObject* raised = PyErr_GetRaisedException();
        PyMethodDef* found = findMethod();
        PyErr_Clear();
        PyErr_SetRaisedException(raised);
        return found;
    }();
    return kMethod;
}

double drawTwister(PyObject* object) {
    auto& twister = *reinterpret_cast<Twister*>(object);
    const uint32_t high = nextWord(twister) >> 5;
    const uint32_t low = nextWord(twister) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

}  // namespace kiln
