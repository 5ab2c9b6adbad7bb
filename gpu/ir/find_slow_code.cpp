// What in a kernel's code makes it slow on GPUs.
#include "gpu/ir/find_slow_code.h"

#include <algorithm>
#include <cstdlib>

namespace kiln::gpu {
namespace {

constexpr int64_t kTransaction = 32;  // bytes

// How much an integer grows from a thread to its neighbour.
struct Step {
    enum Kind : uint8_t { kUnset, kKnown, kFar, kUnknown } kind = kUnset;  // far: by a number that is the same for all, and not constant
    int64_t by = 0;

    bool operator==(const Step& other) const { return kind == other.kind && by == other.by; }
    bool isZero() const { return kind == kKnown && by == 0; }
};
constexpr Step kSame = {Step::kKnown, 0};
constexpr Step kNotKnown = {Step::kUnknown, 0};

Step joined(const Step& a, const Step& b) {
    return a.kind == Step::kUnset ? b : b.kind == Step::kUnset || a == b ? a : kNotKnown;
}

class StepFinder {
public:
    StepFinder(const Function& function, int axis)
        : function_(function), axis_(axis), values_(function.values.size()), variables_(function.variables.size()),
          definitions_(function.values.size()) {
        for (bool again = true; again;) {
            again = false;
            forEach(function.body, [&](const Instruction& instruction) { again = take(instruction) || again; });
        }
    }

    // Whether a load or store is of an array parameter, and its elements are far apart.
    bool isStrided(const Instruction& access) const {
        const Instruction* array = arrayOf(access);
        if (array == nullptr || array->type->layout == Layout::kA) {
            return false;
        }
        int ndim = array->type->ndim;
        int fastest = array->type->layout == Layout::kC ? ndim - 1 : 0;
        bool isFar = false;
        for (int k = 0; k < ndim; k++) {
            const Step& step = values_[access.operands[static_cast<size_t>(1 + k)]];
            if (step.kind == Step::kUnknown || step.kind == Step::kUnset) {
                return false;
            }
            bool jumps = k != fastest ? step.by != 0 : std::abs(step.by) * array->type->element->bytes() >= kTransaction;
            isFar = isFar || step.kind == Step::kFar || jumps;
        }
        return isFar;
    }

    const Instruction* arrayOf(const Instruction& access) const {
        const Instruction* array = definitions_[access.operands[0]];
        return array != nullptr && array->op == Op::kParameter ? array : nullptr;
    }

private:
    // True when a variable got another step.
    bool take(const Instruction& instruction) {
        if (instruction.result != kNoValue) {
            definitions_[instruction.result] = &instruction;
            values_[instruction.result] = stepOf(instruction);
        }
        if (instruction.op == Op::kSet) {
            return assign(instruction.index, values_[instruction.operands[0]]);
        }
        if (instruction.op == Op::kFor) {
            bool inStep = values_[instruction.operands[2]].isZero();
            return assign(instruction.index, inStep ? values_[instruction.operands[0]] : kNotKnown);
        }
        return false;
    }

    bool assign(uint32_t variable, const Step& step) {
        Step before = variables_[variable];
        variables_[variable] = joined(before, step);
        return !(variables_[variable] == before);
    }

    Step at(const Instruction& instruction, size_t operand) const { return values_[instruction.operands[operand]]; }

    Step stepOf(const Instruction& instruction) const {
        switch (instruction.op) {
        case Op::kThreadIndex: return {Step::kKnown, static_cast<int>(instruction.index) == axis_ ? 1 : 0};
        case Op::kLane: return {Step::kKnown, axis_ == 0 ? 1 : 0};
        case Op::kConstant:
        case Op::kParameter:
        case Op::kBlockIndex:
        case Op::kBlockDim:
        case Op::kGridDim:
        case Op::kDimension:
        case Op::kStride:
        case Op::kAddress: return kSame;
        case Op::kGet: return variables_[instruction.index];
        case Op::kAdd: return sum(at(instruction, 0), at(instruction, 1), 1);
        case Op::kSubtract: return sum(at(instruction, 0), at(instruction, 1), -1);
        case Op::kNegate: return sum(kSame, at(instruction, 0), -1);
        case Op::kMultiply: return product(instruction);
        case Op::kWrapIndex: return at(instruction, 0);
        case Op::kConvert: return instruction.type->isInteger() ? at(instruction, 0) : sameOrUnknown(instruction);
        case Op::kSelect: return at(instruction, 0).isZero() ? joined(at(instruction, 1), at(instruction, 2)) : kNotKnown;
        default: return sameOrUnknown(instruction);
        }
    }

