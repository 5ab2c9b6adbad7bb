// Which array parameters a kernel fills: each element stored by the thread whose place in the grid is its index.
//
// Such a store stands in the kernel's body, under nothing but bounds of grid indices: `if i < n` around it, or
// `if i >= n: return` before it. Whether the bounds and the grid let the threads reach all elements is known at a launch.
#include <optional>

#include "gpu/ir/passes.h"

namespace kiln::gpu {
namespace {

class FillFinder {
   public:
    explicit FillFinder(Function& function)
        : function_(function), definitions_(definitionsOf(function)), setCounts_(function.variables.size()),
          sets_(function.variables.size()) {
        forEach(function.body, [&](const Instruction& instruction) {
            if (instruction.op == Op::kSet || instruction.op == Op::kFor) {
                setCounts_[instruction.index] += instruction.op == Op::kSet ? 1 : 2;
            }
        });
    }

    void run() {
        function_.fills.assign(function_.parameters.size(), Fill());
        walk(function_.body);
    }

   private:
    struct Bound {
        int axis;  // of the grid
        FillBound upper;
    };

    // Through variables that are set once, before, and conversions that keep a grid index as it is.
    const Instruction* resolve(ValueId value) const {
        const Instruction* found = definitions_[value];
        for (;;) {
            bool widens = found->op == Op::kConvert && found->type->isInteger() && found->type->bits == 64;
            if (found->op == Op::kGet && sets_[found->index] != nullptr) {
                found = definitions_[sets_[found->index]->operands[0]];
            } else if (found->op == Op::kWrapIndex || (widens && function_.values[found->operands[0]]->isInteger())) {
                found = definitions_[found->operands[0]];
            } else {
                return found;
            }
        }
    }

    bool isGeometry(const Instruction* instruction, Op op, int axis) const {
        return instruction->op == op && static_cast<int>(instruction->index) == axis;
    }

    // The axis of a thread's index in the grid: blockIdx * blockDim + threadIdx. -1 for other values.
    int axisOf(ValueId value) const {
        const Instruction* sum = resolve(value);
        for (int first = 0; sum->op == Op::kAdd && first < 2; first++) {
            const Instruction* product = resolve(sum->operands[static_cast<size_t>(first)]);
            const Instruction* thread = resolve(sum->operands[static_cast<size_t>(1 - first)]);
            for (int axis = 0; product->op == Op::kMultiply && axis < 3; axis++) {
                const Instruction* left = resolve(product->operands[0]);
                const Instruction* right = resolve(product->operands[1]);
                bool blocks = (isGeometry(left, Op::kBlockIndex, axis) && isGeometry(right, Op::kBlockDim, axis)) ||
                              (isGeometry(right, Op::kBlockIndex, axis) && isGeometry(left, Op::kBlockDim, axis));
                if (blocks && isGeometry(thread, Op::kThreadIndex, axis)) {
                    return axis;
                }
            }
        }
        return -1;
    }

    // A dimension of an array parameter, or an integer parameter.
    std::optional<FillBound> upperOf(ValueId value) const {
        const Instruction* found = resolve(value);
        if (found->op == Op::kParameter && found->type->isInteger() && found->type->bits == 64) {
            return FillBound{0, static_cast<int>(found->index), -1};
        }
        const Instruction* array = found->op == Op::kDimension ? resolve(found->operands[0]) : nullptr;
        if (array != nullptr && array->op == Op::kParameter) {
            return FillBound{0, static_cast<int>(array->index), static_cast<int>(found->index)};
        }
        return std::nullopt;
    }

