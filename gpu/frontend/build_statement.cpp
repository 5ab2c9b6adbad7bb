// Statements. Those of a kind are built by its row of a table.
#include "gpu/frontend/build_statement.h"

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_elementwise.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_literal.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_match.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_optional.h"
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
    if (old.isArray() && build.module().isLoop && !right.isPoison()) {
        augmentElements(build, node, old, right);
        return;
    }
    store(build, place, buildBinary(build, node, node.child(1)->text, old, right));
}

void buildDiscarded(FunctionBuilder& build, const Node& node) {
    const Node& expression = *node.child(0);
    if (expression.kind == NodeKind::kConstant) {
        return;  // a documentation string
    }
    buildExpression(build, expression);
}

// `global name` means nothing where the name is only read. Functions in this one have a statement of their own.
void buildGlobalNames(FunctionBuilder& build, const Node& node) {
    for (const auto& name : node.list(0)) {
        if (build.isLocal(name->text)) {
            build.fail(node, "kernels cannot assign to global variables, which are constants in them; store to an element of an array", "UnsupportedError");
        }
    }
}

void buildIf(FunctionBuilder& build, const Node& node) {
    Value condition = truth(build, buildMaybe(build, *node.child(0)), *node.child(0));
    auto body = [&](size_t part) {
        narrow(build, *node.child(0), part == 1);
        buildBody(build, node.list(part));
    };
    branch(
        build, condition, [&] { body(1); }, [&] { body(2); });
}

void jump(FunctionBuilder& build, Op op) {
    OpenLoop& loop = *build.loops().back();
    build.append({op});
    (op == Op::kBreak ? loop.breaks : loop.continues).push_back(build.here());
    build.setDead(true);
}

void buildAssign(FunctionBuilder& build, const Node& node) {
    const Node& expression = *node.child(1);
    const Node& first = *node.list(0).front();
    bool isPart = build.module().isLoop && first.kind == NodeKind::kSubscript;
    if (isPart && node.list(0).size() == 1 && expression.kind == NodeKind::kBinOp && !literalValue(expression)) {
        assignExpression(build, first, expression);
        return;
    }
    Value value = buildMaybe(build, expression);
    if (isPart && value.isArray() && mayOverlap(first, expression)) {
        build.fail(expression, "this may lie in the memory that is stored to");
    }
    for (const auto& target : node.list(0)) {
        assign(build, *target, value);
    }
}

void buildAnnotated(FunctionBuilder& build, const Node& node) {
    if (node.child(2) != nullptr) {
        assign(build, *node.child(0), buildMaybe(build, *node.child(2)));
    }
}

void buildNested(FunctionBuilder& build, const Node& node) {
    assignName(build, node.text, closureOf(build, node), node);
}

void buildBreak(FunctionBuilder& build, const Node&) {
    jump(build, Op::kBreak);
}

void buildContinue(FunctionBuilder& build, const Node&) {
    jump(build, Op::kContinue);
}

// Of names; elements cannot be taken out of arrays.
void buildDelete(FunctionBuilder& build, const Node& node) {
    for (const auto& target : node.list(0)) {
        if (target->kind != NodeKind::kName) {
            build.fail(*target, "kernels can delete names only", "UnsupportedError");
        } else if (build.names().erase(target->text) == 0) {
            buildExpression(build, *target);  // says what is wrong with the name
        }
    }
}

void buildNothing(FunctionBuilder&, const Node&) {}

using StatementBuilder = void (*)(FunctionBuilder&, const Node&);

const std::map<NodeKind, StatementBuilder>& statements() {
    static const std::map<NodeKind, StatementBuilder> kBuilders = {
        {NodeKind::kAnnAssign, buildAnnotated}, {NodeKind::kAssert, buildAssert}, {NodeKind::kAssign, buildAssign},
        {NodeKind::kAugAssign, buildAugmented}, {NodeKind::kBreak, buildBreak},   {NodeKind::kContinue, buildContinue},
        {NodeKind::kDelete, buildDelete},       {NodeKind::kExpr, buildDiscarded}, {NodeKind::kFor, buildFor},
        {NodeKind::kFunctionDef, buildNested},
        {NodeKind::kGlobal, buildGlobalNames},  {NodeKind::kIf, buildIf},         {NodeKind::kMatch, buildMatch},
        {NodeKind::kPass, buildNothing},
        {NodeKind::kRaise, buildRaise},         {NodeKind::kReturn, buildReturn}, {NodeKind::kWhile, buildWhile},
    };
    return kBuilders;
}

}  // namespace

void buildBody(FunctionBuilder& build, const std::vector<std::unique_ptr<Node>>& body) {
    for (const auto& statement : body) {
        if (build.failed() || build.isDead()) {
            return;
        }
        build.start(*statement);
        auto builder = statements().find(statement->kind);
        if (builder == statements().end()) {
            failUnsupported(build, *statement, "statement");
            return;
        }
        builder->second(build, *statement);
    }
}

}  // namespace kiln::gpu
