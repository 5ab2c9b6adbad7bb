// Which counted loops get a strip, and what stands around it.
#include "jit/passes/form_strips.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "interp/numpy_elements.h"
#include "jit/ir/dominators.h"
#include "jit/passes/carried_values.h"
#include "jit/passes/counted_loops.h"
#include "jit/passes/fold_ints.h"
#include "jit/passes/loop_tests.h"
#include "jit/passes/passes.h"
#include "jit/passes/region_ops.h"
#include "jit/passes/reuse_elements.h"
#include "jit/passes/strip_blocks.h"
#include "jit/passes/strip_body.h"
#include "jit/passes/strip_ranges.h"
#include "jit/passes/underflow_question.h"
#include "jit/passes/unrolled_loops.h"
#include "jit/passes/version_strip.h"
#include "jit/strips.h"

namespace kiln::passes {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Instruction;
using ir::Op;
using ir::Target;
using ir::ValueId;

// After a strip could not begin: its ranges may be good some rounds later, as behind an index that is negative at first.
constexpr int64_t kRoundsUntilNextTry = 8;

bool worksOnElements(const ir::Region& region, const CountedLoop& loop) {
    return std::ranges::any_of(loop.body, [&](BlockId block) {
        return std::ranges::any_of(region.blocks[block].instructions, [](const Instruction& in) { return isElement(in.op); });
    });
}

bool isSum(Op op) {
    return op == Op::k_int_add || op == Op::k_int_add_index || op == Op::k_int_add_wrap;
}
bool isDifference(Op op) {
    return op == Op::k_int_sub || op == Op::k_int_sub_wrap;
}

class StripFormer {
public:
    // `assumed`: values for which the loop's body holds only if they are these numbers.
    StripFormer(ir::Region& region, const CountedLoop& loop, const Numbers& assumed, int64_t fewestRounds, int64_t marks)
        : region_(region), loop_(loop), assumed_(assumed), fewestRounds_(fewestRounds), copy_(region, loop), blocks_(copy_.blocks()),
          ranges_(region, blocks_.check), body_(region, copy_, ranges_, marks) {}

    // False, and the region is as it was, when the loop gets no strip.
    bool run(bool withSums) {
        add(blocks_.check, Op::k_begin_strip);
        findCounters();
        body_.findBoxes();
        body_.findFloats();
        if (withSums) {
            body_.findSums();
        }
        if (!countRounds() || !body_.rewrite()) {
            copy_.discard();
            return false;
        }
        finishHeader();
        finishCheck();
        makeStripEnds();
        makeExactRounds();
        copy_.attach();
        askBeforePolls();
        versionStrip(region_, blocks_);
        return true;
    }

    bool assumedTooMuch() const { return body_.assumedTooMuch(); }

private:
    void add(BlockId block, Op op, ir::Operands operands = {}, int64_t immediate = 0) {
        region_.blocks[block].instructions.push_back({.op = op, .immediate = immediate, .operands = std::move(operands)});
    }
    ValueId compute(BlockId block, Op op, ir::Operands operands = {}, int64_t immediate = 0) {
        const ir::Type type = ir::typeOfLetter(ir::info(op).result);
        const ValueId result = region_.newValue(type);
        region_.blocks[block].instructions.push_back(
            {.op = op, .type = type, .result = result, .immediate = immediate, .operands = std::move(operands)});
        return result;
    }
    void jump(BlockId from, Target target) {
        add(from, Op::k_jump);
        region_.blocks[from].targets = {std::move(target)};
    }
    void branch(BlockId from, ValueId condition, Target whenTrue, Target whenFalse) {
        add(from, Op::k_branch, {condition});
        region_.blocks[from].targets = {std::move(whenTrue), std::move(whenFalse)};
    }
    Target loopAtEntry() const { return {.block = loop_.header, .arguments = copy_.entryParameters()}; }

