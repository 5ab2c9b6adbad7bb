// Loops. The types at a loop's head are those before it, widened until its end agrees.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

constexpr int kMostPasses = 20;  // each widens a type, and types have few steps to widen

void dropConstants(Value& value) {
    if (value.slot != kNoValue) {
        value.isConstant = false;
    }
    for (Value& item : value.items) {
        dropConstants(item);
    }
}

bool assigns(const Node& node, const std::string& name) {
    if (node.kind == NodeKind::kName && node.text == name) {
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

Instruction control(Op op, int line) {
    Instruction instruction;
    instruction.op = op;
    instruction.line = line;
    return instruction;
}

}  // namespace

// Widens `header` by what the paths back to it bring. True when the loop must be built again for it.
bool FunctionBuilder::widenHeader(State& header, const std::vector<Edge>& edges) {
    bool changed = false;
    for (const Edge& edge : edges) {
        for (const auto& [name, value] : edge.state) {
            auto [found, isNew] = header.try_emplace(name, value);
            if (isNew) {
                dropConstants(found->second);
                changed = changed || loops_.back()->undefined.count(name) > 0;
                continue;
            }
            Value joined = join(name, found->second, value);
            if (!sameTypes(joined, found->second)) {
                found->second = joined;
                changed = true;
            }
        }
    }
    return changed;
}

void FunctionBuilder::buildLoop(const LoopParts& parts) {
    State header = state_;
    for (auto& [name, value] : header) {
        if (assigns(*parts.node, name)) {
            dropConstants(value);
        }
    }
    Edge entry = {block_, state_};
    int line = line_;
    for (int pass = 0; pass < kMostPasses && !failed(); pass++) {
        Loop loop;
        size_t arrays = function().arrays.size();
        state_ = header;
        dead_ = false;
        loops_.push_back(&loop);
        Instruction instruction = control(parts.op, line);
        instruction.operands = parts.operands;
        instruction.index = parts.counter;
        bool endless = false;
        if (parts.op == Op::kWhile) {
            instruction.blocks.push_back(inBlock([&] {
                Value condition = parts.condition();
                endless = condition.isConstant && condition.bits != 0;
                ValueId operand = use(condition);
                append(control(Op::kYield, line)).operands = {operand};
            }));
        }
        State afterCondition = state_;
        instruction.blocks.push_back(inBlock([&] {
            parts.prologue();
            buildBody(*parts.body);
        }));
        if (!dead_) {
            loop.continues.push_back({instruction.blocks.back().get(), state_});
        }
        bool again = !failed() && widenHeader(header, loop.continues);
        loops_.pop_back();
        if (failed()) {
            return;
        }
        if (again) {
            function().arrays.resize(arrays);
            continue;
        }
        noteUndefined(loop, header);
        moveInto(entry, header);
        for (const Edge& edge : loop.continues) {
            moveInto(edge, header);
        }
        finishLoop(parts, std::move(instruction), loop, parts.op == Op::kWhile ? afterCondition : header, header, endless);
        return;
    }
}

// A name that no path of this loop assigns may be assigned by a loop around it; else it has no value at all.
void FunctionBuilder::noteUndefined(const Loop& loop, const State& header) {
    for (const auto& [name, node] : loop.undefined) {
        if (header.count(name) > 0) {
            continue;
        }
        if (loops_.empty()) {
            fail(*node, "'" + name + "' is used before it is assigned", "NameError");
        } else {
            loops_.back()->undefined.try_emplace(name, node);
        }
    }
}

// What is behind the loop: the else part runs, and types are brought together, only where no break led here.
void FunctionBuilder::finishLoop(const LoopParts& parts, Instruction instruction, Loop& loop, State normal,
                                 const State& header, bool endless) {
    for (const auto& [name, value] : header) {
        normal.try_emplace(name, value);
    }
    std::vector<Edge> edges = loop.breaks;
    if (endless) {
        block_->code.push_back(std::move(instruction));
        meet(edges);
        return;
    }
    edges.push_back({block_, normal});
    bool moves = false;
    State joined = joinStates(edges);
    for (const auto& [name, value] : joined) {
        auto found = normal.find(name);
        moves = moves || (found != normal.end() && !sameTypes(found->second, value) && value.kind != ValueKind::kMixed);
    }
    bool needsFlag = !loop.breaks.empty() && (moves || !parts.orelse->empty());
    uint32_t flag = needsFlag ? slotFor("broke_" + std::to_string(function().variables.size()), scalarType(Scalar::kBool)) : 0;
    auto setFlag = [&](bool to) {
        emitRaw(Op::kSet, nullptr, {use(Value::constant(scalarType(Scalar::kBool), to))}, flag);
    };
    if (needsFlag) {
        setFlag(false);
        for (const Edge& edge : loop.breaks) {
            Instruction jump = std::move(edge.block->code.back());
            edge.block->code.pop_back();
            Block* outer = std::exchange(block_, edge.block);
            setFlag(true);
            block_ = outer;
            edge.block->code.push_back(std::move(jump));
        }
    }
    block_->code.push_back(std::move(instruction));
    state_ = normal;
    dead_ = false;
    if (!needsFlag) {
        buildBody(*parts.orelse);
        std::vector<Edge> ends = loop.breaks;
        if (!dead_) {
            ends.push_back({block_, state_});
        }
        meet(ends);
        return;
    }
    finishWithFlag(parts, loop, flag);
}

void FunctionBuilder::finishWithFlag(const LoopParts& parts, Loop& loop, uint32_t flag) {
    Instruction choice = control(Op::kIf, line_);
    choice.operands = {emitRaw(Op::kGet, scalarType(Scalar::kBool), {}, flag)};
    std::vector<Edge> edges = loop.breaks;
    choice.blocks.push_back(std::make_unique<Block>());
    choice.blocks.push_back(inBlock([&] { buildBody(*parts.orelse); }));
    if (!dead_) {
        edges.push_back({choice.blocks.back().get(), state_});
    }
    meet(edges);
    block_->code.push_back(std::move(choice));
}

void FunctionBuilder::buildWhile(const Node& node) {
    LoopParts parts;
    parts.node = &node;
    parts.op = Op::kWhile;
    parts.condition = [&]() -> Value {
        Value condition = truth(buildExpression(*node.child(0)), *node.child(0));
        return condition.isPoison() ? Value::constant(scalarType(Scalar::kBool), 0) : condition;
    };
    parts.prologue = [] {};
    parts.body = &node.list(1);
    parts.orelse = &node.list(2);
    buildLoop(parts);
}

void FunctionBuilder::buildFor(const Node& node) {
    Value iterable = buildExpression(*node.child(1));
    if (failed() || iterable.isPoison()) {
        return;
    }
    if (iterable.kind == ValueKind::kTuple && !(jumps(node.list(2)) && isOfOneType(iterable))) {
        buildUnrolledFor(node, iterable);
        return;
    }
    if (iterable.kind == ValueKind::kRange) {
        buildCountedFor(node, iterable, nullptr);
        return;
    }
    Value length = lengthOf(iterable);
    if (length.isPoison()) {
        fail(*node.child(1), describe(iterable) + " cannot be iterated over");
        return;
    }
    Value range = Value::ofKind(ValueKind::kRange);
    range.items = {Value::integer(0), length, Value::integer(1)};
    std::function<Value(const Value&)> itemOf = [&](const Value& counter) { return itemAt(node, iterable, counter); };
    buildCountedFor(node, range, &itemOf);
}

void FunctionBuilder::buildCountedFor(const Node& node, const Value& range, const std::function<Value(const Value&)>* itemOf) {
    LoopParts parts;
    const Type* type = range.items[0].type;
    const Node& target = *node.child(0);
    bool direct = itemOf == nullptr && target.kind == NodeKind::kName;  // the counter is what the name gets
    parts.node = &node;
    parts.op = Op::kFor;
    for (const Value& item : range.items) {
        parts.operands.push_back(use(item));
    }
    parts.counter = slotFor(direct ? target.text : "index_" + std::to_string(node.line), type);
    parts.prologue = [&, type, direct] {
        Value counter = Value::ofKind(ValueKind::kScalar);
        counter.type = type;
        counter.slot = parts.counter;
        if (direct) {
            state_[target.text] = counter;
            return;
        }
        Value item = emit(Op::kGet, type, {}, parts.counter);
        assign(target, itemOf != nullptr ? (*itemOf)(item) : item);
    };
    parts.body = &node.list(2);
    parts.orelse = &node.list(3);
    buildLoop(parts);
}

// Over a tuple: once for each item, since their types may differ. (With one type and a break in it: a loop like others.)
void FunctionBuilder::buildUnrolledFor(const Node& node, const Value& tuple) {
    for (const Value& item : tuple.items) {
        if (failed() || dead_) {
            return;
        }
        Loop loop;
        loops_.push_back(&loop);
        assign(*node.child(0), item);
        buildBody(node.list(2));
        loops_.pop_back();
        if (!loop.breaks.empty() || !loop.continues.empty()) {
            fail(node, "break and continue in a loop over a tuple need items of one type, and this is " + describe(tuple),
                 "UnsupportedError");
        }
    }
    buildBody(node.list(3));
}

// int64, or poison for what cannot be iterated over.
Value FunctionBuilder::lengthOf(const Value& iterable) {
    switch (iterable.kind) {
    case ValueKind::kArray: return iterable.type->ndim > 0 ? dimension(iterable, 0) : Value();
    case ValueKind::kEnumerate: return lengthOf(iterable.items[0]);
    case ValueKind::kTuple: return Value::integer(static_cast<int64_t>(iterable.items.size()));
    case ValueKind::kRange: return rangeLength(iterable);
    case ValueKind::kZip: {
        Value least;
        for (const Value& item : iterable.items) {
            Value length = lengthOf(item);
            least = least.isPoison() ? length : arithmetic(Op::kMinimum, least, length);
        }
        return least;
    }
    default: return {};
    }
}

// max(0, (stop - start + step - sign(step)) // step), which is ceil((stop - start) / step) where that is positive.
Value FunctionBuilder::rangeLength(const Value& range) {
    const Type* type = scalarType(Scalar::kInt64);
    Value start = convert(range.items[0], type);
    Value step = convert(range.items[2], type);
    Value one = Value::integer(1);
    Value isUp = emit(Op::kGreater, scalarType(Scalar::kBool), {use(step), use(Value::integer(0))});
    Value sign = emit(Op::kSelect, type, {use(isUp), use(one), use(Value::integer(-1))});
    Value distance = arithmetic(Op::kSubtract, convert(range.items[1], type), start);
    Value count = arithmetic(Op::kFloorDivide, arithmetic(Op::kSubtract, arithmetic(Op::kAdd, distance, step), sign), step);
    return arithmetic(Op::kMaximum, count, Value::integer(0));
}

// The item at a position that is in range.
Value FunctionBuilder::itemAt(const Node& node, const Value& iterable, const Value& position) {
    switch (iterable.kind) {
    case ValueKind::kArray:
        if (iterable.type->ndim == 1) {
            return loadAt(iterable, {position});
        }
        return view(node, iterable, {position});
    case ValueKind::kTuple: return subscriptTuple(node, iterable, position);
    case ValueKind::kEnumerate:
        return Value::tuple({arithmetic(Op::kAdd, position, iterable.items[1]), itemAt(node, iterable.items[0], position)});
    case ValueKind::kRange: {
        const Type* type = iterable.items[0].type;
        Value offset = arithmetic(Op::kMultiply, convert(position, type), iterable.items[2]);
        return arithmetic(Op::kAdd, iterable.items[0], offset);
    }
    case ValueKind::kZip: {
        Value tuple = Value::tuple({});
        for (const Value& item : iterable.items) {
            tuple.items.push_back(itemAt(node, item, position));
        }
        return tuple;
    }
    default: return fail(node, describe(iterable) + " cannot be iterated over");
    }
}

}  // namespace kiln::gpu
