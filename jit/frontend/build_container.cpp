// Lists, tuples, unpacking, and what builds containers.
#include "jit/frontend/build_container.h"

#include <opcode.h>

#include <algorithm>

#include "interp/buffers.h"
#include "interp/numpy_views.h"
#include "jit/frontend/array_iteration.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/build_leaf.h"
#include "jit/frontend/build_load_store.h"
#include "jit/frontend/build_special_methods.h"
#include "jit/frontend/build_plain.h"
#include "jit/frontend/build_spread_calls.h"
#include "jit/frontend/build_plain_containers.h"
#include "jit/frontend/build_sequence_builtins.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/opaque_operations.h"
#include "jit/frontend/opcode_handlers.h"
#include "jit/frontend/region_builder.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/tuple_classes.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

// An item of a virtual tuple at a constant index, or of a virtual range.
bool virtualItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue container = b.top(1);
    if ((container.kind != Kind::kTuple && container.kind != Kind::kRange) || !b.top(0).isIntLike()) {
        return false;
    }
    Id index = asInt(b, b.top(0));
    if (container.kind == Kind::kRange) {
        Id position = normalizedIndex(b, index, rangeLength(b, container));
        Id offset = b.emitExiting(ir::Op::k_int_mul, {position, container.parts[2].value}, ExitReason::k_overflow);
        Id item = b.emitExiting(ir::Op::k_int_add, {container.parts[0].value, offset}, ExitReason::k_overflow);
        finishCall(b, in, 2, AbstractValue::number(Kind::kInt, item));
        return true;
    }
    auto size = static_cast<int64_t>(container.parts.size());
    std::optional<int64_t> known = b.knownInt(index);
    if (!known || *known < -size || *known >= size) {
        boxEntry(b, 1);
        return false;
    }
    finishCall(b, in, 2, copyOf(container.parts[static_cast<size_t>(*known + (*known < 0 ? size : 0))]));
    if (b.top().kind == Kind::kObject && b.top().cls == nullptr) {
        refineTop(b, b.siteOf(in), in.next);
    }
    return true;
}

// With equal keys a value is displaced at once.
void buildConstKeyMap(RegionBuilder& b, const BytecodeInstruction& in) {
    Ref<> keys = Ref<>::steal(PySet_New(b.top().constant));
    if (keys && PySet_GET_SIZE(keys.get()) == in.oparg) {
        buildLeaf(b, in, Helper::k_build_const_key_map, in.oparg + 1, &PyDict_Type);
        return;
    }
    PyErr_Clear();
    opaqueInstruction(b, in, Helper::k_build_const_key_map, in.oparg + 1, OpaqueResult::kObject, "BUILD_CONST_KEY_MAP");
}

// Appends the top entry to the list `below` entries under it.
bool listAppend(RegionBuilder& b, const BytecodeInstruction& in, int below) {
    const AbstractValue& list = b.top(below);
    if (list.kind != Kind::kObject || list.cls != &PyList_Type) {
        return false;
    }
    Id sequence = list.value;
    Id object = boxEntry(b, 0);
    b.emitExitingAt(ir::Op::k_list_append, {sequence, object}, b.raising());
    releaseHeld(b, b.pop());
    b.state().frame().unit = in.next;
    return true;
}

// The elements of an array of one dimension, or the rows of another one. Leaves where there are more or fewer.
bool unpackArray(RegionBuilder& b, const BytecodeInstruction& in) {
    knowArrayClass(b, in, 0, b.siteOf(in).receivers);
    KnownArray array = knowArray(b, in, 0);
    if (!array || !makesItems(array.layout) || b.siteOf(in).generic) {
        return false;
    }
    Id isFit = b.emit(ir::Op::k_int_eq, {arrayLength(b, array, 0), b.constInt(in.oparg)});
    b.emitExiting(ir::Op::k_guard_true, {isFit}, ExitReason::k_plain);
    std::vector<AbstractValue> items;
    for (int index = 0; index < in.oparg; index++) {
        items.push_back(arrayItemAt(b, b.top(), array, b.constInt(index)));
    }
    AbstractValue gone = b.pop();
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        own(b, *item);
        b.push(std::move(*item));
    }
    release(b, std::move(gone));
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace

// A Python index into 0 <= index < length; a negative one counts from the end. Leaves when out of range.
Id normalizedIndex(RegionBuilder& b, Id index, Id length) {
    const std::optional<int64_t> known = b.knownInt(index);
    Id position = index;
    if (!known || *known < 0) {
        Id wrapped = b.emit(ir::Op::k_int_add_wrap, {index, length});
        position = known ? wrapped : b.emit(ir::Op::k_int_select, {b.emit(ir::Op::k_int_lt, {index, b.constInt(0)}), wrapped, index});
    }
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_below, {position, length})}, ExitReason::k_index);
    return position;
}

