// Names: reading, assigning, and joining what is known about them where paths meet.
#include <algorithm>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

bool isCompileTime(const Value& value) {
    return !value.isHeld() && value.kind != ValueKind::kTuple;
}

bool sameKnowledge(const Value& first, const Value& second) {
    if (first.kind != second.kind || first.type != second.type || first.isConstant != second.isConstant ||
        first.slot != second.slot || first.items.size() != second.items.size() || first.text != second.text ||
        first.object.get() != second.object.get() || first.closure != second.closure || (first.isConstant && first.bits != second.bits)) {
        return false;
    }
    if (first.slot == kNoValue && first.id != second.id && first.isHeld()) {
        return false;
    }
    for (size_t i = 0; i < first.items.size(); i++) {
        if (!sameKnowledge(first.items[i], second.items[i])) {
            return false;
        }
    }
    return true;
}

}  // namespace

// What a name stands for now: variables are read at once, because the expression may go on to assign them.
Value FunctionBuilder::read(const std::string& name, const Value& binding, const Node& node) {
    if (binding.kind == ValueKind::kMixed) {
        return fail(node, "variable '" + name + "' is " + binding.text + "; give it one type on all paths");
    }
    if (binding.kind == ValueKind::kTuple) {
        Value tuple = Value::tuple({}, binding.object);
        for (const Value& item : binding.items) {
            tuple.items.push_back(read(name, item, node));
        }
        return tuple;
    }
    if (binding.slot == kNoValue || binding.isConstant) {
        return binding;
    }
    return emit(Op::kGet, binding.type, {}, binding.slot);
}

// Makes a name hold a value: scalars and arrays go to the variable of that name and type.
Value FunctionBuilder::bind(const std::string& name, const Value& value) {
    Value bound = value;
    if (value.kind == ValueKind::kTuple) {
        for (size_t i = 0; i < value.items.size(); i++) {
            bound.items[i] = bind(name + "_" + std::to_string(i), value.items[i]);
        }
        return bound;
    }
    if (!value.isHeld()) {
        return bound;
    }
    bound.slot = slotFor(name, value.type);
    emitRaw(Op::kSet, nullptr, {use(value)}, bound.slot);
    bound.id = kNoValue;
    return bound;
}

void FunctionBuilder::assignName(const std::string& name, const Value& value, const Node& node) {
    if (value.isPoison()) {
        return;
    }
    if (value.kind == ValueKind::kMethod || value.kind == ValueKind::kMixed) {
        fail(node, describe(value) + " cannot be assigned to '" + name + "'");
        return;
    }
    if (module_.isUsedAgain(value)) {
        fail(node, "'" + name + "' would be a second name of an array that each iteration makes anew", "UnsupportedError");
        return;
    }
    state_[name] = bind(name, value);
}

bool ModuleBuilder::isUsedAgain(const Value& value) const {
    bool isOwn = isLoop && value.isArray() && value.type->space == Space::kLocal && value.id != scratch;
    return isOwn || std::any_of(value.items.begin(), value.items.end(), [&](const Value& item) { return isUsedAgain(item); });
}

// What is known about a name that is `first` on one path and `second` on another.
Value FunctionBuilder::join(const std::string& name, const Value& first, const Value& second) {
    if (sameKnowledge(first, second)) {
        return first;
    }
    Value joined;
    bool areScalars = first.isScalar() && second.isScalar();
    if (areScalars && unifyScalars(first.type, second.type) != nullptr) {
        joined.kind = ValueKind::kScalar;
        joined.type = unifyScalars(first.type, second.type);
    } else if (first.kind == second.kind && (first.isArray() || first.isRecord()) && first.type->element == second.type->element &&
               first.type->ndim == second.type->ndim) {
        joined.kind = first.kind;
        Layout layout = first.type->layout == second.type->layout ? first.type->layout : Layout::kA;
        Space space = first.type->space == second.type->space ? first.type->space : Space::kGlobal;
        joined.type = arrayType(first.type->element, first.type->ndim, layout, space,
                                first.type->readonly || second.type->readonly);
    } else if (first.kind == ValueKind::kTuple && second.kind == ValueKind::kTuple &&
               first.items.size() == second.items.size() && first.object.get() == second.object.get()) {
        joined = Value::tuple({}, first.object);
        for (size_t i = 0; i < first.items.size(); i++) {
            joined.items.push_back(join(name + "_" + std::to_string(i), first.items[i], second.items[i]));
        }
        return joined;
    } else {
        joined.kind = ValueKind::kMixed;
        joined.text = first.kind == ValueKind::kMixed ? first.text : describe(first) + " on one path and " +
                      describe(second) + " on another";
        return joined;
    }
    joined.slot = slotFor(name, joined.type);
    return joined;
}

// Emits what makes the joined variable hold the value that it has on this path.
void FunctionBuilder::moveValue(const std::string& name, const Value& from, const Value& to) {
    if (to.kind == ValueKind::kTuple && from.kind == ValueKind::kTuple) {
        for (size_t i = 0; i < to.items.size() && i < from.items.size(); i++) {
            moveValue(name + "_" + std::to_string(i), from.items[i], to.items[i]);
        }
        return;
    }
    if (to.slot == kNoValue || from.slot == to.slot || isCompileTime(from)) {
        return;
    }
    Value value = from.slot != kNoValue && !from.isConstant ? emit(Op::kGet, from.type, {}, from.slot) : from;
    value = value.isScalar() ? convert(value, to.type) : withLayout(value, to.type);
    emitRaw(Op::kSet, nullptr, {use(value)}, to.slot);
}

// In front of the jump that ends the edge's block, if one does.
void FunctionBuilder::moveInto(const Edge& edge, const State& joined) {
    std::vector<Instruction> jump;
    if (!edge.block->code.empty() && opInfo(edge.block->code.back().op).effect == Effect::kJump) {
        jump.push_back(std::move(edge.block->code.back()));
        edge.block->code.pop_back();
    }
    Block* outer = std::exchange(block_, edge.block);
    for (const auto& [name, value] : edge.state) {
        auto found = joined.find(name);
        if (found != joined.end()) {
            moveValue(name, value, found->second);
        }
    }
    block_ = outer;
    for (Instruction& instruction : jump) {
        edge.block->code.push_back(std::move(instruction));
    }
}

State FunctionBuilder::joinStates(const std::vector<Edge>& edges) {
    State joined = edges.front().state;
    for (size_t i = 1; i < edges.size(); i++) {
        for (const auto& [name, value] : edges[i].state) {
            auto [found, isNew] = joined.try_emplace(name, value);
            if (!isNew) {
                found->second = join(name, found->second, value);
            }
        }
    }
    return joined;
}

// All edges come together here: the state becomes their join; without edges nothing gets here.
void FunctionBuilder::meet(std::vector<Edge>& edges) {
    dead_ = edges.empty();
    if (dead_) {
        return;
    }
    State joined = joinStates(edges);
    for (const Edge& edge : edges) {
        moveInto(edge, joined);
    }
    state_ = std::move(joined);
}

}  // namespace kiln::gpu
