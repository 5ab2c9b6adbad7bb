#include "jit/frontend/array_elements.h"

namespace kiln {

Id elementOffset(RegionBuilder& b, Id head, const ArrayLayout& layout, const std::vector<Id>& positions) {
    Id offset = ir::kNoId;
    auto add = [&](Id more) { offset = offset == ir::kNoId ? more : b.emit(ir::Op::k_int_add_index, {offset, more}); };
    for (int dimension = 0; dimension < layout.dimensions; dimension++) {
        Id position = positions[static_cast<size_t>(dimension)];
        if (!layout.contiguous) {
            Id stride = b.emit(ir::Op::k_array_stride, {head}, dimension);
            add(b.emit(ir::Op::k_int_mul_index, {position, stride}));
            continue;
        }
        if (offset != ir::kNoId) {
            offset = b.emit(ir::Op::k_int_mul_index, {offset, b.emit(ir::Op::k_array_length, {head}, dimension)});
        }
        add(position);
    }
    int bytes = info(layout.element).bytes;
    return layout.contiguous && bytes != 1 ? b.emit(ir::Op::k_int_mul_index, {offset, b.constInt(bytes)}) : offset;
}

AbstractValue loadElement(RegionBuilder& b, Id head, Element element, Id offset) {
    ir::Op load = isFloat(element) ? ir::Op::k_element_float : ir::Op::k_element_int;
    Id data = b.emit(ir::Op::k_array_data, {head});
    Id value = b.emit(load, {data, offset}, static_cast<int64_t>(element));
    if (element == Element::k_uint64) {
        b.emitExiting(ir::Op::k_guard_fits, {value}, ExitReason::k_flag, static_cast<int64_t>(element));
    } else if (element == Element::k_bool_) {
        value = b.emit(ir::Op::k_int_ne, {value, b.constInt(0)});
    }
    return scalarOf(b, element, value);
}

}  // namespace kiln
