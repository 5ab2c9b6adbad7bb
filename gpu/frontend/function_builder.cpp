// A function in the making: emission of instructions, variables, errors.
#include "gpu/frontend/function_builder.h"

#include <algorithm>
#include <utility>

namespace kiln::gpu {
namespace {

void collectNames(const Node& target, std::set<std::string>& names) {
    if (target.kind == NodeKind::kName) {
        names.insert(target.text);
    }
    if (target.kind == NodeKind::kTuple || target.kind == NodeKind::kList || target.kind == NodeKind::kStarred) {
        for (const auto& item : target.list(0)) {
            collectNames(*item, names);
        }
    }
}

// The names that a function assigns: they are local everywhere in it.
void collectTargets(const Node& node, std::set<std::string>& names) {
    switch (node.kind) {
    case NodeKind::kAssign:
    case NodeKind::kAugAssign:
    case NodeKind::kAnnAssign:
    case NodeKind::kFor:
    case NodeKind::kNamedExpr:
    case NodeKind::kDelete:
        for (const auto& target : node.list(0)) {
            collectNames(*target, names);
        }
        break;
    case NodeKind::kMatchAs:
    case NodeKind::kMatchStar: names.insert(node.text); break;  // of _: an empty name
    case NodeKind::kFunctionDef: names.insert(node.text); return;
    case NodeKind::kLambda: return;
    default: break;
    }
    for (const auto& field : node.fields) {
        for (const auto& child : field) {
            collectTargets(*child, names);
        }
    }
}

std::string shown(const std::vector<std::string>& lines, const Node& node) {
    if (node.line < 1 || static_cast<size_t>(node.line) > lines.size()) {
        return "";
    }
    const std::string& line = lines[node.line - 1];
    size_t begin = std::min(line.find_first_not_of(" \t"), static_cast<size_t>(node.column));
    size_t width = node.endLine == node.line ? node.endColumn - node.column : line.size() - node.column;
    std::string blank = line.substr(begin, node.column - begin);
    std::fill(blank.begin(), blank.end(), ' ');
    return "\n    " + line.substr(begin) + "\n    " + blank + std::string(std::max<size_t>(width, 1), '^');
}

}  // namespace

FunctionBuilder::FunctionBuilder(ModuleBuilder& module, uint32_t index, PyObject* object,
                                 std::shared_ptr<const FunctionSource> source)
    : module_(module),
      index_(index),
      object_(object),
      source_(std::move(source)),
      block_(&function().body),
      line_(source_->function->line),
      statement_(source_->function.get()) {
    for (const auto& statement : source_->function->list(1)) {
        collectTargets(*statement, locals_);
    }
}

Value FunctionBuilder::fail(const Node& node, const std::string& message, const char* errorClass) {
    if (!failed()) {
        const char* kind = function().isKernel ? "kernel" : "device function";
        module_.error = {true, errorClass,
                         message + "\n  in " + kind + " " + function().pythonName + ", " + source_->file + ":" +
                             std::to_string(node.line) + shown(source_->lines, node)};
    }
    return {};
}

void FunctionBuilder::start(const Node& statement) {
    line_ = statement.line;
    statement_ = &statement;
}

Instruction FunctionBuilder::control(Op op, std::vector<ValueId> operands) const {
    Instruction instruction;
    instruction.op = op;
    instruction.operands = std::move(operands);
    instruction.line = line_;
    return instruction;
}

Instruction& FunctionBuilder::append(Instruction instruction) {
    instruction.line = line_;
    insert(std::move(instruction));
    return block_->code.back();
}

void FunctionBuilder::insert(Instruction instruction) {
    block_->code.push_back(std::move(instruction));
}

ValueId FunctionBuilder::emitRaw(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index, int64_t bits) {
    Instruction instruction;
    instruction.op = op;
    instruction.operands = std::move(operands);
    instruction.index = index;
    instruction.bits = bits;
    if (type != nullptr) {
        instruction.type = type;
        instruction.result = static_cast<ValueId>(function().values.size());
        function().values.push_back(type);
    }
    return append(std::move(instruction)).result;
}

Value FunctionBuilder::emit(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index, int64_t bits) {
    Value value = Value::ofType(type);
    value.id = emitRaw(op, type, std::move(operands), index, bits);
    return value;
}

ValueId FunctionBuilder::use(const Value& value) {
    if (value.isConstant) {
        return emitRaw(Op::kConstant, value.type, {}, 0, value.bits);
    }
    if (value.id == kNoValue) {
        return emitRaw(Op::kConstant, scalarType(Scalar::kInt64), {}, 0, 0);
    }
    return value.id;
}

void FunctionBuilder::within(Block& block, const std::function<void()>& build) {
    Block* outer = std::exchange(block_, &block);
    build();
    block_ = outer;
}

std::unique_ptr<Block> FunctionBuilder::inBlock(const std::function<void()>& build) {
    auto block = std::make_unique<Block>();
    within(*block, build);
    return block;
}

void FunctionBuilder::beforeJump(Block& block, const std::function<void(Instruction*)>& build) {
    bool jumps = !block.code.empty() && opInfo(block.code.back().op).effect == Effect::kJump;
    if (!jumps) {
        within(block, [&] { build(nullptr); });
        return;
    }
    Instruction jump = std::move(block.code.back());
    block.code.pop_back();
    within(block, [&] { build(&jump); });
    block.code.push_back(std::move(jump));
}

OpenLoop* FunctionBuilder::repeatedLoop() const {
    auto found = std::find_if(loops_.rbegin(), loops_.rend(), [](const OpenLoop* loop) { return loop->isRepeated; });
    return found != loops_.rend() ? *found : nullptr;
}

uint32_t FunctionBuilder::slotFor(const std::string& name, const Type* type) {
    auto [found, isNew] = slots_.try_emplace({name, type}, 0);
    if (!isNew) {
        return found->second;
    }
    std::string unique;
    for (char c : name) {
        unique += (static_cast<unsigned char>(c) < 128) ? std::string(1, c) : "_u";
    }
    if (slotNames_.count(unique) > 0) {
        unique += std::string("_") + (type->isScalar() ? type : type->element)->cName();
    }
    while (!slotNames_.insert(unique).second) {
        unique += "_";
    }
    found->second = static_cast<uint32_t>(function().variables.size());
    function().variables.push_back({unique, type});
    return found->second;
}

Value FunctionBuilder::addParameter(const std::string& name, const Type* type) {
    auto position = static_cast<uint32_t>(function().parameters.size());
    slotNames_.insert(name);
    function().parameterNames.push_back(name);
    function().parameters.push_back(type);
    return emit(Op::kParameter, type, {}, position);
}

}  // namespace kiln::gpu
