// Kernel IR: the tables as data, and constants.
#include "gpu/ir/kernel_ir.h"

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

int64_t bitsOf(double value, const Type* type) {
    int64_t bits = 0;
    float narrow = static_cast<float>(value);
    type->bits == 32 ? std::memcpy(&bits, &narrow, 4) : std::memcpy(&bits, &value, 8);
    return bits;
}

double floatOf(int64_t bits, const Type* type) {
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
