// What functions return: all returns of a device function give one type.
#include <algorithm>

#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_return.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/typing_rules.h"

namespace kiln::gpu {
namespace {

// What is returned beside the mark that there is no value: of the form of one.
Value zero(const Value& like) {
    if (!like.hasParts()) {
        return like.isScalar() ? Value::constant(like.type, 0) : like;
    }
    Value value = Value::partsLike(like);
    for (const Value& item : like.items) {
        value.items.push_back(zero(item));
    }
    return value;
}

bool isHeldThroughout(const Value& value) {
    return value.hasParts() ? std::all_of(value.items.begin(), value.items.end(), isHeldThroughout) : value.isHeld();
}

// The parts that are held by IR values where a value becomes one of the form of `like`.
void flatten(const Value& value, const Value& like, std::vector<Value>& out) {
    if (value.isMember() && !like.isMember()) {
        return flatten(plain(value), like, out);
    }
    if (like.kind == ValueKind::kOptional && value.kind != ValueKind::kOptional) {
        flatten(Value::constant(scalarType(Scalar::kBool), !value.isNone()), like.items[0], out);
        flatten(value.isNone() ? zero(like.items[1]) : value, like.items[1], out);
    } else if (like.hasParts()) {
        for (size_t i = 0; i < like.items.size(); i++) {
            flatten(value.items[i], like.items[i], out);
        }
    } else if (like.isHeld()) {
        out.push_back(value);
    }
}

// As what the function returns: of this type.
Value returned(FunctionBuilder& build, const Value& value, const Type* type) {
    if (constantText(value)) {
        return textRecord(build, value, type);
    }
    if (value.isScalar()) {
        return convert(build, value, type);
    }
    bool isAbsent = value.id == kNoValue && value.slot == kNoValue;  // the array of zero(): of no variable that is ever set
    return isAbsent ? build.emit(Op::kGet, type, {}, build.slotFor("absent", type)) : withLayout(build, value, type);
}

// The common form of two returned values; kMixed when there is none.
Value unifyReturns(const Value& first, const Value& second) {
    Value value = Value::ofKind(first.kind);
    if (first.isScalar() && second.isScalar()) {
        value.type = unifyScalars(first.type, second.type);
        return value.type != nullptr ? value : Value::ofKind(ValueKind::kMixed);
    }
    if (first.isNone() && second.isNone()) {
        return value;
    }
    if (formOptional(first, second)) {
        const Value known[] = {asOptional(first, second), asOptional(second, first)};
        value = optional(Value::ofType(scalarType(Scalar::kBool)), unifyReturns(known[0].items[1], known[1].items[1]));
        return isHeldThroughout(value) ? value : Value::ofKind(ValueKind::kMixed);
    }
    if (first.kind == ValueKind::kText && second.kind == ValueKind::kText && first.text == second.text) {
        return first;
    }
    if (const Type* text = commonText(first, second); text != nullptr && (constantText(first) || constantText(second))) {
        return Value::ofType(text);
    }
    if (!first.isScalar() && first.isHeld() && first.kind == second.kind) {
        value.type = unifyArrays(first.type, second.type);
        return value.type != nullptr ? value : Value::ofKind(ValueKind::kMixed);
    }
    if (first.hasParts() && first.kind == second.kind &&
        first.items.size() == second.items.size() && first.object.get() == second.object.get()) {
        value.object = first.object;
        for (size_t i = 0; i < first.items.size(); i++) {
            value.items.push_back(unifyReturns(first.items[i], second.items[i]));
            if (value.items.back().kind == ValueKind::kMixed) {
                return value.items.back();
            }
        }
        return value;
    }
    if (first.isMember() || second.isMember()) {
        const Value known[] = {plain(first), plain(second)};
        if (!known[0].isMember() && !known[1].isMember()) {
            return unifyReturns(known[0], known[1]);
        }
    }
    return Value::ofKind(ValueKind::kMixed);
}

bool isKnown(const Value& value) {
    return !value.isPoison() && std::all_of(value.items.begin(), value.items.end(), isKnown);
}

}  // namespace

void addReturn(FunctionBuilder& build, const Node& node, const Value& value) {
    if (build.function().isKernel || !isKnown(value)) {
        return;
    }
    build.module().scratch = kNoValue;
    if (build.module().isUsedAgain(value)) {
        build.fail(node, build.function().pythonName + " returns an array that it has made", "UnsupportedError");
        return;
    }
    Returns& known = build.returns();
    Value unified = known.paths.empty() ? unifyReturns(value, value) : unifyReturns(known.result, value);
    if (unified.kind == ValueKind::kMixed) {
        build.fail(node, build.function().pythonName + " returns " + describe(known.result) + " in one place and " +
                             describe(value) + " here; it must return one type");
        return;
    }
    known.result = unified;
    known.paths.push_back({build.here().block, value});
    build.module().noteResult(build.index(), known.result);
}

void finishReturns(FunctionBuilder& build) {
    std::vector<Value> wanted;
    flatten(build.returns().result, build.returns().result, wanted);
    for (const Value& value : wanted) {
        build.function().results.push_back(value.type);
    }
    for (const Returns::Path& path : build.returns().paths) {
        build.beforeJump(*path.block, [&](Instruction* jump) {
            std::vector<Value> given;
            flatten(path.value, build.returns().result, given);
            for (size_t i = 0; i < given.size(); i++) {
                jump->operands.push_back(build.use(returned(build, given[i], wanted[i].type)));
            }
        });
    }
}

void buildReturn(FunctionBuilder& build, const Node& node) {
    Value value = node.child(0) != nullptr ? buildMaybe(build, *node.child(0)) : Value::none();
    if (build.failed()) {
        return;
    }
    if (build.function().isKernel && !value.isNone() && !value.isPoison()) {
        build.fail(node,
                   "a kernel cannot return a value (here " + describe(value) + "); write it into an array argument",
                   "TypeError");
        return;
    }
    build.append({Op::kReturn});
    if (!value.isPoison()) {
        addReturn(build, node, value);
    }
    build.setDead(true);
}

}  // namespace kiln::gpu
