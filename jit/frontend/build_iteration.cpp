// GET_ITER and FOR_ITER: ranges, lists, tuples, enumerate and zip advance natively; other iterators by tp_iternext.
#include <opcode.h>

#include "jit/frontend/region_builder.h"

namespace kiln {

bool RegionBuilder::isVirtualIterator(const AbstractValue& value) const {
    return value.kind == Kind::kRangeIter || value.kind == Kind::kListIter || value.kind == Kind::kTupleIter ||
           value.kind == Kind::kEnumerate || value.kind == Kind::kZip;
}

// The region advances an iterator in registers: nobody else may hold it.
void RegionBuilder::guardUnshared(Id object) {
    Id count = emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_ob_refcnt));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_eq, {count, constInt(1)})}, ExitReason::k_entry);
}

void RegionBuilder::enterRangeIterator(Id object, AbstractValue& value) {
    guardUnshared(object);
    auto field = [&](Field name) { return emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(name)); };
    Id start = field(Field::k_range_iter_start);
    Id length = field(Field::k_range_iter_length);
    Id step = field(Field::k_range_iter_step);
    Id unitStep = emit(ir::Op::k_int_eq, {step, constInt(1)});
    if (value.parts.size() == 2) {
        emitExiting(ir::Op::k_guard_true, {unitStep}, ExitReason::k_entry);
        if (value.nonNegative) {
            // Known once, it spares each use as an index the question whether it counts from the end.
            emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_ge, {start, constInt(0)})}, ExitReason::k_entry);
        }
        value.parts[1] = AbstractValue::number(Kind::kInt, emit(ir::Op::k_int_add_index, {start, length}));
    } else {
        emitExiting(ir::Op::k_guard_false, {unitStep}, ExitReason::k_entry);
        value.parts[1] = AbstractValue::number(Kind::kInt, length);
        value.parts[2] = AbstractValue::number(Kind::kInt, step);
    }
    value.parts[0] = AbstractValue::number(Kind::kInt, start);
}

void RegionBuilder::enterListIterator(Id object, AbstractValue& value) {
    value.value = object;
    PyTypeObject* iteratorClass = value.kind == Kind::kListIter ? &PyListIter_Type : &PyTupleIter_Type;
    guardClass(object, iteratorClass, ExitReason::k_entry);
    guardUnshared(object);
    Id sequence = emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_list_iter_list));
    emitExiting(ir::Op::k_guard_set, {sequence}, ExitReason::k_entry);
    PyTypeObject* cls = value.kind == Kind::kListIter ? &PyList_Type : &PyTuple_Type;
    guardClass(sequence, cls, ExitReason::k_entry);
    Id index = emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_list_iter_index));
    value.parts[0] = AbstractValue::object(sequence, cls, false);
    value.parts[0].home = true;  // the iterator holds it
    value.parts[1] = AbstractValue::number(Kind::kInt, index);
}

void RegionBuilder::enterEnumerate(Id object, AbstractValue& value) {
    value.value = object;
    guardClass(object, &PyEnum_Type, ExitReason::k_entry);
    guardUnshared(object);
    Id longIndex = emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_enumerate_long_index));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_is_null, {longIndex})}, ExitReason::k_entry);
    value.parts[0].value = emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_enumerate_index));
    value.parts[1].home = true;  // the enumerate holds it
    enterObject(emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_enumerate_iterator)), value.parts[1]);
}

void RegionBuilder::enterZip(Id object, AbstractValue& value) {
    constexpr int64_t kIntBits = 0xffffffff;
    value.value = object;
    guardClass(object, &PyZip_Type, ExitReason::k_entry);
    guardUnshared(object);
    auto guardEqual = [&](Id field, int64_t wanted) {
        emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_eq, {field, constInt(wanted)})}, ExitReason::k_entry);
    };
    Id strict = emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_zip_strict));
    guardEqual(emit(ir::Op::k_int_and, {strict, constInt(kIntBits)}), 0);
    Id iterators = emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_zip_iterators));
    Id count = emit(ir::Op::k_load_field, {iterators}, static_cast<int64_t>(Field::k_ob_size));
    guardEqual(count, static_cast<int64_t>(value.parts.size()));
    for (size_t index = 0; index < value.parts.size(); index++) {
        value.parts[index].home = true;  // the zip holds it
        Id inner = emit(ir::Op::k_tuple_item, {iterators, constInt(static_cast<int64_t>(index))});
        enterObject(inner, value.parts[index]);
    }
}

// A virtual iterator over the value, which is consumed; Kind::kNull when there is none.
AbstractValue RegionBuilder::virtualIterator(const AbstractValue& value) {
    if (isVirtualIterator(value)) {
        return value;
    }
    AbstractValue iterator;
    if (value.kind == Kind::kRange) {
        Id step = value.parts[2].value;
        iterator.kind = Kind::kRangeIter;
        iterator.parts = {value.parts[0], value.parts[1]};
        if (!value.unitStep) {
            Id length = emitExiting(ir::Op::k_range_length, {value.parts[0].value, value.parts[1].value, step}, ExitReason::k_domain);
            iterator.parts = {value.parts[0], AbstractValue::number(Kind::kInt, length), value.parts[2]};
        }
        return iterator;
    }
    bool list = value.kind == Kind::kObject && value.cls == &PyList_Type;
    bool tuple = value.kind == Kind::kObject && value.cls == &PyTuple_Type;
    if (list || tuple) {
        iterator.kind = list ? Kind::kListIter : Kind::kTupleIter;
        iterator.parts = {value, AbstractValue::number(Kind::kInt, constInt(0))};
    }
    return iterator;
}

