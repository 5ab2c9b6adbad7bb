// Lists, tuples, unpacking, and what builds containers.
#include <opcode.h>

#include <algorithm>

#include "jit/frontend/region_builder.h"

namespace kiln {

// A Python index into 0 <= index < length; a negative one counts from the end. Leaves when out of range.
RegionBuilder::Id RegionBuilder::normalizedIndex(Id index, Id length) {
    Id negative = emit(ir::Op::k_int_lt, {index, constInt(0)});
    Id wrapped = emit(ir::Op::k_int_add_wrap, {index, length});
    Id position = emit(ir::Op::k_int_select, {negative, wrapped, index});
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_below, {position, length})}, ExitReason::k_index);
    return position;
}

// A list or tuple that is a constant, such as a global, is worked on like any other.
void RegionBuilder::takeConstantSequence(int below) {
    PyObject* constant = top(below).kind == Kind::kConstant ? top(below).constant : nullptr;
    if (constant != nullptr && (PyList_CheckExact(constant) || PyTuple_CheckExact(constant))) {
        top(below) = asObject(top(below));
    }
}

bool RegionBuilder::subscript(const BytecodeInstruction& in) {
    if (virtualItem(in)) {
        return true;
    }
    takeConstantSequence(1);
    knowBuiltin(in, 1, siteOf(in).receivers);
    if (plainSubscript(in)) {
        return true;
    }
    AbstractValue container = top(1);
    const AbstractValue& index = top(0);
    bool list = container.kind == Kind::kObject && container.cls == &PyList_Type;
    bool tuple = container.kind == Kind::kObject && container.cls == &PyTuple_Type;
    if (!list && !tuple && subscriptCall(in)) {
        return true;
    }
    if (!index.isIntLike() || (!list && !tuple) || oftenRaises(in)) {
        opaqueInstruction(in, Helper::k_get_item, 2, OpaqueResult::kObject, "BINARY_SUBSCR");
        return true;
    }
    Id length = emit(ir::Op::k_load_field, {container.value}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(asInt(index), length);
    Id item = emit(list ? ir::Op::k_list_item : ir::Op::k_tuple_item, {container.value, position});
    release(pop());
    AbstractValue owner = pop();
    // The item is borrowed from its container: where the container goes away here, the item needs a reference first.
    bool owned = owner.kind == Kind::kObject && owner.owned;
    if (owned) {
        emit(ir::Op::k_incref, {item});
        release(std::move(owner));
    }
    pushResult(item, owned, nullptr, in, in.next);
    return true;
}

// An item of a virtual tuple at a constant index, or of a virtual range.
bool RegionBuilder::virtualItem(const BytecodeInstruction& in) {
    const AbstractValue container = top(1);
    if (!container.isVirtualObject() || !top(0).isIntLike()) {
        return false;
    }
    Id index = asInt(top(0));
    if (container.kind == Kind::kRange) {
        Id position = normalizedIndex(index, rangeLength(container));
        Id offset = emitExiting(ir::Op::k_int_mul, {position, container.parts[2].value}, ExitReason::k_overflow);
        Id item = emitExiting(ir::Op::k_int_add, {container.parts[0].value, offset}, ExitReason::k_overflow);
        finishCall(in, 2, AbstractValue::number(Kind::kInt, item));
        return true;
    }
    auto size = static_cast<int64_t>(container.parts.size());
    auto known = constantInts_.find(index);
    if (known == constantInts_.end() || known->second < -size || known->second >= size) {
        boxEntry(1);
        return false;
    }
    AbstractValue item = copyOf(container.parts[static_cast<size_t>(known->second + (known->second < 0 ? size : 0))]);
    release(pop());
    AbstractValue owner = pop();
    push(std::move(item));  // before the tuple goes: it may get the reference
    release(std::move(owner));
    state_.frame().unit = in.next;
    if (top().kind == Kind::kObject && top().cls == nullptr) {
        refineTop(siteOf(in), in.next);
    }
    return true;
}

bool RegionBuilder::storeSubscript(const BytecodeInstruction& in) {
    if (in.opcode == BINARY_SLICE && plainSlice(in)) {
        return true;
    }
    if (in.opcode == BINARY_SLICE) {
        opaqueInstruction(in, Helper::k_get_slice, 3, OpaqueResult::kObject, "BINARY_SLICE");
        return true;
    }
    if (in.opcode == STORE_SLICE) {
        opaqueInstruction(in, Helper::k_set_slice, 4, OpaqueResult::kNone, "STORE_SLICE");
        return true;
    }
    if (in.opcode == DELETE_SUBSCR && plainDelete(in)) {
        return true;
    }
    if (in.opcode == DELETE_SUBSCR) {
        opaqueInstruction(in, Helper::k_delete_item, 2, OpaqueResult::kNone, "DELETE_SUBSCR");
        return true;
    }
    takeConstantSequence(1);
    if (plainStoreSubscript(in)) {
        return true;
    }
    const AbstractValue& container = top(1);
    const AbstractValue& index = top(0);
    bool isList = container.kind == Kind::kObject && container.cls == &PyList_Type;
    if (!isList || endsAfterStore(container) || !index.isIntLike() || siteOf(in).runsFinalisers) {
        opaqueInstruction(in, Helper::k_set_item, 3, OpaqueResult::kNone, "STORE_SUBSCR");
        return true;
    }
    if (top(2).isVirtual()) {
        boxEntry(2);
    }
    Id sequence = container.value;
    Id length = emit(ir::Op::k_load_field, {sequence}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(asInt(index), length);
    Id displaced = emit(ir::Op::k_list_item, {sequence, position});
    release(pop());
    AbstractValue owner = pop();
    AbstractValue value = pop();
    if (isBareFloat(value)) {
        emitExiting(ir::Op::k_list_store_float, {sequence, position, value.value}, ExitReason::k_release);
    } else {
        emitExiting(ir::Op::k_guard_quiet, {displaced}, ExitReason::k_release);
        Id object = takeReference(std::move(value));
        emit(ir::Op::k_list_store, {sequence, position, object});
    }
    release(std::move(owner));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::build(const BytecodeInstruction& in) {
    if (plainBuild(in)) {
        return true;
    }
    switch (in.opcode) {
        case BUILD_TUPLE: {
            buildTuple(in.oparg);
            state_.frame().unit = in.next;
            return true;
        }
        case BUILD_CONST_KEY_MAP: buildConstKeyMap(in); return true;
        case SET_ADD: opaqueAdd(in, Helper::k_set_add, in.oparg, 1); return true;
        case MAP_ADD: opaqueAdd(in, Helper::k_map_add, in.oparg + 1, 2); return true;
        case LIST_APPEND: return listAppend(in, in.oparg);
        case BUILD_LIST: buildLeaf(in, Helper::k_build_list, in.oparg, &PyList_Type); return true;
        case BUILD_SLICE:
            opaqueInstruction(in, Helper::k_build_slice, in.oparg, OpaqueResult::kObject, "BUILD_SLICE");
            return true;
        case BUILD_STRING:
            opaqueInstruction(in, Helper::k_build_string, in.oparg, OpaqueResult::kObject, "BUILD_STRING");
            return true;
        case BUILD_MAP:
            if (in.oparg == 0) {
                buildLeaf(in, Helper::k_build_map, 0, &PyDict_Type);
                return true;
            }
            opaqueInstruction(in, Helper::k_build_map, 2 * in.oparg, OpaqueResult::kObject, "BUILD_MAP");
            return true;
        case BUILD_SET: opaqueInstruction(in, Helper::k_build_set, in.oparg, OpaqueResult::kObject, "BUILD_SET"); return true;
        case FORMAT_VALUE:
            opaqueInstruction(in, Helper::k_format_value, (in.oparg & 4) ? 2 : 1, OpaqueResult::kObject, "FORMAT_VALUE",
                              {in.oparg & 3});
            return true;
        default: return false;
    }
}

// With equal keys a value is displaced at once.
void RegionBuilder::buildConstKeyMap(const BytecodeInstruction& in) {
    Ref<> keys = Ref<>::steal(PySet_New(top().constant));
    if (keys && PySet_GET_SIZE(keys.get()) == in.oparg) {
        buildLeaf(in, Helper::k_build_const_key_map, in.oparg + 1, &PyDict_Type);
        return;
    }
    PyErr_Clear();
    opaqueInstruction(in, Helper::k_build_const_key_map, in.oparg + 1, OpaqueResult::kObject, "BUILD_CONST_KEY_MAP");
}

// A virtual tuple of the top entries. Nested deeper than twice, or longer than can be followed, it becomes real.
void RegionBuilder::buildTuple(int size) {
    constexpr int kMostItems = 16;
    auto nested = [](const AbstractValue& value) { return value.kind == Kind::kTuple; };
    for (int below = 0; below < size; below++) {
        const AbstractValue& item = top(below);
        if (isVirtualIterator(item) || std::any_of(item.parts.begin(), item.parts.end(), nested)) {
            boxEntry(below);
        }
        settle(below);
        own(top(below));
    }
    std::vector<AbstractValue>& slots = state_.frame().slots;
    AbstractValue tuple = virtualObject(Kind::kTuple, {slots.end() - size, slots.end()});
    slots.resize(slots.size() - static_cast<size_t>(size));
    push(std::move(tuple));
    if (size > kMostItems) {
        realize(state_, top());
    }
}

// Appends the top entry to the list `below` entries under it.
bool RegionBuilder::listAppend(const BytecodeInstruction& in, int below) {
    const AbstractValue& list = top(below);
    if (list.kind != Kind::kObject || list.cls != &PyList_Type) {
        return false;
    }
    Id sequence = list.value;
    Id object = boxEntry(0);
    emitExitingAt(ir::Op::k_list_append, {sequence, object}, raising());
    releaseHeld(pop());
    state_.frame().unit = in.next;
    return true;
}

// Guards that the top entry is of the class observed, when that was always list, or always tuple.
void RegionBuilder::knowSequence(const ClassSet& classes) {
    PyTypeObject* cls = classes.only();
    if (top().kind != Kind::kObject || top().cls != nullptr || (cls != &PyList_Type && cls != &PyTuple_Type)) {
        return;
    }
    guardClass(top().value, cls, ExitReason::k_type);
    top().cls = cls;
}

bool RegionBuilder::unpackSequence(const BytecodeInstruction& in) {
    takeConstantSequence(0);
    knowSequence(siteOf(in).receivers);
    AbstractValue sequence = top();
    if (sequence.kind == Kind::kTuple) {
        if (static_cast<int>(sequence.parts.size()) != in.oparg) {
            return false;
        }
        pop();
        for (int index = in.oparg - 1; index >= 0; index--) {
            push(sequence.parts[index]);
        }
        state_.frame().unit = in.next;
        return true;
    }
    bool list = sequence.kind == Kind::kObject && sequence.cls == &PyList_Type;
    bool tuple = sequence.kind == Kind::kObject && sequence.cls == &PyTuple_Type;
    if (!list && !tuple) {
        return opaqueUnpack(in);
    }
    Id length = emit(ir::Op::k_load_field, {sequence.value}, static_cast<int64_t>(Field::k_ob_size));
    emitExiting(ir::Op::k_guard_true, {emit(ir::Op::k_int_eq, {length, constInt(in.oparg)})}, ExitReason::k_unsupported);
    pop();
    pushItems(sequence.value, in.oparg, list);
    release(std::move(sequence));
    state_.frame().unit = in.next;
    return true;
}

// The items of a list or tuple as owned entries, the first on top.
void RegionBuilder::pushItems(Id sequence, int count, bool list) {
    std::vector<AbstractValue> items;
    for (int index = 0; index < count; index++) {
        Id item = emit(list ? ir::Op::k_list_item : ir::Op::k_tuple_item, {sequence, constInt(index)});
        emit(ir::Op::k_incref, {item});
        items.push_back(AbstractValue::object(item, nullptr, true));
    }
    for (int index = count - 1; index >= 0; index--) {
        push(items[index]);
    }
}

// Unpacks any iterable by CPython, by way of a tuple.
bool RegionBuilder::opaqueUnpack(const BytecodeInstruction& in) {
    if (top().kind != Kind::kObject && top().kind != Kind::kConstant) {
        return false;
    }
    Id version = beforeOpaque("UNPACK_SEQUENCE");
    if (stopped()) {
        return true;
    }
    Id object = boxEntry(0);
    ir::SnapshotId raise = raising();
    asCallee(unit_ + 1, [&] {
        Id items = emitExitingAt(ir::Op::k_opaque_object, {constInt(in.oparg), object}, raise, static_cast<int64_t>(Helper::k_unpack));
        releaseTop(1);
        pushItems(items, in.oparg, false);
        emit(ir::Op::k_drop, {items});
    });
    state_.frame().unit = in.next;
    afterOpaque(version);
    return true;
}

}  // namespace kiln
