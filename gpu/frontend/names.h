// Names: reading, assigning, and joining what is known about them where paths meet.
#pragma once

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// What a name stands for now: variables are read at once, because the expression may go on to assign them.
Value readName(FunctionBuilder& build, const std::string& name, const Value& binding, const Node& node);
// Makes a name hold a value: scalars and arrays go to the variable of that name and type.
Value bindName(FunctionBuilder& build, const std::string& name, const Value& value);
// An assignment to a name, with the errors that it may have.
void assignName(FunctionBuilder& build, const std::string& name, const Value& value, const Node& node);
// The value is what the variable holds, no more known to be a constant.
void dropConstants(Value& value);
// What is known about a name that is `first` on one path and `second` on another.
Value join(FunctionBuilder& build, const std::string& name, const Value& first, const Value& second);
// In front of the jump that ends the edge's block, if one does.
void moveInto(FunctionBuilder& build, const Edge& edge, const State& joined);
// What is known where these paths meet, without their moves.
State joinStates(FunctionBuilder& build, const std::vector<Edge>& edges);
// All edges come together here: the state becomes their join; without edges nothing gets here.
void meet(FunctionBuilder& build, std::vector<Edge>& edges);

}  // namespace kiln::gpu