    // Adds what a condition says when it holds (or, with `negated`, when it does not). False when it says anything else
    // than grid indices below bounds.
    bool addBounds(ValueId condition, bool negated, std::vector<Bound>& bounds) const {
        const Instruction* found = resolve(condition);
        if (found->op == (negated ? Op::kOr : Op::kAnd)) {
            return addBounds(found->operands[0], negated, bounds) && addBounds(found->operands[1], negated, bounds);
        }
        if (found->op == Op::kNot) {
            return addBounds(found->operands[0], !negated, bounds);
        }
        bool below = found->op == (negated ? Op::kGreaterEqual : Op::kLess);
        bool above = found->op == (negated ? Op::kLessEqual : Op::kGreater);
        if (!below && !above) {
            return false;
        }
        int axis = axisOf(found->operands[below ? 0 : 1]);
        std::optional<FillBound> upper = upperOf(found->operands[below ? 1 : 0]);
        if (axis < 0 || !upper) {
            return false;
        }
        bounds.push_back({axis, *upper});
        return true;
    }

    static bool leaves(const Block& block) {
        bool found = false;
        forEach(block, [&](const Instruction& instruction) { found = found || instruction.op == Op::kReturn; });
        return found;
    }

    // False when what follows is not reached by all threads within the bounds.
    bool walk(const Block& block) {
        for (const Instruction& instruction : block.code) {
            bool goesOn = true;
            switch (instruction.op) {
            case Op::kSet:
                if (setCounts_[instruction.index] == 1) {
                    sets_[instruction.index] = &instruction;
                }
                break;
            case Op::kStore: takeStore(instruction); break;
            case Op::kIf: goesOn = walkIf(instruction); break;
            case Op::kWhile: goesOn = !leaves(*instruction.blocks[0]) && !leaves(*instruction.blocks[1]); break;
            case Op::kFor: goesOn = !leaves(*instruction.blocks[0]); break;
            case Op::kReturn:
            case Op::kRaise: goesOn = false; break;
            default: break;
            }
            if (!goesOn) {
                return false;
            }
        }
        return true;
    }

    bool walkIf(const Instruction& instruction) {
        size_t before = bounds_.size();
        bool known = addBounds(instruction.operands[0], false, bounds_);
        if (known) {
            std::vector<const Instruction*> outer = sets_;
            walk(*instruction.blocks[0]);
            sets_ = outer;
        }
        bool thenLeaves = leaves(*instruction.blocks[0]);
        bool elseLeaves = leaves(*instruction.blocks[1]);
        if (known && elseLeaves && !thenLeaves) {
            return true;  // what follows is under the same bounds
        }
        bounds_.resize(before);
        if (thenLeaves && !elseLeaves) {
            return addBounds(instruction.operands[0], true, bounds_);
        }
        return !thenLeaves && !elseLeaves;
    }

    void takeStore(const Instruction& store) {
        const Instruction* array = definitions_[store.operands[0]];
        size_t ndim = store.operands.size() - 2;
        if (array->op != Op::kParameter || function_.reads[array->index]) {
            return;
        }
        Fill fill;
        for (size_t k = 0; k < ndim; k++) {
            int axis = axisOf(store.operands[1 + k]);
            for (int taken : fill.axes) {
                axis = taken == axis ? -1 : axis;
            }
            if (axis < 0) {
                return;
            }
            fill.axes.push_back(axis);
        }
        for (const Bound& bound : bounds_) {
            bool used = false;
            for (size_t k = 0; k < ndim; k++) {
                if (fill.axes[k] == bound.axis) {
                    fill.bounds.push_back(bound.upper);
                    fill.bounds.back().dimension = static_cast<int>(k);
                    used = true;
                }
            }
            if (!used) {
                return;  // only some threads along an axis that the array does not have
            }
        }
        function_.fills[array->index] = fill;
    }

    Function& function_;
    std::vector<const Instruction*> definitions_;  // by value
    std::vector<int> setCounts_;                   // by variable
    std::vector<const Instruction*> sets_;         // the one set of a variable, once it is behind
    std::vector<Bound> bounds_;                    // that hold here
};

}  // namespace

void findFills(Function& kernel) {
    FillFinder(kernel).run();
}

}  // namespace kiln::gpu
