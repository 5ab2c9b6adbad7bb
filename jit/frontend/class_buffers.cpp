// Bytes, bytearrays, arrays of the module `array`, and memoryviews: items at an index.
#include "jit/frontend/buffer_values.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

struct Place {
    Buffer buffer;  // none where only CPython can tell
    Id position = ir::kNoId;
};

// Of the index on top into the object below it.
Place placeAt(RegionBuilder& b, const BytecodeInstruction& in, bool writable) {
    PyTypeObject* cls = b.top(1).knownClass();
    ArrayLayout layout = layoutOfBuffers(cls, b.siteOf(in).arrays.only());
    bool isObject = b.top(1).kind == Kind::kObject || b.top(1).kind == Kind::kConstant;
    bool isKnown = isObject && layout.isKnown() && (layout.writable || !writable) && !b.siteOf(in).generic;
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    Id index = isKnown ? positionOf(b, b.top(0)) : ir::kNoId;
    if (index == ir::kNoId) {
        return {};
    }
    layout.writable = writable;
    Buffer buffer = bufferAt(b, boxEntry(b, 1), cls, layout);
    return {buffer, normalizedIndex(b, index, buffer.length)};
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

bool bufferItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = placeAt(b, in, false);
    if (!place.buffer) {
        return false;
    }
    finishCall(b, in, 2, bufferItemAt(b, place.buffer, place.position));
    return true;
}

bool storeBufferItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = placeAt(b, in, true);
    Id item = place.buffer ? itemFor(b, place.buffer.element, b.top(2)) : ir::kNoId;
    if (item == ir::kNoId) {
        return false;
    }
    Id offset = b.emit(ir::Op::k_int_mul_index, {place.position, place.buffer.stride});
    ir::Op store = isFloat(place.buffer.element) ? ir::Op::k_store_element_float : ir::Op::k_store_element_int;
    b.emit(store, {place.buffer.address, offset, item}, static_cast<int64_t>(place.buffer.element));
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
