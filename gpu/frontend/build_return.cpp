// What functions return: all returns of a device function give one type.
#include <algorithm>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

void flatten(const Value& value, std::vector<Value>& out) {
    if (value.kind == ValueKind::kTuple) {
        for (const Value& item : value.items) {
            flatten(item, out);
        }
    } else if (value.isHeld()) {
        out.push_back(value);
    }
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
    if (!first.isScalar() && first.isHeld() && first.kind == second.kind && first.type == second.type) {
        value.type = first.type;
        return value;
    }
    if (first.kind == ValueKind::kTuple && second.kind == ValueKind::kTuple &&
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
    return Value::ofKind(ValueKind::kMixed);
}

bool isKnown(const Value& value) {
    return !value.isPoison() && std::all_of(value.items.begin(), value.items.end(), isKnown);
}

}  // namespace

void FunctionBuilder::addReturn(const Node& node, const Value& value) {
    if (function().isKernel || !isKnown(value)) {
        return;
    }
    module_.scratch = kNoValue;
    if (module_.isUsedAgain(value)) {
        fail(node, function().pythonName + " returns an array that it has made", "UnsupportedError");
        return;
    }
    Value unified = returns_.empty() ? unifyReturns(value, value) : unifyReturns(result_, value);
    if (unified.kind == ValueKind::kMixed) {
        fail(node, function().pythonName + " returns " + describe(result_) + " in one place and " + describe(value) +
             " here; it must return one type");
        return;
    }
    result_ = unified;
    hasResult_ = true;
    returns_.push_back({block_, value});
    module_.noteResult(index_, result_);
}

// Gives every return its operands, converted to the common type.
void FunctionBuilder::finishReturns() {
    std::vector<Value> wanted;
    flatten(result_, wanted);
    for (const Value& value : wanted) {
        function().results.push_back(value.type);
    }
    for (const Returned& returned : returns_) {
        Instruction jump = std::move(returned.block->code.back());
        returned.block->code.pop_back();
        Block* outer = std::exchange(block_, returned.block);
        std::vector<Value> given;
        flatten(returned.value, given);
        for (size_t i = 0; i < given.size(); i++) {
            jump.operands.push_back(use(convert(given[i], wanted[i].type)));
        }
        block_ = outer;
        returned.block->code.push_back(std::move(jump));
    }
}

void ModuleBuilder::noteResult(uint32_t index, const Value& result) {
    for (Callee& callee : callees) {
        if (callee.index == index && !callee.finished && !callee.isAssumed) {
            callee.result = result;
            callee.hasResult = true;
        }
    }
}

}  // namespace kiln::gpu
