// Loops. The types at a loop's head are those before it, widened until its end agrees.
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_flat.h"
#include "gpu/frontend/build_index.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_statement.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/names.h"

namespace kiln::gpu {
namespace {

struct LoopParts {
    const Node* node = nullptr;
    Op op = Op::kWhile;
    std::vector<ValueId> operands;  // of for
    uint32_t counter = 0;           // of for: the variable
    std::function<Value()> condition;
    std::function<void()> prologue;
    const std::vector<std::unique_ptr<Node>>* body = nullptr;
    const std::vector<std::unique_ptr<Node>>* orelse = nullptr;
};

constexpr int kMostPasses = 20;  // each widens a type, and types have few steps to widen

bool assigns(const Node& node, const std::string& name) {
    bool isName = node.kind == NodeKind::kName || node.kind == NodeKind::kMatchAs || node.kind == NodeKind::kMatchStar;
    if (isName && node.text == name) {
        return true;  // or reads it, which does no harm
    }
    for (const auto& field : node.fields) {
        for (const auto& child : field) {
            if (assigns(*child, name)) {
                return true;
            }
        }
    }
    return false;
}

// Whether a break or continue in these statements is the loop's around them.
bool jumps(const std::vector<std::unique_ptr<Node>>& statements) {
    for (const auto& statement : statements) {
        if (statement->kind == NodeKind::kBreak || statement->kind == NodeKind::kContinue) {
            return true;
        }
        bool isLoop = statement->kind == NodeKind::kFor || statement->kind == NodeKind::kWhile;
        for (size_t field = 0; !isLoop && field < statement->fields.size(); field++) {
            if (jumps(statement->list(field))) {
                return true;
            }
        }
    }
    return false;
}

bool sameTypes(const Value& first, const Value& second) {
    if (first.kind != second.kind || first.type != second.type || first.slot != second.slot ||
        first.isConstant != second.isConstant || first.items.size() != second.items.size()) {
        return false;
    }
    for (size_t i = 0; i < first.items.size(); i++) {
        if (!sameTypes(first.items[i], second.items[i])) {
            return false;
        }
    }
    return true;
}

// Widens `header` by what the paths back to it bring. True when the loop must be built again for it.
bool widenHeader(FunctionBuilder& build, State& header, const std::vector<Edge>& edges) {
    bool changed = false;
    for (const Edge& edge : edges) {
        for (const auto& [name, value] : edge.state) {
            auto [found, isNew] = header.try_emplace(name, value);
            if (isNew) {
                dropConstants(found->second);
                changed = changed || build.loops().back()->undefined.count(name) > 0;
                continue;
            }
            Value joined = join(build, name, found->second, value);
            if (!sameTypes(joined, found->second)) {
                found->second = joined;
                changed = true;
            }
        }
    }
    return changed;
}

// A name that no path of this loop assigns may be assigned by a loop around it; else it has no value at all, which a thread that reads it
// finds out. True when the loop must be built again for it.
bool noteUndefined(FunctionBuilder& build, const OpenLoop& loop, const State& header) {
    bool again = false;
    for (const auto& [name, node] : loop.undefined) {
        if (header.count(name) > 0) {
            continue;
        }
        if (build.repeatedLoop() != nullptr) {
            build.repeatedLoop()->undefined.try_emplace(name, node);
        } else if (build.module().isLoop) {
            build.fail(*node, "NameError: '" + name + "' is used before it is assigned", kUndefinedName);
        } else {
            again = build.unassigned().insert(name).second || again;
        }
    }
    return again;
}

void finishWithFlag(FunctionBuilder& build, const LoopParts& parts, OpenLoop& loop, uint32_t flag) {
    Instruction choice = build.control(Op::kIf, {build.emitRaw(Op::kGet, scalarType(Scalar::kBool), {}, flag)});
    std::vector<Edge> edges = loop.breaks;
    choice.blocks.push_back(std::make_unique<Block>());
    choice.blocks.push_back(build.inBlock([&] { buildBody(build, *parts.orelse); }));
    if (!build.isDead()) {
        edges.push_back({choice.blocks.back().get(), build.names()});
    }
    meet(build, edges);
    build.insert(std::move(choice));
}

// What is behind the loop: the else part runs, and types are brought together, only where no break led here.
void finishLoop(FunctionBuilder& build, const LoopParts& parts, Instruction instruction, OpenLoop& loop, State normal,
                const State& header, bool endless) {
    for (const auto& [name, value] : header) {
        normal.try_emplace(name, value);
    }
    for (Edge& edge : loop.breaks) {  // of a later pass than the one that assigns
        edge.state.insert(header.begin(), header.end());
    }
    std::vector<Edge> edges = loop.breaks;
    if (endless) {
        build.insert(std::move(instruction));
        meet(build, edges);
        return;
    }
    edges.push_back({build.here().block, normal});
    bool moves = false;
    State joined = joinStates(build, edges);
    for (const auto& [name, value] : joined) {
        auto found = normal.find(name);
        moves = moves || (found != normal.end() && !sameTypes(found->second, value) && value.kind != ValueKind::kMixed);
    }
    bool needsFlag = !loop.breaks.empty() && (moves || !parts.orelse->empty());
    uint32_t flag = needsFlag ? build.slotFor("broke_" + std::to_string(build.function().variables.size()),
                                              scalarType(Scalar::kBool))
                              : 0;
    auto setFlag = [&](bool to) {
        build.emitRaw(Op::kSet, nullptr, {build.use(Value::constant(scalarType(Scalar::kBool), to))}, flag);
    };
    if (needsFlag) {
        setFlag(false);
        for (const Edge& edge : loop.breaks) {
            build.beforeJump(*edge.block, [&](Instruction*) { setFlag(true); });
        }
    }
    build.insert(std::move(instruction));
    build.names() = normal;
    build.setDead(false);
    if (!needsFlag) {
        buildBody(build, *parts.orelse);
        std::vector<Edge> ends = loop.breaks;
        if (!build.isDead()) {
            ends.push_back(build.here());
        }
        meet(build, ends);
        return;
    }
    finishWithFlag(build, parts, loop, flag);
}

void buildLoop(FunctionBuilder& build, const LoopParts& parts) {
    State header = build.names();
    for (auto& [name, value] : header) {
        if (assigns(*parts.node, name)) {
            dropConstants(value);
        }
    }
    Edge entry = build.here();
    int line = build.line();
    for (int pass = 0; pass < kMostPasses && !build.failed(); pass++) {
        OpenLoop loop;
        size_t arrays = build.function().arrays.size();
        Returns returns = build.returns();
        build.names() = header;
        build.setDead(false);
        build.loops().push_back(&loop);
        Instruction instruction = build.control(parts.op, parts.operands);
        instruction.line = line;
        instruction.index = parts.counter;
        bool endless = false;
        if (parts.op == Op::kWhile) {
            instruction.blocks.push_back(build.inBlock([&] {
                Value condition = parts.condition();
                endless = condition.isConstant && condition.bits != 0;
                ValueId operand = build.use(condition);
                build.append(build.control(Op::kYield, {operand})).line = line;
            }));
        }
        State afterCondition = build.names();
        instruction.blocks.push_back(build.inBlock([&] {
            parts.prologue();
            buildBody(build, *parts.body);
        }));
        if (!build.isDead()) {
            loop.continues.push_back({instruction.blocks.back().get(), build.names()});
        }
        bool again = !build.failed() && widenHeader(build, header, loop.continues);
        build.loops().pop_back();
        again = again || (!build.failed() && noteUndefined(build, loop, header));
        if (build.failed()) {
            return;
        }
        if (again) {
            build.function().arrays.resize(arrays);
            build.returns() = std::move(returns);
            continue;
        }
        moveInto(build, entry, header);
        for (const Edge& edge : loop.continues) {
            moveInto(build, edge, header);
        }
        finishLoop(build, parts, std::move(instruction), loop, parts.op == Op::kWhile ? afterCondition : header, header,
                   endless);
        break;
    }
    if (build.repeatedLoop() == nullptr) {
        build.unassigned().clear();
    }
}

void buildCountedFor(FunctionBuilder& build, const Node& node, const Value& range,
                     const std::function<Value(const Value&)>* itemOf) {
    LoopParts parts;
    const Type* type = range.items[0].type;
    const Node& target = *node.child(0);
    bool direct = itemOf == nullptr && target.kind == NodeKind::kName;  // the counter is what the name gets
    parts.node = &node;
    parts.op = Op::kFor;
    for (const Value& item : range.items) {
        parts.operands.push_back(build.use(item));
    }
    parts.counter = build.slotFor(direct ? target.text : "index_" + std::to_string(node.line), type);
    parts.prologue = [&, type, direct] {
        Value counter = Value::ofKind(ValueKind::kScalar);
        counter.type = type;
        counter.slot = parts.counter;
        if (direct) {
            build.names()[target.text] = counter;
            return;
        }
        Value item = build.emit(Op::kGet, type, {}, parts.counter);
        assign(build, target, itemOf != nullptr ? (*itemOf)(item) : item);
    };
    parts.body = &node.list(2);
    parts.orelse = &node.list(3);
    buildLoop(build, parts);
}

// Over a tuple: once for each item, since their types may differ. (With one type and a break in it: a loop like others.)
void buildUnrolledFor(FunctionBuilder& build, const Node& node, const Value& tuple) {
    for (const Value& item : tuple.items) {
        if (build.failed() || build.isDead()) {
            return;
        }
        OpenLoop loop;
        loop.isRepeated = false;
        build.loops().push_back(&loop);
        assign(build, *node.child(0), item);
        buildBody(build, node.list(2));
        build.loops().pop_back();
        if (!loop.breaks.empty() || !loop.continues.empty()) {
            build.fail(
                node,
                "break and continue in a loop over a tuple need items of one type, and this is " + describe(tuple),
                "UnsupportedError");
        }
    }
    buildBody(build, node.list(3));
}

// The item at a position that is in range.
Value itemAt(FunctionBuilder& build, const Node& node, const Value& iterable, const Value& position) {
    switch (iterable.kind) {
    case ValueKind::kArray:
        if (iterable.type->ndim == 1) {
            return loadAt(build, iterable, {position});
        }
        return viewOf(build, node, iterable, {position});
    case ValueKind::kTuple: return subscriptTuple(build, node, iterable, position);
    case ValueKind::kFlat: return loadAt(build, iterable.items[0], placeAt(build, iterable, position).items);
    case ValueKind::kPlaces: return placeAt(build, iterable, position);
    case ValueKind::kEnumerate:
        return Value::tuple({arithmetic(build, Op::kAdd, position, iterable.items[1]),
                             itemAt(build, node, iterable.items[0], position)});
    case ValueKind::kRange: {
        const Type* type = iterable.items[0].type;
        Value offset = arithmetic(build, Op::kMultiply, convert(build, position, type), iterable.items[2]);
        return arithmetic(build, Op::kAdd, iterable.items[0], offset);
    }
    case ValueKind::kZip: {
        Value tuple = Value::tuple({});
        for (const Value& item : iterable.items) {
            tuple.items.push_back(itemAt(build, node, item, position));
        }
        return tuple;
    }
    default: return build.fail(node, describe(iterable) + " cannot be iterated over");
    }
}

}  // namespace

void buildWhile(FunctionBuilder& build, const Node& node) {
    LoopParts parts;
    parts.node = &node;
    parts.op = Op::kWhile;
    parts.condition = [&]() -> Value {
        Value condition = truth(build, buildMaybe(build, *node.child(0)), *node.child(0));
        return condition.isPoison() ? Value::constant(scalarType(Scalar::kBool), 0) : condition;
    };
    parts.prologue = [] {};
    parts.body = &node.list(1);
    parts.orelse = &node.list(2);
    buildLoop(build, parts);
}

void buildFor(FunctionBuilder& build, const Node& node) {
    Value iterable = membersOfEnum(build, buildExpression(build, *node.child(1)), node);
    if (build.failed() || iterable.isPoison()) {
        return;
    }
    if (isText(iterable)) {
        Value items = textItems(build, node, iterable);
        iterable = items.isPoison() ? iterable : items;
    }
    if (iterable.kind == ValueKind::kTuple && !(jumps(node.list(2)) && isOfOneType(iterable))) {
        buildUnrolledFor(build, node, iterable);
        return;
    }
    if (iterable.kind == ValueKind::kRange) {
        buildCountedFor(build, node, iterable, nullptr);
        return;
    }
    Value length = lengthOf(build, iterable);
    if (length.isPoison()) {
        build.fail(*node.child(1), describe(iterable) + " cannot be iterated over");
        return;
    }
    Value range = Value::ofKind(ValueKind::kRange);
    range.items = {Value::integer(0), length, Value::integer(1)};
    std::function<Value(const Value&)> itemOf = [&](const Value& counter) {
        return itemAt(build, node, iterable, counter);
    };
    buildCountedFor(build, node, range, &itemOf);
}

Value lengthOf(FunctionBuilder& build, const Value& iterable) {
    switch (iterable.kind) {
    case ValueKind::kArray: return iterable.type->ndim > 0 ? dimensionOf(build, iterable, 0) : Value();
    case ValueKind::kEnumerate: return lengthOf(build, iterable.items[0]);
    case ValueKind::kTuple: return Value::integer(static_cast<int64_t>(iterable.items.size()));
    case ValueKind::kRange: return rangeLength(build, iterable);
    case ValueKind::kFlat:
    case ValueKind::kPlaces: return countOf(build, iterable);
    case ValueKind::kZip: {
        Value least;
        for (const Value& item : iterable.items) {
            Value length = lengthOf(build, item);
            least = least.isPoison() ? length : arithmetic(build, Op::kMinimum, least, length);
        }
        return least;
    }
    default: return {};
    }
}

Value rangeLength(FunctionBuilder& build, const Value& range) {
    const Type* type = scalarType(Scalar::kInt64);
    Value start = convert(build, range.items[0], type);
    Value step = convert(build, range.items[2], type);
    Value one = Value::integer(1);
    Value isUp = build.emit(Op::kGreater, scalarType(Scalar::kBool), {build.use(step), build.use(Value::integer(0))});
    Value sign = build.emit(Op::kSelect, type, {build.use(isUp), build.use(one), build.use(Value::integer(-1))});
    Value distance = arithmetic(build, Op::kSubtract, convert(build, range.items[1], type), start);
    Value count = arithmetic(build, Op::kFloorDivide,
                             arithmetic(build, Op::kSubtract, arithmetic(build, Op::kAdd, distance, step), sign), step);
    return arithmetic(build, Op::kMaximum, count, Value::integer(0));
}

}  // namespace kiln::gpu
