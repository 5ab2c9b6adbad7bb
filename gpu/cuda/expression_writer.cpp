// Expressions: what is used once is written where it is used.
#include "gpu/cuda/source_writer.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "gpu/ir/cache_hint.h"

namespace kiln::gpu {
namespace {

const char* const kAxes[] = {"x", "y", "z"};

bool isNegative(const std::string& text) {
    return !text.empty() && text[0] == '-';
}

// Parenthesised unless it is a name, a call, an access or a cast of these.
std::string tight(const std::string& text) {
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++) {
        depth += text[i] == '(' || text[i] == '[';
        depth -= text[i] == ')' || text[i] == ']';
        bool separates = text[i] == ' ' || text[i] == '?' || text[i] == '!' || text[i] == '~' || isNegative(text);
        if (depth == 0 && separates) {
            return "(" + text + ")";
        }
    }
    return text;
}

constexpr const char* kInt32Cast = "(int32)";

// A dimension or an index as geometry() writes it, alone.
bool isGeometry(const std::string& text) {
    static constexpr const char* kNames[] = {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."};
    auto begins = [&](const char* name) { return text.rfind(std::string(kInt32Cast) + name, 0) == 0; };
    return text.find(' ') == std::string::npos && std::any_of(std::begin(kNames), std::end(kNames), begins);
}

}  // namespace

// The text of a value at its use. A constant that other operands of the op give a 64-bit type is written plainly.
std::string FunctionWriter::operand(const Instruction& instruction, size_t i) {
    return takeText(instruction.operands[i]);
}

std::string FunctionWriter::takeText(ValueId value) {
    auto found = pending_.find(value);
    if (found == pending_.end()) {
        return "v" + std::to_string(value);
    }
    Pending taken = found->second;
    if (building_ != nullptr) {
        building_->readsMemory = building_->readsMemory || taken.readsMemory;
        building_->variables.insert(taken.variables.begin(), taken.variables.end());
    }
    if (--uses_[value] == 0 && !taken.isTrivial) {
        pending_.erase(found);
    }
    return taken.text;
}

std::string FunctionWriter::binary(const Instruction& instruction) {
    static const std::map<Op, const char*> kSymbols = {
        {Op::kAdd, " + "},    {Op::kSubtract, " - "},   {Op::kMultiply, " * "},
        {Op::kDivide, " / "}, {Op::kAnd, " & "},        {Op::kOr, " | "},
        {Op::kXor, " ^ "},    {Op::kShiftLeft, " << "}, {Op::kShiftRight, " >> "}};
    static const std::map<Op, const char*> kFunctions = {
        {Op::kFloorDivide, "floor_divide"}, {Op::kModulo, "modulo"}, {Op::kPower, "power"}, {Op::kMinimum, "least"},
        {Op::kMaximum, "greatest"},         {Op::kWrapIndex, "wrap"}};
    static const std::map<Op, const char*> kWrapping = {
        {Op::kAdd, "plus"}, {Op::kSubtract, "minus"}, {Op::kMultiply, "times"}, {Op::kShiftLeft, "shifted"}};
    auto function = kFunctions.find(instruction.op);
    auto wrapping = kWrapping.find(instruction.op);
    bool mayOverflow = instruction.type->isInteger() && !instruction.isPlain &&
                       !(instruction.type->isUnsigned() && instruction.type->bits >= 32);
    if (wrapping != kWrapping.end() && mayOverflow) {
        std::string left = operand(instruction, 0);
        return wrapping->second + ("<" + std::string(instruction.type->cName())) + ">(" + left + ", " +
               operand(instruction, 1) + ")";
    }
    bool isPlainDivision = instruction.isPlain && (instruction.op == Op::kFloorDivide || instruction.op == Op::kModulo);
    if (function != kFunctions.end() && !isPlainDivision) {
        std::string type = instruction.op == Op::kWrapIndex || instruction.type->isFloat()
                               ? ""
                               : std::string("<") + instruction.type->cName() + ">";
        std::string left = operand(instruction, 0);
        return function->second + type + "(" + left + ", " + operand(instruction, 1) + ")";
    }
    std::string symbol =
        isPlainDivision ? (instruction.op == Op::kModulo ? " % " : " / ") : kSymbols.at(instruction.op);
    if (instruction.type->isBool() && (instruction.op == Op::kAnd || instruction.op == Op::kOr)) {
        symbol = instruction.op == Op::kAnd ? " && " : " || ";
    }
    std::string left = tight(operand(instruction, 0));
    std::string right = tight(operand(instruction, 1));
    if (instruction.op == Op::kShiftLeft || instruction.op == Op::kShiftRight) {
        right = constants_[instruction.operands[1]] != nullptr ? right : "(" + right + " & 63)";
    }
    std::string text = left + symbol + right;
    bool narrow = instruction.type->isInteger() && instruction.type->bits < 32;
    return narrow ? "(" + std::string(instruction.type->cName()) + ")(" + text + ")" : text;
}

std::string FunctionWriter::comparison(const Instruction& instruction) {
    static constexpr const char* kSymbols[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    int kind = static_cast<int>(instruction.op) - static_cast<int>(Op::kEqual);
    const Type* left = function_.values[instruction.operands[0]];
    const Type* right = function_.values[instruction.operands[1]];
    std::string first = operand(instruction, 0);
    std::string second = operand(instruction, 1);
    if (left == right) {
        return tight(first) + kSymbols[kind] + tight(second);
    }
    // Of an int64 and a uint64, in either order: swapped so that the signed one comes first.
    if (right->isSigned()) {
        std::swap(first, second);
        static constexpr int kSwapped[] = {0, 1, 4, 5, 2, 3};
        kind = kSwapped[kind];
    }
    static constexpr const char* kCalls[] = {"mixed_equal",    "!mixed_equal",  "mixed_less",
                                             "!mixed_greater", "mixed_greater", "!mixed_less"};
    return kCalls[kind] + ("(" + first + ", " + second + ")");
}

std::string FunctionWriter::conversion(const Instruction& instruction) {
    const Type* from = function_.values[instruction.operands[0]];
    std::string text = operand(instruction, 0);
    if (instruction.type->isBool()) {
        return (from->isFloat() && from->bits == 16 ? "(float)" : "") + tight(text) + " != 0";
    }
    // The dimensions are unsigned in CUDA; a cast is needed in any case. Of other values it may take bits away.
    if (isGeometry(text) && instruction.type->bits >= 32) {
        text.erase(0, std::strlen(kInt32Cast));
    }
    return "(" + std::string(instruction.type->cName()) + ")" + tight(text);
}

std::string FunctionWriter::geometry(const Instruction& instruction) {
    static const std::map<Op, const char*> kNames = {{Op::kThreadIndex, "threadIdx"},
                                                     {Op::kBlockIndex, "blockIdx"},
                                                     {Op::kBlockDim, "blockDim"},
                                                     {Op::kGridDim, "gridDim"}};
    if (instruction.op == Op::kLane) {
        return "(int32)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31)";
    }
    return std::string("(int32)") + kNames.at(instruction.op) + "." + kAxes[instruction.index];
}

std::string FunctionWriter::mathText(const Instruction& instruction) {
    const MathInfo& info = mathInfo(static_cast<MathFunction>(instruction.index));
    const Type* type = function_.values[instruction.operands[0]];
    std::string text = std::string(type->bits == 32 ? info.name32 : info.name64) + "(";
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        text += (i > 0 ? ", " : "") + operand(instruction, i);
    }
    return text + ")";
}

std::string FunctionWriter::arrayText(const Instruction& instruction) {
    const Type* type = instruction.type;
    if (instruction.op == Op::kDynamicArray) {
        std::string size = "dynamic_bytes() / (int64)sizeof(" + std::string(type->element->cName()) + ")";
        return cudaType(type) + "{(" + type->element->cName() + "*)dynamic_memory, {" + size + "}}";
    }
    bool isConstant = instruction.op == Op::kConstantArray;
    const StaticArray& array =
        isConstant ? function_.constants[instruction.index] : function_.arrays[instruction.index];
    std::string shape;
    for (int64_t size : array.shape) {
        shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    }
    std::string kind = isConstant                           ? "constants_" + function_.name + "_"
                       : instruction.op == Op::kSharedArray ? "shared_"
                                                            : "local_";
    std::string data = type->ndim == 0 && !isConstant ? "&" + kind : kind;
    return cudaType(type) + "{" + data + std::to_string(instruction.index) +
           (type->ndim > 0 ? ", {" + shape + "}" : "") + "}";
}

std::string FunctionWriter::globalText(const Instruction& instruction) {
    const GlobalArray& array = function_.globals[instruction.index];
    std::string shape;
    std::string strides;
    for (size_t i = 0; i < array.shape.size(); i++) {
        shape += (i > 0 ? ", " : "") + std::to_string(array.shape[i]);
        strides += (i > 0 ? ", " : "") + std::to_string(array.strides[i]);
    }
    std::string text =
        cudaType(array.type) + "{(" + array.type->element->cName() + "*)" + std::to_string(array.address) + "ull";
    return text + (array.shape.empty() ? "}" : ", {" + shape + "}, {" + strides + "}}");
}

std::string FunctionWriter::viewText(const Instruction& instruction) {
    const Type* from = function_.values[instruction.operands[0]];
    const Type* to = instruction.type;
    std::string array = operand(instruction, 0);
    std::string start;
    for (int i = 0; i < from->ndim; i++) {
        start += (i > 0 ? ", " : "") + operand(instruction, 1 + i);
    }
    std::string lists[2];
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < to->ndim; i++) {
            lists[list] += (i > 0 ? ", " : "") + operand(instruction, 1 + from->ndim + list * to->ndim + i);
        }
    }
    std::string first = "&" + array + "(" + start + ")";
    first = instruction.bits != 0 ? "moved(" + first + ", " + std::to_string(instruction.bits) + ")" : first;
    std::string cast = from->element != to->element ? std::string("(") + to->element->cName() + "*)" : "";
    std::string text = cudaType(to) + "{" + cast + first;
    if (to->ndim > 0) {
        text += ", {" + lists[0] + "}";
    }
    return text + (to->layout == Layout::kA && to->ndim > 0 ? ", {" + lists[1] + "}}" : "}");
}

