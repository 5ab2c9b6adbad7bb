// Numbers from random generators, NumPy's and that of the module random: helpers draw_float, draw_int and draw_twister.
#include <bit>
#include <cmath>

#include "interp/numpy_random.h"
#include "interp/twister.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {
namespace {

// words: source, draw, two floats. What is not finite could be taken for the number that says that NumPy must do it.
int64_t drawFloat(const int64_t* w, int64_t) {
    const auto a = std::bit_cast<double>(w[2]);
    const auto b = std::bit_cast<double>(w[3]);
    double drawn = 0;
    const bool isDrawn = std::isfinite(a) && std::isfinite(b) &&
                         NumPyRandom::known()->drawFloat(reinterpret_cast<PyObject*>(w[0]), static_cast<NumPyDraw>(w[1]), a, b, drawn);
    return isDrawn ? std::bit_cast<int64_t>(drawn) : kFailedFloatBits;
}

// words: source, limits.
int64_t drawInteger(const int64_t* w, int64_t) {
    int64_t most = 0;
    int64_t drawn = 0;
    const bool isDrawn = !__builtin_sub_overflow(w[2], w[1], &most) &&
                         NumPyRandom::known()->drawInteger(reinterpret_cast<PyObject*>(w[0]), w[1], w[2], drawn);
    return isDrawn ? drawn - w[1] : -1;
}

// words: source.
int64_t drawOfTwister(const int64_t* w, int64_t) {
    return std::bit_cast<int64_t>(drawTwister(reinterpret_cast<PyObject*>(w[0])));
}

// words: source, how many bits.
int64_t drawBitsOfTwister(const int64_t* w, int64_t) {
    const bool fits = w[1] > 0 && w[1] <= kMostTwisterBits;
    return fits ? drawTwisterBits(reinterpret_cast<PyObject*>(w[0]), static_cast<int>(w[1])) : -1;
}

}  // namespace

void fillDrawHelpers(const void** table) {
    table[static_cast<int>(Helper::k_draw_float)] = reinterpret_cast<const void*>(drawFloat);
    table[static_cast<int>(Helper::k_draw_twister)] = reinterpret_cast<const void*>(drawOfTwister);
    table[static_cast<int>(Helper::k_draw_bits)] = reinterpret_cast<const void*>(drawBitsOfTwister);
    table[static_cast<int>(Helper::k_draw_int)] = reinterpret_cast<const void*>(drawInteger);
}

}  // namespace kiln
