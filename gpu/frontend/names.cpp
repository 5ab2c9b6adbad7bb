// Names: reading, assigning, and joining what is known about them where paths meet.
#include <algorithm>

#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {
namespace {

bool isCompileTime(const Value& value) {
    return !value.isHeld() && !value.hasParts();
}

bool sameKnowledge(const Value& first, const Value& second) {
    if (first.kind != second.kind || first.type != second.type || first.isConstant != second.isConstant ||
        first.slot != second.slot || first.items.size() != second.items.size() || first.text != second.text ||
        first.object.get() != second.object.get() || first.closure != second.closure ||
        (first.isConstant && first.bits != second.bits)) {
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

// Emits what makes the joined variable hold the value that it has on this path.
void moveValue(FunctionBuilder& build, const std::string& name, const Value& from, const Value& to) {
    if (from.isMember() && !to.isMember()) {
        return moveValue(build, name, plain(from), to);
    }
    if (to.kind == ValueKind::kOptional && from.kind != ValueKind::kOptional) {
        moveValue(build, name + "_0", Value::constant(scalarType(Scalar::kBool), !from.isNone()), to.items[0]);
        return from.isNone() ? void() : moveValue(build, name + "_1", from, to.items[1]);
    }
    if (to.hasParts() && from.hasParts()) {
        for (size_t i = 0; i < to.items.size() && i < from.items.size(); i++) {
            moveValue(build, name + "_" + std::to_string(i), from.items[i], to.items[i]);
        }
        return;
    }
    if (to.isRecord() && to.slot != kNoValue && constantText(from)) {
        build.emitRaw(Op::kSet, nullptr, {build.use(textRecord(build, from, to.type))}, to.slot);
        return;
    }
    if (to.slot == kNoValue || from.slot == to.slot || isCompileTime(from)) {
        return;
    }
    Value value = from.slot != kNoValue && !from.isConstant ? build.emit(Op::kGet, from.type, {}, from.slot) : from;
    value = value.isScalar() ? convert(build, value, to.type) : withLayout(build, value, to.type);
    build.emitRaw(Op::kSet, nullptr, {build.use(value)}, to.slot);
}

}  // namespace

Value readName(FunctionBuilder& build, const std::string& name, const Value& binding, const Node& node) {
    if (binding.kind == ValueKind::kMixed) {
        return build.fail(node, "variable '" + name + "' is " + binding.text + "; give it one type on all paths");
    }
    if (binding.hasParts()) {
        Value tuple = Value::partsLike(binding);
        for (const Value& item : binding.items) {
            tuple.items.push_back(readName(build, name, item, node));
        }
        return tuple;
    }
    if (binding.slot == kNoValue || binding.isConstant) {
        return binding;
    }
    return build.emit(Op::kGet, binding.type, {}, binding.slot);
}

Value bindName(FunctionBuilder& build, const std::string& name, const Value& value) {
    Value bound = value;
    if (value.hasParts()) {
        for (size_t i = 0; i < value.items.size(); i++) {
            bound.items[i] = bindName(build, name + "_" + std::to_string(i), value.items[i]);
        }
        return bound;
    }
    if (!value.isHeld()) {
        return bound;
    }
    bound.slot = build.slotFor(name, value.type);
    build.emitRaw(Op::kSet, nullptr, {build.use(value)}, bound.slot);
    bound.id = kNoValue;
    return bound;
}

void assignName(FunctionBuilder& build, const std::string& name, const Value& value, const Node& node) {
    if (value.isPoison()) {
        return;
    }
    if (value.kind == ValueKind::kMethod || value.kind == ValueKind::kMixed || value.kind == ValueKind::kJoined) {
        build.fail(node, describe(value) + " cannot be assigned to '" + name + "'");
        return;
    }
    if (build.module().isUsedAgain(value)) {
        build.fail(node, "'" + name + "' would be a second name of an array that each iteration makes anew",
                   "UnsupportedError");
        return;
    }
    build.names()[name] = bindName(build, name, value);
}

void dropConstants(Value& value) {
    if (value.slot != kNoValue) {
        value.isConstant = false;
    }
    for (Value& item : value.items) {
        dropConstants(item);
    }
}

Value join(FunctionBuilder& build, const std::string& name, const Value& first, const Value& second) {
    if (sameKnowledge(first, second)) {
        return first;
    }
    if (first.isMember() != second.isMember() || first.object.get() != second.object.get()) {
        const Value known[] = {plain(first), plain(second)};
        if (known[0].kind != first.kind || known[1].kind != second.kind) {
            return join(build, name, known[0], known[1]);
        }
    }
    Value joined;
    if (formOptional(first, second) && !build.module().isLoop) {
        Value parts[] = {asOptional(first, second), asOptional(second, first)};
        joined = optional(join(build, name + "_0", parts[0].items[0], parts[1].items[0]),
                          join(build, name + "_1", parts[0].items[1], parts[1].items[1]));
        return joined.items[1].kind == ValueKind::kMixed ? joined.items[1] : joined;
    }
    bool areScalars = first.isScalar() && second.isScalar();
    if (areScalars && unifyScalars(first.type, second.type) != nullptr) {
        joined.kind = ValueKind::kScalar;
        joined.type = unifyScalars(first.type, second.type);
    } else if (first.kind == second.kind && (first.isArray() || first.isRecord()) && unifyArrays(first.type, second.type) != nullptr) {
        joined.kind = first.kind;
        joined.type = unifyArrays(first.type, second.type);
    } else if (const Type* text = commonText(first, second)) {
        joined.kind = ValueKind::kRecord;
        joined.type = text;
    } else if (first.hasParts() && first.kind == second.kind &&
               first.items.size() == second.items.size() && first.object.get() == second.object.get()) {
        joined = Value::partsLike(first);
        for (size_t i = 0; i < first.items.size(); i++) {
            joined.items.push_back(join(build, name + "_" + std::to_string(i), first.items[i], second.items[i]));
        }
        return joined;
    } else {
        joined.kind = ValueKind::kMixed;
        joined.text = first.kind == ValueKind::kMixed
                          ? first.text
                          : describe(first) + " on one path and " + describe(second) + " on another";
        return joined;
    }
    joined.slot = build.slotFor(name, joined.type);
    return joined;
}

void moveInto(FunctionBuilder& build, const Edge& edge, const State& joined) {
    build.beforeJump(*edge.block, [&](Instruction*) {
        for (const auto& [name, value] : edge.state) {
            auto found = joined.find(name);
            if (found != joined.end()) {
                moveValue(build, name, value, found->second);
            }
        }
    });
}

State joinStates(FunctionBuilder& build, const std::vector<Edge>& edges) {
    State joined = edges.front().state;
    for (size_t i = 1; i < edges.size(); i++) {
        for (const auto& [name, value] : edges[i].state) {
            auto [found, isNew] = joined.try_emplace(name, value);
            if (!isNew) {
                found->second = join(build, name, found->second, value);
            }
        }
    }
    for (auto& [name, value] : joined) {
        bool isEverywhere = std::all_of(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.state.count(name) > 0; });
        if (!isEverywhere) {
            dropConstants(value);
        }
    }
    return joined;
}

void meet(FunctionBuilder& build, std::vector<Edge>& edges) {
    build.setDead(edges.empty());
    if (build.isDead()) {
        return;
    }
    State joined = joinStates(build, edges);
    for (const Edge& edge : edges) {
        moveInto(build, edge, joined);
    }
    build.names() = std::move(joined);
}

}  // namespace kiln::gpu
