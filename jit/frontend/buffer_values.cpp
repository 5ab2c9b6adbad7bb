#include "jit/frontend/buffer_values.h"

#include <cstddef>

#include "interp/array_module.h"
#include "interp/buffers.h"
#include "jit/frontend/build_entry.h"
#include "jit/frontend/build_iteration.h"
#include "jit/frontend/numpy_values.h"
#include "jit/frontend/values.h"

namespace kiln {
namespace {

Id wordAt(RegionBuilder& b, Id address, size_t offset, Element element = Element::k_int64) {
    return b.emit(ir::Op::k_element_int, {address, b.constInt(static_cast<int64_t>(offset))},
                  static_cast<int64_t>(element));
}

void guardEqual(RegionBuilder& b, Id number, int64_t wanted) {
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_int_eq, {number, b.constInt(wanted)})}, ExitReason::k_type);
}

// The format is one character, of which a type may have two.
void guardFormat(RegionBuilder& b, Id view, Element element) {
    Id text = wordAt(b, wordAt(b, view, offsetof(PyMemoryViewObject, view.format)), 0, Element::k_uint16);
    const char* formats = formatsOf(element);
    Id isOne = b.emit(ir::Op::k_int_eq, {text, b.constInt(formats[0])});
    if (formats[1] != 0) {
        isOne = b.emit(ir::Op::k_bool_or, {isOne, b.emit(ir::Op::k_int_eq, {text, b.constInt(formats[1])})});
    }
    b.emitExiting(ir::Op::k_guard_true, {isOne}, ExitReason::k_type);
}

// A memoryview of one dimension that was not released, over items that lie as those of their type do.
Buffer viewAt(RegionBuilder& b, Id object, const ArrayLayout& layout) {
    constexpr int64_t kUnfit = _Py_MEMORYVIEW_RELEASED | _Py_MEMORYVIEW_SCALAR | _Py_MEMORYVIEW_PIL;
    Id view = b.emit(ir::Op::k_address, {object});
    Id flags = wordAt(b, view, offsetof(PyMemoryViewObject, flags), Element::k_int32);
    guardEqual(b, b.emit(ir::Op::k_int_and, {flags, b.constInt(kUnfit)}), 0);
    Id managed = wordAt(b, wordAt(b, view, offsetof(PyMemoryViewObject, mbuf)), offsetof(_PyManagedBufferObject, flags),
                        Element::k_int32);
    guardEqual(b, b.emit(ir::Op::k_int_and, {managed, b.constInt(_Py_MANAGED_BUFFER_RELEASED)}), 0);
    guardEqual(b, wordAt(b, view, offsetof(PyMemoryViewObject, view.ndim), Element::k_int32), 1);
    if (layout.writable) {
        guardEqual(b, wordAt(b, view, offsetof(PyMemoryViewObject, view.readonly), Element::k_int32), 0);
    }
    guardFormat(b, view, layout.element);
    Buffer buffer{.element = layout.element};
    buffer.address = wordAt(b, view, offsetof(PyMemoryViewObject, view.buf));
    buffer.length = wordAt(b, wordAt(b, view, offsetof(PyMemoryViewObject, view.shape)), 0);
    buffer.stride = wordAt(b, wordAt(b, view, offsetof(PyMemoryViewObject, view.strides)), 0);
    if (int bytes = info(layout.element).bytes; bytes > 1) {
        Id places = b.emit(ir::Op::k_int_or, {buffer.address, buffer.stride});
        guardEqual(b, b.emit(ir::Op::k_int_and, {places, b.constInt(bytes - 1)}), 0);
    }
    return buffer;
}

// Where the items of an array of the module begin.
Id arrayItems(RegionBuilder& b, Id object, Element element) {
    Id array = b.emit(ir::Op::k_address, {object});
    const ArrayModule::Descriptors& descriptors = ArrayModule::known()->descriptorsOf(element);
    const Id descriptor = wordAt(b, array, array_layout::kDescriptor);
    if (descriptors[1] == 0) {
        guardEqual(b, descriptor, descriptors[0]);
    } else {
        const Id isFirst = b.emit(ir::Op::k_int_eq, {descriptor, b.constInt(descriptors[0])});
        const Id isSecond = b.emit(ir::Op::k_int_eq, {descriptor, b.constInt(descriptors[1])});
        b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_bool_or, {isFirst, isSecond})}, ExitReason::k_type);
    }
    return wordAt(b, array, array_layout::kItems);
}

}  // namespace