    // Parameters of the header that grow by a number which is the same in each round.
    void findCounters() {
        for (const ValueId value : copy_.values()) {
            ranges_.addVarying(value);
        }
        ranges_.addVarying(copy_.round());
        ranges_.addVarying(copy_.nextRound());
        for (size_t index = 0; index < copy_.entryParameters().size(); index++) {
            const ValueId parameter = region_.blocks[blocks_.header].parameters[index];
            const ValueId next = copy_.of(parameter) == parameter ? copy_.fromBody(index) : ir::kNoId;
            const Instruction* in = next != ir::kNoId ? copy_.definition(next) : nullptr;
            if (in != nullptr && (isSum(in->op) || isDifference(in->op)) && copy_.of(in->operands[0]) == parameter) {
                addCounter(index, isSum(in->op), copy_.of(in->operands[1]));
            }
        }
    }

    void addCounter(size_t index, bool rises, ValueId by) {
        const ValueId parameter = region_.blocks[blocks_.header].parameters[index];
        const int64_t* step = copy_.constant(by);
        if (step != nullptr) {
            by = ranges_.constant(*step);
            steps_.emplace_back(parameter, rises ? *step : -*step);
        }
        if (ranges_.isInvariant(by)) {
            by = rises ? by : ranges_.compute(Op::k_int_sub, {ranges_.constant(0), by});
            ranges_.addCounter(parameter, copy_.entryParameters()[index], by);
        }
    }

    // The rounds of the strip are all but the last of the loop, which is exact, and not too many.
    bool countRounds() {
        std::vector<Instruction> comparisons;
        for (const Instruction* comparison : comparisonsOf(region_, loop_.header)) {
            comparisons.push_back(*comparison);
        }
        body_.hoistFrom(blocks_.header);
        if (!std::ranges::all_of(comparisons, [&](const Instruction& comparison) { return isLimited(comparison); })) {
            return false;
        }
        const ValueId one = ranges_.constant(1);
        const ValueId most = ranges_.compute(Op::k_int_sub, {left_, one});
        rounds_ = ranges_.compute(Op::k_int_min, {most, ranges_.constant(kStripRounds)});
        ranges_.setSteps(ranges_.compute(Op::k_int_sub_wrap, {rounds_, one}));
        const ValueId enough = ranges_.compute(Op::k_int_ge, {rounds_, ranges_.constant(fewestRounds_)});
        untilNextTry_ = ranges_.constant(kRoundsUntilNextTry);
        branch(blocks_.check, enough, {.block = blocks_.ranges, .arguments = {}}, {.block = blocks_.later, .arguments = {untilNextTry_}});
        ranges_.goOnIn(blocks_.ranges);
        for (const ValueId index : unsignedCounters_) {
            body_.require(ranges_.compute(Op::k_int_ge, {index, ranges_.constant(0)}));
        }
        for (const auto& [value, number] : assumed_) {
            body_.require(ranges_.compute(Op::k_int_eq, {value, ranges_.constant(number)}));
        }
        return true;
    }

    // By one of the header's comparisons: how many rounds it leaves. Whether there are enough to ask, the first of them tells.
    bool isLimited(const Instruction& comparison) {
        const ValueId counter = copy_.of(comparison.operands[0]);
        const ValueId limit = copy_.of(comparison.operands[1]);
        const auto found = std::ranges::find(steps_, counter, &std::pair<ValueId, int64_t>::first);
        const bool rises = comparison.op == Op::k_int_lt || comparison.op == Op::k_int_le || comparison.op == Op::k_int_below;
        if (found == steps_.end() || !ranges_.isInvariant(limit) || found->second != (rises ? 1 : -1)) {
            return false;
        }
        const ValueId first = ranges_.in(StripRanges::Round::kFirst, counter);
        const bool isInclusive = comparison.op == Op::k_int_le || comparison.op == Op::k_int_ge;
        ValueId left = ranges_.compute(Op::k_int_sub, rises ? std::vector{limit, first} : std::vector{first, limit});
        left = isInclusive ? ranges_.compute(Op::k_int_add, {left, ranges_.constant(1)}) : left;
        if (comparison.op == Op::k_int_below) {
            unsignedCounters_.push_back(first);
        }
        if (left_ != ir::kNoId) {
            left_ = ranges_.compute(Op::k_int_min, {left_, left});
            return true;
        }
        left_ = left;
        rises_ = rises;
        isInclusive_ = isInclusive;
        first_ = first;
        limit_ = isOfCheck(limit) ? ir::kNoId : limit;
        return true;
    }

