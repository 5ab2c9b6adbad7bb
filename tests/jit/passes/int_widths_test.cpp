// int_widths: bits of results.
#include "jit/passes/int_widths.h"

#include <gtest/gtest.h>

#include "interp/numpy_elements.h"

namespace kiln::passes {
namespace {

using ir::Op;

class Widths : public ::testing::Test {
protected:
    int make(Op op, ir::Operands operands, int64_t immediate = 0) {
        widths_.add({.op = op, .type = ir::Type::kInt, .result = next_, .immediate = immediate, .operands = std::move(operands)});
        return next_++;
    }
    int number(int64_t value) { return make(Op::k_const_int, {}, value); }
    int element(Element element) { return make(Op::k_element_int, {0, 1}, static_cast<int64_t>(element)); }
    int of(ir::ValueId value) const { return widths_.of(value); }

private:
    IntWidths widths_;
    ir::ValueId next_ = 10;
};

TEST_F(Widths, Numbers) {
    EXPECT_EQ(of(number(0)), 1);
    EXPECT_EQ(of(number(-1)), 1);
    EXPECT_EQ(of(number(1)), 2);
    EXPECT_EQ(of(number(127)), 8);
    EXPECT_EQ(of(number(-128)), 8);
    EXPECT_EQ(of(number(128)), 9);
    EXPECT_EQ(of(number(INT64_MAX)), 64);
    EXPECT_EQ(of(number(INT64_MIN)), 64);
}

TEST_F(Widths, Elements) {
    EXPECT_EQ(of(element(Element::k_int8)), 8);
    EXPECT_EQ(of(element(Element::k_uint8)), 9);
    EXPECT_EQ(of(element(Element::k_bool_)), 2);
    EXPECT_EQ(of(element(Element::k_int64)), 64);
    EXPECT_EQ(of(element(Element::k_uint64)), 64);
    EXPECT_EQ(of(3), 64) << "nothing is known of it";
}

TEST_F(Widths, Arithmetic) {
    const int small = element(Element::k_int32);
    EXPECT_EQ(of(make(Op::k_int_add, {small, number(1)})), 33);
    EXPECT_EQ(of(make(Op::k_int_mul, {small, small})), 64);
    EXPECT_GT(of(make(Op::k_int_mul, {small, element(Element::k_uint32)})), 64) << "may have an overflow";
    EXPECT_GT(of(make(Op::k_int_add, {element(Element::k_int64), small})), 64);
    EXPECT_EQ(of(make(Op::k_int_add_wrap, {element(Element::k_int64), small})), 64) << "wraps";
    EXPECT_EQ(of(make(Op::k_int_neg, {small})), 33);
    EXPECT_EQ(of(make(Op::k_int_select, {0, small, number(3)})), 32);
}

}  // namespace
}  // namespace kiln::passes
