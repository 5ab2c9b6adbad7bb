#include "jit/passes/read_lists_before.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interp/numpy_elements.h"
#include "jit/ir/dominators.h"
#include "jit/ir/natural_loops.h"
#include "jit/passes/counted_loops.h"
#include "jit/passes/list_reads.h"
#include "jit/strips.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::Target;
using ir::ValueId;

constexpr int64_t kWord = static_cast<int64_t>(Element::k_int64);
constexpr int64_t kFloat = static_cast<int64_t>(Element::k_float64);

class ListsReader {
public:
    ListsReader(ir::Region& region, const InnerLoop& loop, int& place) : region_(region), loop_(loop), place_(place) {}

    // False, and the region is half changed, when the body has a guard that the copy could not leave by.
    bool run() {
        for (const ListRead& read : loop_.reads) {
            reads_[read.item] = &read;
        }
        before_ = addBlock(parametersOf(loop_.around));
        entry_ = addBlock(parametersOf(loop_.header));
        header_ = addBlock(parametersOf(loop_.header));
        readBefore();
        attach(loop_.around, before_, [&](BlockId block) { return !loop_.isInsideAround[block]; });
        attach(loop_.header, entry_, [](BlockId) { return true; });
        makeEntry();
        makeHeader();
        return copyBody();
    }

private:
    BlockId addBlock(const std::vector<ValueId>& like) {
        region_.blocks.emplace_back();
        for (const ValueId parameter : like) {
            region_.blocks.back().parameters.push_back(region_.newValue(region_.valueTypes[parameter]));
        }
        return static_cast<BlockId>(region_.blocks.size()) - 1;
    }
    std::vector<ValueId> parametersOf(BlockId block) const { return region_.blocks[block].parameters; }

    void add(BlockId block, Op op, ir::Operands operands, int64_t immediate = 0) {
        region_.blocks[block].instructions.push_back({.op = op, .immediate = immediate, .operands = std::move(operands)});
    }
    ValueId compute(BlockId block, Op op, ir::Operands operands, int64_t immediate = 0) {
        const ir::Type type = ir::typeOfLetter(ir::info(op).result);
        const ValueId result = region_.newValue(type);
        region_.blocks[block].instructions.push_back(
            {.op = op, .type = type, .result = result, .immediate = immediate, .operands = std::move(operands)});
        return result;
    }
    void jump(BlockId from, Target target) {
        add(from, Op::k_jump, {});
        region_.blocks[from].targets = {std::move(target)};
    }
    void branch(BlockId from, ValueId condition, Target whenTrue, Target whenFalse) {
        add(from, Op::k_branch, {condition});
        region_.blocks[from].targets = {std::move(whenTrue), std::move(whenFalse)};
    }
    // The loop itself, with what the copy's header has.
    Target exactLoop() const { return {.block = loop_.header, .arguments = parametersOf(header_)}; }

    // Leads edges to `to` from chosen blocks, of those that were there before, to `instead`.
    template <typename Chosen>
    void attach(BlockId to, BlockId instead, const Chosen& isChosen) {
        for (BlockId block = 0; block < before_; block++) {
            for (Target& target : region_.blocks[block].targets) {
                if (target.block == to && isChosen(block)) {
                    target.block = instead;
                }
            }
        }
    }

    void readBefore() {
        start_ = loop_.start != ir::kNoId ? loop_.start : compute(before_, Op::k_const_int, {}, loop_.startNumber);
        const ValueId first = parametersOf(before_)[loop_.aroundCounter];
        const ValueId rounds = compute(before_, Op::k_int_sub_wrap, {loop_.aroundLimit, first});
        for (const ListRead& read : loop_.reads) {
            ir::Operands operands = {compute(before_, Op::k_const_int, {}, static_cast<int64_t>(read.kind)),
                                     compute(before_, Op::k_const_int, {}, place_++), read.list, start_, loop_.limit, rounds};
            operands.insert(operands.end(), loop_.appended.begin(), loop_.appended.end());
            const ValueId address = compute(before_, Op::k_pure_int, std::move(operands), static_cast<int64_t>(Helper::k_read_list));
            addresses_[&read] = address;
        }
        jump(before_, {.block = loop_.around, .arguments = parametersOf(before_)});
    }

    // Whether all was as expected, and each row has the item that is asked for.
    void makeEntry() {
        ValueId good = ir::kNoId;
        auto require = [&](ValueId condition) { good = good == ir::kNoId ? condition : compute(entry_, Op::k_bool_and, {good, condition}); };
        const ValueId none = compute(entry_, Op::k_const_int, {}, 0);
        for (const ListRead& read : loop_.reads) {
            require(compute(entry_, Op::k_int_ne, {addresses_[&read], none}));
        }
        const BlockId ask = addBlock({});
        branch(entry_, good, {.block = ask, .arguments = {}}, {.block = loop_.header, .arguments = parametersOf(entry_)});
        const ValueId counter = parametersOf(entry_)[indexOfCounter()];
        end_ = compute(ask, Op::k_int_min, {loop_.limit, compute(ask, Op::k_int_add_wrap, {counter, compute(ask, Op::k_const_int, {}, kStripRounds)})});
        good = ir::kNoId;
        for (const ListRead& read : loop_.reads) {
            for (const ValueId index : read.indices) {
                const ValueId shortest = compute(ask, Op::k_element_int, {addresses_[&read], compute(ask, Op::k_const_int, {}, 0)}, kWord);
                const ValueId isThere = compute(ask, Op::k_int_below, {index, shortest});
                good = good == ir::kNoId ? isThere : compute(ask, Op::k_bool_and, {good, isThere});
            }
        }
        const Target fast = {.block = header_, .arguments = parametersOf(entry_)};
        if (good == ir::kNoId) {
            jump(ask, fast);
        } else {
            branch(ask, good, fast, {.block = loop_.header, .arguments = parametersOf(entry_)});
        }
    }