    // Computed in the check, for the loop itself does it in each round.
    bool isOfCheck(ValueId value) const {
        return std::ranges::find(region_.blocks[blocks_.check].instructions, value, &Instruction::result) !=
               region_.blocks[blocks_.check].instructions.end();
    }

    void finishHeader() {
        Block& header = region_.blocks[body_.lastOf(blocks_.header)];
        const Target inside = header.targets[0];
        const Target outside = header.targets[1];
        header.instructions.pop_back();
        const ValueId more = region_.newValue(ir::Type::kBool);
        const ValueId one = ranges_.constant(1);
        const BlockId at = body_.lastOf(blocks_.header);
        region_.blocks[at].instructions.push_back({.op = Op::k_int_add_index, .type = ir::Type::kInt, .result = copy_.nextRound(),
                                                   .operands = {copy_.round(), one}});
        region_.blocks[at].instructions.push_back({.op = Op::k_int_lt, .type = ir::Type::kBool, .result = more,
                                                   .operands = {copy_.round(), rounds_}});
        branch(at, more, inside, outside);
    }

    void finishCheck() {
        std::vector<Instruction> saves = savedElements();
        findLastValues();
        const ValueId untilRanges = roundsUntilRangesHold();
        const ValueId failed = compute(blocks_.ranges, Op::k_strip_failed);
        ValueId good = compute(blocks_.ranges, Op::k_bool_not, {failed});
        for (const ValueId condition : body_.requirements()) {
            good = compute(blocks_.ranges, Op::k_bool_and, {good, condition});
        }
        zero_ = ranges_.constant(0);
        branch(blocks_.ranges, good, {.block = blocks_.begin, .arguments = {}}, {.block = blocks_.later, .arguments = {untilRanges}});
        const ValueId until = region_.newValue(ir::Type::kInt);
        region_.blocks[blocks_.later].parameters = {until};
        add(blocks_.later, Op::k_set_exact_rounds, {compute(blocks_.later, Op::k_int_min, {left_, until})});
        jump(blocks_.later, loopAtEntry());
        add(blocks_.begin, Op::k_begin_strip);
        std::ranges::move(saves, std::back_inserter(region_.blocks[blocks_.begin].instructions));
        std::vector<ValueId> arguments = copy_.entryParameters();
        arguments.push_back(zero_);
        jump(blocks_.begin, {.block = blocks_.header, .arguments = std::move(arguments)});
    }

    // Of what grows evenly, or did so a round before: from the check, so that LLVM need not take it out of a vector's rounds.
    void findLastValues() {
        for (size_t index = 0; index < copy_.entryParameters().size(); index++) {
            const ValueId parameter = region_.blocks[blocks_.header].parameters[index];
            const ValueId next = copy_.of(parameter) == parameter ? copy_.fromBody(index) : ir::kNoId;
            if (next != ir::kNoId && ranges_.isLinear(next)) {
                behind_[parameter] = ranges_.in(StripRanges::Round::kLast, next);
            }
        }
    }

    // Where an index counts from the end at first, it is known when it does not any more.
    ValueId roundsUntilRangesHold() {
        ValueId until = untilNextTry_;
        for (const ValueId index : body_.risingIndices()) {
            const ValueId first = ranges_.in(StripRanges::Round::kFirst, index);
            const ValueId rounds = ranges_.compute(Op::k_int_sub_wrap, {ranges_.constant(0), first});
            const ValueId isNegative = ranges_.compute(Op::k_int_lt, {first, ranges_.constant(0)});
            const ValueId nearest = ranges_.compute(Op::k_int_min, {until, rounds});
            until = ranges_.compute(Op::k_int_select, {isNegative, nearest, until});
        }
        return until;
    }