// A list, tuple or buffer that is a constant, such as a global, is worked on like any other.
void takeConstantSequence(RegionBuilder& b, int below) {
    PyObject* constant = b.top(below).kind == Kind::kConstant ? b.top(below).constant : nullptr;
    if (constant != nullptr && (PyList_CheckExact(constant) || PyTuple_CheckExact(constant) || isBufferClass(Py_TYPE(constant)))) {
        b.top(below) = asObject(b, b.top(below));
        b.top(below).cls = Py_TYPE(constant);
    }
}

bool subscript(RegionBuilder& b, const BytecodeInstruction& in) {
    if (virtualItem(b, in)) {
        return true;
    }
    takeConstantSequence(b, 1);
    knowBuiltin(b, in, 1, b.siteOf(in).receivers);
    knowArrayClass(b, in, 1, b.siteOf(in).receivers);
    const ClassOperations& known = knowTupleClass(b, 1, b.siteOf(in).receivers) ? operationsOf(&PyTuple_Type) : operationsAt(b, 1);
    if (steppedSlice(b, in)) {
        return true;
    }
    if (!known.item(b, in) && !subscriptCall(b, in)) {
        opaqueInstruction(b, in, Helper::k_get_item, 2, OpaqueResult::kObject, "BINARY_SUBSCR");
    }
    return true;
}

bool storeSubscript(RegionBuilder& b, const BytecodeInstruction& in) {
    takeConstantSequence(b, 1);
    knowBuiltin(b, in, 1, b.siteOf(in).receivers);
    knowArrayClass(b, in, 1, b.siteOf(in).receivers);
    const ClassOperations& known = operationsAt(b, 1);
    if (!known.storeItem(b, in) && !storeItemCall(b, in)) {
        opaqueInstruction(b, in, Helper::k_set_item, 3, OpaqueResult::kNone, "STORE_SUBSCR");
    }
    return true;
}

bool deleteSubscript(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 1, b.siteOf(in).receivers);
    if (!operationsAt(b, 1).deleteItem(b, in)) {
        opaqueInstruction(b, in, Helper::k_delete_item, 2, OpaqueResult::kNone, "DELETE_SUBSCR");
    }
    return true;
}

bool readSlice(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 2, b.siteOf(in).receivers);
    knowArrayClass(b, in, 2, b.siteOf(in).receivers);
    if (!operationsAt(b, 2).slice(b, in)) {
        opaqueInstruction(b, in, Helper::k_get_slice, 3, OpaqueResult::kObject, "BINARY_SLICE");
    }
    return true;
}

bool storeSlice(RegionBuilder& b, const BytecodeInstruction& in) {
    knowBuiltin(b, in, 2, b.siteOf(in).receivers);
    knowArrayClass(b, in, 2, b.siteOf(in).receivers);
    if (operationsAt(b, 2).storeSlice(b, in)) {
        return true;
    }
    opaqueInstruction(b, in, Helper::k_set_slice, 4, OpaqueResult::kNone, "STORE_SLICE");
    return true;
}

void flattenItems(RegionBuilder& b, int below, int size) {
    auto nested = [](const AbstractValue& value) { return value.hasItems(); };
    for (int end = below + size; below < end; below++) {
        const AbstractValue& item = b.top(below);
        if (isVirtualIterator(item) || std::ranges::any_of(item.parts, nested)) {
            boxEntry(b, below);
        }
    }
}

void buildItems(RegionBuilder& b, Kind kind, int size) {
    constexpr int kMostItems = 16;
    flattenItems(b, 0, size);
    for (int below = 0; below < size; below++) {
        settle(b, below);
        own(b, b.top(below));
    }
    std::vector<AbstractValue>& slots = b.state().frame().slots;
    AbstractValue made = virtualObject(b, kind, {slots.end() - size, slots.end()});
    slots.resize(slots.size() - static_cast<size_t>(size));
    b.push(std::move(made));
    if (size > kMostItems) {
        realize(b, b.state(), b.top());
    }
}

bool buildContainer(RegionBuilder& b, const BytecodeInstruction& in) {
    if (collectForCall(b, in) || plainBuild(b, in)) {
        return true;
    }
    switch (in.opcode) {
        case BUILD_TUPLE: {
            buildItems(b, Kind::kTuple, in.oparg);
            b.state().frame().unit = in.next;
            return true;
        }
        case BUILD_CONST_KEY_MAP: buildConstKeyMap(b, in); return true;
        case SET_ADD: opaqueAdd(b, in, Helper::k_set_add, in.oparg, 1); return true;
        case MAP_ADD: opaqueAdd(b, in, Helper::k_map_add, in.oparg + 1, 2); return true;
        case LIST_APPEND: return listAppend(b, in, in.oparg);
        case BUILD_LIST: buildLeaf(b, in, Helper::k_build_list, in.oparg, &PyList_Type); return true;
        case BUILD_SLICE: {
            constexpr int kBounds = 3;
            if (in.oparg < kBounds) {
                b.push(AbstractValue::none());
            }
            buildItems(b, Kind::kSlice, kBounds);
            b.state().frame().unit = in.next;
            return true;
        }
        case BUILD_STRING:
            opaqueInstruction(b, in, Helper::k_build_string, in.oparg, OpaqueResult::kObject, "BUILD_STRING");
            return true;
        case BUILD_MAP:
            if (in.oparg == 0) {
                buildLeaf(b, in, Helper::k_build_map, 0, &PyDict_Type);
                return true;
            }
            opaqueInstruction(b, in, Helper::k_build_map, 2 * in.oparg, OpaqueResult::kObject, "BUILD_MAP");
            return true;
        case BUILD_SET:
            opaqueInstruction(b, in, Helper::k_build_set, in.oparg, OpaqueResult::kObject, "BUILD_SET");
            return true;
        case FORMAT_VALUE:
            opaqueInstruction(b, in, Helper::k_format_value, (in.oparg & 4) ? 2 : 1, OpaqueResult::kObject,
                              "FORMAT_VALUE", {in.oparg & 3});
            return true;
        default: return false;
    }
}

