// Which stencils there are: each variant of an op is the one that its own instruction takes.
#include <gtest/gtest.h>

#include "jit/quick/stencil_table.h"

namespace kiln {
namespace {

class EveryStencil : public ::testing::TestWithParam<int> {};

TEST_P(EveryStencil, IsTheOneThatItsInstructionTakes) {
    auto op = static_cast<ir::Op>(GetParam());
    for (int variant = 0; variant < variantCount(op); variant++) {
        RootForm root;
        ir::Region region = regionOfVariant(op, variant, root);
        if (stencilAt(stencilIndex(op, variant)).size != 0) {
            EXPECT_EQ(variantOf(region, region.blocks[0].instructions[0], root), variant);
        }
    }
}

TEST_P(EveryStencil, Exists) {
    auto op = static_cast<ir::Op>(GetParam());
    bool isAJump = op == ir::Op::k_jump || op == ir::Op::k_exit;
    int made = 0;
    for (int variant = 0; variant < variantCount(op); variant++) {
        made += stencilAt(stencilIndex(op, variant)).size != 0;
    }
    EXPECT_EQ(made == 0, isAJump || ir::isOfStrips(op));
}

// Of an operand that the op has, or of a constant that comes along, which lies behind the code.
TEST_P(EveryStencil, HasHolesOfItsOwn) {
    auto op = static_cast<ir::Op>(GetParam());
    for (int variant = 0; variant < variantCount(op); variant++) {
        const Stencil& stencil = stencilAt(stencilIndex(op, variant));
        RootForm root;
        ir::Region region = regionOfVariant(op, variant, root);
        auto operands = static_cast<int>(region.blocks[0].instructions[0].operands.size());
        for (int index = 0; index < stencil.holeCount; index++) {
            const Hole& hole = holesOf(stencil)[index];
            auto kind = static_cast<HoleKind>(hole.kind);
            bool isOperand = kind >= HoleKind::k_operand0 && kind <= HoleKind::k_operand16;
            EXPECT_TRUE(!isOperand || static_cast<int>(kind) - static_cast<int>(HoleKind::k_operand0) < operands) << variant;
            EXPECT_TRUE(kind != HoleKind::k_self || hole.addend > 0) << variant;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStencil, ::testing::Range(0, ir::kOpCount),
                         [](const ::testing::TestParamInfo<int>& test) { return ir::kOps[test.param].name; });

TEST(StencilSet, PiecesFollowTheOps) {
    EXPECT_EQ(stencilIndex(Piece::k_leave, 0), stencilCount() - 1);
    EXPECT_NE(stencilAt(stencilIndex(Piece::k_leave, 0)).size, 0);
    EXPECT_TRUE(stencilAt(stencilIndex(Piece::k_move, 0)).goesOn);
}

TEST(StencilSet, ManyOperandsHaveNone) {
    ir::Region region;
    ir::Instruction in{.op = ir::Op::k_opaque_object, .operands = std::vector<ir::ValueId>(kMostOperands + 1, 0)};
    EXPECT_EQ(variantOf(region, in, {}), -1);
}

}  // namespace
}  // namespace kiln