bool RegionBuilder::getIter(const BytecodeInstruction& in) {
    if (isVirtualIterator(top()) ) {
        state_.frame().unit = in.next;
        return true;
    }
    takeConstantSequence(0);
    knowBuiltin(in, 0, siteOf(in).receivers);
    if (top().kind == Kind::kTuple) {
        boxEntry(0);
    }
    ownTop();
    AbstractValue iterator = virtualIterator(top());
    if (iterator.kind == Kind::kNull && plainIterator(in)) {
        return true;
    }
    if (iterator.kind == Kind::kNull) {
        opaqueInstruction(in, Helper::k_get_iterator, 1, OpaqueResult::kObject, "GET_ITER");
        return true;
    }
    top() = iterator;
    state_.frame().unit = in.next;
    return true;
}

RegionBuilder::Id RegionBuilder::iteratorHasNext(AbstractValue& iterator) {
    switch (iterator.kind) {
        case Kind::kRangeIter:
            if (iterator.parts.size() == 2) {
                return emit(ir::Op::k_int_lt, {iterator.parts[0].value, iterator.parts[1].value});
            }
            return emit(ir::Op::k_int_gt, {iterator.parts[1].value, constInt(0)});
        case Kind::kListIter: case Kind::kTupleIter: {
            Id length = emit(ir::Op::k_load_field, {iterator.parts[0].value}, static_cast<int64_t>(Field::k_ob_size));
            return emit(ir::Op::k_int_below, {iterator.parts[1].value, length});
        }
        case Kind::kEnumerate: return iteratorHasNext(iterator.parts[1]);
        default: break;
    }
    Id all = ir::kNoId;  // zip: asks each; none of these moves anything
    for (AbstractValue& inner : iterator.parts) {
        Id has = iteratorHasNext(inner);
        all = all == ir::kNoId ? has : emit(ir::Op::k_bool_and, {all, has});
    }
    return all;
}

// Moves an iterator that has a next item. Object items are borrowed from their container.
AbstractValue RegionBuilder::advance(AbstractValue& iterator) {
    switch (iterator.kind) {
        case Kind::kRangeIter: {
            AbstractValue item = AbstractValue::number(Kind::kInt, iterator.parts[0].value);
            Id step = iterator.parts.size() == 2 ? constInt(1) : iterator.parts[2].value;
            ir::Op add = iterator.parts.size() == 2 ? ir::Op::k_int_add_index : ir::Op::k_int_add_wrap;
            iterator.parts[0].value = emit(add, {iterator.parts[0].value, step});
            if (iterator.parts.size() == 3) {
                iterator.parts[1].value = emit(ir::Op::k_int_sub_wrap, {iterator.parts[1].value, constInt(1)});
            }
            return item;
        }
        case Kind::kListIter: case Kind::kTupleIter: {
            ir::Op load = iterator.kind == Kind::kListIter ? ir::Op::k_list_item : ir::Op::k_tuple_item;
            Id item = emit(load, {iterator.parts[0].value, iterator.parts[1].value});
            iterator.parts[1].value = emit(ir::Op::k_int_add_wrap, {iterator.parts[1].value, constInt(1)});
            return AbstractValue::object(item, nullptr, false);
        }
        case Kind::kEnumerate: {
            AbstractValue index = AbstractValue::number(Kind::kInt, iterator.parts[0].value);
            iterator.parts[0].value = emitExiting(ir::Op::k_int_add, {index.value, constInt(1)}, ExitReason::k_overflow);
            AbstractValue item = advance(iterator.parts[1]);
            return virtualObject(Kind::kTuple, {index, item});
        }
        default: break;
    }
    std::vector<AbstractValue> items;
    for (AbstractValue& inner : iterator.parts) {
        items.push_back(advance(inner));
    }
    return virtualObject(Kind::kTuple, std::move(items));
}

bool RegionBuilder::forIter(const BytecodeInstruction& in) {
    if (!isVirtualIterator(top())) {
        return plainForIter(in) || opaqueForIter(in);
    }
    branchAside(iteratorHasNext(top()), false, [&] {
        startHere();  // not in each round
        release(pop());
        goTo(in.target);
    });
    AbstractValue item = advance(top());
    finishIteration(in, std::move(item));
    return true;
}

// Pushes the item. Object parts of a tuple (enumerate, zip) are narrowed by class as they are unpacked.
void RegionBuilder::finishIteration(const BytecodeInstruction& in, AbstractValue item) {
    if (item.kind == Kind::kObject) {
        pushResult(item.value, false, nullptr, in, in.next);
        return;
    }
    own(item);
    push(std::move(item));
    state_.frame().unit = in.next;
}

bool RegionBuilder::opaqueForIter(const BytecodeInstruction& in) {
    if (top().kind != Kind::kObject) {
        return false;
    }
    Id version = beforeOpaque("FOR_ITER");
    if (stopped()) {
        return true;
    }
    ir::SnapshotId raise = raising();
    Id item = ir::kNoId;
    asCallee(unit_ + 1, [&] {
        item = emitExitingAt(ir::Op::k_opaque_object, {top().value}, raise, static_cast<int64_t>(Helper::k_next));
    });
    branchAside(emit(ir::Op::k_is_null, {item}), true, [&] {
        asCallee(unit_ + 1, [&] { releaseTop(1); });
        state_.frame().unit = in.target;
        afterOpaque(version);
        goTo(in.target);
    });
    pushOpaque(in, item, OpaqueResult::kObject, version);
    return true;
}

}  // namespace kiln