    // What they take is computed in the check block. None where nothing can fail once the strip has begun.
    std::vector<Instruction> savedElements() {
        std::vector<Instruction> saves;
        if (!body_.canFail()) {
            return saves;
        }
        int64_t place = 0;
        for (const SavedStore& store : body_.stores()) {
            const ValueId address = ranges_.compute(Op::k_int_add_wrap, {store.data, store.first});
            const ValueId stride = ranges_.compute(Op::k_int_sub_wrap, {store.second, store.first});
            saves.push_back({.op = Op::k_save_elements, .immediate = store.element, .operands = {address, stride, rounds_, ranges_.constant(place++)}});
        }
        restores_ = saves;
        for (Instruction& restore : restores_) {
            restore.op = Op::k_restore_elements;
        }
        return saves;
    }

    void makeStripEnds() {
        const Target undo = {.block = blocks_.undo, .arguments = {}};
        for (const ValueId value : body_.floats().askedAtEnd()) {
            add(blocks_.end, Op::k_guard_no_flag, {value, value, value}, static_cast<int64_t>(Underflow::kNever));
        }
        const Target done = {.block = body_.floats().extremes().empty() ? blocks_.done : settleExtremes(), .arguments = {}};
        if (body_.canFail()) {
            branch(blocks_.end, compute(blocks_.end, Op::k_strip_failed), undo, done);
        } else {
            jump(blocks_.end, done);
        }
        region_.blocks[blocks_.undo].instructions = std::move(restores_);
        add(blocks_.undo, Op::k_set_exact_rounds, {rounds_});
        jump(blocks_.undo, loopAtEntry());
        Target next = {.block = loop_.header, .arguments = region_.blocks[blocks_.header].parameters};
        next.arguments.pop_back();
        for (ValueId& argument : next.arguments) {
            const auto behind = behind_.find(argument);
            argument = behind != behind_.end() ? behind->second : copy_.of(argument);
        }
        jump(blocks_.done, std::move(next));
    }

    // Which zero it is that is the largest of all, the strip can't tell, but where that was the first.
    BlockId settleExtremes() {
        const BlockId settle = addBlock();
        const ValueId zero = compute(settle, Op::k_const_float);
        ValueId isUnknown = ir::kNoId;
        for (const Extreme& extreme : body_.floats().extremes()) {
            ValueId isZero = compute(settle, Op::k_float_eq, {extreme.parameter, zero});
            if (extreme.keepsFirst) {
                isZero = compute(settle, Op::k_bool_and, {isZero, compute(settle, Op::k_float_ne, {extreme.first, zero})});
                const ValueId isFirst = compute(settle, Op::k_float_eq, {extreme.parameter, extreme.first});
                behind_[extreme.parameter] = compute(settle, Op::k_float_select, {isFirst, extreme.first, extreme.parameter});
            }
            isUnknown = isUnknown == ir::kNoId ? isZero : compute(settle, Op::k_bool_or, {isUnknown, isZero});
        }
        branch(settle, isUnknown, {.block = blocks_.undo, .arguments = {}}, {.block = blocks_.done, .arguments = {}});
        return settle;
    }

    void makeExactRounds() {
        const BlockId ask = askWhetherEnough();
        const ValueId rounds = compute(ask, Op::k_exact_rounds);
        const ValueId none = compute(ask, Op::k_const_int);
        const ValueId some = compute(ask, Op::k_int_gt, {rounds, none});
        branch(ask, some, {.block = blocks_.exact, .arguments = {}}, {.block = blocks_.check, .arguments = {}});
        const ValueId one = compute(blocks_.exact, Op::k_const_int, {}, 1);
        add(blocks_.exact, Op::k_set_exact_rounds, {compute(blocks_.exact, Op::k_int_sub_wrap, {rounds, one})});
        jump(blocks_.exact, loopAtEntry());
    }

