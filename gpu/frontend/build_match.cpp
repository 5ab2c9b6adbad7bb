// `match`: a chain of conditions. Of which length a tuple is is known when a kernel is compiled, so that a pattern of tuples is made of
// comparisons of their items.
#include "gpu/frontend/build_match.h"

#include <algorithm>

#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_statement.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

// What a pattern that matches gives names to.
using Captures = std::vector<std::pair<std::string, Value>>;

Value matches(FunctionBuilder& build, const Node& pattern, const Value& subject, Captures& captures);

Value known(bool holds) {
    return Value::constant(scalarType(Scalar::kBool), holds);
}

bool never(const Value& condition) {
    return condition.isConstant && condition.bits == 0;
}

// Of conditions without effects: those of patterns are.
Value combined(FunctionBuilder& build, Op op, const Value& first, const Value& second) {
    if (first.isPoison() || second.isPoison()) {
        return {};
    }
    for (const auto& [one, other] : {std::pair(first, second), std::pair(second, first)}) {
        if (one.isConstant) {
            return (one.bits != 0) == (op == Op::kOr) ? one : other;
        }
    }
    return arithmetic(build, op, first, second);
}

void capture(const Node& pattern, const Value& value, Captures& captures) {
    if (!pattern.text.empty()) {
        captures.emplace_back(pattern.text, value);
    }
}

// None, True and False are matched by identity: numbers are not these.
Value matchesSingleton(FunctionBuilder& build, const Node& pattern, const Value& subject) {
    bool isNone = pattern.constant.get() == Py_None;
    if (isNone || !subject.isScalar() || !subject.type->isBool()) {
        return known(isNone && subject.isNone());
    }
    return compare(build, pattern, Op::kEqual, subject, known(pattern.constant.get() == Py_True));
}

// Vectors and values of the program's own types, which are tuples with a class to the front end, are no sequences.
bool isSequence(const Value& subject) {
    PyObject* type = subject.object.get();
    return subject.kind == ValueKind::kTuple && (type == nullptr || (PyType_Check(type) && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), &PyTuple_Type) != 0));
}

Value matchesSequence(FunctionBuilder& build, const Node& pattern, const Value& subject, Captures& captures) {
    const auto& parts = pattern.list(0);
    auto star = std::find_if(parts.begin(), parts.end(), [](const auto& part) { return part->kind == NodeKind::kMatchStar; });
    bool hasStar = star != parts.end();
    if (subject.kind == ValueKind::kRange) {
        return build.fail(pattern, "a range cannot be matched in a kernel", "UnsupportedError");
    }
    size_t count = subject.items.size();
    if (!isSequence(subject) || (hasStar ? count + 1 < parts.size() : count != parts.size())) {
        return known(false);
    }
    size_t rest = count + 1 - parts.size();  // what the star takes
    size_t item = 0;
    Value condition = known(true);
    for (const auto& part : parts) {
        if (part->kind == NodeKind::kMatchStar) {
            auto first = subject.items.begin() + static_cast<std::ptrdiff_t>(item);
            capture(*part, Value::tuple({first, first + static_cast<std::ptrdiff_t>(rest)}), captures);
            item += rest;
            continue;
        }
        condition = combined(build, Op::kAnd, condition, matches(build, *part, subject.items[item++], captures));
        if (condition.isPoison() || never(condition)) {
            return condition;  // what follows need not go together with the subject's types
        }
    }
    return condition;
}

Value matchesOr(FunctionBuilder& build, const Node& pattern, const Value& subject) {
    Value condition = known(false);
    for (const auto& alternative : pattern.list(0)) {
        Captures captures;
        condition = combined(build, Op::kOr, condition, matches(build, *alternative, subject, captures));
        if (!captures.empty()) {
            return build.fail(*alternative, "alternatives of a pattern cannot have names in a kernel", "UnsupportedError");
        }
        if (condition.isPoison() || (condition.isConstant && condition.bits != 0)) {
            return condition;
        }
    }
    return condition;
}

// A bool: whether the subject is as the pattern says.
Value matches(FunctionBuilder& build, const Node& pattern, const Value& subject, Captures& captures) {
    if (subject.kind == ValueKind::kOptional && (pattern.kind == NodeKind::kMatchSingleton || pattern.kind == NodeKind::kMatchSequence)) {
        bool isNone = pattern.kind == NodeKind::kMatchSingleton && pattern.constant.get() == Py_None;
        return isNone ? isAbsent(build, subject)
                      : combined(build, Op::kAnd, subject.items[0], matches(build, pattern, subject.items[1], captures));
    }
    switch (pattern.kind) {
    case NodeKind::kMatchValue: return compare(build, pattern, Op::kEqual, subject, buildExpression(build, *pattern.child(0)));
    case NodeKind::kMatchSingleton: return matchesSingleton(build, pattern, subject);
    case NodeKind::kMatchSequence: return matchesSequence(build, pattern, subject, captures);
    case NodeKind::kMatchOr: return matchesOr(build, pattern, subject);
    case NodeKind::kMatchAs: {
        Value condition = pattern.child(0) != nullptr ? matches(build, *pattern.child(0), subject, captures) : known(true);
        capture(pattern, subject, captures);
        return condition;
    }
    default: return failUnsupported(build, pattern, "pattern");
    }
}

void bindCaptures(FunctionBuilder& build, const Node& pattern, const Captures& captures) {
    for (const auto& [name, value] : captures) {
        assignName(build, name, value, pattern);
    }
}

// Whether a guard holds, which is asked only where its pattern matches; the names of the pattern stay what it made them.
Value guarded(FunctionBuilder& build, const Node& clause, const Value& condition, const Captures& captures) {
    const Node& guard = *clause.child(1);
    auto holds = [&] {
        bindCaptures(build, *clause.child(0), captures);
        return truth(build, buildMaybe(build, guard), guard);
    };
    if (condition.isConstant) {
        return holds();
    }
    std::string name = "match_" + std::to_string(guard.line) + "_" + std::to_string(guard.column);
    branch(
        build, condition, [&] { assignName(build, name, holds(), guard); },
        [&] { assignName(build, name, known(false), guard); });
    auto found = build.names().find(name);
    if (build.failed() || found == build.names().end()) {
        return {};
    }
    Value result = readName(build, name, found->second, guard);
    build.names().erase(name);
    return result;
}

void buildCases(FunctionBuilder& build, const Node& node, const Value& subject, size_t first) {
    if (build.failed() || first == node.list(1).size()) {
        return;
    }
    const Node& clause = *node.list(1)[first];
    bool hasGuard = clause.child(1) != nullptr;
    Captures captures;
    Value condition = matches(build, *clause.child(0), subject, captures);
    if (hasGuard && !condition.isPoison() && !never(condition)) {
        condition = guarded(build, clause, condition, captures);
    }
    auto body = [&] {
        if (!hasGuard) {
            bindCaptures(build, *clause.child(0), captures);
        }
        buildBody(build, clause.list(2));
    };
    branch(build, condition, body, [&] { buildCases(build, node, subject, first + 1); });
}

}  // namespace

void buildMatch(FunctionBuilder& build, const Node& node) {
    Value subject = buildMaybe(build, *node.child(0));
    if (!subject.isPoison()) {
        buildCases(build, node, subject, 0);
    }
}

}  // namespace kiln::gpu
