// Expressions: names, constants, attributes, tuples, and those that choose.
#include <algorithm>
#include <cstring>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_closure.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_literal.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
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
        if (build.loops().empty()) {
            return build.fail(node, "'" + node.text + "' is used before it is assigned", "NameError");
        }
        build.loops().back()->undefined.try_emplace(node.text, &node);
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
        tuple.items.push_back(buildExpression(build, *item));
    }
    return tuple;
}

}  // namespace

Value buildExpression(FunctionBuilder& build, const Node& node) {
    if (build.failed()) {
        return {};
    }
    switch (node.kind) {
    case NodeKind::kName: return buildName(build, node);
    case NodeKind::kConstant: return valueOfObject(build, node.constant, node);
    case NodeKind::kAttribute: return buildAttribute(build, node);
    case NodeKind::kTuple:
    case NodeKind::kList: return buildTuple(build, node);
    case NodeKind::kBinOp: {
        if (Ref<> known = literalValue(node)) {
            return valueOfObject(build, std::move(known), node);
        }
        Value left = buildExpression(build, *node.child(0));
        Value right = buildExpression(build, *node.child(2));
        return buildBinary(build, node, node.child(1)->text, left, right);
    }
    case NodeKind::kUnaryOp: return buildUnary(build, node);
    case NodeKind::kBoolOp: return buildBoolOp(build, node, 0);
    case NodeKind::kCompare: return buildCompare(build, node);
    case NodeKind::kIfExp: return buildIfExp(build, node);
    case NodeKind::kCall: return buildCall(build, node);
    case NodeKind::kLambda: return closureOf(build, node);
    case NodeKind::kSubscript: return load(build, placeOf(build, node));
    case NodeKind::kNamedExpr: {
        Value value = buildExpression(build, *node.child(1));
        assign(build, *node.child(0), value);
        return value;
    }
    case NodeKind::kSlice: {
        Value slice = Value::ofKind(ValueKind::kSlice);
        for (size_t field = 0; field < 3; field++) {
            slice.items.push_back(node.child(field) != nullptr ? buildExpression(build, *node.child(field))
                                                               : Value::none());
        }
        return slice;
    }
    default: return failUnsupported(build, node, "expression");
    }
}

}  // namespace kiln::gpu
