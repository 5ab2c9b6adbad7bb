// Arrays of the module `array`: items at an index. Where they lie may change with each operation of CPython's, so it is asked each time.
#include "interp/array_module.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

struct Place {
    Element element = Element::kCount;  // kCount where only CPython can tell
    Id address = ir::kNoId;             // of the first item
    Id offset = ir::kNoId;
};

Id wordAt(RegionBuilder& b, Id array, int offset) {
    return b.emit(ir::Op::k_element_int, {b.emit(ir::Op::k_address, {array}), b.constInt(offset)},
                  static_cast<int64_t>(Element::k_int64));
}

// Of the index on top into the array below it, which had items of this kind each time.
Place placeAt(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& array = b.top(1);
    ArrayLayout layout = b.siteOf(in).arrays.only();
    bool isKnown = array.kind == Kind::kObject && layout.isKnown() && layout.dimensions == 0 && !b.siteOf(in).generic;
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    Id index = isKnown ? positionOf(b, b.top(0)) : ir::kNoId;
    if (index == ir::kNoId) {
        return {};
    }
    Id wanted = b.constInt(ArrayModule::known()->descriptorOf(layout.element));
    Id isOfType = b.emit(ir::Op::k_int_eq, {wordAt(b, array.value, array_layout::kDescriptor), wanted});
    b.emitExiting(ir::Op::k_guard_true, {isOfType}, ExitReason::k_type);
    Id length = b.emit(ir::Op::k_load_field, {array.value}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(b, index, length);
    Id offset = b.emit(ir::Op::k_int_mul_index, {position, b.constInt(info(layout.element).bytes)});
    return {layout.element, wordAt(b, array.value, array_layout::kItems), offset};
}

// What such an item becomes by the entry; kNoId where only CPython knows.
Id itemFor(RegionBuilder& b, Element element, const AbstractValue& value) {
    if (isFloat(element)) {
        return value.isNumber() || isNumPyFloat(value) ? asFloat(b, value) : ir::kNoId;
    }
    Id number = positionOf(b, value);
    if (number != ir::kNoId) {
        b.emitExiting(ir::Op::k_guard_fits, {number}, ExitReason::k_plain, static_cast<int64_t>(element));
    }
    return number;
}

}  // namespace

bool arrayModuleItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = placeAt(b, in);
    if (place.element == Element::kCount) {
        return false;
    }
    bool isReal = isFloat(place.element);
    ir::Op load = isReal ? ir::Op::k_element_float : ir::Op::k_element_int;
    Id item = b.emit(load, {place.address, place.offset}, static_cast<int64_t>(place.element));
    if (place.element == Element::k_uint64) {
        b.emitExiting(ir::Op::k_guard_fits, {item}, ExitReason::k_plain, static_cast<int64_t>(place.element));
    }
    finishCall(b, in, 2, AbstractValue::number(isReal ? Kind::kFloat : Kind::kInt, item));
    return true;
}

bool storeArrayModuleItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = endsAfterStore(b.top(1)) ? Place{} : placeAt(b, in);
    Id item = place.element != Element::kCount ? itemFor(b, place.element, b.top(2)) : ir::kNoId;
    if (item == ir::kNoId) {
        return false;
    }
    ir::Op store = isFloat(place.element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {place.address, place.offset, item}, static_cast<int64_t>(place.element));
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
