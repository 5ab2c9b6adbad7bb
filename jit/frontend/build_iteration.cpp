// GET_ITER and FOR_ITER: ranges, lists, tuples, enumerate and zip advance natively; other iterators by tp_iternext.
#include "jit/frontend/build_iteration.h"

#include <opcode.h>

#include "jit/frontend/array_iteration.h"
#include "jit/frontend/buffer_values.h"
#include "jit/frontend/build_attributes.h"
#include "jit/frontend/build_builtins.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_entry.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/generator_values.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// "Has next" of an iterator; then, on the path that has one, advance() moves it and gives the item. `end`: where ranges ended so far, which
// the comparison keeps for passes/unrolled_loops.h.
Id iteratorHasNext(RegionBuilder& b, AbstractValue& iterator, int64_t end = 0) {
    switch (iterator.kind) {
        case Kind::kRangeIter:
            if (iterator.parts.size() == 2) {
                return b.emit(ir::Op::k_int_lt, {iterator.parts[0].value, iterator.parts[1].value}, end);
            }
            return b.emit(ir::Op::k_int_gt, {iterator.parts[1].value, b.constInt(0)});
        case Kind::kListIter: case Kind::kTupleIter: {
            Id length = b.emit(ir::Op::k_load_field, {iterator.parts[0].value}, static_cast<int64_t>(Field::k_ob_size));
            return b.emit(ir::Op::k_int_below, {iterator.parts[1].value, length});
        }
        case Kind::kArrayIter: return arrayHasNext(b, iterator);
        case Kind::kBufferIter: return bufferHasNext(b, iterator);
        case Kind::kEnumerate: return iteratorHasNext(b, iterator.parts[1]);
        default: break;
    }
    Id all = ir::kNoId;  // zip: asks each; none of these moves anything
    for (AbstractValue& inner : iterator.parts) {
        Id has = iteratorHasNext(b, inner);
        all = all == ir::kNoId ? has : b.emit(ir::Op::k_bool_and, {all, has});
    }
    return all;
}

// Moves an iterator that has a next item. Object items are borrowed from their container.
AbstractValue advance(RegionBuilder& b, AbstractValue& iterator) {
    switch (iterator.kind) {
        case Kind::kRangeIter: {
            AbstractValue item = AbstractValue::number(Kind::kInt, iterator.parts[0].value);
            Id step = iterator.parts.size() == 2 ? b.constInt(1) : iterator.parts[2].value;
            ir::Op add = iterator.parts.size() == 2 ? ir::Op::k_int_add_index : ir::Op::k_int_add_wrap;
            iterator.parts[0].value = b.emit(add, {iterator.parts[0].value, step});
            if (iterator.parts.size() == 3) {
                iterator.parts[1].value = b.emit(ir::Op::k_int_sub_wrap, {iterator.parts[1].value, b.constInt(1)});
            }
            return item;
        }
        case Kind::kListIter: case Kind::kTupleIter: {
            ir::Op load = iterator.kind == Kind::kListIter ? ir::Op::k_list_item : ir::Op::k_tuple_item;
            Id item = b.emit(load, {iterator.parts[0].value, iterator.parts[1].value});
            iterator.parts[1].value = b.emit(ir::Op::k_int_add_wrap, {iterator.parts[1].value, b.constInt(1)});
            return AbstractValue::object(item, nullptr, false);
        }
        case Kind::kArrayIter: return advanceArray(b, iterator);
        case Kind::kBufferIter: return advanceBuffer(b, iterator);
        case Kind::kEnumerate: {
            AbstractValue index = AbstractValue::number(Kind::kInt, iterator.parts[0].value);
            iterator.parts[0].value =
                b.emitExiting(ir::Op::k_int_add, {index.value, b.constInt(1)}, ExitReason::k_overflow);
            AbstractValue item = advance(b, iterator.parts[1]);
            return virtualObject(b, Kind::kTuple, {index, item});
        }
        default: break;
    }
    std::vector<AbstractValue> items;
    for (AbstractValue& inner : iterator.parts) {
        items.push_back(advance(b, inner));
    }
    return virtualObject(b, Kind::kTuple, std::move(items));
}

