// Buffers (interp/buffers.h) as abstract values: where their items lie, which is asked each time, since each operation of CPython's may
// move or release them; and loops over them.
#pragma once

#include "interp/numpy_elements.h"
#include "jit/frontend/region_builder.h"

namespace kiln {

struct Buffer {
    Element element = Element::kCount;
    Id address = ir::kNoId;  // of the first item
    Id length = ir::kNoId;
    Id stride = ir::kNoId;  // bytes from one item to the next

    explicit operator bool() const { return element != Element::kCount; }
};

// What the items of such objects are like: of bytes and bytearrays always the same, of others what was `seen`. Not known where only
// CPython can tell.
ArrayLayout layoutOfBuffers(const PyTypeObject* cls, const ArrayLayout& seen);
// Leaves where the items of an object of that class are others, or cannot be reached.
Buffer bufferAt(RegionBuilder& b, Id object, PyTypeObject* cls, const ArrayLayout& layout);
// The item at a position that is in range. May leave.
AbstractValue bufferItemAt(RegionBuilder& b, const Buffer& buffer, Id position);

// ---- loops: Kind::kBufferIter

// What a loop over the entry asks of its items in each round; not known where only CPython can run over it. Leaves where they are others.
ArrayLayout knowBufferToIterate(RegionBuilder& b, const AbstractValue& value, const ArrayLayout& seen);
// The iterator of an entry of which that is known.
AbstractValue virtualBufferIterator(RegionBuilder& b, const AbstractValue& value, const ArrayLayout& layout);
// Takes the iterator `object` of the live frame in; fills in the values.
void enterBufferIterator(RegionBuilder& b, Id object, AbstractValue& value);
// Is there another item? Then advanceBuffer() gives it and moves on.
Id bufferHasNext(RegionBuilder& b, AbstractValue& iterator);
AbstractValue advanceBuffer(RegionBuilder& b, AbstractValue& iterator);

}  // namespace kiln
