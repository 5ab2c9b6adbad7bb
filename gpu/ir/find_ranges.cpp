// Walks a function with what its variables can be. A loop is walked until its head holds for all passes: bounds that grow go
// to the next of a few limits, and are drawn in again by a last walk.
#include "gpu/ir/find_ranges.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "gpu/ir/range_facts.h"

namespace kiln::gpu {
namespace {

constexpr int kMostDepth = 3;   // of loops that are walked several times: each level multiplies the walks
constexpr int kMostWalks = 40;  // of one loop; limits are few, so that it takes less
constexpr int64_t kLimits[] = {INT64_MIN,     INT32_MIN,     -1,       0, 1, 63, 1023, 65535, 1 << 26, INT32_MAX,
                               INT64_MAX / 8, INT64_MAX / 4, INT64_MAX};

bool isCounted(const Type* type) {
    return type != nullptr && type->isScalar() && (type->isInteger() || type->isBool());
}

struct VariableState {
    Range range;
    ValueId same = kNoValue;  // a value that it is equal to
    RelativeBound bound = {};
    bool operator==(const VariableState&) const = default;
};

// The variables where a path is; none: nothing gets there.
struct PathState {
    bool isReached = true;
    std::vector<VariableState> variables;
    bool operator==(const PathState&) const = default;
};

class RangeFinder {
public:
    RangeFinder(const Function& function, const LaunchLimits& limits)
        : function_(function), limits_(limits), definitions_(definitionsOf(function)), first_(function.values.size()), sets_(function.variables.size()) {
        found_.values.resize(function.values.size());
        found_.fits.resize(function.values.size());
        found_.wraps.resize(function.values.size());
        found_.isPlain.resize(function.values.size());
        found_.remainders.resize(function.values.size());
        bounds_.resize(function.values.size());
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kSet) {
                sets_[instruction.index].push_back(instruction.operands[0]);
            }
        });
        for (const Variable& variable : function.variables) {
            state_.variables.push_back({isCounted(variable.type) ? rangeOf(variable.type) : Range(), kNoValue, {}});
        }
    }

    FoundRanges run() {
        walk(function_.body);
        return std::move(found_);
    }

