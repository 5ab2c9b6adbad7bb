// Random numbers of the module random: drawn from the state of its generator, the Mersenne twister, without a call.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

enum class TwisterDraw : uint8_t { kNone, kRandom, kBits };

inline constexpr int kMostTwisterBits = 62;

// What the method draws that a C function is bound from: random() or getrandbits(), where the generator's objects lie as compiled code
// expects them to. Compares some numbers the first time; an exception that is set stays. Needs the GIL.
TwisterDraw twisterDraw(const PyMethodDef* definition);
// The method itself, which lives for ever; nullptr for any other.
PyObject* twisterMethod(const PyMethodDef* definition);
// The next number of an object that has these methods.
double drawTwister(PyObject* object);
// Of so many bits, from one to kMostTwisterBits.
int64_t drawTwisterBits(PyObject* object, int bits);

}  // namespace kiln
