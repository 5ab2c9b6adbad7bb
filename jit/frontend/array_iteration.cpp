#include "jit/frontend/array_iteration.h"

#include "interp/numpy_types.h"
#include "interp/numpy_views.h"
#include "jit/frontend/array_elements.h"
#include "jit/frontend/array_views.h"
#include "jit/frontend/build_entry.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/numpy_values.h"

namespace kiln {

bool isArrayToIterate(const AbstractValue& value) {
    KnownArray array = knownArray(value);
    return array && makesItems(array.layout);
}

// Iterators of sequences lie as those of lists (kiln_sequence_iterator_sequence).
void enterArrayIterator(RegionBuilder& b, Id object, AbstractValue& value) {
    value.value = object;
    b.guardClass(object, &PySeqIter_Type, ExitReason::k_entry);
    guardUnshared(b, object);
    Id array = b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_list_iter_list));
    enterObject(b, array, value.parts[0]);
    value.parts[0].home = true;  // the iterator holds it
    value.parts[1].value = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_list_iter_index));
}

Id arrayHasNext(RegionBuilder& b, AbstractValue& iterator) {
    AbstractValue& array = iterator.parts[0];
    if (!knownArray(array)) {
        array.array = iterator.array;
        array.box = guardArray(b, array.value, array.array, b.snapshotBefore(ExitReason::k_type));
    }
    return b.emit(ir::Op::k_int_below, {iterator.parts[1].value, arrayLength(b, knownArray(array), 0)});
}

AbstractValue arrayItemAt(RegionBuilder& b, const AbstractValue& entry, const KnownArray& array, Id position) {
    bool isElement = array.layout.dimensions == 1;
    return isElement ? loadElement(b, array, elementOffset(b, array, {position})) : selectedView(b, entry, array, {Selection::at(position)});
}

AbstractValue advanceArray(RegionBuilder& b, AbstractValue& iterator) {
    KnownArray array = knownArray(iterator.parts[0]);
    Id position = iterator.parts[1].value;
    AbstractValue item = arrayItemAt(b, iterator.parts[0], array, position);
    iterator.parts[1].value = b.emit(ir::Op::k_int_add_wrap, {position, b.constInt(1)});
    return item;
}

}  // namespace kiln