private:
    // What a value was before it was confined.
    struct Narrowed {
        ValueId value;
        Range range;
        RelativeBound bound;
    };

    struct Loop {
        PathState breaks;
        PathState continues;
    };

    const Type* typeOf(ValueId value) const { return function_.values[value]; }
    const Range& range(ValueId value) const { return found_.values[value]; }

    static PathState unreached() { return {false, {}}; }

    static void join(PathState& into, const PathState& from) {
        if (!into.isReached || !from.isReached) {
            into = from.isReached ? from : into;
            return;
        }
        for (size_t i = 0; i < into.variables.size(); i++) {
            VariableState& variable = into.variables[i];
            const VariableState& other = from.variables[i];
            variable = {unite(variable.range, other.range), variable.same == other.same ? variable.same : kNoValue,
                        variable.bound == other.bound ? variable.bound : RelativeBound()};
        }
    }

    // Bounds of `next` that lie outside of those of `head` go to the next limit.
    static void widen(const PathState& head, PathState& next) {
        for (size_t i = 0; i < next.variables.size(); i++) {
            Range& range = next.variables[i].range;
            const Range& before = head.variables[i].range;
            if (range.low < before.low) {
                range.low = *(std::upper_bound(std::begin(kLimits), std::end(kLimits), range.low) - 1);
            }
            if (range.high > before.high) {
                range.high = *std::lower_bound(std::begin(kLimits), std::end(kLimits), range.high);
            }
        }
    }

    void walk(const Block& block) {
        size_t mark = narrowed_.size();
        for (const Instruction& instruction : block.code) {
            if (!state_.isReached) {
                break;
            }
            follow(instruction);
        }
        // Values from outside of the block are what they were.
        restore(mark);
    }

    void follow(const Instruction& instruction) {
        switch (instruction.op) {
        case Op::kSet: {
            ValueId value = instruction.operands[0];
            if (isCounted(typeOf(value))) {
                state_.variables[instruction.index] = {range(value), first_[value], boundOf(value)};
            }
            return;
        }
        case Op::kIf: followIf(instruction); return;
        case Op::kWhile:
        case Op::kFor: followLoop(instruction); return;
        case Op::kBreak:
            join(loops_.back()->breaks, state_);
            state_ = unreached();
            return;
        case Op::kContinue:
            join(loops_.back()->continues, state_);
            state_ = unreached();
            return;
        case Op::kReturn:
        case Op::kRaise: state_ = unreached(); return;
        default: break;
        }
        if (instruction.result != kNoValue && isCounted(instruction.type)) {
            first_[instruction.result] = firstOf(instruction);
            found_.values[instruction.result] = decide(instruction);
            found_.fits[instruction.result] = fitsHere(instruction);
            found_.wraps[instruction.result] =
                instruction.op == Op::kWrapIndex && range(instruction.operands[0]).low < 0;
            found_.isPlain[instruction.result] = isPlainOperation(instruction, found_.values);
            bounds_[instruction.result] = decideBound(instruction);
            found_.remainders[instruction.result] = remainder(instruction);
            if (instruction.op == Op::kGet) {
                VariableState& variable = state_.variables[instruction.index];
                variable.same = variable.same == kNoValue ? instruction.result : variable.same;
                first_[instruction.result] = variable.same;
            }
        }
    }

    // A dimension of an array parameter is the same everywhere: the first value that has it.
    ValueId firstOf(const Instruction& instruction) {
        const Instruction* array = instruction.op == Op::kDimension ? &arrayOf(instruction.operands[0]) : nullptr;
        bool isParameter = array != nullptr && array->op == Op::kParameter;
        return isParameter ? dimensions_.try_emplace({array->result, instruction.index}, instruction.result).first->second
                           : instruction.result;
    }

    void followIf(const Instruction& instruction) {
        PathState before = state_;
        size_t mark = narrowed_.size();
        auto branch = [&](size_t which) {
            state_ = before;
            assume(instruction.operands[0], which == 0);
            walk(*instruction.blocks[which]);
            return std::move(state_);
        };
        PathState then = branch(0);
        restore(mark);
        PathState otherwise = branch(1);
        bool onlyThen = !otherwise.isReached;
        bool onlyOtherwise = !then.isReached;
        restore(mark);
        state_ = std::move(then);
        join(state_, otherwise);
        // After `if i >= n: return`, i < n.
        if (onlyThen != onlyOtherwise) {
            assume(instruction.operands[0], onlyThen);
        }
    }

    void restore(size_t mark) {
        for (; narrowed_.size() > mark; narrowed_.pop_back()) {
            const Narrowed& last = narrowed_.back();
            found_.values[last.value] = last.range;
            bounds_[last.value] = last.bound;
        }
    }

    // The state at the end of a pass that begins with `head`; `exit` gets what leaves the loop.
    PathState pass(const Instruction& loop, const PathState& head, PathState& exit) {
        Loop frame = {unreached(), unreached()};
        loops_.push_back(&frame);
        state_ = head;
        size_t mark = narrowed_.size();
        exit = head;
        if (loop.op == Op::kWhile) {
            const Block& condition = *loop.blocks[0];
            walk(condition);
            ValueId holds = condition.code.back().operands[0];
            PathState ended = state_;
            assume(holds, false);
            exit = state_;
            restore(mark);
            state_ = ended;
            assume(holds, true);
        } else {
            const Range& stop = range(loop.operands[1]);
            const Range& step = range(loop.operands[2]);
            bool isBelow = step.low > 0 && isWide(loop.operands[1]) && stop.low > INT64_MIN;
            state_.variables[loop.index] = {rangeOfCounter(range(loop.operands[0]), stop, step), kNoValue,
                                            isBelow ? RelativeBound{first_[loop.operands[1]], -1} : RelativeBound()};
        }
        walk(*loop.blocks.back());
        restore(mark);
        loops_.pop_back();
        join(exit, frame.breaks);
        join(state_, frame.continues);
        return std::move(state_);
    }

    void followLoop(const Instruction& loop) {
        PathState entry = state_;
        PathState head = entry;
        PathState exit;
        if (++depth_ > kMostDepth) {
            forget(loop, head);
        }
        bool isStable = false;
        for (int walks = 0; !isStable; walks++) {
            PathState next = entry;
            join(next, pass(loop, head, exit));
            join(next, head);
            isStable = next == head;
            if (!isStable && walks < kMostWalks) {
                widen(head, next);
                head = std::move(next);
            } else if (!isStable) {
                forget(loop, head);
            }
        }
        if (depth_-- <= kMostDepth) {
            drawIn(loop, entry, head, exit);
        }
        state_ = std::move(exit);
    }

    // What a pass makes of a head that holds, holds too, if it is not larger. The last walk is with the head that counts.
    void drawIn(const Instruction& loop, const PathState& entry, const PathState& head, PathState& exit) {
        PathState smaller = entry;
        join(smaller, pass(loop, head, exit));
        PathState next = entry;
        join(next, pass(loop, smaller, exit));
        PathState both = next;
        join(both, smaller);
        if (!(both == smaller)) {
            pass(loop, head, exit);
        }
    }

    void forget(const Instruction& loop, PathState& state) {
        for (const auto& block : loop.blocks) {
            forEach(*block, [&](const Instruction& instruction) {
                bool sets = instruction.op == Op::kSet || instruction.op == Op::kFor;
                if (sets && isCounted(function_.variables[instruction.index].type)) {
                    Range all = rangeOf(function_.variables[instruction.index].type);
                    state.variables[instruction.index] = {{all.low, all.high, false}, kNoValue, {}};
                }
            });
        }
        for (VariableState& variable : state.variables) {
            variable.same = kNoValue;
            variable.bound = {};
        }
    }

    // From here on to the end of the block, `condition` is `holds`.
    void assume(ValueId condition, bool holds) {
        if (!state_.isReached) {
            return;
        }
        const Instruction& found = *definitions_[condition];
        bool splits = found.op == (holds ? Op::kAnd : Op::kOr) && found.type->isBool();
        if (splits) {
            assume(found.operands[0], holds);
            assume(found.operands[1], holds);
        } else if (found.op == Op::kNot) {
            assume(found.operands[0], !holds);
        } else if (found.op >= Op::kEqual && found.op <= Op::kGreaterEqual) {
            assumeComparison(found, holds);
        }
    }

    void assumeComparison(const Instruction& found, bool holds) {
        ValueId left = found.operands[0];
        ValueId right = found.operands[1];
        if (!isCounted(typeOf(left)) || !isCounted(typeOf(right))) {
            return;
        }
        static constexpr Op kOpposite[] = {Op::kNotEqual, Op::kEqual,     Op::kGreaterEqual,
                                           Op::kGreater,  Op::kLessEqual, Op::kLess};
        Op op = holds ? found.op : kOpposite[static_cast<int>(found.op) - static_cast<int>(Op::kEqual)];
        if (op == Op::kGreater || op == Op::kGreaterEqual) {
            std::swap(left, right);
            op = op == Op::kGreater ? Op::kLess : Op::kLessEqual;
        }
        Range a = range(left);
        Range b = range(right);
        auto limit = [&](ValueId value, const Range& by, int64_t least, int64_t most) {
            if (by.isSure) {
                confine(value, least, most);
            }
        };
        bool strictly = op == Op::kLess;
        if (op == Op::kEqual) {
            limit(left, b, b.low, b.high);
            limit(right, a, a.low, a.high);
        } else if (op == Op::kLess || op == Op::kLessEqual) {
            limit(left, b, INT64_MIN, b.high - (strictly && b.high != INT64_MIN));
            limit(right, a, a.low + (strictly && a.low != INT64_MAX), INT64_MAX);
            if (isWide(left) && b.low > INT64_MIN) {
                bind(left, {first_[right], strictly ? -1 : 0});
            }
        }
    }

    bool isWide(ValueId value) const { return typeOf(value) == scalarType(Scalar::kInt64); }
    // As confine(), by another value.
    void bind(ValueId value, RelativeBound bound) {
        narrowed_.push_back({value, range(value), bounds_[value]});
        bounds_[value] = bound;
        for (VariableState& variable : state_.variables) {
            variable.bound = variable.same == first_[value] ? bound : variable.bound;
        }
    }

    // Where nothing else is known, a value is at most what it is itself.
    RelativeBound boundOf(ValueId value) const {
        return bounds_[value].limit != kNoValue ? bounds_[value] : RelativeBound{first_[value], 0};
    }

    // Of sums and differences with what is small and known, where they do not overflow.
    RelativeBound decideBound(const Instruction& instruction) const {
        constexpr int64_t kMost = 1 << 20;
        if (instruction.op == Op::kGet) {
            return state_.variables[instruction.index].bound;
        }
        bool adds = instruction.op == Op::kAdd || instruction.op == Op::kSubtract;
        if (!adds || instruction.type != scalarType(Scalar::kInt64) || !range(instruction.result).isSure) {
            return {};
        }
        for (size_t i = 0; i < (instruction.op == Op::kAdd ? 2 : 1); i++) {
            const Range& other = range(instruction.operands[1 - i]);
            int64_t more = instruction.op == Op::kAdd ? other.high : other.low == INT64_MIN ? INT64_MAX : -other.low;
            RelativeBound bound = boundOf(instruction.operands[i]);
            if (-kMost <= more && more <= kMost && -kMost <= bound.more && bound.more <= kMost) {
                return {bound.limit, bound.more + more};
            }
        }
        return {};
    }

    NearRemainder remainder(const Instruction& instruction) const {
        bool divides = instruction.op == Op::kModulo && instruction.type == scalarType(Scalar::kInt64);
        if (!divides) {
            return {};
        }
        RelativeBound bound = boundOf(instruction.operands[0]);
        bool isRelated = bound.limit == first_[instruction.operands[1]];
        return isRelated ? nearRemainder(range(instruction.operands[0]), range(instruction.operands[1]), bound.more) : NearRemainder();
    }

    // A value, the variables and the first value that are equal to it, and what it was widened from.
    void confine(ValueId value, int64_t least, int64_t most) {
        if (first_[value] != value) {
            confine(first_[value], least, most);
        }
        narrowed_.push_back({value, range(value), bounds_[value]});
        found_.values[value] = narrowTo(range(value), least, most);
        for (VariableState& variable : state_.variables) {
            if (variable.same == first_[value]) {
                variable.range = narrowTo(variable.range, least, most);
            }
        }
        const Instruction& found = *definitions_[value];
        if (found.op == Op::kConvert && isCounted(typeOf(found.operands[0]))) {
            const Type* from = typeOf(found.operands[0]);
            bool isSame = from->bits < found.type->bits && (found.type->isSigned() || !from->isSigned());
            if (isSame) {
                confine(found.operands[0], least, most);
            }
        }
    }

    Range decide(const Instruction& instruction) const {
        switch (instruction.op) {
        case Op::kConstant: {
            Range all = rangeOf(instruction.type);
            bool isHeld = instruction.bits >= all.low && instruction.bits <= all.high;
            return isHeld ? Range{instruction.bits, instruction.bits, true} : all;
        }
        case Op::kGet: return state_.variables[instruction.index].range;
        case Op::kDimension: {
            ValueId first = first_[instruction.result];
            return first == instruction.result ? dimension(instruction) : range(first);
        }
        case Op::kSelect: return rangeOfChoice(instruction, definitions_, found_.values);
        case Op::kConvert: {
            const Type* from = typeOf(instruction.operands[0]);
            return isCounted(from) ? rangeOfConversion(range(instruction.operands[0]), instruction.type)
                                   : rangeOf(instruction.type);
        }
        case Op::kBits:
            return static_cast<BitOp>(instruction.index) == BitOp::kReverse ? rangeOf(instruction.type)
                                                                            : Range{0, 64, true};
        case Op::kBarrierReduce: return {0, INT32_MAX, true};
        default: break;
        }
        if (instruction.operands.empty()) {
            return rangeOfPlace(instruction, limits_);
        }
        if (opInfo(instruction.op).effect != Effect::kPure || !isCounted(typeOf(instruction.operands[0]))) {
            return rangeOf(instruction.type);
        }
        const Range& first = range(instruction.operands[0]);
        const Range& second = range(instruction.operands.back());
        bool compares = instruction.op >= Op::kEqual && instruction.op <= Op::kGreaterEqual;
        return compares ? rangeOfComparison(instruction.op, first, second)
                        : rangeOfResult(instruction.op, instruction.type, first, second);
    }

    // Through a variable that only ever holds one array. A view that comes so may have another shape in each pass of a loop.
    const Instruction& arrayOf(ValueId value) const {
        const Instruction* found = definitions_[value];
        if (found->op == Op::kGet && sets_[found->index].size() == 1) {
            const Instruction* held = definitions_[sets_[found->index][0]];
            found = held->op != Op::kView ? held : found;
        }
        return *found;
    }

    // Of an array that the kernel makes, the size itself; of another, what its elements' addresses leave room for.
    Range dimension(const Instruction& instruction) const {
        const Instruction& array = arrayOf(instruction.operands[0]);
        size_t axis = instruction.index;
        auto exactly = [](int64_t size) { return Range{size, size, true}; };
        switch (array.op) {
        case Op::kSharedArray:
        case Op::kLocalArray: return exactly(function_.arrays[array.index].shape[axis]);
        case Op::kConstantArray: return exactly(function_.constants[array.index].shape[axis]);
        case Op::kGlobalArray: return exactly(function_.globals[array.index].shape[axis]);
        case Op::kDynamicArray: return {0, 1 << 20, true};
        case Op::kView: {
            size_t indices = static_cast<size_t>(typeOf(array.operands[0])->ndim);
            return range(array.operands[1 + indices + axis]);
        }
        default: break;
        }
        bool isArgument = array.op == Op::kParameter && function_.isKernel;
        return {0, (isArgument ? limits_.arrayBytes : INT64_MAX) / typeOf(instruction.operands[0])->element->bytes(), true};
    }

    bool fitsHere(const Instruction& instruction) const {
        return fitsInt32(instruction, found_.values) &&
               std::all_of(instruction.operands.begin(), instruction.operands.end(), [&](ValueId operand) { return isCounted(typeOf(operand)); });
    }

    const Function& function_;
    LaunchLimits limits_;
    std::vector<const Instruction*> definitions_;
    std::vector<ValueId>
        first_;  // the value that a value is known to be equal to: of a variable that was not set since
    std::vector<std::vector<ValueId>> sets_;  // by variable
    FoundRanges found_;
    PathState state_;
    std::vector<Loop*> loops_;
    std::map<std::pair<ValueId, uint32_t>, ValueId> dimensions_;  // the first value of each dimension of a parameter
    std::vector<Narrowed> narrowed_;
    std::vector<RelativeBound> bounds_;  // by value
    int depth_ = 0;
};

}  // namespace

FoundRanges findRanges(const Function& function, const LaunchLimits& limits) {
    return RangeFinder(function, limits).run();
}

}  // namespace kiln::gpu
