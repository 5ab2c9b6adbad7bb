// Bytearrays: bytes at an index. Where they lie may change with each operation of CPython's, so it is asked each time.
#include <cstddef>

#include "interp/numpy_elements.h"
#include "jit/frontend/build_call.h"
#include "jit/frontend/build_container.h"
#include "jit/frontend/build_exceptions.h"
#include "jit/frontend/class_operations.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/release_references.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

constexpr auto kByte = static_cast<int64_t>(Element::k_uint8);

struct Place {
    Id address = ir::kNoId;  // of the first byte; kNoId where only CPython can tell
    Id position = ir::kNoId;
};

// Of the index on top into the bytearray below it.
Place placeAt(RegionBuilder& b, const BytecodeInstruction& in) {
    const AbstractValue& bytes = b.top(1);
    knowScalarClass(b, in, 0, b.siteOf(in).rights);
    Id index = bytes.kind == Kind::kObject && !b.siteOf(in).generic ? positionOf(b, b.top(0)) : ir::kNoId;
    if (index == ir::kNoId) {
        return {};
    }
    Id length = b.emit(ir::Op::k_load_field, {bytes.value}, static_cast<int64_t>(Field::k_ob_size));
    Id position = normalizedIndex(b, index, length);
    Id start = b.constInt(offsetof(PyByteArrayObject, ob_start));
    Id address = b.emit(ir::Op::k_element_int, {b.emit(ir::Op::k_address, {bytes.value}), start},
                        static_cast<int64_t>(Element::k_int64));
    return {address, position};
}

}  // namespace

bool bytearrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Place place = placeAt(b, in);
    if (place.address == ir::kNoId) {
        return false;
    }
    Id byte = b.emit(ir::Op::k_element_int, {place.address, place.position}, kByte);
    finishCall(b, in, 2, AbstractValue::number(Kind::kInt, byte));
    return true;
}

bool storeBytearrayItem(RegionBuilder& b, const BytecodeInstruction& in) {
    Id byte = endsAfterStore(b.top(1)) ? ir::kNoId : positionOf(b, b.top(2));
    Place place = byte != ir::kNoId ? placeAt(b, in) : Place{};
    if (place.address == ir::kNoId) {
        return false;
    }
    b.emitExiting(ir::Op::k_guard_fits, {byte}, ExitReason::k_plain, kByte);
    b.emit(ir::Op::k_store_element_int, {place.address, place.position, byte}, kByte);
    releaseTop(b, 3);
    b.state().frame().unit = in.next;
    return true;
}

}  // namespace kiln
