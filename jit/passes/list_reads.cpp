#include "jit/passes/list_reads.h"

#include <algorithm>

#include "jit/ir/natural_loops.h"
#include "jit/ir/tables.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::ValueId;

// No list gets other items by it, and none ends that another one holds.
bool keepsItems(Op op) {
    switch (op) {
    case Op::k_incref: case Op::k_incref_box: case Op::k_decref: case Op::k_decref_number: case Op::k_decref_box: case Op::k_decref_held:
    case Op::k_xdecref: case Op::k_box_float: case Op::k_box_int: case Op::k_ensure_box: case Op::k_count: case Op::k_set_position:
        return true;
    default: break;
    }
    const ir::Effect effect = ir::info(op).effect;
    return effect == ir::Effect::kPure || effect == ir::Effect::kRead || effect == ir::Effect::kGuard || effect == ir::Effect::kEnd;
}

bool isSize(const Instruction& in) {
    return in.op == Op::k_load_field && in.immediate == static_cast<int64_t>(Field::k_ob_size);
}

}  // namespace

const Instruction* InnerLoop::definition(ValueId value) const {
    const std::vector<Instruction>& instructions = region_.blocks[homes_[value]].instructions;
    const auto found = std::ranges::find(instructions, value, &Instruction::result);
    return found != instructions.end() ? &*found : nullptr;
}

bool InnerLoop::isOfLoop(ValueId value) const {
    return homes_[value] == header || homes_[value] == body;
}

bool InnerLoop::isFromOutside(ValueId value) const {
    return !isInsideAround[homes_[value]];
}

bool InnerLoop::find(const CountedLoop& loop) {
    header = loop.header;
    if (loop.body.size() != 1 || !region_.blocks[loop.body[0]].parameters.empty()) {
        return false;
    }
    body = loop.body[0];
    if (!findAround() || !countsUp() || !countsAround() || !keepsLists() || !findStart()) {
        return false;
    }
    findReads();
    return !reads.empty();
}

// The innermost one.
bool InnerLoop::findAround() {
    for (const ir::NaturalLoop& loop : ir::findNaturalLoops(region_, dominators_)) {
        if (loop.header != header && std::ranges::find(loop.blocks, header) != loop.blocks.end()) {
            around = loop.header;
            isInsideAround.assign(region_.blocks.size(), false);
            for (const BlockId block : loop.blocks) {
                isInsideAround[block] = true;
            }
        }
    }
    return around != ir::kNoId && isInsideAround[body];
}

bool InnerLoop::countsUp() {
    const Instruction* comparison = comparisonOf(region_, header);
    const Block& head = region_.blocks[header];
    const std::vector<ir::Target>& targets = region_.blocks[body].targets;
    if (comparison == nullptr || comparison->op != Op::k_int_lt || head.instructions.size() != 2 || targets.size() != 1 || targets[0].block != header) {
        return false;
    }
    counter = comparison->operands[0];
    limit = comparison->operands[1];
    const auto parameter = std::ranges::find(head.parameters, counter);
    if (parameter == head.parameters.end() || !isFromOutside(limit)) {
        return false;
    }
    const Instruction* next = definition(targets[0].arguments[static_cast<size_t>(parameter - head.parameters.begin())]);
    const bool isSum = next != nullptr && (next->op == Op::k_int_add_index || next->op == Op::k_int_add_wrap) && next->operands[0] == counter;
    const Instruction* step = isSum ? definition(next->operands[1]) : nullptr;
    return step != nullptr && step->op == Op::k_const_int && step->immediate == 1;
}

bool InnerLoop::countsAround() {
    const Instruction* comparison = comparisonOf(region_, around);
    if (comparison == nullptr || comparison->op != Op::k_int_lt) {
        return false;
    }
    const std::vector<ValueId>& parameters = region_.blocks[around].parameters;
    const auto parameter = std::ranges::find(parameters, comparison->operands[0]);
    aroundCounter = static_cast<size_t>(parameter - parameters.begin());
    aroundLimit = comparison->operands[1];
    return parameter != parameters.end() && isFromOutside(aroundLimit);
}

bool InnerLoop::keepsLists() {
    for (size_t block = 0; block < region_.blocks.size(); block++) {
        for (const Instruction& in : region_.blocks[block].instructions) {
            if (!isInsideAround[block] || keepsItems(in.op)) {
                continue;
            }
            if (in.op != Op::k_list_append || !isFromOutside(in.operands[0])) {
                return false;
            }
            appended.push_back(in.operands[0]);
        }
    }
    return true;
}

