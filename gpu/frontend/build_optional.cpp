// Optional values: what a name or a result is where it is None on some paths, and a value on others.
#include "gpu/frontend/build_optional.h"

#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/syntax.h"

namespace kiln::gpu {
namespace {

Value boolean(bool is) {
    return Value::constant(scalarType(Scalar::kBool), is);
}

}  // namespace

Value optional(Value isThere, Value value) {
    Value made = Value::ofKind(ValueKind::kOptional);
    made.items = {std::move(isThere), std::move(value)};
    return made;
}

bool formOptional(const Value& first, const Value& second) {
    auto isNoValue = [](const Value& value) { return value.isNone() || value.kind == ValueKind::kOptional; };
    auto isKept = [](const Value& value) {
        return value.isHeld() || value.kind == ValueKind::kTuple || value.kind == ValueKind::kOptional;
    };
    return (isNoValue(first) || isNoValue(second)) && (isKept(first) || first.isNone()) &&
           (isKept(second) || second.isNone());
}

Value asOptional(const Value& value, const Value& other) {
    if (value.kind == ValueKind::kOptional) {
        return value;
    }
    const Value& like = other.kind == ValueKind::kOptional ? other.items[1] : other;
    return optional(boolean(!value.isNone()), value.isNone() ? like : value);
}

Value present(FunctionBuilder& build, const Node& node, const Value& value) {
    if (value.kind != ValueKind::kOptional) {
        return value;
    }
    if (build.module().debug) {
        std::string message = "expected " + describe(value.items[1]) + ", got None";
        raiseIf(build, unary(build, node, UnaryOperator::kNot, value.items[0]), node,
                {Ref<>::borrow(PyExc_TypeError), Ref<>::steal(Py_BuildValue("(s)", message.c_str())), "", 0}, {});
    }
    return value.items[1];
}

void makePresent(FunctionBuilder& build, const Node& node, std::vector<Value>& values) {
    for (Value& value : values) {
        value = present(build, node, value);
    }
}

void narrow(FunctionBuilder& build, const Node& condition, bool holds) {
    if (condition.kind == NodeKind::kUnaryOp && condition.child(0)->text == "Not") {
        narrow(build, *condition.child(1), !holds);
    } else if (condition.kind == NodeKind::kBoolOp && (condition.child(0)->text == "And") == holds) {
        for (const auto& part : condition.list(1)) {
            narrow(build, *part, holds);
        }
    }
    bool isComparison = condition.kind == NodeKind::kCompare && condition.list(1).size() == 1;
    const Node* other = isComparison ? condition.list(2)[0].get() : nullptr;
    if (other == nullptr || other->kind != NodeKind::kConstant || other->constant.get() != Py_None ||
        condition.child(0)->kind != NodeKind::kName) {
        return;
    }
    const std::string& op = condition.list(1)[0]->text;
    bool isEqual = op == "Is" || op == "Eq";
    auto found = build.names().find(condition.child(0)->text);
    bool isNarrowed = (isEqual || op == "IsNot" || op == "NotEq") && found != build.names().end() &&
                      found->second.kind == ValueKind::kOptional;
    if (isNarrowed) {
        Value known = isEqual == holds ? Value::none() : found->second.items[1];
        found->second = std::move(known);
    }
}

Value isAbsent(FunctionBuilder& build, const Value& value) {
    return unary(build, build.statement(), UnaryOperator::kNot, value.items[0]);
}

Value compareOptionals(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    if (op != Op::kEqual && op != Op::kNotEqual) {
        return compare(build, node, op, present(build, node, left), present(build, node, right));
    }
    if (op == Op::kNotEqual) {
        Value same = compareOptionals(build, node, Op::kEqual, left, right);
        return same.isPoison() ? same : unary(build, node, UnaryOperator::kNot, same);
    }
    if (left.isNone() || right.isNone()) {
        return isAbsent(build, left.isNone() ? right : left);
    }
    Value parts[] = {asOptional(left, right), asOptional(right, left)};
    Value same = compare(build, node, Op::kEqual, parts[0].items[1], parts[1].items[1]);
    Value both = arithmetic(build, Op::kAnd, parts[0].items[0], parts[1].items[0]);
    Value none = arithmetic(build, Op::kAnd, unary(build, node, UnaryOperator::kNot, parts[0].items[0]),
                            unary(build, node, UnaryOperator::kNot, parts[1].items[0]));
    return same.isPoison() ? same : arithmetic(build, Op::kOr, none, arithmetic(build, Op::kAnd, both, same));
}

}  // namespace kiln::gpu