void knowSequence(RegionBuilder& b, const ClassSet& classes) {
    PyTypeObject* cls = classes.only();
    if (b.top().kind != Kind::kObject || b.top().cls != nullptr || (cls != &PyList_Type && cls != &PyTuple_Type)) {
        return;
    }
    b.guardClass(b.top().value, cls, ExitReason::k_type);
    b.top().cls = cls;
}

bool unpackSequence(RegionBuilder& b, const BytecodeInstruction& in) {
    takeConstantSequence(b, 0);
    knowSequence(b, b.siteOf(in).receivers);
    AbstractValue sequence = b.top();
    if (sequence.kind == Kind::kTuple) {
        if (static_cast<int>(sequence.parts.size()) != in.oparg) {
            return false;
        }
        b.pop();
        for (int index = in.oparg - 1; index >= 0; index--) {
            b.push(sequence.parts[index]);
        }
        b.state().frame().unit = in.next;
        return true;
    }
    bool list = sequence.kind == Kind::kObject && sequence.cls == &PyList_Type;
    bool tuple = sequence.kind == Kind::kObject && sequence.cls == &PyTuple_Type;
    bool derived = !list && !tuple && knowTupleClass(b, 0, b.siteOf(in).receivers);
    if (!list && !tuple && !derived) {
        return unpackArray(b, in) || opaqueUnpack(b, in, "UNPACK_SEQUENCE", Helper::k_unpack, {in.oparg}, in.oparg);
    }
    guardLength(b, sequence.value, in.oparg, ExitReason::k_unsupported);
    b.pop();
    pushItems(b, sequence.value, in.oparg, list);
    if (derived) {
        release(b, std::move(sequence));
    } else {
        giveUpUnpacked(b, std::move(sequence));
    }
    b.state().frame().unit = in.next;
    return true;
}

void guardLength(RegionBuilder& b, Id sequence, int64_t count, ExitReason reason) {
    Id length = b.emit(ir::Op::k_load_field, {sequence}, static_cast<int64_t>(Field::k_ob_size));
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {length, b.constInt(count)})}, reason);
}

void giveUpUnpacked(RegionBuilder& b, AbstractValue sequence) {
    if (!sequence.owned || sequence.home) {
        release(b, std::move(sequence));
    } else if (!transferOwnership(b.state(), sequence.value)) {
        b.emit(ir::Op::k_decref_unpacked, {sequence.value});
    }
}

bool opaqueUnpack(RegionBuilder& b, const BytecodeInstruction& in, const char* name, Helper helper, std::initializer_list<int64_t> counts, int items) {
    if (b.top().kind == Kind::kView) {
        boxEntry(b, 0);
    }
    if (b.top().kind != Kind::kObject && b.top().kind != Kind::kConstant) {
        return false;
    }
    Id version = beforeOpaque(b, name);
    if (b.stopped()) {
        return true;
    }
    ir::Operands operands;
    for (int64_t count : counts) {
        operands.push_back(b.constInt(count));
    }
    operands.push_back(boxEntry(b, 0));
    ir::SnapshotId raise = b.raising();
    asCallee(b, b.unit() + 1, [&] {
        Id tuple = b.emitExitingAt(ir::Op::k_opaque_object, std::move(operands), raise, static_cast<int64_t>(helper));
        releaseTop(b, 1);
        pushItems(b, tuple, items, false);
        b.emit(ir::Op::k_drop, {tuple});
    });
    b.state().frame().unit = in.next;
    afterOpaque(b, version);
    return true;
}

// The items of a list or tuple as owned entries, the first on top.
void pushItems(RegionBuilder& b, Id sequence, int count, bool list) {
    std::vector<AbstractValue> items;
    for (int index = 0; index < count; index++) {
        Id item = b.emit(list ? ir::Op::k_list_item : ir::Op::k_tuple_item, {sequence, b.constInt(index)});
        b.emit(ir::Op::k_incref, {item});
        items.push_back(AbstractValue::object(item, nullptr, true));
    }
    for (int index = count - 1; index >= 0; index--) {
        b.push(items[index]);
    }
}

}  // namespace kiln
