#include "jit/passes/place_work.h"

namespace kiln::passes {

namespace {

using ir::Effect;
using ir::Instruction;
using ir::Op;

constexpr int kCall = 30;      // of the runtime, or of a function of libm
constexpr int kAllocation = 8;
constexpr int kDivision = 10;
constexpr int kDivisionByConstant = 3;

// What takes no time of its own, or is moved to where it is used.
bool isFree(const Instruction& in) {
    const bool isConstant = ir::info(in.op).effect == Effect::kPure && ir::info(in.op).operands[0] == '\0';
    return isConstant || in.op == Op::k_jump || in.op == Op::k_exit;
}

class Runs {
public:
    Runs(const ir::Region& region, const std::vector<int32_t>& numbers) : numbers_(numbers), isConstant_(region.valueTypes.size()) {
        for (const ir::Block& block : region.blocks) {
            for (const Instruction& in : block.instructions) {
                if (in.op == Op::k_const_int) {
                    isConstant_[in.result] = true;
                }
            }
        }
    }

    std::vector<PlaceRun> of(const ir::Block& block) const {
        std::vector<PlaceRun> runs(1);
        bool isBehindCall = false;
        for (size_t index = 0; index < block.instructions.size(); index++) {
            const Instruction& in = block.instructions[index];
            const int work = workOf(in);
            const int32_t number = in.place == ir::kNoId || work == 0 ? runs.back().number : numbers_[in.place];
            if (number != runs.back().number || isBehindCall) {
                runs.push_back({.number = number, .first = index, .isBehindCall = isBehindCall});
            }
            runs.back().work += work;
            isBehindCall = ir::isNativeCall(in.op);
        }
        return runs;
    }

private:
    int workOf(const Instruction& in) const {
        switch (in.op) {
        case Op::k_int_floordiv: case Op::k_int_mod: return isConstant_[in.operands[1]] ? kDivisionByConstant : kDivision;
        case Op::k_int_truediv: case Op::k_float_div: case Op::k_float_floordiv: case Op::k_float_mod: return kDivision;
        case Op::k_int_pow: case Op::k_float_pow: case Op::k_single_pow: case Op::k_math_unary: case Op::k_math_binary: case Op::k_numpy_unary:
        case Op::k_numpy_binary: case Op::k_pure_object: case Op::k_pure_int: case Op::k_read_object: case Op::k_read_float:
        case Op::k_list_append: case Op::k_store_name: case Op::k_drop:
            return kCall;
        case Op::k_box_int: case Op::k_box_float: case Op::k_box_scalar: case Op::k_ensure_box: return kAllocation;
        default: break;
        }
        return isFree(in) ? 0 : ir::isOpaqueCall(in.op) || ir::isNativeCall(in.op) ? kCall : 1;
    }

    const std::vector<int32_t>& numbers_;
    std::vector<bool> isConstant_;  // by value
};

}  // namespace

std::vector<std::vector<PlaceRun>> findPlaceRuns(const ir::Region& region, const std::vector<int32_t>& numbers) {
    const Runs runs(region, numbers);
    std::vector<std::vector<PlaceRun>> all;
    for (const ir::Block& block : region.blocks) {
        all.push_back(runs.of(block));
    }
    return all;
}

}  // namespace kiln::passes