// array(i, j): the operands behind the array are indices, as many as it has dimensions.
std::string FunctionWriter::element(const Instruction& instruction) {
    const Type* array = function_.values[instruction.operands[0]];
    std::string text = operand(instruction, 0) + "(";
    for (int i = 0; i < array->ndim; i++) {
        text += (i > 0 ? ", " : "") + operand(instruction, 1 + i);
    }
    return text + ")";
}

bool FunctionWriter::isHinted(const Instruction& instruction) const {
    return instruction.bits != 0 && function_.values[instruction.operands[0]]->space == Space::kGlobal;
}

std::string FunctionWriter::atomicText(const Instruction& instruction) {
    const Type* array = function_.values[instruction.operands[0]];
    std::string text =
        std::string("atomic_") + atomicName(static_cast<AtomicOp>(instruction.index)) + "(&" + element(instruction);
    for (size_t i = 1 + array->ndim; i < instruction.operands.size(); i++) {
        text += std::string(", (") + array->element->cName() + ")" + tight(operand(instruction, i));
    }
    return text + ")";
}

std::string FunctionWriter::warpText(const Instruction& instruction) {
    static constexpr const char* kNames[] = {
        "__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__all_sync",
        "__any_sync", "__uni_sync",  "__ballot_sync",  "__match_any_sync", "match_all",       "__activemask"};
    std::string text = std::string(kNames[instruction.index]) + "(";
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        text += (i > 0 ? ", " : "") + operand(instruction, i);
    }
    bool isBool = instruction.type != nullptr && instruction.type->isBool();
    return text + ")" + (isBool ? " != 0" : "");
}