    // A loop that has few rounds, or few left, goes on at once. Returns the block behind that question, which an overflow makes answer
    // anything: it is asked again, exactly, where a strip begins.
    BlockId askWhetherEnough() {
        if (limit_ == ir::kNoId) {
            return blocks_.entry;
        }
        const BlockId ask = addBlock();
        branchIfEnough(blocks_.entry, first_, limit_, ask, copy_.entryParameters());
        return ask;
    }

    // Where a round ends with a poll, the question comes before that: the few rounds that are left do not poll.
    void askBeforePolls() {
        const ir::Dominators dominators(region_);
        const std::vector<BlockId> homes = ir::homesOfValues(region_);
        for (BlockId block = 0; limit_ != ir::kNoId && block < blocks_.entry; block++) {
            if (!endsWithPoll(block)) {
                continue;
            }
            const std::vector<ValueId> arguments = region_.blocks[block].targets[0].arguments;
            const ValueId limit = passed(limit_, arguments);
            if (dominators.dominates(homes[limit], block)) {
                const BlockId poll = addBlock();
                std::vector<Instruction>& round = region_.blocks[block].instructions;
                region_.blocks[poll].instructions.assign(round.end() - 2, round.end());
                region_.blocks[poll].targets = std::exchange(region_.blocks[block].targets, {});
                round.resize(round.size() - 2, {.op = Op::k_poll, .operands = {}});
                branchIfEnough(block, passed(first_, arguments), limit, poll, arguments);
            }
        }
    }

    // And leads to where a strip may begin.
    bool endsWithPoll(BlockId block) const {
        const std::vector<Instruction>& instructions = region_.blocks[block].instructions;
        const std::vector<Target>& targets = region_.blocks[block].targets;
        return targets.size() == 1 && targets[0].block == blocks_.entry && instructions.size() >= 2 && instructions.end()[-2].op == Op::k_poll;
    }

    // What a parameter of the entry gets; all else is the same there.
    ValueId passed(ValueId value, const std::vector<ValueId>& arguments) const {
        const std::vector<ValueId>& parameters = copy_.entryParameters();
        const auto parameter = std::ranges::find(parameters, value);
        return parameter != parameters.end() ? arguments[static_cast<size_t>(parameter - parameters.begin())] : value;
    }

    // The block goes on to `enough` where a strip may begin, else to the loop.
    void branchIfEnough(BlockId block, ValueId first, ValueId limit, BlockId enough, std::vector<ValueId> arguments) {
        const ValueId left = compute(block, Op::k_int_sub_wrap, rises_ ? std::vector{limit, first} : std::vector{first, limit});
        const ValueId most = compute(block, Op::k_const_int, {}, fewestRounds_);
        const ValueId isEnough = compute(block, isInclusive_ ? Op::k_int_ge : Op::k_int_gt, {left, most});
        const BlockId few = addBlock();
        jump(few, {.block = loop_.header, .arguments = std::move(arguments)});
        branch(block, isEnough, {.block = enough, .arguments = {}}, {.block = few, .arguments = {}});
    }

    BlockId addBlock() {
        region_.blocks.emplace_back();
        return static_cast<BlockId>(region_.blocks.size()) - 1;
    }

