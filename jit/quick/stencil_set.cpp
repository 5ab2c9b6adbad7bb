#include "jit/quick/stencil_set.h"

#include <algorithm>
#include <array>
#include <bit>

#include "interp/numpy_elements.h"
#include "jit/ir/tables.h"

namespace kiln {
namespace {

using ir::Op;
using ir::Type;

constexpr int kPieceVariants[] = {
#define KILN_PIECE(name, variants, meaning) variants,
#include "jit/quick/pieces.def"
#undef KILN_PIECE
};

constexpr int kTypes = 5;

// What distinguishes an op's stencils.
enum class Variation {
    kNone,       // no stencil: the assembler does without, or the region is none for it
    kSingle,
    kImmediate,  // a bool, a function of libm, a helper, a field or an element
    kCount,      // of operands
    kCountNext,  // the same, and whether the helper is `next`
    kResult,     // its type
    kLastOperand,  // its type
    kReturned,   // the type, and whether the number's box comes along
    kSignature,  // of the callee
    kRoot
};

Variation variationOf(Op op) {
    if (isOfStrips(op)) {
        return Variation::kNone;  // those are thorough code's
    }
    switch (op) {
        case Op::k_jump: case Op::k_exit: return Variation::kNone;
        case Op::k_const_bool: case Op::k_math_unary: case Op::k_math_binary: case Op::k_pure_float:
        case Op::k_load_field: case Op::k_load_reference: case Op::k_element_int: case Op::k_element_float: case Op::k_store_element_int:
        case Op::k_store_element_float: case Op::k_guard_fits: case Op::k_int_narrow: case Op::k_guard_no_flag:
            return Variation::kImmediate;
        case Op::k_guard_quiet: case Op::k_guard_exchange: case Op::k_pure_object: case Op::k_pure_int: case Op::k_read_float: case Op::k_read_object:
        case Op::k_attempt_object: case Op::k_attempt_int:
            return Variation::kCount;
        case Op::k_opaque_object: case Op::k_opaque_int: case Op::k_opaque_float: return Variation::kCountNext;
        case Op::k_native_result: case Op::k_native_number: return Variation::kResult;
        case Op::k_ensure_box: return Variation::kLastOperand;
        case Op::k_return_value: return Variation::kReturned;
        case Op::k_call_native: case Op::k_attempt_native: return Variation::kSignature;
        case Op::k_suspend: case Op::k_resume: case Op::k_guard_unheld: case Op::k_leave_frame: return Variation::kRoot;
        default: return Variation::kSingle;
    }
}

int immediatesOf(Op op) {
    switch (op) {
        case Op::k_const_bool: return 2;
        case Op::k_load_field: case Op::k_load_reference: return static_cast<int>(Field::kCount);
        case Op::k_pure_float: return static_cast<int>(Helper::kCount);
        case Op::k_element_int: case Op::k_element_float: case Op::k_store_element_int: case Op::k_store_element_float: case Op::k_guard_fits:
        case Op::k_int_narrow:
            return kSingleElementCount;
        case Op::k_guard_no_flag: return static_cast<int>(Underflow::kCount);
        default: return static_cast<int>(MathFunction::kCount);
    }
}

int countOf(Op op, Variation variation) {
    switch (variation) {
        case Variation::kNone: return 0;
        case Variation::kSingle: return 1;
        case Variation::kImmediate: return immediatesOf(op);
        case Variation::kCount: return kMostOperands + 1;
        case Variation::kCountNext: return 2 * (kMostOperands + 1);
        case Variation::kResult: case Variation::kLastOperand: return kTypes;
        case Variation::kReturned: return 2 * kTypes;
        case Variation::kSignature: return kSignatures;
        case Variation::kRoot: return kRootForms;
    }
    return 0;
}

int signatureOf(const ir::Region& region, const ir::Instruction& in) {
    Signature signature{.count = static_cast<int>(in.operands.size()) - 1};
    for (int index = 0; index < std::min(signature.count, kMostMixed); index++) {
        bool isFloat = region.valueTypes[static_cast<size_t>(in.operands[static_cast<size_t>(index) + 1])] == Type::kFloat;
        signature.floats |= isFloat ? 1u << index : 0u;
    }
    for (int index = kMostMixed; index < signature.count; index++) {
        bool isFloat = region.valueTypes[static_cast<size_t>(in.operands[static_cast<size_t>(index) + 1])] == Type::kFloat;
        signature.floats |= isFloat ? 1u << kMostMixed : 0u;  // one that has no variant
    }
    return signatureVariant(signature);
}

// The operands' types of a variant.
std::vector<Type> operandsOf(Op op, Variation variation, int variant) {
    std::vector<Type> types;
    switch (variation) {
        case Variation::kCount:
            types.assign(static_cast<size_t>(variant), op == Op::k_guard_quiet || op == Op::k_guard_exchange ? Type::kObject : Type::kInt);
            return types;
        case Variation::kCountNext: types.assign(static_cast<size_t>(variant / 2), Type::kInt); return types;
        case Variation::kLastOperand: return {Type::kObject, static_cast<Type>(variant)};
        case Variation::kReturned:
            types.assign(1, static_cast<Type>(variant / 2));
            types.resize(static_cast<size_t>(1 + variant % 2), Type::kObject);
            return types;
        case Variation::kSignature: {
            Signature signature = signatureOfVariant(variant);
            types.assign(1, Type::kObject);
            for (int index = 0; index < signature.count; index++) {
                types.push_back(signature.isFloat(index) ? Type::kFloat : Type::kInt);
            }
            return types;
        }
        default:
            for (const char* letter = ir::info(op).operands; *letter != '\0'; letter++) {
                types.push_back(ir::typeOfLetter(*letter));
            }
            return types;
    }
}

struct Starts {
    std::array<int, ir::kOpCount> ops{};
    std::array<int, static_cast<size_t>(Piece::kCount)> pieces{};
    int count = 0;
    Starts() {
        for (int op = 0; op < ir::kOpCount; op++) {
            ops[static_cast<size_t>(op)] = count;
            count += variantCount(static_cast<Op>(op));
        }
        for (size_t piece = 0; piece < pieces.size(); piece++) {
            pieces[piece] = count;
            count += kPieceVariants[piece];
        }
    }
};

const Starts& starts() {
    static const Starts instance;
    return instance;
}

}  // namespace

int signatureVariant(const Signature& signature) {
    if (signature.count <= kMostMixed) {
        return signature.count < 0 ? -1 : (1 << signature.count) - 1 + static_cast<int>(signature.floats);
    }
    return signature.floats == 0 && signature.count <= kMostArguments ? kMixedSignatures + signature.count - kMostMixed - 1 : -1;
}

Signature signatureOfVariant(int variant) {
    if (variant >= kMixedSignatures) {
        return {.count = variant - kMixedSignatures + kMostMixed + 1};
    }
    int count = std::bit_width(static_cast<unsigned>(variant) + 1) - 1;
    return {.count = count, .floats = static_cast<unsigned>(variant - ((1 << count) - 1))};
}

int variantCount(Op op) {
    return countOf(op, variationOf(op));
}

int variantOf(const ir::Region& region, const ir::Instruction& in, const RootForm& root) {
    auto count = static_cast<int>(in.operands.size());
    auto typeOf = [&](ir::ValueId id) { return static_cast<int>(region.valueTypes[static_cast<size_t>(id)]); };
    switch (variationOf(in.op)) {
        case Variation::kNone: return -1;
        case Variation::kSingle: return 0;
        case Variation::kImmediate: return static_cast<int>(in.immediate);
        case Variation::kCount: return count <= kMostOperands ? count : -1;
        case Variation::kCountNext: {
            bool isNext = hasAnEnd(static_cast<Helper>(in.immediate));
            return count <= kMostOperands ? 2 * count + (isNext ? 1 : 0) : -1;
        }
        case Variation::kResult: return static_cast<int>(in.type);
        case Variation::kLastOperand: return typeOf(in.operands.back());
        case Variation::kReturned: return 2 * typeOf(in.operands[0]) + (count > 1 ? 1 : 0);
        case Variation::kSignature: return signatureOf(region, in);
        case Variation::kRoot: return root.variant();
    }
    return -1;
}

ir::Region regionOfVariant(Op op, int variant, RootForm& root) {
    Variation variation = variationOf(op);
    ir::Region region;
    ir::Block& block = region.blocks.emplace_back();
    ir::Instruction in;
    in.op = op;
    char result = ir::info(op).result;
    in.type = variation == Variation::kResult ? static_cast<Type>(variant) : result == '*' ? Type::kNone : ir::typeOfLetter(result);
    bool takesImmediate = variation == Variation::kImmediate;
    bool isNext = variation == Variation::kCountNext && variant % 2 != 0;
    in.immediate = takesImmediate ? variant : isNext ? static_cast<int64_t>(Helper::k_next) : 0;
    for (Type type : operandsOf(op, variation, variant)) {
        in.operands.push_back(region.newValue(type));
        block.parameters.push_back(in.operands.back());
    }
    in.result = in.type == Type::kNone ? ir::kNoId : region.newValue(in.type);
    in.snapshot = 0;
    region.snapshots.emplace_back().frames.push_back(region.newFrame({}));
    root = RootForm::of(variation == Variation::kRoot ? variant : 0);
    region.isFunction = root.isFunction || variation == Variation::kReturned;
    region.returnType = variation == Variation::kReturned ? static_cast<Type>(variant / 2) : Type::kNone;
    block.instructions.push_back(in);
    return region;
}

int stencilIndex(Op op, int variant) {
    return starts().ops[static_cast<size_t>(op)] + variant;
}

int stencilIndex(Piece piece, int variant) {
    return starts().pieces[static_cast<size_t>(piece)] + variant;
}

int stencilCount() {
    return starts().count;
}

}  // namespace kiln