std::string FunctionWriter::bitsText(const Instruction& instruction) {
    static constexpr const char* kNames[] = {"__popc", "__brev", "__clz", "__ffs"};
    bool wide = function_.values[instruction.operands[0]]->bits == 64;
    return kNames[instruction.index] + std::string(wide ? "ll(" : "(") + operand(instruction, 0) + ")";
}

std::string FunctionWriter::callText(const Instruction& instruction) {
    std::string text = identifier(module_.functions[instruction.index]->name) + "(";
    for (size_t i = 0; i < instruction.operands.size(); i++) {
        text += (i > 0 ? ", " : "") + operand(instruction, i);
    }
    return text + ")";
}

std::string FunctionWriter::expression(const Instruction& instruction) {
    switch (instruction.op) {
    case Op::kConstant: return constantText(instruction.bits, instruction.type, false);
    case Op::kParameter: return identifier(function_.parameterNames[instruction.index]);
    case Op::kGet: return identifier(function_.variables[instruction.index].name);
    case Op::kNegate: {
        bool mayOverflow = instruction.type->isSigned() && !instruction.isPlain;
        std::string text = mayOverflow ? "" : "-" + tight(operand(instruction, 0));
        return mayOverflow ? "minus<" + std::string(instruction.type->cName()) + ">(0, " + operand(instruction, 0) + ")"
                           : text;
    }
    case Op::kInvert: return "~" + tight(operand(instruction, 0));
    case Op::kNot: return "!" + tight(operand(instruction, 0));
    case Op::kAbsolute: return "absolute(" + operand(instruction, 0) + ")";
    case Op::kSelect: {
        std::string condition = tight(operand(instruction, 0));
        std::string then = tight(operand(instruction, 1));
        return condition + " ? " + then + " : " + tight(operand(instruction, 2));
    }
    case Op::kConvert: return conversion(instruction);
    case Op::kBitcast:
        return std::string("same_bits<") + instruction.type->cName() + ">(" + operand(instruction, 0) + ")";
    case Op::kMakeComplex: {
        std::string real = operand(instruction, 0);
        return std::string(instruction.type->cName()) + "{" + real + ", " + operand(instruction, 1) + "}";
    }
    case Op::kReal: return tight(operand(instruction, 0)) + ".real";
    case Op::kImaginary: return tight(operand(instruction, 0)) + ".imag";
    case Op::kMath: return mathText(instruction);
    case Op::kThreadIndex:
    case Op::kBlockIndex:
    case Op::kBlockDim:
    case Op::kGridDim:
    case Op::kLane: return geometry(instruction);
    case Op::kDimension: return operand(instruction, 0) + ".shape[" + std::to_string(instruction.index) + "]";
    case Op::kStride: return operand(instruction, 0) + ".stride(" + std::to_string(instruction.index) + ")";
    case Op::kAddress: return "(uint64)" + tight(operand(instruction, 0)) + ".data";
    case Op::kLoad: return isHinted(instruction) ? std::string("load_") + cacheHintName(instruction.bits) + "(&" + element(instruction) + ")" : element(instruction);
    case Op::kView: return viewText(instruction);
    case Op::kSharedArray:
    case Op::kLocalArray:
    case Op::kConstantArray:
    case Op::kDynamicArray: return arrayText(instruction);
    case Op::kGlobalArray: return globalText(instruction);
    case Op::kAtomic: return atomicText(instruction);
    case Op::kWarp: return warpText(instruction);
    case Op::kBits: return bitsText(instruction);
    case Op::kCall: return callText(instruction);
    case Op::kCallResult: return operand(instruction, 0) + "_all.r" + std::to_string(instruction.bits);
    case Op::kBarrierReduce: {
        static constexpr const char* kNames[] = {"count", "and", "or"};
        return std::string("__syncthreads_") + kNames[instruction.index] + "(" + operand(instruction, 0) + ")";
    }
    default: return opInfo(instruction.op).result == ResultRule::kBool ? comparison(instruction) : binary(instruction);
    }
}

