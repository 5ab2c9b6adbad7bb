#include "jit/passes/fold_ints.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "jit/passes/passes.h"

namespace kiln::passes {
namespace {

using ir::Op;
using Number = std::optional<int64_t>;

constexpr int64_t kMostPlaces = 63;  // that shifts have

// Those known not to overflow do so where they are not run: they have no result here then.
Number sum(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : Number(result);
}

Number difference(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : Number(result);
}

Number product(int64_t a, int64_t b) {
    int64_t result;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Number(result);
}

Number ofTwo(Op op, int64_t a, int64_t b) {
    switch (op) {
    case Op::k_int_add:
    case Op::k_int_add_index:
    case Op::k_int_add_wrap: return sum(a, b);
    case Op::k_int_sub:
    case Op::k_int_sub_wrap: return difference(a, b);
    case Op::k_int_mul:
    case Op::k_int_mul_index: return product(a, b);
    case Op::k_int_shl_wrap: return static_cast<int64_t>(static_cast<uint64_t>(a) << (b & kMostPlaces));
    case Op::k_int_shr: return a >> (b & kMostPlaces);
    case Op::k_int_min: return std::min(a, b);
    case Op::k_int_max: return std::max(a, b);
    case Op::k_int_lt: return a < b;
    case Op::k_int_le: return a <= b;
    case Op::k_int_eq: return a == b;
    case Op::k_int_ne: return a != b;
    case Op::k_int_gt: return a > b;
    case Op::k_int_ge: return a >= b;
    case Op::k_int_below: return static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
    case Op::k_bool_and: return a & b;
    case Op::k_bool_or: return a | b;
    case Op::k_bool_xor: return a ^ b;
    default: return std::nullopt;
    }
}

}  // namespace

bool isFoldable(Op op) {
    switch (op) {
    case Op::k_int_neg:
    case Op::k_bool_not:
    case Op::k_bool_to_int:
    case Op::k_int_select: return true;
    default: return ofTwo(op, 0, 0).has_value();
    }
}

std::optional<int64_t> foldInts(Op op, std::span<const Number> operands) {
    if (!std::ranges::all_of(operands, &Number::has_value)) {
        return std::nullopt;
    }
    switch (op) {
    case Op::k_int_neg: return difference(0, *operands[0]);
    case Op::k_bool_not: return *operands[0] == 0;
    case Op::k_bool_to_int: return operands[0];
    case Op::k_int_select: return *operands[0] != 0 ? operands[1] : operands[2];
    default: return operands.size() == 2 ? ofTwo(op, *operands[0], *operands[1]) : std::nullopt;
    }
}

namespace {

class Folder {
public:
    explicit Folder(ir::Region& region) : region_(region) {
        for (const ir::Block& block : region.blocks) {
            std::ranges::for_each(block.instructions, [&](const ir::Instruction& in) { note(in); });
        }
    }

    bool run() {
        bool folded = false;
        for (ir::Block& block : region_.blocks) {
            std::ranges::for_each(block.instructions, [&](ir::Instruction& in) { fold(in); });
            ir::Instruction& end = block.instructions.back();
            if (const Number condition = end.op == Op::k_branch ? numberOf(end.operands[0]) : std::nullopt) {
                block.targets = {std::move(block.targets[*condition != 0 ? 0 : 1])};
                end = {.op = Op::k_jump, .place = end.place, .operands = {}};
                folded = true;
            }
        }
        return folded;
    }

private:
    void note(const ir::Instruction& in) {
        if (in.op == Op::k_const_int || in.op == Op::k_const_bool) {
            numbers_[in.result] = in.immediate;
        }
    }

    Number numberOf(ir::ValueId value) const {
        const auto found = numbers_.find(value);
        return found != numbers_.end() ? Number(found->second) : std::nullopt;
    }

    void fold(ir::Instruction& in) {
        if (!isFoldable(in.op)) {
            return;
        }
        std::vector<Number> operands;
        std::ranges::for_each(in.operands, [&](ir::ValueId operand) { operands.push_back(numberOf(operand)); });
        if (const Number number = foldInts(in.op, operands)) {
            in.op = in.type == ir::Type::kBool ? Op::k_const_bool : Op::k_const_int;
            in.immediate = *number;
            in.snapshot = ir::kNoId;
            in.operands.clear();
            note(in);
        }
    }

    ir::Region& region_;
    std::unordered_map<ir::ValueId, int64_t> numbers_;
};

}  // namespace

bool foldBranches(ir::Region& region) {
    bool folded = false;
    while (Folder(region).run()) {
        folded = true;
        eliminateDeadCode(region);
    }
    return folded;
}

}  // namespace kiln::passes