// The interpreter resumes a generator without a call.
Helper helperOfNext(const ClassSet& seen) {
    bool mayResume = seen.empty() || seen.others() || seen.has(&PyGen_Type);
    return mayResume ? Helper::k_next_of_generator : Helper::k_next;
}

bool opaqueForIter(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top().kind != Kind::kObject) {
        return false;
    }
    Id version = beforeOpaque(b, "FOR_ITER");
    if (b.stopped()) {
        return true;
    }
    ir::SnapshotId raise = b.raising();
    Id item = ir::kNoId;
    asCallee(b, b.unit() + 1, [&] {
        Helper next = helperOfNext(b.siteOf(in).receivers);
        item = b.emitExitingAt(ir::Op::k_opaque_object, {b.top().value}, raise, static_cast<int64_t>(next));
    });
    b.branchAside(b.emit(ir::Op::k_is_null, {item}), true, [&] {
        asCallee(b, b.unit() + 1, [&] { releaseTop(b, 1); });
        b.state().frame().unit = in.target;
        afterOpaque(b, version);
        b.goTo(in.target);
    });
    pushOpaque(b, in, item, OpaqueResult::kObject, version);
    return true;
}

// An object whose class was the same each time is guarded to be, if that class has the operation.
void knowFor(RegionBuilder& b, const BytecodeInstruction& in, OpcodeHandler ClassOperations::*operation) {
    PyTypeObject* seen = b.siteOf(in).receivers.only();
    bool isUnknown = b.top().kind == Kind::kObject && b.top().cls == nullptr;
    if (isUnknown && !b.siteOf(in).generic && operationsOf(seen).*operation != notNative) {
        b.guardClass(b.top().value, seen, ExitReason::k_type);
        markClass(b, b.top().value, seen);
    }
}

bool nativeNext(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (site.generic || site.runsFinalisers || b.top().kind != Kind::kObject) {
        return false;
    }
    knowFor(b, in, &ClassOperations::next);
    return operationsAt(b, 0).next(b, in);
}

}  // namespace

void guardUnshared(RegionBuilder& b, Id object) {
    Id count = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_ob_refcnt));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {count, b.constInt(1)})}, ExitReason::k_entry);
}

bool isVirtualIterator(const AbstractValue& value) {
    return value.kind == Kind::kRangeIter || value.kind == Kind::kListIter || value.kind == Kind::kTupleIter ||
           value.kind == Kind::kArrayIter || value.kind == Kind::kBufferIter || value.kind == Kind::kEnumerate || value.kind == Kind::kZip || value.kind == Kind::kGenerator;
}

void enterRangeIterator(RegionBuilder& b, Id object, AbstractValue& value) {
    guardUnshared(b, object);
    auto field = [&](Field name) { return b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(name)); };
    Id start = field(Field::k_range_iter_start);
    Id length = field(Field::k_range_iter_length);
    Id step = field(Field::k_range_iter_step);
    Id unitStep = b.emit(ir::Op::k_int_eq, {step, b.constInt(1)});
    if (value.parts.size() == 2) {
        b.emitExiting(ir::Op::k_guard_true, {unitStep}, ExitReason::k_entry);
        if (value.nonNegative) {
            // Known once, it spares each use as an index the question whether it counts from the end.
            b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_ge, {start, b.constInt(0)})},
                          ExitReason::k_entry);
        }
        value.parts[1] = AbstractValue::number(Kind::kInt, b.emit(ir::Op::k_int_add_index, {start, length}));
    } else {
        b.emitExiting(ir::Op::k_guard_false, {unitStep}, ExitReason::k_entry);
        value.parts[1] = AbstractValue::number(Kind::kInt, length);
        value.parts[2] = AbstractValue::number(Kind::kInt, step);
    }
    value.parts[0] = AbstractValue::number(Kind::kInt, start);
}

