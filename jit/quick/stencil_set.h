// Which stencils there are, for the tool that makes them and for the assembler that copies them.
//
// A stencil is the machine code of one op, for operands and a result that lie in slots of a native frame. It is made at build
// time from the op's own lowering (jit/codegen). Ops that are lowered differently by their operands, their immediate or their
// root have a stencil for each variant.
#pragma once

#include <cstddef>
#include <cstdint>

#include "jit/ir/region.h"

namespace kiln {

enum class HoleKind : uint8_t {
#define KILN_HOLE(name, size, meaning) k_##name,
#include "jit/quick/holes.def"
#undef KILN_HOLE
    kCount  // what follows are runtime functions, by number
};

enum class HoleForm : uint8_t { kAbsolute32, kRelative32, kAbsolute64 };

struct Hole {
    uint16_t at;       // in the code
    uint8_t kind;      // HoleKind, or behind its last a RuntimeFunction
    HoleForm form;
    int32_t addend;
};

struct Stencil {
    uint32_t code;     // offsets into the table's code and holes
    uint32_t holes;
    uint16_t size;     // 0: there is none
    uint16_t holeCount;
    bool goesOn;       // its last instruction is a jump to `next`, which may be left out
    bool isAligned;    // it brings constants along: at a multiple of 16
};

inline constexpr int kMostOperands = 16;    // of an op
inline constexpr int kMostArguments = 16;   // of a native call, behind the function
static_assert(static_cast<int>(HoleKind::k_operand16) - static_cast<int>(HoleKind::k_operand0) == kMostArguments, "a hole for each operand");
inline constexpr int kArgumentWords = kMostArguments + 1;  // what a native call hands to the runtime where its callee has no code
static_assert(kMostOperands <= kArgumentWords);
inline constexpr int kMostMixed = 6;        // of those, where some are floats
inline constexpr int kMixedSignatures = (1 << (kMostMixed + 1)) - 1;
inline constexpr int kSignatures = kMixedSignatures + kMostArguments - kMostMixed;

// The words of a native frame, from its base: first those that helpers are handed, then what the region as a whole needs. Values
// follow from the base on, parameters of the entry first. So what is used most is less than 128 bytes away from the base.
enum FrameWord : int {
    kFirstWord = -(kArgumentWords + 10),
    kArgumentsEnd = kFirstWord + kArgumentWords,  // fewer arguments take the last of them
    kFrameWord = kArgumentsEnd,
    kFunctionWord,
    kArgumentArrayWord,
    kActivationWord,
    kPreviousWord,
    kRealTopWord,
    kExitWord,
    kResultWord,
    kStatusWord,
    kScratchWord,
    kFirstValueWord
};
static_assert(kFirstValueWord == 0);

enum class Piece : int {
#define KILN_PIECE(name, variants, meaning) k_##name,
#include "jit/quick/pieces.def"
#undef KILN_PIECE
    kCount
};

// What a region's root brings: the ops that leave it or wait differ.
struct RootForm {
    bool isFunction = false;
    bool hasFrame = true;       // of a function: one of its own
    bool hasActivation = false;
    int variant() const { return (isFunction ? hasFrame ? 2 : 4 : 0) + (hasActivation ? 1 : 0); }
    static RootForm of(int variant) { return {.isFunction = variant >= 2, .hasFrame = variant < 4, .hasActivation = variant % 2 != 0}; }
};
inline constexpr int kRootForms = 6;

// Arguments by number, and where they are floats: bit i for argument i.
struct Signature {
    int count = 0;
    unsigned floats = 0;
    bool isFloat(int argument) const { return (floats >> argument & 1u) != 0; }
};
// The variant of enter_native and call_native; -1: there is none.
int signatureVariant(const Signature& signature);
Signature signatureOfVariant(int variant);

// How many stencils the op has; 0: none.
int variantCount(ir::Op op);
// Which of them the instruction takes; -1: it has none.
int variantOf(const ir::Region& region, const ir::Instruction& in, const RootForm& root);
// An instruction that takes it, alone in a region's first block, whose parameters are its operands; and the root's form.
ir::Region regionOfVariant(ir::Op op, int variant, RootForm& root);

// All stencils: of the ops in their order, then the pieces.
int stencilIndex(ir::Op op, int variant);
int stencilIndex(Piece piece, int variant);
int stencilCount();

}  // namespace kiln
