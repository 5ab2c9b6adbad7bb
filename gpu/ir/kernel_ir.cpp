// Kernel IR: the tables as data, and constants.
#include "gpu/ir/kernel_ir.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kiln::gpu {
namespace {

const OpInfo kOps[] = {
#define KILN_KERNEL_OP(id, name, operands, result, effect, blocks) \
    {name, operands, ResultRule::k##result, Effect::k##effect, blocks},
#include "gpu/ir/ir_ops.def"
#undef KILN_KERNEL_OP
};

constexpr bool kSame = false;
constexpr bool kBool = true;
const MathInfo kMath[] = {
#define KILN_KERNEL_MATH(id, operands, result, name32, name64) {operands, k##result, name32, name64},
#include "gpu/ir/math_functions.def"
#undef KILN_KERNEL_MATH
};

const char* const kAtomics[] = {"add", "sub", "max", "min", "nanmax", "nanmin", "and", "or", "xor", "inc", "dec", "exch", "cas"};
static_assert(std::size(kAtomics) == static_cast<size_t>(AtomicOp::kCount));

// The nearest float16, ties to even.
uint16_t halfOf(double value) {
    constexpr int kMantissa = 10;
    constexpr int kLeast = -14;
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    double size = std::fabs(value);
    if (std::isnan(value)) {
        return sign | 0x7e00;
    }
    int exponent = size == 0 || std::isinf(size) ? kLeast : std::max(std::ilogb(size), kLeast);
    double steps = std::nearbyint(std::ldexp(size, kMantissa - exponent));  // in units of the last place
    if (std::isinf(size) || exponent > 15 || (exponent == 15 && steps >= 2048)) {
        return sign | 0x7c00;
    }
    int biased = exponent - kLeast;  // one less than stored, as a normal number's leading bit adds one
    return static_cast<uint16_t>(sign + (biased << kMantissa) + static_cast<int>(steps));
}

double fromHalf(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    double size = exponent == 31 ? (mantissa != 0 ? std::nan("") : HUGE_VAL)
                  : exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
}

const char* const kWarps[] = {"sync", "shfl", "shfl_up", "shfl_down", "shfl_xor", "all", "any", "eq", "ballot", "match_any",
                              "match_all", "activemask"};
static_assert(std::size(kWarps) == static_cast<size_t>(WarpOp::kCount));

}  // namespace

const OpInfo& opInfo(Op op) {
    return kOps[static_cast<int>(op)];
}

const MathInfo& mathInfo(MathFunction function) {
    return kMath[static_cast<int>(function)];
}

const char* atomicName(AtomicOp op) {
    return kAtomics[static_cast<int>(op)];
}

const char* warpName(WarpOp op) {
    return kWarps[static_cast<int>(op)];
}

bool isCooperative(const Module& module) {
    bool found = false;
    for (const auto& function : module.functions) {
        found = found || (function->waitsForGrid && function->isCalled);
        forEach(function->body, [&](const Instruction& instruction) {
            found = found || (instruction.op == Op::kBarrier && instruction.index == static_cast<uint32_t>(BarrierScope::kGrid));
        });
    }
    return found;
}

int64_t bitsOf(double value, const Type* type) {
    int64_t bits = 0;
    float narrow = static_cast<float>(value);
    if (type->bits == 16) {
        return halfOf(value);
    }
    type->bits == 32 ? std::memcpy(&bits, &narrow, 4) : std::memcpy(&bits, &value, 8);
    return bits;
}

double floatOf(int64_t bits, const Type* type) {
    if (type->bits == 16) {
        return fromHalf(static_cast<uint16_t>(bits));
    }
    float narrow;
    double wide;
    std::memcpy(&narrow, &bits, 4);
    std::memcpy(&wide, &bits, 8);
    return type->bits == 32 ? narrow : wide;
}

double nearestOf(int64_t bits, const Type* type) {
    if (type->isFloat()) {
        return floatOf(bits, type);
    }
    return type->isUnsigned() ? static_cast<double>(static_cast<uint64_t>(bits)) : static_cast<double>(bits);
}

}  // namespace kiln::gpu
