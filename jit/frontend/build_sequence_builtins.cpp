// Builtins of sequences: len, sum, range, enumerate, zip.
#include "jit/frontend/region_builder.h"

namespace kiln {

bool RegionBuilder::callLen(const BytecodeInstruction& in, int) {
    AbstractValue value = top();
    Id length = builtinLength(value);
    if (value.kind == Kind::kTuple) {
        length = constInt(static_cast<int64_t>(value.parts.size()));
    } else if (value.kind == Kind::kConstant && PyUnicode_CheckExact(value.constant)) {
        length = constInt(PyUnicode_GET_LENGTH(value.constant));
    } else if (value.kind == Kind::kRange && !siteOf(in).bigInt) {
        length = rangeLength(value);
    }
    if (length == ir::kNoId) {
        return false;
    }
    finishCall(in, 3, AbstractValue::number(Kind::kInt, length));
    return true;
}

RegionBuilder::Id RegionBuilder::rangeLength(const AbstractValue& range) {
    std::initializer_list<Id> bounds = {range.parts[0].value, range.parts[1].value, range.parts[2].value};
    return emitExiting(ir::Op::k_range_length, bounds, ExitReason::k_overflow);
}

// sum(sequence) and sum(sequence, start) of a real list or tuple or of a virtual range.
bool RegionBuilder::callSum(const BytecodeInstruction& in, int arguments) {
    PyTypeObject* cls = siteOf(in).results.only();
    bool isInt = cls == &PyLong_Type && !siteOf(in).bigInt;
    takeConstantSequence(arguments - 1);
    AbstractValue start = arguments == 2 ? top() : AbstractValue::number(Kind::kInt, ir::kNoId);
    const AbstractValue& items = top(arguments - 1);
    bool known = start.isInt() || (start.isFloat() && !isInt);
    if (!known || (!isInt && cls != &PyFloat_Type)) {
        return false;
    }
    if (start.value == ir::kNoId) {
        start.value = constInt(0);
    }
    AbstractValue result;
    if (items.kind == Kind::kRange && isInt) {
        std::vector<Id> operands = {items.parts[0].value, items.parts[1].value, items.parts[2].value, start.value};
        result = AbstractValue::number(Kind::kInt, fallibleInt(Helper::k_sum_range, operands, ExitReason::k_overflow));
        finishCall(in, arguments + 2, result);
        return true;
    }
    if (items.kind != Kind::kObject || (items.cls != &PyList_Type && items.cls != &PyTuple_Type)) {
        return false;
    }
    Id sequence = items.value;
    if (isInt) {
        Id total = fallibleInt(Helper::k_sum_ints, {sequence, start.value}, ExitReason::k_type);
        result = AbstractValue::number(Kind::kInt, total);
    } else {
        std::vector<Id> operands = {sequence, constInt(start.isFloat()), start.value};
        result = AbstractValue::number(Kind::kFloat, fallibleFloat(Helper::k_sum_floats, operands, ExitReason::k_type));
    }
    finishCall(in, arguments + 2, result);
    return true;
}

bool RegionBuilder::callRange(const BytecodeInstruction& in, int arguments) {
    AbstractValue range = virtualObject(Kind::kRange, {});
    for (int argument = 0; argument < arguments; argument++) {
        if (!top(argument).isIntLike()) {
            return false;
        }
    }
    auto bound = [&](int below) { return AbstractValue::number(Kind::kInt, asInt(top(below))); };
    AbstractValue one = AbstractValue::number(Kind::kInt, constInt(1));
    AbstractValue zero = AbstractValue::number(Kind::kInt, constInt(0));
    if (arguments == 1) {
        range.parts = {zero, bound(0), one};
    } else if (arguments == 2) {
        range.parts = {bound(1), bound(0), one};
    } else {
        range.parts = {bound(2), bound(1), bound(0)};
        Id isZero = emit(ir::Op::k_int_eq, {range.parts[2].value, constInt(0)});
        emitExiting(ir::Op::k_guard_false, {isZero}, ExitReason::k_domain);
    }
    range.unitStep = arguments < 3;
    finishCall(in, arguments + 2, range);
    return true;
}

// enumerate(iterable) and enumerate(iterable, start).
bool RegionBuilder::callEnumerate(const BytecodeInstruction& in, int arguments) {
    AbstractValue start = AbstractValue::number(Kind::kInt, ir::kNoId);
    if (arguments == 2) {
        if (!top().isInt()) {
            return false;
        }
        start = top();
    }
    if (!isIterable(top(arguments - 1))) {
        return false;
    }
    own(top(arguments - 1));
    AbstractValue result;
    result.kind = Kind::kEnumerate;
    result.parts = {start, virtualIterator(top(arguments - 1))};
    if (arguments == 1) {
        result.parts[0].value = constInt(0);
    }
    dropMoved(arguments);
    finishCall(in, 2, result);
    return true;
}

bool RegionBuilder::callZip(const BytecodeInstruction& in, int arguments) {
    if (arguments > kMostZipped) {
        return false;
    }
    for (int argument = 0; argument < arguments; argument++) {
        if (!isIterable(top(argument))) {
            return false;
        }
    }
    AbstractValue result;
    result.kind = Kind::kZip;
    for (int argument = arguments - 1; argument >= 0; argument--) {
        own(top(argument));
        result.parts.push_back(virtualIterator(top(argument)));
    }
    dropMoved(arguments);
    finishCall(in, 2, result);
    return true;
}

// Has a native iterator.
bool RegionBuilder::isIterable(const AbstractValue& value) const {
    bool sequence = value.kind == Kind::kObject && (value.cls == &PyList_Type || value.cls == &PyTuple_Type);
    return sequence || value.kind == Kind::kRange || isVirtualIterator(value);
}

// The top entries live on in something else.
void RegionBuilder::dropMoved(int count) {
    std::vector<AbstractValue>& slots = state_.frame().slots;
    slots.resize(slots.size() - static_cast<size_t>(count));
}

}  // namespace kiln
