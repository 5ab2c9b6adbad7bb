// Expressions. Those of a kind are built by its row of a table.
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_format.h"
#include "gpu/frontend/build_literal.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

Value buildName(FunctionBuilder& build, const Node& node) {
    auto found = build.names().find(node.text);
    if (found != build.names().end()) {
        return readName(build, node.text, found->second, node);
    }
    if (build.isLocal(node.text)) {
        if (build.module().hasUnknown) {
            return {};
        }
        OpenLoop* loop = build.repeatedLoop();
        bool isKnown = loop == nullptr ? build.isBranch() && !build.module().isLoop : build.unassigned().count(node.text) > 0;
        if (isKnown) {
            return raiseUnassigned(build, node);
        }
        if (loop == nullptr) {
            return build.fail(node, "NameError: '" + node.text + "' is used before it is assigned", kUndefinedName);
        }
        loop->undefined.try_emplace(node.text, &node);
        return {};
    }
    return buildGlobal(build, node);
}

Value buildTuple(FunctionBuilder& build, const Node& node) {
    Value tuple = Value::tuple({});
    for (const auto& item : node.list(0)) {
        if (item->kind == NodeKind::kStarred) {
            Value inner = buildExpression(build, *item->child(0));
            if (inner.kind != ValueKind::kTuple) {
                return build.fail(*item, describe(inner) + " cannot be unpacked here");
            }
            tuple.items.insert(tuple.items.end(), inner.items.begin(), inner.items.end());
            continue;
        }
        tuple.items.push_back(buildMaybe(build, *item));
    }
    return tuple;
}

Value buildConstant(FunctionBuilder& build, const Node& node) {
    return valueOfObject(build, node.constant, node);
}

Value buildBinOp(FunctionBuilder& build, const Node& node) {
    if (Ref<> known = literalValue(node)) {
        return valueOfObject(build, std::move(known), node);
    }
    Value left = buildExpression(build, *node.child(0));
    Value right = buildExpression(build, *node.child(2));
    return buildBinary(build, node, node.child(1)->text, left, right);
}

// An attribute or a subscript.
Value buildPlace(FunctionBuilder& build, const Node& node) {
    return load(build, placeOf(build, node));
}

Value buildNamed(FunctionBuilder& build, const Node& node) {
    Value value = buildMaybe(build, *node.child(1));
    assign(build, *node.child(0), value);
    return value;
}

Value buildSlice(FunctionBuilder& build, const Node& node) {
    Value slice = Value::ofKind(ValueKind::kSlice);
    for (size_t field = 0; field < 3; field++) {
        slice.items.push_back(node.child(field) != nullptr ? buildMaybe(build, *node.child(field))
                                                           : Value::none());
    }
    return slice;
}

using ExpressionBuilder = Value (*)(FunctionBuilder&, const Node&);

const std::map<NodeKind, ExpressionBuilder>& expressions() {
    static const std::map<NodeKind, ExpressionBuilder> kBuilders = {
        {NodeKind::kAttribute, buildPlace}, {NodeKind::kBinOp, buildBinOp},     {NodeKind::kBoolOp, buildBoolOp},
        {NodeKind::kCall, buildCall},       {NodeKind::kCompare, buildCompare}, {NodeKind::kConstant, buildConstant},
        {NodeKind::kIfExp, buildIfExp},     {NodeKind::kLambda, closureOf},     {NodeKind::kList, buildTuple},
        {NodeKind::kJoinedStr, buildJoined},
        {NodeKind::kName, buildName},       {NodeKind::kNamedExpr, buildNamed}, {NodeKind::kSlice, buildSlice},
        {NodeKind::kSubscript, buildPlace}, {NodeKind::kTuple, buildTuple},     {NodeKind::kUnaryOp, buildUnary},
    };
    return kBuilders;
}

}  // namespace

Value buildExpression(FunctionBuilder& build, const Node& node) {
    return present(build, node, buildMaybe(build, node));
}

Value buildMaybe(FunctionBuilder& build, const Node& node) {
    if (build.failed()) {
        return {};
    }
    auto builder = expressions().find(node.kind);
    return builder != expressions().end() ? builder->second(build, node) : failUnsupported(build, node, "expression");
}

}  // namespace kiln::gpu
