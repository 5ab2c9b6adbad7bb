// Comparisons, identity, containment and truth.
#include "jit/frontend/build_compare.h"

#include <opcode.h>

#include "jit/frontend/build_call.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/complex_values.h"
#include "jit/frontend/number_operands.h"
#include "jit/frontend/numpy_arithmetic.h"
#include "jit/frontend/numpy_complex.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr ir::Op kIntCompares[] = {ir::Op::k_int_lt, ir::Op::k_int_le, ir::Op::k_int_eq,
                                   ir::Op::k_int_ne, ir::Op::k_int_gt, ir::Op::k_int_ge};
constexpr ir::Op kFloatCompares[] = {ir::Op::k_float_lt, ir::Op::k_float_le, ir::Op::k_float_eq,
                                     ir::Op::k_float_ne, ir::Op::k_float_gt, ir::Op::k_float_ge};
static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);

// A float that has not been an object yet: no other object is it. (Small ints always are objects.)
bool isNewFloat(const AbstractValue& value) {
    return value.isFloat() && value.hasIdentity() && value.constant == nullptr && value.box == ir::kNoId;
}

bool isObjectOrNumber(const AbstractValue& value) {
    return value.kind == Kind::kObject || value.isInt() || value.isFloat() || value.isScalar();
}

}  // namespace

bool compareNumbers(RegionBuilder& b, int operation, const AbstractValue& left, const AbstractValue& right,
                    AbstractValue& result) {
    Id value;
    if (left.isIntLike() && right.isIntLike()) {
        value = b.emit(kIntCompares[operation], {asInt(b, left), asInt(b, right)});
    } else {
        // Python compares an int with a float exactly: within 2**53 the conversion is exact.
        for (const AbstractValue* side : {&left, &right}) {
            if (side->isInt()) {
                b.emitExiting(ir::Op::k_guard_exact, {side->value}, ExitReason::k_domain);
            }
        }
        value = b.emit(kFloatCompares[operation], {asFloat(b, left), asFloat(b, right)});
    }
    result = AbstractValue::number(Kind::kBool, value);
    return true;
}

bool compareOp(RegionBuilder& b, const BytecodeInstruction& in) {
    int operation = in.oparg >> 4;
    tellNumbers(b, in, compareOp);
    AbstractValue result;
    if (b.top(0).isNumber() && b.top(1).isNumber() && compareNumbers(b, operation, b.top(1), b.top(0), result)) {
        releaseTop(b, 2);
        b.push(result);
        b.state().frame().unit = in.next;
        return true;
    }
    if (scalarCompare(b, in, operation) || complexCompare(b, in, operation) || complexScalarCompare(b, in, operation)) {
        return true;
    }
    bool hasNone = b.top(0).kind == Kind::kNone || b.top(1).kind == Kind::kNone;
    bool bothPlain =
        (b.top(0).isNumber() || b.top(0).kind == Kind::kNone) && (b.top(1).isNumber() || b.top(1).kind == Kind::kNone);
    if (hasNone && bothPlain && (operation == Py_EQ || operation == Py_NE)) {
        bool equal = b.top(0).kind == b.top(1).kind;
        releaseTop(b, 2);
        b.push(AbstractValue::number(Kind::kBool, b.emit(ir::Op::k_const_bool, {}, equal == (operation == Py_EQ))));
        b.state().frame().unit = in.next;
        return true;
    }
    if (comparisonCall(b, in) || plainCompare(b, in, operation)) {
        return true;
    }
    opaqueInstruction(b, in, Helper::k_compare, 2, OpaqueResult::kObject, "COMPARE_OP", {operation});
    return true;
}

bool isOp(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& left = b.top(1);
    const AbstractValue& right = b.top(0);
    Id same;
    PyTypeObject* leftClass = left.knownClass();
    PyTypeObject* rightClass = right.knownClass();
    bool singletons = left.kind == Kind::kNone || right.kind == Kind::kNone || left.kind == Kind::kConstant ||
                      right.kind == Kind::kConstant;
    if (left.kind == Kind::kNone && right.kind == Kind::kNone) {
        same = b.emit(ir::Op::k_const_bool, {}, 1);
    } else if (leftClass != nullptr && rightClass != nullptr && leftClass != rightClass) {
        same = b.emit(ir::Op::k_const_bool, {}, 0);
    } else if ((left.isVirtualObject() || right.isVirtualObject()) && !left.isScalar() && !right.isScalar()) {
        bool one = left.isVirtualObject() && right.isVirtualObject() && left.identity == right.identity;
        same = b.emit(ir::Op::k_const_bool, {}, one);
    } else if (left.isBool() && right.isBool()) {
        same = b.emit(ir::Op::k_bool_not, {b.emit(ir::Op::k_bool_xor, {left.value, right.value})});
    } else if (isNewFloat(left) || isNewFloat(right)) {
        same = b.emit(ir::Op::k_const_bool, {}, left.kind == right.kind && left.value == right.value);
    } else if (singletons || isObjectOrNumber(left) || isObjectOrNumber(right)) {
        if (isVirtualIterator(left) || isVirtualIterator(right)) {
            return false;
        }
        Id first = boxEntry(b, 1);
        Id second = boxEntry(b, 0);
        same = b.emit(ir::Op::k_object_is, {first, second});
    } else {
        return false;
    }
    if (in.oparg) {
        same = b.emit(ir::Op::k_bool_not, {same});
    }
    finishCall(b, in, 2, AbstractValue::number(Kind::kBool, same));
    return true;
}

bool containsOp(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    knowArrayClass(b, in, 0, b.siteOf(in).receivers);
    const ClassOperations& known = operationsAt(b, 0);
    if (!known.contains(b, in) && !containmentCall(b, in)) {
        opaqueInstruction(b, in, Helper::k_contains, 2, OpaqueResult::kBool, "CONTAINS_OP", {in.oparg});
    }
    return true;
}

bool truthThroughHelper(RegionBuilder& b, const BytecodeInstruction& in, bool negate) {
    opaqueInstruction(b, in, Helper::k_is_true, 1, OpaqueResult::kBool, "truth of an object", {negate});
    return true;
}

}  // namespace kiln