void enterListIterator(RegionBuilder& b, Id object, AbstractValue& value) {
    value.value = object;
    PyTypeObject* iteratorClass = value.kind == Kind::kListIter ? &PyListIter_Type : &PyTupleIter_Type;
    b.guardClass(object, iteratorClass, ExitReason::k_entry);
    guardUnshared(b, object);
    Id sequence = b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_list_iter_list));
    b.emitExiting(ir::Op::k_guard_set, {sequence}, ExitReason::k_entry);
    PyTypeObject* cls = value.kind == Kind::kListIter ? &PyList_Type : &PyTuple_Type;
    b.guardClass(sequence, cls, ExitReason::k_entry);
    Id index = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_list_iter_index));
    value.parts[0] = AbstractValue::object(sequence, cls, false);
    value.parts[0].home = true;  // the iterator holds it
    value.parts[1] = AbstractValue::number(Kind::kInt, index);
}

void enterEnumerate(RegionBuilder& b, Id object, AbstractValue& value) {
    value.value = object;
    b.guardClass(object, &PyEnum_Type, ExitReason::k_entry);
    guardUnshared(b, object);
    Id longIndex = b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_enumerate_long_index));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_is_null, {longIndex})}, ExitReason::k_entry);
    value.parts[0].value = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_enumerate_index));
    value.parts[1].home = true;  // the enumerate holds it
    enterObject(b, b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_enumerate_iterator)),
                value.parts[1]);
}

void enterZip(RegionBuilder& b, Id object, AbstractValue& value) {
    constexpr int64_t kIntBits = 0xffffffff;
    value.value = object;
    b.guardClass(object, &PyZip_Type, ExitReason::k_entry);
    guardUnshared(b, object);
    auto guardEqual = [&](Id field, int64_t wanted) {
        b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {field, b.constInt(wanted)})},
                      ExitReason::k_entry);
    };
    Id strict = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_zip_strict));
    guardEqual(b.emit(ir::Op::k_int_and, {strict, b.constInt(kIntBits)}), 0);
    Id iterators = b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_zip_iterators));
    Id count = b.emit(ir::Op::k_load_field, {iterators}, static_cast<int64_t>(Field::k_ob_size));
    guardEqual(count, static_cast<int64_t>(value.parts.size()));
    for (size_t index = 0; index < value.parts.size(); index++) {
        value.parts[index].home = true;  // the zip holds it
        Id inner = b.emit(ir::Op::k_tuple_item, {iterators, b.constInt(static_cast<int64_t>(index))});
        enterObject(b, inner, value.parts[index]);
    }
}

AbstractValue virtualIterator(RegionBuilder& b, const AbstractValue& value) {
    if (isVirtualIterator(value)) {
        return value.kind != Kind::kGenerator ? value : AbstractValue::null();
    }
    AbstractValue iterator;
    if (value.kind == Kind::kRange) {
        Id step = value.parts[2].value;
        iterator.kind = Kind::kRangeIter;
        iterator.parts = {value.parts[0], value.parts[1]};
        if (!value.unitStep) {
            Id length = b.emitExiting(ir::Op::k_range_length, {value.parts[0].value, value.parts[1].value, step},
                                      ExitReason::k_domain);
            iterator.parts = {value.parts[0], AbstractValue::number(Kind::kInt, length), value.parts[2]};
        }
        return iterator;
    }
    bool list = value.kind == Kind::kObject && value.cls == &PyList_Type;
    bool tuple = value.kind == Kind::kObject && value.cls == &PyTuple_Type;
    if (list || tuple) {
        iterator.kind = list ? Kind::kListIter : Kind::kTupleIter;
        iterator.parts = {value, AbstractValue::number(Kind::kInt, b.constInt(0))};
    } else if (isArrayToIterate(value)) {
        iterator.kind = Kind::kArrayIter;
        iterator.array = value.array;
        iterator.parts = {value, AbstractValue::number(Kind::kInt, b.constInt(0))};
    }
    return iterator;
}

