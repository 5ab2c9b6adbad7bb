// What chooses: `if`, `a if c else b`, `and`, `or`.
#include "gpu/frontend/build_choice.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {
namespace {

bool isHarmless(const Block& block) {
    constexpr size_t kMostSpeculated = 12;
    for (const Instruction& instruction : block.code) {
        bool pure = opInfo(instruction.op).effect == Effect::kPure || instruction.op == Op::kGet;
        if (!pure || instruction.op == Op::kMath || instruction.op == Op::kPower) {
            return false;
        }
    }
    return block.code.size() <= kMostSpeculated;
}

Value selectHarmless(FunctionBuilder& build, Instruction& choice, Value* values) {
    for (const auto& block : choice.blocks) {
        for (Instruction& instruction : block->code) {
            build.insert(std::move(instruction));
        }
    }
    const Type* type = unifyScalars(values[0].type, values[1].type);
    Value then = convert(build, values[0], type);
    Value otherwise = convert(build, values[1], type);
    if (type->isBool() && otherwise.isConstant && otherwise.bits == 0) {
        return build.emit(Op::kAnd, type, {choice.operands[0], build.use(then)});
    }
    if (type->isBool() && then.isConstant && then.bits == 1) {
        return build.emit(Op::kOr, type, {choice.operands[0], build.use(otherwise)});
    }
    return build.emit(Op::kSelect, type, {choice.operands[0], build.use(then), build.use(otherwise)});
}

// a and b: b if a, else a. Of bools: a value of type bool.
Value boolOpFrom(FunctionBuilder& build, const Node& node, size_t first) {
    const auto& operands = node.list(1);
    Value left = buildMaybe(build, *operands[first]);
    if (first + 1 == operands.size()) {
        return left;
    }
    bool isAnd = node.child(0)->text == "And";
    Value condition = truth(build, left, *operands[first]);
    Value stop = left.isScalar() && left.type->isBool() ? Value::constant(left.type, !isAnd) : left;
    auto rest = [&] { return boolOpFrom(build, node, first + 1); };
    auto same = [&] { return stop; };
    return isAnd ? choose(build, condition, node, rest, same) : choose(build, condition, node, same, rest);
}

}  // namespace

Value choose(FunctionBuilder& build, const Value& condition, const Node& node, const std::function<Value()>& then,
             const std::function<Value()>& otherwise) {
    if (condition.isConstant || condition.isPoison()) {
        return condition.isPoison() ? condition : condition.bits != 0 ? then() : otherwise();
    }
    ValueId operand = build.use(condition);
    Value values[2];
    std::vector<Edge> edges;
    State before = build.names();
    Instruction instruction = build.control(Op::kIf, {operand});
    std::string name = "choice_" + std::to_string(node.line) + "_" + std::to_string(node.column);
    for (int branch = 0; branch < 2; branch++) {
        build.names() = before;
        build.choices()++;
        instruction.blocks.push_back(build.inBlock([&] { values[branch] = branch == 0 ? then() : otherwise(); }));
        build.choices()--;
        edges.push_back({instruction.blocks.back().get(), build.names()});
    }
    if (build.failed() || values[0].isPoison() ||
        values[1].isPoison()) {  // of one that nothing is known of, the other tells the type
        build.names() = before;
        return build.failed() ? Value() : values[0].isPoison() ? values[1] : values[0];
    }
    bool areScalars = values[0].isScalar() && values[1].isScalar();
    if (areScalars && unifyScalars(values[0].type, values[1].type) != nullptr && isHarmless(*instruction.blocks[0]) &&
        isHarmless(*instruction.blocks[1])) {
        build.names() = before;
        return selectHarmless(build, instruction, values);
    }
    for (int branch = 0; branch < 2; branch++) {
        build.within(*edges[branch].block, [&] { edges[branch].state[name] = bindName(build, name, values[branch]); });
    }
    meet(build, edges);
    build.insert(std::move(instruction));
    Value joined = build.names()[name];
    build.names().erase(name);
    return readName(build, "the result", joined, node);
}

void branch(FunctionBuilder& build, const Value& condition, const std::function<void()>& then,
            const std::function<void()>& otherwise) {
    if (build.failed() || condition.isPoison()) {
        return;
    }
    if (condition.isConstant) {
        condition.bits != 0 ? then() : otherwise();
        return;
    }
    ValueId operand = build.use(condition);
    State before = build.names();
    std::vector<Edge> edges;
    Instruction instruction = build.control(Op::kIf, {operand});
    for (const auto* part : {&then, &otherwise}) {
        build.names() = before;
        build.setDead(false);
        instruction.blocks.push_back(build.inBlock(*part));
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

Value buildIfExp(FunctionBuilder& build, const Node& node) {
    Value condition = truth(build, buildMaybe(build, *node.child(0)), *node.child(0));
    return choose(
        build, condition, node, [&] { return buildMaybe(build, *node.child(1)); },
        [&] { return buildMaybe(build, *node.child(2)); });
}

Value buildBoolOp(FunctionBuilder& build, const Node& node) {
    return boolOpFrom(build, node, 0);
}

}  // namespace kiln::gpu