    ir::Region& region_;
    const CountedLoop& loop_;
    const Numbers& assumed_;
    const int64_t fewestRounds_;
    LoopCopy copy_;
    const StripBlocks& blocks_;
    StripRanges ranges_;
    StripBody body_;
    Numbers steps_;  // of counters, where they are constants
    std::vector<ValueId> unsignedCounters_;  // what those are at first that are compared without their sign
    std::vector<Instruction> restores_;
    std::unordered_map<ValueId, ValueId> behind_;  // what some of the header's parameters are behind the strip
    bool rises_ = false;
    bool isInclusive_ = false;    // the limit is a round's
    ValueId first_ = ir::kNoId;   // what the counter is where a strip could begin
    ValueId limit_ = ir::kNoId;   // kNoId: not known before the check
    ValueId left_ = ir::kNoId;    // rounds of the loop
    ValueId rounds_ = ir::kNoId;  // of the strip
    ValueId untilNextTry_ = ir::kNoId;
    ValueId zero_ = ir::kNoId;
};

bool formStrip(ir::Region& region, const CountedLoop& loop, const Numbers& assumed, int64_t fewestRounds, int64_t marks) {
    StripFormer former(region, loop, assumed, fewestRounds, marks);
    return former.run(true) || (former.assumedTooMuch() && StripFormer(region, loop, assumed, fewestRounds, marks).run(false));
}

// A strip of rounds whose inner loops are laid out: the loop itself goes round them. False without one.
bool formUnrolledStrip(ir::Region& region, BlockId header, bool assumes, int64_t fewestRounds, int64_t marks, UnrolledLoop& unrolled) {
    const ir::Region before = region;
    if (!unroll(region, header, assumes, unrolled)) {
        return false;
    }
    const CountedLoop& loop = unrolled.loop;
    if (worksOnElements(region, loop) && !usesRoundBefore(region, loop) && formStrip(region, loop, unrolled.assumed, fewestRounds, marks)) {
        unrolled.original.push_back(header);
        return true;
    }
    region = before;
    return false;
}

// Where a body is entered in its midst its values may be used in the round behind: they become parameters of the header.
void carryRoundsBefore(ir::Region& region) {
    for (const CountedLoop& loop : findCountedLoops(region)) {
        if (worksOnElements(region, loop) && usesRoundBefore(region, loop)) {
            carryRoundBefore(region, loop.header, {loop.body.begin(), loop.body.end()});
        }
    }
}

}  // namespace

bool mayFormStrips(const ir::Region& region) {
    const bool readsOrStores = has(region, Op::k_element_int) || has(region, Op::k_element_float) || has(region, Op::k_store_element_int) ||
                               has(region, Op::k_store_element_float);
    return readsOrStores && !findCountedLoops(region).empty();
}

bool formStrips(ir::Region& region, int64_t fewestRounds, int64_t marks) {
    foldBranches(region);  // what never runs might be a loop around, or a way out
    reuseElements(region);
    splitLoopTests(region);
    carryRoundsBefore(region);
    bool formed = false;
    std::vector<BlockId> taken;  // blocks of loops that have a strip
    std::vector<BlockId> assumed;  // of those whose strip takes loops inside to have as many rounds as ever: these may have strips, too
    auto isTaken = [&](BlockId block) { return std::ranges::find(taken, block) != taken.end(); };
    auto isAssumed = [&](BlockId block) { return std::ranges::find(assumed, block) != assumed.end(); };
    const std::vector<CountedLoop> loops = findCountedLoops(region);
    for (const BlockId header : findHeadersAroundLoops(region)) {
        UnrolledLoop unrolled;
        if (!isTaken(header) && formUnrolledStrip(region, header, !isAssumed(header), fewestRounds, marks, unrolled)) {
            std::vector<BlockId>& blocks = unrolled.assumed.empty() ? taken : assumed;
            blocks.insert(blocks.end(), unrolled.original.begin(), unrolled.original.end());
            formed = true;
        }
    }
    const bool hasUnrolled = formed;
    for (const CountedLoop& loop : loops) {
        if (isTaken(loop.header) || std::ranges::any_of(loop.body, isTaken) || !worksOnElements(region, loop) ||
            usesRoundBefore(region, loop)) {
            continue;
        }
        if (formStrip(region, loop, {}, fewestRounds, marks)) {
            formed = true;
            taken.push_back(loop.header);
            taken.insert(taken.end(), loop.body.begin(), loop.body.end());
        }
    }
    if (hasUnrolled) {
        eliminateDeadCode(region);  // what was laid out only to be copied
    }
    askForUnderflowOnce(region);
    return formed;
}

}  // namespace kiln::passes