ArrayLayout layoutOfBuffers(const PyTypeObject* cls, const ArrayLayout& seen) {
    if (cls == &PyBytes_Type || cls == &PyByteArray_Type) {
        return {.element = Element::k_uint8, .writable = cls == &PyByteArray_Type};
    }
    return isBufferClass(cls) && seen.isKnown() && seen.dimensions == 0 ? seen : ArrayLayout{};
}

Buffer bufferAt(RegionBuilder& b, Id object, PyTypeObject* cls, const ArrayLayout& layout) {
    if (cls == &PyMemoryView_Type) {
        return viewAt(b, object, layout);
    }
    Buffer buffer{.element = layout.element};
    if (cls == &PyBytes_Type) {
        buffer.address = b.emit(ir::Op::k_int_add_index,
                                {b.emit(ir::Op::k_address, {object}), b.constInt(offsetof(PyBytesObject, ob_sval))});
    } else if (cls == &PyByteArray_Type) {
        buffer.address = wordAt(b, b.emit(ir::Op::k_address, {object}), offsetof(PyByteArrayObject, ob_start));
    } else {
        buffer.address = arrayItems(b, object, layout.element);
    }
    buffer.length = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_ob_size));
    buffer.stride = b.constInt(info(layout.element).bytes);
    return buffer;
}

AbstractValue bufferItemAt(RegionBuilder& b, const Buffer& buffer, Id position) {
    bool isReal = isFloat(buffer.element);
    Id offset = b.emit(ir::Op::k_int_mul_index, {position, buffer.stride});
    Id item = b.emit(isReal ? ir::Op::k_element_float : ir::Op::k_element_int, {buffer.address, offset},
                     static_cast<int64_t>(buffer.element));
    if (buffer.element == Element::k_uint64) {
        b.emitExiting(ir::Op::k_guard_fits, {item}, ExitReason::k_plain, static_cast<int64_t>(buffer.element));
    }
    return AbstractValue::number(isReal ? Kind::kFloat : Kind::kInt, item);
}

ArrayLayout knowBufferToIterate(RegionBuilder& b, const AbstractValue& value, const ArrayLayout& seen) {
    ArrayLayout layout = value.kind == Kind::kObject ? layoutOfBuffers(value.cls, seen) : ArrayLayout{};
    if (!layout.isKnown() || bufferIteratorClass(value.cls) == nullptr) {
        return {};
    }
    layout.writable = false;
    bufferAt(b, value.value, value.cls, layout);
    return layout;
}

// Of a memoryview the iterator exists all the time: one cannot be made any more when the view has been released.
AbstractValue virtualBufferIterator(RegionBuilder& b, const AbstractValue& value, const ArrayLayout& layout) {
    AbstractValue iterator;
    iterator.kind = Kind::kBufferIter;
    iterator.array = layout;
    iterator.parts = {value, AbstractValue::number(Kind::kInt, b.constInt(0))};
    if (value.cls == &PyMemoryView_Type) {
        auto helper = static_cast<int64_t>(Helper::k_build_list_iterator);
        iterator.value = b.emitList(ir::Op::k_pure_object, {value.value, b.constInt(0)}, helper);
        iterator.owned = true;
    }
    return iterator;
}

void enterBufferIterator(RegionBuilder& b, Id object, AbstractValue& value) {
    PyTypeObject* cls = value.parts[0].cls;
    value.value = object;
    b.guardClass(object, bufferIteratorClass(cls), ExitReason::k_entry);
    guardUnshared(b, object);
    Id buffer = b.emit(ir::Op::k_load_reference, {object}, static_cast<int64_t>(Field::k_list_iter_list));
    b.emitExiting(ir::Op::k_guard_set, {buffer}, ExitReason::k_entry);
    b.guardClass(buffer, cls, ExitReason::k_entry);
    value.parts[0].value = buffer;
    value.parts[0].home = true;  // the iterator holds it
    value.parts[1].value = b.emit(ir::Op::k_load_field, {object}, static_cast<int64_t>(Field::k_list_iter_index));
}

Id bufferHasNext(RegionBuilder& b, AbstractValue& iterator) {
    const AbstractValue& buffer = iterator.parts[0];
    return b.emit(ir::Op::k_int_below,
                  {iterator.parts[1].value, bufferAt(b, buffer.value, buffer.cls, iterator.array).length});
}

AbstractValue advanceBuffer(RegionBuilder& b, AbstractValue& iterator) {
    const AbstractValue& buffer = iterator.parts[0];
    Id position = iterator.parts[1].value;
    AbstractValue item = bufferItemAt(b, bufferAt(b, buffer.value, buffer.cls, iterator.array), position);
    iterator.parts[1].value = b.emit(ir::Op::k_int_add_wrap, {position, b.constInt(1)});
    return item;
}

}  // namespace kiln