    // What is computed, or read, in the same way by all threads is the same.
    Step sameOrUnknown(const Instruction& instruction) const {
        Effect effect = opInfo(instruction.op).effect;
        bool isPlain = effect == Effect::kPure || instruction.op == Op::kLoad;
        bool isSame = isPlain;
        for (size_t i = 0; isPlain && i < instruction.operands.size(); i++) {
            if (at(instruction, i).kind == Step::kUnset) {
                return Step();
            }
            isSame = isSame && at(instruction, i).isZero();
        }
        return isSame ? kSame : kNotKnown;
    }

    static Step sum(const Step& a, const Step& b, int sign) {
        if (a.kind == Step::kUnset || b.kind == Step::kUnset) {
            return Step();
        }
        if (a.kind == Step::kKnown && b.kind == Step::kKnown) {
            return {Step::kKnown, a.by + sign * b.by};
        }
        bool isFar = (a.kind == Step::kFar && b.kind == Step::kKnown) || (a.kind == Step::kKnown && b.kind == Step::kFar);
        return isFar ? Step{Step::kFar, 0} : kNotKnown;
    }

    Step product(const Instruction& instruction) const {
        for (size_t first = 0; first < 2; first++) {
            const Step& factor = at(instruction, first);
            const Step& step = at(instruction, 1 - first);
            if (factor.kind == Step::kUnset || step.kind == Step::kUnset) {
                return Step();
            }
            if (!factor.isZero() || step.kind == Step::kUnknown) {
                continue;
            }
            const Instruction* definition = definitions_[instruction.operands[first]];
            bool isConstant = definition != nullptr && definition->op == Op::kConstant;
            if (step.isZero() || (isConstant && definition->bits == 0)) {
                return kSame;
            }
            constexpr int64_t kMost = 1 << 20;
            bool isKnown = isConstant && step.kind == Step::kKnown && std::abs(definition->bits) < kMost && std::abs(step.by) < kMost;
            return isKnown ? Step{Step::kKnown, step.by * definition->bits} : Step{Step::kFar, 0};
        }
        return kNotKnown;
    }

    const Function& function_;
    int axis_;
    std::vector<Step> values_;
    std::vector<Step> variables_;
    std::vector<const Instruction*> definitions_;
};

// Whether values of a type hold floats of so many bits, and no wider ones.
void noteFloats(const Type* type, bool& narrow, bool& wide) {
    if (type->isRecord()) {
        for (const Field& field : type->fields) {
            noteFloats(field.type, narrow, wide);
        }
        return;
    }
    int bits = type->isFloat() ? type->bits : type->isComplex() ? type->bits / 2 : 0;
    narrow = narrow || (bits > 0 && bits < 64);
    wide = wide || bits == 64;
}

bool isDoubleArithmetic(const Instruction& instruction) {
    bool isArithmetic = (instruction.op >= Op::kAdd && instruction.op <= Op::kPower) || instruction.op == Op::kMath;
    return isArithmetic && instruction.type != nullptr && instruction.type->isFloat() && instruction.type->bits == 64;
}

void note(SlowPlace& place, int line, const std::string& name) {
    if (place.count++ == 0) {
        place.line = line;
        place.name = name;
    }
}

}  // namespace

SlowPlace findDoubles(const Module& module) {
    SlowPlace place;
    bool narrow = false;
    bool wide = false;
    for (const Type* type : module.kernel().parameters) {
        if (type->isArray()) {
            noteFloats(type->element, narrow, wide);
        }
    }
    for (const auto& function : module.functions) {
        forEach(function->body, [&](const Instruction& instruction) {
            if (narrow && !wide && function->isCalled && isDoubleArithmetic(instruction)) {
                note(place, instruction.line, function->pythonName);
            }
        });
    }
    return place;
}

SlowPlace findStrided(const Module& module, int axis) {
    SlowPlace place;
    const Function& kernel = module.kernel();
    StepFinder steps(kernel, axis);
    forEach(kernel.body, [&](const Instruction& instruction) {
        bool isAccess = instruction.op == Op::kLoad || instruction.op == Op::kStore;
        if (isAccess && steps.isStrided(instruction)) {
            note(place, instruction.line, kernel.parameterNames[steps.arrayOf(instruction)->index]);
        }
    });
    return place;
}

int64_t localBytes(const Module& module) {
    int64_t bytes = 0;
    for (const auto& function : module.functions) {
        for (const StaticArray& array : function->arrays) {
            bool counts = function->isCalled && array.type->space == Space::kLocal;
            bytes += counts ? array.elements() * array.type->element->bytes() : 0;
        }
    }
    return bytes;
}

}  // namespace kiln::gpu
