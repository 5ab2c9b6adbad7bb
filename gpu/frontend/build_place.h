// Places: what is assigned to. A target's parts are evaluated once, also where it is read first, as in `a[f()] += 1`.
#pragma once

#include "gpu/frontend/function_builder.h"
#include "gpu/ir/cache_hint.h"

namespace kiln::gpu {

// What is assigned to or read, with all that its expression computes computed: evaluated once, however often it is used.
struct Place {
    const Node* node = nullptr;
    bool isItem = false;  // base[index]
    Value base;
    Value index;
    std::vector<ValueId> element;     // the array and its indices, when they name one element
    std::vector<Value> parts;         // else those of a view
    const Type* unaligned = nullptr;  // of a scalar field, whose bytes `base` is
    CacheHint hint = CacheHint::kNone;  // of an access to an element
};

// Names are read and bound by load() and store(); what else there is, is known from here on.
Place placeOf(FunctionBuilder& build, const Node& target);
// What is there.
Value load(FunctionBuilder& build, const Place& place);
// base[index]
Value subscript(FunctionBuilder& build, const Node& node, const Value& base, const Value& index);
// Puts a value there, converted to the type that it has there.
void store(FunctionBuilder& build, const Place& place, const Value& value);
// `operands`: the array, and the indices of an element.
Value loadElement(FunctionBuilder& build, const Value& array, const std::vector<ValueId>& operands, CacheHint hint = CacheHint::kNone);
void storeElement(FunctionBuilder& build, const Node& node, const Value& array, std::vector<ValueId> operands,
                  const Value& value, CacheHint hint = CacheHint::kNone);
// An assignment to a target of the syntax, which may be a tuple of such.
void assign(FunctionBuilder& build, const Node& target, const Value& value);

}  // namespace kiln::gpu
