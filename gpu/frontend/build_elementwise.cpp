#include "gpu/frontend/build_elementwise.h"

#include <algorithm>
#include <set>

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_view.h"

namespace kiln::gpu {
namespace {

// A part of the expression: a value, or where an array has to do with it, an operator's, whose operands follow.
struct Term {
    const Node* node = nullptr;
    Value value;
    std::vector<Term> operands;
    Stretches stretches;  // of an array

    bool isWhole() const { return !operands.empty() || value.isArray(); }
    bool isPoison() const { return operands.empty() && value.isPoison(); }
};

bool isZero(const Value& number) {
    return number.type->isFloat() ? floatOf(number.bits, number.type) == 0.0 : number.bits == 0;
}

// Of elements NumPy gives what these give, whatever they are.
bool isPlain(const Node& node, const Term& right) {
    static const std::set<std::string> kPlain = {"Add", "Sub", "Mult", "BitAnd", "BitOr", "BitXor"};
    const std::string& name = node.child(1)->text;
    bool isDivision = name == "Div" && right.value.isScalar() && right.value.isConstant && !isZero(right.value);
    return kPlain.contains(name) || isDivision;
}

Term termOf(FunctionBuilder& build, const Node& node);

Term binaryTerm(FunctionBuilder& build, const Node& node) {
    Term term{.node = &node};
    Term left = termOf(build, *node.child(0));
    Term right = termOf(build, *node.child(2));
    if (build.failed() || left.isPoison() || right.isPoison()) {
        return term;
    }
    if (!left.isWhole() && !right.isWhole()) {
        term.value = buildBinary(build, node, node.child(1)->text, left.value, right.value);
        return term;
    }
    if (!isPlain(node, right)) {
        build.fail(node, "this is not done to whole arrays in a loop over prange");
    }
    term.operands.push_back(std::move(left));
    term.operands.push_back(std::move(right));
    return term;
}

Term termOf(FunctionBuilder& build, const Node& node) {
    if (node.kind == NodeKind::kBinOp) {
        return binaryTerm(build, node);
    }
    return {.node = &node, .value = buildExpression(build, node)};
}

// Before the first element is stored to.
void prepare(FunctionBuilder& build, const Node& target, const Value& array, Term& term) {
    for (Term& operand : term.operands) {
        prepare(build, target, array, operand);
    }
    if (!term.value.isArray()) {
        return;
    }
    if (mayOverlap(target, *term.node, term.value.type->ndim == array.type->ndim)) {
        build.fail(*term.node, "this may lie in the memory that is stored to");
    } else if (mayFill(build, target, array, term.value)) {
        term.stretches = stretchesOf(build, target, array, term.value);
    }
}

Value elementOf(FunctionBuilder& build, const Term& term, const std::vector<Value>& at) {
    if (!term.operands.empty()) {
        Value left = elementOf(build, term.operands[0], at);
        return buildBinary(build, *term.node, term.node->child(1)->text, left, elementOf(build, term.operands[1], at));
    }
    return term.value.isArray() ? loadStretched(build, term.value, term.stretches, at) : term.value;
}

bool mentions(const Node& node, const std::string& name) {
    if (node.kind == NodeKind::kName && node.text == name) {
        return true;
    }
    return std::ranges::any_of(node.fields, [&](const auto& field) {
        return std::ranges::any_of(field, [&](const auto& part) { return part != nullptr && mentions(*part, name); });
    });
}

// A name of one is in the other, too.
bool sharesName(const Node& one, const Node& other) {
    if (one.kind == NodeKind::kName && mentions(other, one.text)) {
        return true;
    }
    return (one.kind == NodeKind::kSubscript || one.kind == NodeKind::kAttribute) && sharesName(*one.child(0), other);
}

// How many positions a name is indexed by, and by nothing else; 0 for any other expression. With as many the parts are one, or apart.
size_t positionsIn(const Node& node) {
    if (node.kind != NodeKind::kSubscript || node.child(0)->kind != NodeKind::kName) {
        return 0;
    }
    const Node& index = *node.child(1);
    auto isPosition = [](const Node& part) {
        return part.kind == NodeKind::kName || part.kind == NodeKind::kConstant || part.kind == NodeKind::kBinOp;
    };
    if (index.kind != NodeKind::kTuple) {
        return isPosition(index) ? 1 : 0;
    }
    bool all = std::ranges::all_of(index.list(0), [&](const auto& part) { return isPosition(*part); });
    return all ? index.list(0).size() : 0;
}

bool isSame(const Node& one, const Node& other) {
    if (one.kind != other.kind || one.text != other.text || one.fields.size() != other.fields.size() ||
        (one.constant && one.constant.get() != other.constant.get())) {
        return false;
    }
    for (size_t field = 0; field < one.fields.size(); field++) {
        auto isSamePart = [](const auto& a, const auto& b) {
            return a == nullptr || b == nullptr ? a == b : isSame(*a, *b);
        };
        if (!std::ranges::equal(one.list(field), other.list(field), isSamePart)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool mayOverlap(const Node& target, const Node& value, bool isAlike) {
    bool areApart = isAlike && positionsIn(target) != 0 && positionsIn(target) == positionsIn(value);
    return sharesName(target, value) && !areApart && !isSame(target, value);
}

void assignExpression(FunctionBuilder& build, const Node& target, const Node& expression) {
    Term term = termOf(build, expression);
    if (build.failed() || term.operands.empty()) {
        assign(build, target, term.value);
        return;
    }
    Value array = load(build, placeOf(build, target));
    if (build.failed() || array.isPoison()) {
        return;
    }
    if (!array.isArray()) {
        build.fail(target, "this is not done to whole arrays in a loop over prange");
        return;
    }
    build.module().module->movesParts = true;
    prepare(build, target, array, term);
    if (!build.failed()) {
        forElements(build, array,
                    [&](const std::vector<Value>& at) { storeAt(build, array, at, elementOf(build, term, at)); });
    }
}

}  // namespace kiln::gpu
