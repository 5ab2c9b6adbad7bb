// Builtins of sequences: len, sum, range, enumerate, zip.
#include "jit/frontend/build_sequence_builtins.h"

#include <array>

#include "jit/frontend/array_iteration.h"
#include "jit/frontend/buffer_values.h"
#include "jit/frontend/build_builtins.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/callee_handlers.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// Has a native iterator. Of what is taken in, a generator goes on in loops of its own only.
bool isIterable(const AbstractValue& value) {
    bool sequence = value.kind == Kind::kObject && (value.cls == &PyList_Type || value.cls == &PyTuple_Type);
    bool array = isArrayToIterate(value);
    bool isIterator = isVirtualIterator(value) && value.kind != Kind::kGenerator;
    return sequence || array || value.kind == Kind::kRange || isIterator;
}

// Guards that the entry is a list, or a tuple, where it was one each time.
void knowItems(RegionBuilder& b, const BytecodeInstruction& in, int below, const ClassSet& seen) {
    if (seen.only() == &PyList_Type || seen.only() == &PyTuple_Type) {
        knowBuiltin(b, in, below, seen);
    }
}

// Of an entry that knowBufferToIterate() knows, or that has one anyway.
AbstractValue iteratorOf(RegionBuilder& b, const AbstractValue& value, const ArrayLayout& buffer) {
    return buffer.isKnown() ? virtualBufferIterator(b, value, buffer) : virtualIterator(b, value);
}

// The top entries live on in something else.
void dropMoved(RegionBuilder& b, int count) {
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    slots.resize(slots.size() - static_cast<size_t>(count));
}

}  // namespace

bool callLen(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    takeConstantSequence(b, 0);
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    knowArrayClass(b, in, 0, b.siteOf(in).receivers);
    AbstractValue value = b.top();
    Id length = builtinLength(b, value);
    if (KnownArray array = knowArray(b, in, 0)) {
        length = arrayLength(b, array, 0);
    } else if (value.cls == &PyMemoryView_Type && value.kind == Kind::kObject) {
        ArrayLayout layout = layoutOfBuffers(value.cls, b.siteOf(in).arrays.only());
        layout.writable = false;
        length = layout.isKnown() && !b.siteOf(in).generic ? bufferAt(b, value.value, value.cls, layout).length : ir::kNoId;
    } else if (value.kind == Kind::kTuple) {
        length = b.constInt(static_cast<int64_t>(value.parts.size()));
    } else if (value.kind == Kind::kConstant && PyUnicode_CheckExact(value.constant)) {
        length = b.constInt(PyUnicode_GET_LENGTH(value.constant));
    } else if (value.kind == Kind::kRange && !b.siteOf(in).bigInt) {
        length = rangeLength(b, value);
    }
    if (length == ir::kNoId) {
        return lengthCall(b, in);
    }
    finishCall(b, in, 3, AbstractValue::number(Kind::kInt, length));
    return true;
}

Id rangeLength(RegionBuilder& b, const AbstractValue& range) {
    std::initializer_list<Id> bounds = {range.parts[0].value, range.parts[1].value, range.parts[2].value};
    return b.emitExiting(ir::Op::k_range_length, bounds, ExitReason::k_overflow);
}

// sum(sequence) and sum(sequence, start) of a real list or tuple or of a virtual range.
bool callSum(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    PyTypeObject* cls = b.siteOf(in).results.only();
    bool isInt = cls == &PyLong_Type && !b.siteOf(in).bigInt;
    takeConstantSequence(b, arguments - 1);
    knowItems(b, in, arguments - 1, b.siteOf(in).receivers);
    AbstractValue start = arguments == 2 ? b.top() : AbstractValue::number(Kind::kInt, ir::kNoId);
    const AbstractValue& items = b.top(arguments - 1);
    bool known = start.isInt() || (start.isFloat() && !isInt);
    if (!known || (!isInt && cls != &PyFloat_Type)) {
        return false;
    }
    if (start.value == ir::kNoId) {
        start.value = b.constInt(0);
    }
    AbstractValue result;
    if (items.kind == Kind::kRange && isInt) {
        ir::Operands operands = {items.parts[0].value, items.parts[1].value, items.parts[2].value, start.value};
        result =
            AbstractValue::number(Kind::kInt, fallibleInt(b, Helper::k_sum_range, operands, ExitReason::k_overflow));
        finishCall(b, in, arguments + 2, result);
        return true;
    }
    if (items.kind != Kind::kObject || (items.cls != &PyList_Type && items.cls != &PyTuple_Type)) {
        return false;
    }
    Id sequence = items.value;
    if (isInt) {
        Id total = fallibleInt(b, Helper::k_sum_ints, {sequence, start.value}, ExitReason::k_type);
        result = AbstractValue::number(Kind::kInt, total);
    } else {
        ir::Operands operands = {sequence, b.constInt(start.isFloat()), start.value};
        result =
            AbstractValue::number(Kind::kFloat, fallibleFloat(b, Helper::k_sum_floats, operands, ExitReason::k_type));
    }
    finishCall(b, in, arguments + 2, result);
    return true;
}