// The same each time.
bool InnerLoop::findStart() {
    const std::vector<ValueId>& parameters = region_.blocks[header].parameters;
    const auto index = static_cast<size_t>(std::ranges::find(parameters, counter) - parameters.begin());
    for (size_t block = 0; block < region_.blocks.size(); block++) {
        for (const ir::Target& target : region_.blocks[block].targets) {
            if (target.block == header && static_cast<BlockId>(block) != body) {
                const ValueId first = target.arguments[index];
                if (start != ir::kNoId && start != first) {
                    return false;
                }
                start = first;
            }
        }
    }
    if (start == ir::kNoId || isFromOutside(start)) {
        return start != ir::kNoId;
    }
    const Instruction* number = definition(start);
    if (number == nullptr || number->op != Op::k_const_int) {
        return false;
    }
    startNumber = number->immediate;
    start = ir::kNoId;
    return true;
}

void InnerLoop::findReads() {
    for (const Instruction& in : region_.blocks[body].instructions) {
        if (in.op == Op::k_list_item && in.operands[1] == counter && isFromOutside(in.operands[0])) {
            takeRead(in);
        }
    }
}

// By what becomes of the item. It may be nothing else, and nobody may see the object.
bool InnerLoop::takeRead(const Instruction& in) {
    ListRead read = {.list = in.operands[0], .item = in.result, .indices = {}};
    const std::set<ptrdiff_t> droppedBefore = dropped;
    const std::vector<const Instruction*> uses = usesOf(in.result);
    auto has = [&](Op op) { return std::ranges::any_of(uses, [&](const Instruction* use) { return use->op == op; }); };
    auto areOnly = [&](Op op) {
        return std::ranges::all_of(uses, [&](const Instruction* use) { return use->op == op || use->op == Op::k_guard_class; });
    };
    if (isUsedElsewhere(in.result)) {
        return false;
    }
    if (has(Op::k_unbox_float) && areOnly(Op::k_unbox_float)) {
        read.kind = ListedKind::kFloats;
    } else if (!takeRow(read, uses)) {
        dropped = droppedBefore;
        return false;
    }
    drop(&in);
    for (const Instruction* use : uses) {
        if (use->op == Op::k_guard_class) {
            drop(use);
        }
    }
    dropBounds(read.list, counter);
    reads.push_back(std::move(read));
    return true;
}

bool InnerLoop::takeRow(ListRead& read, const std::vector<const Instruction*>& uses) {
    read.kind = ListedKind::kRows;
    for (const Instruction* use : uses) {
        const bool isItem = use->op == Op::k_list_item && use->operands[0] == read.item && !isOfLoop(use->operands[1]);
        if (isItem) {
            read.indices.push_back(use->operands[1]);
        } else if (use->op != Op::k_guard_class && !isSize(*use)) {
            return false;
        }
    }
    for (const ValueId index : read.indices) {
        dropBounds(read.item, index);
    }
    // What is left of the length would be asked of an object that is not there.
    for (const Instruction* use : uses) {
        if (isSize(*use)) {
            for (const Instruction* bound : usesOf(use->result)) {
                if (!dropped.contains(bound - region_.blocks[body].instructions.data())) {
                    return false;
                }
            }
            drop(use);
        }
    }
    return !read.indices.empty();
}

// Questions whether the index is below the list's length.
void InnerLoop::dropBounds(ValueId list, ValueId index) {
    for (const Instruction& size : region_.blocks[body].instructions) {
        if (!isSize(size) || size.operands[0] != list || isUsedElsewhere(size.result)) {
            continue;
        }
        for (const Instruction* below : usesOf(size.result)) {
            const std::vector<const Instruction*> guards = usesOf(below->result);
            const bool isBound = below->op == Op::k_int_below && below->operands[0] == index && !isUsedElsewhere(below->result) &&
                                 std::ranges::all_of(guards, [](const Instruction* guard) { return guard->op == Op::k_guard_true; });
            if (isBound) {
                drop(below);
                std::ranges::for_each(guards, [&](const Instruction* guard) { drop(guard); });
            }
        }
    }
}

std::vector<const Instruction*> InnerLoop::usesOf(ValueId value) const {
    std::vector<const Instruction*> uses;
    for (const Instruction& in : region_.blocks[body].instructions) {
        if (value != ir::kNoId && std::ranges::find(in.operands, value) != in.operands.end()) {
            uses.push_back(&in);
        }
    }
    return uses;
}

// By another block, or for the next round.
bool InnerLoop::isUsedElsewhere(ValueId value) const {
    for (size_t block = 0; block < region_.blocks.size(); block++) {
        const Block& at = region_.blocks[block];
        const bool isArgument = std::ranges::any_of(at.targets, [&](const ir::Target& target) {
            return std::ranges::find(target.arguments, value) != target.arguments.end();
        });
        const bool isOperand = static_cast<BlockId>(block) != body && std::ranges::any_of(at.instructions, [&](const Instruction& in) {
            return std::ranges::find(in.operands, value) != in.operands.end();
        });
        if (isArgument || isOperand) {
            return true;
        }
    }
    return false;
}

void InnerLoop::drop(const Instruction* in) {
    dropped.insert(in - region_.blocks[body].instructions.data());
}

}  // namespace kiln::passes
