#include "jit/passes/int_widths.h"

#include <algorithm>
#include <bit>

#include "interp/numpy_elements.h"

namespace kiln::passes {
namespace {

constexpr int kWord = 64;

int widthOf(Element element) {
    const ElementInfo& row = info(element);
    return row.kind == ElementKind::kSigned ? 8 * row.bytes : row.kind == ElementKind::kBool ? 2 : 8 * row.bytes + 1;
}

int widthOf(int64_t number) {
    const auto magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
    return kWord - std::countl_zero(magnitude) + 1;
}

}  // namespace

int IntWidths::of(ir::ValueId value) const {
    const auto found = widths_.find(value);
    return found != widths_.end() ? found->second : kWord;
}

void IntWidths::assumeNumber(ir::ValueId value, int64_t number) {
    widths_[value] = widthOf(number);
}

void IntWidths::add(const ir::Instruction& in) {
    using ir::Op;
    auto operand = [&](size_t index) { return of(in.operands[index]); };
    int width = kWord;
    switch (in.op) {
    case Op::k_const_int: width = widthOf(in.immediate); break;
    case Op::k_element_int:
    case Op::k_int_narrow: width = std::min(widthOf(static_cast<Element>(in.immediate)), kWord); break;
    case Op::k_bool_to_int: width = 2; break;
    case Op::k_int_add:
    case Op::k_int_sub: width = std::max(operand(0), operand(1)) + 1; break;
    case Op::k_int_add_index:
    case Op::k_int_add_wrap:
    case Op::k_int_sub_wrap: width = std::min(std::max(operand(0), operand(1)) + 1, kWord); break;
    case Op::k_int_mul: width = operand(0) + operand(1); break;
    case Op::k_int_neg: width = operand(0) + 1; break;
    case Op::k_int_and:
    case Op::k_int_or:
    case Op::k_int_xor:
    case Op::k_int_min:
    case Op::k_int_max: width = std::max(operand(0), operand(1)); break;
    case Op::k_int_shr: width = operand(0); break;
    case Op::k_int_select: width = std::max(operand(1), operand(2)); break;
    default: return;
    }
    widths_[in.result] = width;
}

}  // namespace kiln::passes