bool callRange(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    AbstractValue range = virtualObject(b, Kind::kRange, {});
    knowScalarClass(b, in, arguments - 1, b.siteOf(in).receivers);
    std::vector<Id> given;
    for (int argument = 0; argument < arguments; argument++) {
        given.push_back(positionOf(b, b.top(argument)));
        if (given.back() == ir::kNoId) {
            return false;
        }
    }
    auto bound = [&](int below) { return AbstractValue::number(Kind::kInt, given[static_cast<size_t>(below)]); };
    AbstractValue one = AbstractValue::number(Kind::kInt, b.constInt(1));
    AbstractValue zero = AbstractValue::number(Kind::kInt, b.constInt(0));
    if (arguments == 1) {
        range.parts = {zero, bound(0), one};
    } else if (arguments == 2) {
        range.parts = {bound(1), bound(0), one};
    } else {
        range.parts = {bound(2), bound(1), bound(0)};
        Id isZero = b.emit(ir::Op::k_int_eq, {range.parts[2].value, b.constInt(0)});
        b.emitExiting(ir::Op::k_guard_false, {isZero}, ExitReason::k_domain);
    }
    range.unitStep = arguments < 3;
    finishCall(b, in, arguments + 2, range);
    return true;
}

// reversed(range(…)), which CPython makes an iterator of the same class.
bool callReversed(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int) {
    const AbstractValue& range = b.top();
    if (range.kind != Kind::kRange || b.siteOf(in).bigInt) {
        return false;
    }
    Id step = range.parts[2].value;
    Id length = rangeLength(b, range);
    Id before = b.emit(ir::Op::k_int_sub_wrap, {length, b.constInt(1)});
    Id way = b.emitExiting(ir::Op::k_int_mul, {before, step}, ExitReason::k_overflow);
    Id last = b.emitExiting(ir::Op::k_int_add, {range.parts[0].value, way}, ExitReason::k_overflow);
    AbstractValue iterator;
    iterator.kind = Kind::kRangeIter;
    iterator.parts = {AbstractValue::number(Kind::kInt, last), AbstractValue::number(Kind::kInt, length),
                      AbstractValue::number(Kind::kInt, b.emitExiting(ir::Op::k_int_neg, {step}, ExitReason::k_overflow))};
    finishCall(b, in, 3, std::move(iterator));
    return true;
}

// enumerate(iterable) and enumerate(iterable, start).
bool callEnumerate(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    AbstractValue start = AbstractValue::number(Kind::kInt, ir::kNoId);
    if (arguments == 2) {
        if (!b.top().isInt()) {
            return false;
        }
        start = b.top();
    }
    takeConstantSequence(b, arguments - 1);
    knowArrayClass(b, in, arguments - 1, b.siteOf(in).receivers);
    knowArray(b, in, arguments - 1);
    knowBuiltin(b, in, arguments - 1, b.siteOf(in).receivers);
    ArrayLayout buffer = b.siteOf(in).generic ? ArrayLayout{} : knowBufferToIterate(b, b.top(arguments - 1), b.siteOf(in).arrays.only());
    if (!buffer.isKnown() && !isIterable(b.top(arguments - 1))) {
        return false;
    }
    own(b, b.top(arguments - 1));
    AbstractValue result;
    result.kind = Kind::kEnumerate;
    result.parts = {start, iteratorOf(b, b.top(arguments - 1), buffer)};
    if (arguments == 1) {
        result.parts[0].value = b.constInt(0);
    }
    dropMoved(b, arguments);
    finishCall(b, in, 2, result);
    return true;
}

bool callZip(RegionBuilder& b, const BytecodeInstruction& in, PyObject* callee, int arguments) {
    if (arguments > kMostZipped) {
        return false;
    }
    std::array<ArrayLayout, kMostZipped> buffers;
    for (int argument = 0; argument < arguments; argument++) {
        takeConstantSequence(b, argument);
        knowOtherArray(b, in, argument);
        if (argument >= arguments - 2) {
            knowItems(b, in, argument, argument == arguments - 1 ? b.siteOf(in).receivers : b.siteOf(in).seconds);
        }
        ArrayLayout& buffer = buffers[static_cast<size_t>(argument)];
        buffer = b.siteOf(in).generic ? ArrayLayout{} : knowBufferToIterate(b, b.top(argument), b.siteOf(in).others.only());
        if (!buffer.isKnown() && !isIterable(b.top(argument))) {
            return false;
        }
    }
    AbstractValue result;
    result.kind = Kind::kZip;
    for (int argument = arguments - 1; argument >= 0; argument--) {
        own(b, b.top(argument));
        result.parts.push_back(iteratorOf(b, b.top(argument), buffers[static_cast<size_t>(argument)]));
    }
    dropMoved(b, arguments);
    finishCall(b, in, 2, result);
    return true;
}

}  // namespace kiln
