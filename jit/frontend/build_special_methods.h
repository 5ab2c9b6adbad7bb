// Operations that call special methods of the program's classes: the methods are inlined, and the operands stay on the caller's stack
// until the method returns, as in CPython (ir/result_uses.def).
#pragma once

#include "jit/frontend/region_builder.h"

namespace kiln {

// Each is false where CPython must do it. The operands' classes were observed.
bool subscriptCall(RegionBuilder& b, const BytecodeInstruction& in);    // BINARY_SUBSCR
bool storeItemCall(RegionBuilder& b, const BytecodeInstruction& in);    // STORE_SUBSCR
bool comparisonCall(RegionBuilder& b, const BytecodeInstruction& in);   // COMPARE_OP
bool containmentCall(RegionBuilder& b, const BytecodeInstruction& in);  // CONTAINS_OP
bool lengthCall(RegionBuilder& b, const BytecodeInstruction& in);       // CALL of len
// GET_ITER: a generator's function may be called, too.
bool iteratorCall(RegionBuilder& b, const BytecodeInstruction& in);
// POP_JUMP_IF_TRUE, POP_JUMP_IF_FALSE, UNARY_NOT: built again with a bool when the method has returned.
bool truthCall(RegionBuilder& b, const BytecodeInstruction& in);
bool nextCall(RegionBuilder& b, const BytecodeInstruction& in);         // FOR_ITER
// BEFORE_WITH: [manager] becomes [its bound __exit__, which is virtual], and __enter__ runs.
bool enterCall(RegionBuilder& b, const BytecodeInstruction& in);
// A call whose `operands` entries in `state` stay until it returns. On top of the stack are the function's arguments.
bool inlineHolding(RegionBuilder& b, const BytecodeInstruction& in, PyFunctionObject* function, int arguments, AbstractState state, int operands);
// CALL of a virtual bound method, which lies where a method does: [method], then the arguments.
bool boundCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments);
// CALL of a class by the __call__ of its metaclass: [NULL, class], a constant, then the arguments.
bool metaclassCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments);
// CALL of an instance: [NULL, instance], then the arguments.
bool instanceCall(RegionBuilder& b, const BytecodeInstruction& in, int arguments);

}  // namespace kiln
