// Functions that the package numba gives for others: for those of cmath and libdevice, and what programs register by overload().
#pragma once

#include "gpu/frontend/build_call.h"
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// The Python function that stands for the callee with arguments of these types; null where there is none, and after an error.
Ref<> overloadOf(FunctionBuilder& build, const Value& callee, const std::vector<Value>& arguments, const Keywords& named = {});
// The Python function for a method of a value, or without arguments for an attribute; likewise.
Ref<> memberOf(FunctionBuilder& build, const Value& self, const std::string& name, const std::vector<Value>* arguments);
// Whether the program has registered a method of that name for such values.
bool hasMethod(FunctionBuilder& build, const Value& self, const std::string& name);
// Whether a value is of a type of the program's, which has members (numba/structures.py).
bool isStructure(const Value& value);
// An operator, by its name in Python's module `operator`, that the program registered for operands of these types.
Value registeredOperator(FunctionBuilder& build, const Node& node, const char* name,
                         const std::vector<Value>& operands);
// A call of a device function: if it was given signatures, of the one that fits best, with arguments and result cast as it says.
Value callTarget(FunctionBuilder& build, const Node& node, PyObject* callee, PyObject* target,
                 std::vector<Value>& arguments, const Keywords* built = nullptr);

}  // namespace kiln::gpu