    void makeHeader() {
        const std::vector<ValueId> parameters = parametersOf(loop_.header);
        for (size_t index = 0; index < parameters.size(); index++) {
            copies_[parameters[index]] = parametersOf(header_)[index];
        }
        at_ = addBlock({});
        const ValueId more = compute(header_, Op::k_int_lt, {copies_[loop_.counter], end_});
        branch(header_, more, {.block = at_, .arguments = {}}, exactLoop());
    }

    bool copyBody() {
        ValueId offset = compute(at_, Op::k_int_sub_wrap, {copies_[loop_.counter], start_});
        offset = compute(at_, Op::k_int_add_wrap, {offset, compute(at_, Op::k_const_int, {}, 1)});  // behind the shortest length
        for (int64_t bytes = 1; bytes < kListedBytes; bytes *= 2) {
            offset = compute(at_, Op::k_int_add_wrap, {offset, offset});
        }
        const std::vector<Instruction> instructions = region_.blocks[loop_.body].instructions;
        for (const Instruction& in : instructions) {
            if (!loop_.dropped.contains(&in - instructions.data()) && !copyRead(in, offset) && !copyGuard(in) && !copy(in)) {
                return false;
            }
        }
        Target next = region_.blocks[loop_.body].targets[0];
        next.block = header_;
        for (ValueId& argument : next.arguments) {
            if (!map(argument)) {
                return false;
            }
        }
        jump(at_, std::move(next));
        return true;
    }

    size_t indexOfCounter() const {
        const std::vector<ValueId>& parameters = region_.blocks[loop_.header].parameters;
        return static_cast<size_t>(std::ranges::find(parameters, loop_.counter) - parameters.begin());
    }

    // What the buffer has.
    bool copyRead(const Instruction& in, ValueId offset) {
        const auto read = in.operands.empty() ? reads_.end() : reads_.find(in.operands[0]);
        if (read != reads_.end()) {
            const bool isFloat = in.op == Op::k_unbox_float;
            const ValueId address = addresses_[read->second];
            const ValueId word = compute(at_, isFloat ? Op::k_element_float : Op::k_element_int, {address, offset}, isFloat ? kFloat : kWord);
            copies_[in.result] = in.op == Op::k_list_item ? compute(at_, Op::k_item_at, {word, in.operands[1]}) : word;
        }
        return read != reads_.end();
    }

    // Where it would fail, the loop itself does the round.
    bool copyGuard(const Instruction& in) {
        if (in.op != Op::k_guard_class && in.op != Op::k_guard_true && in.op != Op::k_guard_false) {
            return false;
        }
        ValueId asked = in.operands[0];
        if (!map(asked)) {
            return false;
        }
        const ValueId condition = in.op == Op::k_guard_class ? compute(at_, Op::k_class_is, {asked}, in.immediate) : asked;
        const BlockId next = addBlock({});
        const Target good = {.block = next, .arguments = {}};
        branch(at_, condition, in.op == Op::k_guard_false ? exactLoop() : good, in.op == Op::k_guard_false ? good : exactLoop());
        at_ = next;
        return true;
    }

    // Polls are left to the loop itself, which does a round after so many of the copy's. Snapshots are the loop's, too.
    bool copy(Instruction in) {
        if (in.op == Op::k_jump || in.op == Op::k_poll) {
            return true;
        }
        if (in.snapshot != ir::kNoId) {
            return false;
        }
        for (ValueId& operand : in.operands) {
            if (!map(operand)) {
                return false;
            }
        }
        if (in.result != ir::kNoId) {
            const ValueId result = region_.newValue(in.type);
            copies_[in.result] = result;
            in.result = result;
        }
        region_.blocks[at_].instructions.push_back(std::move(in));
        return true;
    }

    // False for what the loop computes and the copy does not.
    bool map(ValueId& value) const {
        const auto copied = copies_.find(value);
        if (copied != copies_.end()) {
            value = copied->second;
            return true;
        }
        return !loop_.isOfLoop(value);
    }

    ir::Region& region_;
    const InnerLoop& loop_;
    int& place_;
    BlockId before_ = ir::kNoId;
    BlockId entry_ = ir::kNoId;
    BlockId header_ = ir::kNoId;
    BlockId at_ = ir::kNoId;
    ValueId start_ = ir::kNoId;
    ValueId end_ = ir::kNoId;  // where the copy gives way
    std::unordered_map<ValueId, const ListRead*> reads_;
    std::unordered_map<const ListRead*, ValueId> addresses_;
    std::unordered_map<ValueId, ValueId> copies_;
};

bool readsList(const ir::Region& region, const CountedLoop& loop) {
    return std::ranges::any_of(loop.body, [&](BlockId block) {
        return std::ranges::find(region.blocks[block].instructions, Op::k_list_item, &Instruction::op) != region.blocks[block].instructions.end();
    });
}

}  // namespace

bool mayReadListsBefore(const ir::Region& region) {
    return std::ranges::any_of(findCountedLoops(region), [&](const CountedLoop& loop) { return readsList(region, loop); });
}

bool readListsBefore(ir::Region& region) {
    bool changed = false;
    int place = 0;
    for (const CountedLoop& counted : findCountedLoops(region)) {
        InnerLoop loop(region);
        if (!readsList(region, counted) || !loop.find(counted) || place + static_cast<int>(loop.reads.size()) > kMostListsRead) {
            continue;
        }
        const ir::Region before = region;
        const int placeBefore = place;
        if (ListsReader(region, loop, place).run()) {
            changed = true;
        } else {
            region = before;
            place = placeBefore;
        }
    }
    return changed;
}

}  // namespace kiln::passes