// Keeps a value's text for its use, or writes it to a constant of its own when it is used several times or has an effect.
void FunctionWriter::define(const Instruction& instruction) {
    Pending pending;
    Pending* outer = std::exchange(building_, &pending);
    pending.text = expression(instruction);
    building_ = outer;
    Effect effect = opInfo(instruction.op).effect;
    pending.readsMemory = pending.readsMemory || instruction.op == Op::kLoad;
    if (instruction.op == Op::kGet) {
        pending.variables.insert(instruction.index);
    }
    pending.isTrivial = instruction.op == Op::kConstant || instruction.op == Op::kParameter ||
                        instruction.op == Op::kGet || instruction.op == Op::kThreadIndex ||
                        instruction.op == Op::kBlockIndex || instruction.op == Op::kBlockDim ||
                        instruction.op == Op::kGridDim;
    ValueId value = instruction.result;
    if (uses_[value] == 0 && effect != Effect::kPure && effect != Effect::kRead) {
        line(pending.text + ";", instruction.line);
        return;
    }
    keep(value, pending, effect == Effect::kPure || effect == Effect::kRead);
}

void FunctionWriter::keep(ValueId value, const Pending& pending, bool isInline) {
    pending_[value] = pending;
    if (!pending.isTrivial && (!isInline || uses_[value] > 1)) {
        materialise(value);
    }
}

// The value that a choice gives, which `get` reads.
void FunctionWriter::defineChoice(const Instruction& choice, const Instruction& get) {
    Pending pending;
    Pending* outer = std::exchange(building_, &pending);
    pending.text = choiceText(choice);
    building_ = outer;
    keep(get.result, pending, true);
}

std::string FunctionWriter::choiceText(const Instruction& choice) {
    auto isConstant = [&](const Block& block, bool value) {
        const Instruction* constant = constants_[block.code.back().operands[0]];
        return constant != nullptr && constant->type->isBool() && (constant->bits != 0) == value;
    };
    std::string condition = tight(operand(choice, 0));
    bool isOr = isConstant(*choice.blocks[0], true);
    bool isAnd = !isOr && isConstant(*choice.blocks[1], false);
    std::string then = tight(armText(*choice.blocks[0]));
    std::string otherwise = tight(armText(*choice.blocks[1]));
    return isAnd ? condition + " && " + then : isOr ? condition + " || " + otherwise : condition + " ? " + then + " : " + otherwise;
}

std::string FunctionWriter::armText(const Block& block) {
    writeAll(block.code, block.code.size() - 1);
    return operand(block.code.back(), 0);
}

void FunctionWriter::materialise(ValueId value) {
    Pending pending = pending_.at(value);
    pending_.erase(value);
    line("const " + cudaType(function_.values[value]) + " v" + std::to_string(value) + " = " + pending.text + ";");
}

}  // namespace kiln::gpu
