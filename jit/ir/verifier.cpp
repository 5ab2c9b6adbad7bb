// Checks that a region is well formed: the first problem found is described, later ones often follow from it.
#include <optional>

#include "interp/numpy_elements.h"
#include "jit/ir/dominators.h"
#include "jit/ir/names.h"
#include "jit/ir/snapshot_shape.h"
#include "jit/ir/tables.h"
#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

constexpr int32_t kParameterPosition = -1;

struct Definition {
    BlockId block = kNoId;
    int32_t position = kParameterPosition;  // index of the instruction
};

// What is being checked; its text is made for a problem only.
struct Place {
    BlockId block = kNoId;
    int32_t instruction = kNoId;
    SnapshotId snapshot = kNoId;
};

std::string valueText(ValueId value) {
    return numbered("v", value);
}

size_t targetCount(Op op) {
    return op == Op::k_jump ? 1 : op == Op::k_branch ? 2 : 0;
}

// Every check returns true when it holds, else sets problem_.
class Verifier {
public:
    explicit Verifier(const Region& region)
        : region_(region), definitions_(region.valueTypes.size()), shapeChecked_(region.snapshots.size()), goodFrames_(region.frames.size()) {}

    std::string run() {
        if (checkTables() && checkStructure() && checkEntry() && collectDefinitions()) {
            dominators_.emplace(region_);
            checkUses();
        }
        return problem_;
    }

private:
    bool fail(std::string what) {
        problem_ = place() + std::move(what);
        return false;
    }
    void enterBlock(BlockId block) { place_ = {.block = block}; }
    void enterInstruction(BlockId block, size_t position) { place_ = {.block = block, .instruction = static_cast<int32_t>(position)}; }
    std::string place() const;
    bool inTable(ValueId value) const { return value >= 0 && static_cast<size_t>(value) < region_.valueTypes.size(); }

    bool checkTables();
    bool checkStructure();
    bool checkEnd(const Block& block);
    bool checkEntry();
    bool collectDefinitions();
    bool define(ValueId value, BlockId block, int32_t position);
    bool checkResult(const Instruction& instruction);
    bool checkUses();
    bool checkInstruction(BlockId block, size_t position);
    bool checkUse(ValueId value, BlockId block, size_t position);
    bool checkOperands(const Instruction& instruction);
    bool checkReturn(const Instruction& instruction);
    bool checkImmediate(const Instruction& instruction);
    bool checkMath(const Instruction& instruction);
    bool checkElement(const Instruction& instruction);
    bool checkSnapshot(const Instruction& instruction, BlockId block, size_t position);
    bool checkTargets(BlockId block);

    const Region& region_;
    std::vector<Definition> definitions_;
    std::vector<bool> shapeChecked_;
    std::vector<bool> goodFrames_;
    std::optional<Dominators> dominators_;
    Place place_;
    std::string problem_;
};

std::string Verifier::place() const {
    if (place_.block == kNoId) {
        return "region: ";
    }
    std::string text = numbered("block", place_.block);
    if (place_.instruction != kNoId) {
        const Op op = region_.blocks[place_.block].instructions[static_cast<size_t>(place_.instruction)].op;
        text += numbered(", instruction ", place_.instruction) + " (" + info(op).name + ")";
    }
    return text + ": " + (place_.snapshot != kNoId ? numbered("snapshot ", place_.snapshot) + ": " : "");
}

bool Verifier::checkTables() {
    if (region_.objects.size() != region_.objectNames.size()) {
        return fail("object table and object names differ in length");
    }
    if (region_.codes.size() != region_.codeNames.size()) {
        return fail("code table and code names differ in length");
    }
    if (region_.names.size() != region_.nameDicts.size() || region_.names.size() != region_.nameKeys.size()) {
        return fail("names, their dicts and their keys differ in length");
    }
    return !region_.blocks.empty() || fail("no block");
}

bool Verifier::checkStructure() {
    for (size_t id = 0; id < region_.blocks.size(); ++id) {
        const Block& block = region_.blocks[id];
        enterBlock(static_cast<BlockId>(id));
        if (block.instructions.empty()) {
            return fail("is empty");
        }
        for (size_t i = 0; i + 1 < block.instructions.size(); ++i) {
            if (info(block.instructions[i].op).effect == Effect::kEnd) {
                return fail(std::string(info(block.instructions[i].op).name) + " before the end of the block");
            }
        }
        if (!checkEnd(block)) {
            return false;
        }
    }
    return true;
}

bool Verifier::checkEnd(const Block& block) {
    const Op end = block.instructions.back().op;
    if (info(end).effect != Effect::kEnd) {
        return fail(std::string("ends in ") + info(end).name);
    }
    if (block.targets.size() != targetCount(end)) {
        return fail(std::string(info(end).name) + numbered(" with ", block.targets.size()) + " targets");
    }
    for (const Target& target : block.targets) {
        if (target.block < 0 || static_cast<size_t>(target.block) >= region_.blocks.size()) {
            return fail(numbered("target block", target.block) + " does not exist");
        }
        if (target.block == 0) {
            return fail("the entry block is a target");
        }
    }
    return true;
}

