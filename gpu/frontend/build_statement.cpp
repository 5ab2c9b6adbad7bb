// Statements, but for loops.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

void FunctionBuilder::buildBody(const std::vector<std::unique_ptr<Node>>& statements) {
    for (const auto& statement : statements) {
        if (failed() || dead_) {
            return;
        }
        line_ = statement->line;
        statement_ = statement.get();
        buildStatement(*statement);
    }
}

void FunctionBuilder::buildStatement(const Node& node) {
    switch (node.kind) {
    case NodeKind::kAssign: {
        Value value = buildExpression(*node.child(1));
        for (const auto& target : node.list(0)) {
            assign(*target, value);
        }
        return;
    }
    case NodeKind::kAugAssign: buildAugmented(node); return;
    case NodeKind::kAnnAssign:
        if (node.child(2) != nullptr) {
            assign(*node.child(0), buildExpression(*node.child(2)));
        }
        return;
    case NodeKind::kExpr: buildExpressionStatement(node); return;
    case NodeKind::kFunctionDef: assignName(node.text, closureOf(node), node); return;
    case NodeKind::kIf: buildIf(node); return;
    case NodeKind::kWhile: buildWhile(node); return;
    case NodeKind::kFor: buildFor(node); return;
    case NodeKind::kReturn: buildReturn(node); return;
    case NodeKind::kBreak: jump(Op::kBreak); return;
    case NodeKind::kContinue: jump(Op::kContinue); return;
    case NodeKind::kPass:
    case NodeKind::kGlobal: return;
    case NodeKind::kAssert: buildAssert(node); return;
    case NodeKind::kRaise: buildRaise(node); return;
    default: failUnsupported(node, "statement"); return;
    }
}

void FunctionBuilder::buildAugmented(const Node& node) {
    Place place = placeOf(*node.child(0));
    Value old = load(place);
    Value right = buildExpression(*node.child(2));
    if (old.isArray() && module_.isLoop && !right.isPoison()) {
        augmentElements(node, old, right);
        return;
    }
    store(place, buildBinary(node, node.child(1)->text, old, right));
}

void FunctionBuilder::buildExpressionStatement(const Node& node) {
    const Node& expression = *node.child(0);
    if (expression.kind == NodeKind::kConstant) {
        return;  // a documentation string
    }
    buildExpression(expression);
}

void FunctionBuilder::buildIf(const Node& node) {
    Value condition = truth(buildExpression(*node.child(0)), *node.child(0));
    if (failed() || condition.isPoison()) {
        return;
    }
    if (condition.isConstant) {
        buildBody(node.list(condition.bits != 0 ? 1 : 2));
        return;
    }
    ValueId operand = use(condition);
    State before = state_;
    std::vector<Edge> edges;
    Instruction instruction;
    instruction.op = Op::kIf;
    instruction.operands = {operand};
    instruction.line = line_;
    for (size_t branch = 1; branch <= 2; branch++) {
        state_ = before;
        dead_ = false;
        instruction.blocks.push_back(inBlock([&] { buildBody(node.list(branch)); }));
        if (!dead_) {
            edges.push_back({instruction.blocks.back().get(), state_});
        }
    }
    if (failed()) {
        return;
    }
    meet(edges);
    block_->code.push_back(std::move(instruction));
}

void FunctionBuilder::jump(Op op) {
    Loop& loop = *loops_.back();
    append({op});
    (op == Op::kBreak ? loop.breaks : loop.continues).push_back({block_, state_});
    dead_ = true;
}

void FunctionBuilder::buildReturn(const Node& node) {
    Value value = node.child(0) != nullptr ? buildExpression(*node.child(0)) : Value::none();
    if (failed()) {
        return;
    }
    if (function().isKernel && !value.isNone() && !value.isPoison()) {
        fail(node, "a kernel cannot return a value (here " + describe(value) + "); write it into an array argument",
             "TypeError");
        return;
    }
    append({Op::kReturn});
    if (!value.isPoison()) {
        addReturn(node, value);
    }
    dead_ = true;
}

}  // namespace kiln::gpu
