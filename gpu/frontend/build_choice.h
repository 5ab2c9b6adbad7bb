// What chooses: `if`, `a if c else b`, `and`, `or`.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// `condition ? then : otherwise`, each evaluated only if it is chosen, unless it does no harm.
Value choose(FunctionBuilder& build, const Value& condition, const Node& node, const std::function<Value()>& then,
             const std::function<Value()>& otherwise);
// if condition: then, else: otherwise. What nothing gets to is not built.
void branch(FunctionBuilder& build, const Value& condition, const std::function<void()>& then,
            const std::function<void()>& otherwise);
Value buildIfExp(FunctionBuilder& build, const Node& node);
Value buildBoolOp(FunctionBuilder& build, const Node& node);

}  // namespace kiln::gpu
