// Statements, but for loops.
#include "gpu/frontend/build_statement.h"
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_return.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

void buildAugmented(FunctionBuilder& build, const Node& node) {
    Place place = placeOf(build, *node.child(0));
    Value old = load(build, place);
    Value right = buildExpression(build, *node.child(2));
    store(build, place, buildBinary(build, node, node.child(1)->text, old, right));
}

void buildExpressionStatement(FunctionBuilder& build, const Node& node) {
    const Node& expression = *node.child(0);
    if (expression.kind == NodeKind::kConstant) {
        return;  // a documentation string
    }
    buildExpression(build, expression);
}

void buildIf(FunctionBuilder& build, const Node& node) {
    Value condition = truth(build, buildExpression(build, *node.child(0)), *node.child(0));
    if (build.failed() || condition.isPoison()) {
        return;
    }
    if (condition.isConstant) {
        buildBody(build, node.list(condition.bits != 0 ? 1 : 2));
        return;
    }
    ValueId operand = build.use(condition);
    State before = build.names();
    std::vector<Edge> edges;
    Instruction instruction = build.control(Op::kIf, {operand});
    for (size_t branch = 1; branch <= 2; branch++) {
        build.names() = before;
        build.setDead(false);
        instruction.blocks.push_back(build.inBlock([&] { buildBody(build, node.list(branch)); }));
        if (!build.isDead()) {
            edges.push_back({instruction.blocks.back().get(), build.names()});
        }
    }
    if (build.failed()) {
        return;
    }
    meet(build, edges);
    build.insert(std::move(instruction));
}

void jump(FunctionBuilder& build, Op op) {
    OpenLoop& loop = *build.loops().back();
    build.append({op});
    (op == Op::kBreak ? loop.breaks : loop.continues).push_back(build.here());
    build.setDead(true);
}

void buildStatement(FunctionBuilder& build, const Node& node) {
    switch (node.kind) {
    case NodeKind::kAssign: {
        Value value = buildExpression(build, *node.child(1));
        for (const auto& target : node.list(0)) {
            assign(build, *target, value);
        }
        return;
    }
    case NodeKind::kAugAssign: buildAugmented(build, node); return;
    case NodeKind::kAnnAssign:
        if (node.child(2) != nullptr) {
            assign(build, *node.child(0), buildExpression(build, *node.child(2)));
        }
        return;
    case NodeKind::kExpr: buildExpressionStatement(build, node); return;
    case NodeKind::kFunctionDef: assignName(build, node.text, closureOf(build, node), node); return;
    case NodeKind::kIf: buildIf(build, node); return;
    case NodeKind::kWhile: buildWhile(build, node); return;
    case NodeKind::kFor: buildFor(build, node); return;
    case NodeKind::kReturn: buildReturn(build, node); return;
    case NodeKind::kBreak: jump(build, Op::kBreak); return;
    case NodeKind::kContinue: jump(build, Op::kContinue); return;
    case NodeKind::kPass:
    case NodeKind::kGlobal: return;
    case NodeKind::kAssert: buildAssert(build, node); return;
    case NodeKind::kRaise: buildRaise(build, node); return;
    default: failUnsupported(build, node, "statement"); return;
    }
}

}  // namespace

void buildBody(FunctionBuilder& build, const std::vector<std::unique_ptr<Node>>& statements) {
    for (const auto& statement : statements) {
        if (build.failed() || build.isDead()) {
            return;
        }
        build.start(*statement);
        buildStatement(build, *statement);
    }
}

}  // namespace kiln::gpu