bool Verifier::checkEntry() {
    enterBlock(0);
    if (!region_.isFunction && (!region_.argumentTypes.empty() || region_.returnType != Type::kNone)) {
        return fail("a loop region has arguments or a return type");
    }
    const std::vector<ValueId>& parameters = region_.blocks[0].parameters;
    if (parameters.size() != region_.argumentTypes.size()) {
        return fail(std::to_string(parameters.size()) + numbered(" parameters for ", region_.argumentTypes.size()) +
                    " arguments of the region");
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
        if (inTable(parameters[i]) && region_.valueTypes[parameters[i]] != region_.argumentTypes[i]) {
            return fail("parameter " + valueText(parameters[i]) + " is not of its argument's type");
        }
    }
    return true;
}

bool Verifier::collectDefinitions() {
    for (size_t id = 0; id < region_.blocks.size(); ++id) {
        const Block& block = region_.blocks[id];
        const auto blockId = static_cast<BlockId>(id);
        enterBlock(blockId);
        for (const ValueId parameter : block.parameters) {
            if (!define(parameter, blockId, kParameterPosition)) {
                return false;
            }
        }
        for (size_t i = 0; i < block.instructions.size(); ++i) {
            const Instruction& instruction = block.instructions[i];
            enterInstruction(blockId, i);
            if (!checkResult(instruction)) {
                return false;
            }
            if (instruction.result != kNoId && !define(instruction.result, blockId, static_cast<int32_t>(i))) {
                return false;
            }
        }
    }
    return true;
}

bool Verifier::define(ValueId value, BlockId block, int32_t position) {
    if (!inTable(value)) {
        return fail("defines " + valueText(value) + ", which has no type");
    }
    if (region_.valueTypes[value] == Type::kNone) {
        return fail("defines " + valueText(value) + " of type none");
    }
    if (definitions_[value].block != kNoId) {
        return fail(valueText(value) + " is defined twice");
    }
    definitions_[value] = {block, position};
    return true;
}

bool Verifier::checkResult(const Instruction& instruction) {
    const char letter = info(instruction.op).result;
    const bool hasResult = instruction.result != kNoId;
    if (hasResult != (instruction.type != Type::kNone)) {
        return fail("result and its type do not go together");
    }
    if (letter == '-' && hasResult) {
        return fail("has a result, the op has none");
    }
    if (letter != '-' && letter != '*' && !hasResult) {
        return fail("has no result");
    }
    if (letter != '*' && instruction.type != typeOfLetter(letter)) {
        return fail(std::string("result is ") + typeName(instruction.type) + ", wanted " +
                    typeName(typeOfLetter(letter)));
    }
    if (hasResult && inTable(instruction.result) && region_.valueTypes[instruction.result] != instruction.type) {
        return fail("the type of " + valueText(instruction.result) + " differs from its entry in the value table");
    }
    return true;
}

bool Verifier::checkUses() {
    for (size_t id = 0; id < region_.blocks.size(); ++id) {
        const auto block = static_cast<BlockId>(id);
        for (size_t i = 0; i < region_.blocks[id].instructions.size(); ++i) {
            if (!checkInstruction(block, i)) {
                return false;
            }
        }
        if (!checkTargets(block)) {
            return false;
        }
    }
    return true;
}

bool Verifier::checkInstruction(BlockId block, size_t position) {
    const Instruction& instruction = region_.blocks[block].instructions[position];
    enterInstruction(block, position);
    for (const ValueId operand : instruction.operands) {
        if (!checkUse(operand, block, position)) {
            return false;
        }
    }
    return checkOperands(instruction) && checkImmediate(instruction) && checkSnapshot(instruction, block, position);
}

bool Verifier::checkUse(ValueId value, BlockId block, size_t position) {
    if (!inTable(value) || definitions_[value].block == kNoId) {
        return fail(valueText(value) + " is never defined");
    }
    if (!dominators_->reachable(block)) {
        return true;  // nothing dominates a block that is never entered
    }
    const Definition& definition = definitions_[value];
    const bool defined = definition.block == block ? definition.position < static_cast<int32_t>(position)
                                                   : dominators_->dominates(definition.block, block);
    return defined || fail(valueText(value) + " is used where its definition does not dominate");
}

bool Verifier::checkOperands(const Instruction& instruction) {
    if (instruction.op == Op::k_return_value) {
        return checkReturn(instruction);
    }
    const std::string_view letters = info(instruction.op).operands;
    if (letters == "*") {
        return true;
    }
    if (letters.size() != instruction.operands.size()) {
        return fail(std::to_string(instruction.operands.size()) + numbered(" operands, wanted ", letters.size()));
    }
    for (size_t i = 0; i < letters.size(); ++i) {
        const Type type = region_.valueTypes[instruction.operands[i]];
        if (type != typeOfLetter(letters[i])) {
            return fail("operand " + valueText(instruction.operands[i]) + " is " + typeName(type) + ", wanted " +
                        typeName(typeOfLetter(letters[i])));
        }
    }
    return true;
}

