// Comparisons, identity, containment and truth.
#include <opcode.h>

#include "jit/frontend/region_builder.h"

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
    return value.kind == Kind::kObject || value.isInt() || value.isFloat();
}

}  // namespace

bool RegionBuilder::compareNumbers(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result) {
    Id value;
    if (a.isIntLike() && b.isIntLike()) {
        value = emit(kIntCompares[operation], {asInt(a), asInt(b)});
    } else {
        // Python compares an int with a float exactly: within 2**53 the conversion is exact.
        for (const AbstractValue* side : {&a, &b}) {
            if (side->isInt()) {
                emitExiting(ir::Op::k_guard_exact, {side->value}, ExitReason::k_domain);
            }
        }
        value = emit(kFloatCompares[operation], {asFloat(a), asFloat(b)});
    }
    result = AbstractValue::number(Kind::kBool, value);
    return true;
}

bool RegionBuilder::compareOp(const BytecodeInstruction& in) {
    int operation = in.oparg >> 4;
    AbstractValue result;
    if (top(0).isNumber() && top(1).isNumber() && compareNumbers(operation, top(1), top(0), result)) {
        releaseTop(2);
        push(result);
        state_.frame().unit = in.next;
        return true;
    }
    bool hasNone = top(0).kind == Kind::kNone || top(1).kind == Kind::kNone;
    bool bothPlain = (top(0).isNumber() || top(0).kind == Kind::kNone) && (top(1).isNumber() || top(1).kind == Kind::kNone);
    if (hasNone && bothPlain && (operation == Py_EQ || operation == Py_NE)) {
        bool equal = top(0).kind == top(1).kind;
        releaseTop(2);
        push(AbstractValue::number(Kind::kBool, emit(ir::Op::k_const_bool, {}, equal == (operation == Py_EQ))));
        state_.frame().unit = in.next;
        return true;
    }
    if (plainCompare(in, operation)) {
        return true;
    }
    opaqueInstruction(in, Helper::k_compare, 2, OpaqueResult::kObject, "COMPARE_OP", {operation});
    return true;
}

bool RegionBuilder::isOp(const BytecodeInstruction& in) {
    const AbstractValue& a = top(1);
    const AbstractValue& b = top(0);
    Id same;
    PyTypeObject* classA = a.knownClass();
    PyTypeObject* classB = b.knownClass();
    bool singletons = a.kind == Kind::kNone || b.kind == Kind::kNone || a.kind == Kind::kConstant || b.kind == Kind::kConstant;
    if (a.kind == Kind::kNone && b.kind == Kind::kNone) {
        same = emit(ir::Op::k_const_bool, {}, 1);
    } else if (classA != nullptr && classB != nullptr && classA != classB) {
        same = emit(ir::Op::k_const_bool, {}, 0);
    } else if (a.isVirtualObject() || b.isVirtualObject()) {
        bool one = a.isVirtualObject() && b.isVirtualObject() && a.identity == b.identity;
        same = emit(ir::Op::k_const_bool, {}, one);
    } else if (a.isBool() && b.isBool()) {
        same = emit(ir::Op::k_bool_not, {emit(ir::Op::k_bool_xor, {a.value, b.value})});
    } else if (isNewFloat(a) || isNewFloat(b)) {
        same = emit(ir::Op::k_const_bool, {}, a.kind == b.kind && a.value == b.value);
    } else if (singletons || isObjectOrNumber(a) || isObjectOrNumber(b)) {
        if (a.isVirtual() || b.isVirtual()) {
            return false;
        }
        Id left = boxEntry(1);
        Id right = boxEntry(0);
        same = emit(ir::Op::k_object_is, {left, right});
    } else {
        return false;
    }
    if (in.oparg) {
        same = emit(ir::Op::k_bool_not, {same});
    }
    finishCall(in, 2, AbstractValue::number(Kind::kBool, same));
    return true;
}

bool RegionBuilder::containsOp(const BytecodeInstruction& in) {
    const AbstractValue& item = top(1);
    const AbstractValue& container = top(0);
    bool sequence = container.kind == Kind::kObject &&
                    (container.cls == &PyList_Type || container.cls == &PyTuple_Type);
    if (container.kind == Kind::kConstant) {
        sequence = PyTuple_CheckExact(container.constant) || PyList_CheckExact(container.constant);
    }
    if (item.isInt() && sequence) {
        bool fresh = false;
        Id found = emitList(ir::Op::k_pure_int, {boxed(container, fresh), item.value},
                            static_cast<int64_t>(Helper::k_list_contains_int));
        emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ge, {found, constInt(0)})}, ExitReason::k_unsupported);
        Id result = emit(in.oparg ? ir::Op::k_int_eq : ir::Op::k_int_ne, {found, constInt(0)});
        finishCall(in, 2, AbstractValue::number(Kind::kBool, result));
        return true;
    }
    if (plainContains(in)) {
        return true;
    }
    opaqueInstruction(in, Helper::k_contains, 2, OpaqueResult::kBool, "CONTAINS_OP", {in.oparg});
    return true;
}

// Truth of an object by CPython; `negate` for UNARY_NOT.
bool RegionBuilder::truthThroughHelper(const BytecodeInstruction& in, bool negate) {
    opaqueInstruction(in, Helper::k_is_true, 1, OpaqueResult::kBool, "truth of an object", {negate});
    return true;
}

}  // namespace kiln
