// Lists and tuples: items at an index, and which operators have a result without Python code.
#include <opcode.h>

#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/number_identity.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {

bool sequenceItem(RegionBuilder& b, const BytecodeInstruction& in) {
    AbstractValue container = b.top(1);
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    Id index = container.kind == Kind::kObject && !oftenRaises(b, in) ? positionOf(b, b.top(0)) : ir::kNoId;
    if (index == ir::kNoId) {
        return false;
    }
    Id length = b.emit(ir::Op::k_load_field, {container.value}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(b, index, length);
    ir::Op load = container.cls == &PyList_Type ? ir::Op::k_list_item : ir::Op::k_tuple_item;
    pushBorrowedItem(b, in, b.emit(load, {container.value, position}));
    return true;
}

bool storeListItem(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& container = b.top(1);
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    bool isKnown = container.kind == Kind::kObject && !b.siteOf(in).runsFinalisers;
    Id index = isKnown ? positionOf(b, b.top(0)) : ir::kNoId;
    if (index == ir::kNoId) {
        return false;
    }
    if (b.top(2).isVirtual()) {
        boxEntry(b, 2);
    }
    Id sequence = container.value;
    Id length = b.emit(ir::Op::k_load_field, {sequence}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(b, index, length);
    Id displaced = b.emit(ir::Op::k_list_item, {sequence, position});
    release(b, b.pop());
    AbstractValue owner = b.pop();
    AbstractValue value = b.pop();
    guardExchange(b, displaced, value, owner);
    owner = giveUpContainer(b, std::move(owner));
    if (isBareFloat(b, value)) {
        b.emitExiting(ir::Op::k_list_store_float, {sequence, position, value.value}, ExitReason::k_release);
    } else {
        Id object = takeReference(b, std::move(value));
        b.emit(ir::Op::k_list_store, {sequence, position, object});
    }
    release(b, std::move(owner));
    b.state().frame().unit = in.next;
    return true;
}

bool sequenceOperator(int operation, PyTypeObject* left, PyTypeObject* right) {
    return operation == NB_ADD ? left == right : operation == NB_MULTIPLY && (left == &PyLong_Type || right == &PyLong_Type);
}

}  // namespace kiln
