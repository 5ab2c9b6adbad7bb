#include "jit/engine/prospect.h"

#include <opcode.h>

#include <algorithm>
#include <string_view>

#include "jit/ir/tables.h"

namespace kiln {
namespace {

// Rough prices in nanoseconds: of an instruction in the interpreter and of its work in compiled code, of an opaque
// operation in either, of what compiled code loses at one that the interpreter specialises (more where a generator may be
// resumed), of a call from the interpreter, and of leaving compiled code with a restored frame.
constexpr double kInterpreted = 8;
constexpr double kNative = 1.5;
constexpr double kOpaque = 50;
constexpr double kSpecialisedLoss = 15;
constexpr double kNextLoss = 45;
constexpr double kCall = 50;
constexpr double kEnterAndLeave = 500;
constexpr double kTicksPerNanosecond = 2.5;

// An op that does what an instruction of the program asked for; the others guard, move, box and count references.
bool isWork(ir::Op op) {
    std::string_view name = ir::info(op).name;
    for (std::string_view family : {"const_", "guard_", "load_slot", "take_", "load_name", "class_is", "is_null", "unbox_",
                                    "box_", "names_", "native_", "poll"}) {
        if (name.starts_with(family)) {
            return false;
        }
    }
    return ir::info(op).result != '-' || op == ir::Op::k_list_store || op == ir::Op::k_list_store_float ||
           op == ir::Op::k_list_append || op == ir::Op::k_cell_store;
}

bool callsNative(const ir::Block& block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(),
                       [](const ir::Instruction& in) { return in.op == ir::Op::k_call_native; });
}

double lossOf(const ir::Instruction& in) {
    if (in.op != ir::Op::k_opaque_object && in.op != ir::Op::k_opaque_int) {
        return 0;
    }
    switch (static_cast<Helper>(in.immediate)) {
        case Helper::k_next: return kNextLoss;
        case Helper::k_call: case Helper::k_binary_op: case Helper::k_inplace_op: case Helper::k_compare: case Helper::k_get_item:
        case Helper::k_set_item: case Helper::k_get_attribute: case Helper::k_set_attribute: return kSpecialisedLoss;
        default: return 0;  // the interpreter does not specialise it either
    }
}

}  // namespace

Prospect estimateProspect(const ir::Region& region) {
    int work = 0;
    int opaque = 0;
    double lost = 0;
    bool loops = !region.isFunction;
    bool returns = !region.isFunction;
    for (size_t index = 0; index < region.blocks.size(); index++) {
        const ir::Block& block = region.blocks[index];
        for (const ir::Instruction& in : block.instructions) {
            bool native = in.op == ir::Op::k_call_native;
            bool isOpaque = ir::info(in.op).effect == ir::Effect::kOpaque && !native && in.op != ir::Op::k_list_append;
            opaque += isOpaque ? 1 : 0;
            lost += isOpaque ? lossOf(in) : 0;
            work += !isOpaque && isWork(in.op) ? 1 : 0;
            loops = loops || native;  // recursion, or a callee that was worth its own code
            returns = returns || in.op == ir::Op::k_return_value;
        }
        for (const ir::Target& target : block.targets) {
            loops = loops || static_cast<size_t>(target.block) <= index;
        }
    }
    double saved = work * (kInterpreted - kNative);
    bool calls = std::any_of(region.blocks.begin(), region.blocks.end(), callsNative);
    return {.gain = saved / (work * kNative + opaque * kOpaque + 1),
            .saves = saved > lost || calls,
            .worthCalling = returns && (loops || saved - lost > kCall)};
}

bool mayGainAsFunction(const Bytecode& bytecode) {
    constexpr int kLeastArithmetic = 2;
    int arithmetic = 0;
    for (const BytecodeInstruction& in : bytecode.instructions()) {
        bool operates = in.opcode == BINARY_OP || in.opcode == COMPARE_OP || in.opcode == BINARY_SUBSCR ||
                        in.opcode == UNARY_NEGATIVE || in.opcode == UNARY_INVERT;
        arithmetic += operates ? 1 : 0;
    }
    return !bytecode.loops().empty() || arithmetic >= kLeastArithmetic;
}

void Account::addStay(uint64_t ticks) {
    entries_++;
    ticks_ += std::min<uint64_t>(ticks, uint64_t{1} << 32);
}

bool Account::isLosingLoop() const {
    return entries_ % kJudged == 0 && entries_ != 0 &&
           static_cast<double>(ticks_) / kTicksPerNanosecond * gain_ < static_cast<double>(entries_) * kEnterAndLeave;
}

bool Account::isLosingFunction() const {
    return entries_ % kJudged == 0 && entries_ != 0 && exits_ > entries_ / 4;
}

}  // namespace kiln