// A range that is an object: held by a variable, or an attribute.
bool iterateRange(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    PyTypeObject* cls = b.top().cls != nullptr ? b.top().cls : site.receivers.only();
    if (b.top().kind != Kind::kObject || site.generic || cls != &PyRange_Type) {
        return false;
    }
    Id object = b.top().value;
    if (b.top().cls == nullptr) {
        b.guardClass(object, cls, ExitReason::k_type);
    }
    AbstractValue range;
    range.kind = Kind::kRange;
    for (int part = 0; part < 3; part++) {
        range.parts.push_back(AbstractValue::number(Kind::kInt, fallibleInt(b, Helper::k_range_part, {object, b.constInt(part)}, ExitReason::k_domain)));
    }
    AbstractValue iterator = virtualIterator(b, range);
    release(b, std::exchange(b.top(), std::move(iterator)));
    b.state().frame().unit = in.next;
    return true;
}

bool getIter(RegionBuilder& b, const BytecodeInstruction& in) {
    if (isVirtualIterator(b.top()) ) {
        b.state().frame().unit = in.next;
        return true;
    }
    if (iterateRange(b, in) || iteratorCall(b, in)) {
        return true;
    }
    takeConstantSequence(b, 0);
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    if (b.top().kind == Kind::kTuple) {
        boxEntry(b, 0);
    }
    knowArrayClass(b, in, 0, b.siteOf(in).receivers);
    knowArray(b, in, 0);
    ArrayLayout buffer = b.siteOf(in).generic ? ArrayLayout{} : knowBufferToIterate(b, b.top(), b.siteOf(in).arrays.only());
    ownTop(b);
    AbstractValue iterator = buffer.isKnown() ? virtualBufferIterator(b, b.top(), buffer) : virtualIterator(b, b.top());
    if (iterator.kind == Kind::kNull) {
        knowFor(b, in, &ClassOperations::iterate);
        if (operationsAt(b, 0).iterate(b, in)) {
            return true;
        }
    }
    if (iterator.kind == Kind::kNull) {
        opaqueInstruction(b, in, Helper::k_get_iterator, 1, OpaqueResult::kObject, "GET_ITER");
        return true;
    }
    b.top() = iterator;
    b.state().frame().unit = in.next;
    return true;
}

bool callIter(RegionBuilder& b, const BytecodeInstruction& in, PyObject*, int) {
    takeConstantSequence(b, 0);
    knowBuiltin(b, in, 0, b.siteOf(in).receivers);
    AbstractValue iterator = b.top().kind != Kind::kRange ? virtualIterator(b, copyOf(b.top())) : AbstractValue::null();
    if (iterator.kind == Kind::kNull || isVirtualIterator(b.top())) {
        return false;
    }
    finishCall(b, in, 3, std::move(iterator));
    return true;
}

// Where ranges ended each time, if that is worth knowing; 0 if not.
int64_t endSeen(const Site& site) {
    constexpr int64_t kFewRounds = 64;
    const int64_t end = site.number.only();
    return end > 0 && end <= kFewRounds ? end : 0;
}

bool forIter(RegionBuilder& b, const BytecodeInstruction& in) {
    if (b.top().kind == Kind::kGenerator) {
        return resumeGenerator(b, in);
    }
    if (!isVirtualIterator(b.top())) {
        return nextCall(b, in) || nativeNext(b, in) || opaqueForIter(b, in);
    }
    b.branchAside(iteratorHasNext(b, b.top(), endSeen(b.siteOf(in))), false, [&] {
        startHere(b);  // not in each round
        release(b, b.pop());
        b.goTo(in.target);
    });
    AbstractValue item = advance(b, b.top());
    finishIteration(b, in, std::move(item));
    return true;
}

void finishIteration(RegionBuilder& b, const BytecodeInstruction& in, AbstractValue item) {
    if (item.kind == Kind::kObject) {
        pushResult(b, item.value, false, nullptr, in, in.next);
        return;
    }
    own(b, item);
    b.push(std::move(item));
    b.state().frame().unit = in.next;
}

}  // namespace kiln