bool Verifier::checkReturn(const Instruction& instruction) {
    if (!region_.isFunction) {
        return fail("a loop region has no caller to return to");
    }
    const size_t wanted = region_.returnType == Type::kNone ? 0 : 1;
    const bool number = region_.returnType == Type::kInt || region_.returnType == Type::kFloat;
    const bool boxed = number && instruction.operands.size() == 2 && region_.valueTypes[instruction.operands[1]] == Type::kObject;
    if (instruction.operands.size() != wanted && !boxed) {
        return fail(std::to_string(instruction.operands.size()) + numbered(" operands, wanted ", wanted));
    }
    if (wanted == 1 && region_.valueTypes[instruction.operands[0]] != region_.returnType) {
        return fail("operand " + valueText(instruction.operands[0]) + " is not of the region's return type");
    }
    return true;
}

bool Verifier::checkImmediate(const Instruction& instruction) {
    const int64_t value = instruction.immediate;
    const auto within = [&](size_t count) { return value >= 0 && static_cast<uint64_t>(value) < count; };
    bool good = true;
    switch (info(instruction.op).immediate) {
    case Immediate::kNone: good = value == 0; break;
    case Immediate::kInt: good = instruction.op != Op::k_const_bool || within(2); break;
    case Immediate::kFloat: break;
    case Immediate::kObject: good = within(region_.objects.size()); break;
    case Immediate::kHelper:
    case Immediate::kField: good = within(namedImmediateCount(info(instruction.op).immediate)); break;
    case Immediate::kElement: return checkElement(instruction);
    case Immediate::kMath: return checkMath(instruction);
    case Immediate::kVar: good = within(region_.names.size()); break;
    case Immediate::kUnit:
        good = value >= -1;  // -1: nothing of the code has run yet
        break;
    case Immediate::kSlot:
    case Immediate::kSeen:
    case Immediate::kRoot: good = value >= 0; break;
    }
    return good || fail(numbered("immediate ", value) + " is out of range");
}

bool Verifier::checkMath(const Instruction& instruction) {
    const int64_t function = instruction.immediate;
    if (function < 0 || function >= static_cast<int64_t>(MathFunction::kCount)) {
        return fail(numbered("immediate ", function) + " is out of range");
    }
    return kMathArities[function] == static_cast<int>(instruction.operands.size()) ||
           fail(std::string("math.") + kMathNames[function] + " takes another number of operands");
}

bool Verifier::checkElement(const Instruction& instruction) {
    const int64_t element = instruction.immediate;
    const bool isCopy = instruction.op == Op::k_save_elements || instruction.op == Op::k_restore_elements;
    if (element < 0 || element >= (isCopy ? kElementCount : kSingleElementCount)) {
        return fail(numbered("immediate ", element) + " is out of range");
    }
    if (isCopy) {
        return true;
    }
    const bool wantsFloat = instruction.op == Op::k_element_float || instruction.op == Op::k_store_element_float;
    return isFloat(static_cast<Element>(element)) == wantsFloat || fail(std::string(kElements[element].name) + " is no element of this op");
}

bool Verifier::checkSnapshot(const Instruction& instruction, BlockId block, size_t position) {
    const SnapshotId id = instruction.snapshot;
    if (!namesSnapshot(instruction.op)) {
        return id == kNoId || fail("has a snapshot, the op names none");
    }
    if (id == kNoId) {
        return isDeferrable(instruction.op) || fail("has no snapshot");
    }
    if (id < 0 || static_cast<size_t>(id) >= region_.snapshots.size()) {
        return fail(numbered("snapshot ", id) + " does not exist");
    }
    const Snapshot& snapshot = region_.snapshots[id];
    place_.snapshot = id;
    if (!shapeChecked_[id]) {
        if (std::string problem = checkSnapshotShape(region_, snapshot, goodFrames_); !problem.empty()) {
            return fail(std::move(problem));
        }
        shapeChecked_[id] = true;
    }
    bool good = true;
    forEachSnapshotValue(region_, snapshot, [&](ValueId value) { good = good && checkUse(value, block, position); });
    return good;
}

bool Verifier::checkTargets(BlockId block) {
    enterBlock(block);
    for (const Target& target : region_.blocks[block].targets) {
        const std::vector<ValueId>& parameters = region_.blocks[target.block].parameters;
        const std::string name = numbered("target block", target.block);
        if (target.arguments.size() != parameters.size()) {
            return fail(name + numbered(" gets ", target.arguments.size()) +
                        numbered(" arguments, wanted ", parameters.size()));
        }
        for (size_t i = 0; i < parameters.size(); ++i) {
            const ValueId argument = target.arguments[i];
            if (!checkUse(argument, block, region_.blocks[block].instructions.size())) {
                return false;
            }
            if (region_.valueTypes[argument] != region_.valueTypes[parameters[i]]) {
                return fail(name + ": argument " + valueText(argument) + " is not of the type of " +
                            valueText(parameters[i]));
            }
        }
    }
    return true;
}

}  // namespace

std::string verify(const Region& region) {
    return Verifier(region).run();
}

}  // namespace kiln::ir
