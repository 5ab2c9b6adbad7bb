#include "jit/runtime/snapshot_values.h"

#include <bit>

#include "interp/cpython/cpython_shim.h"
#include "interp/numpy_types.h"
#include "jit/native_interface.h"
#include "jit/runtime/memory_reserve.h"
#include "jit/runtime/numpy_scalars.h"
#include "jit/runtime/virtual_objects.h"

namespace kiln {

PyObject* SnapshotValues::make(const ir::SlotSource& source) {
    int64_t word = source.value != ir::kNoId ? *next_++ : 0;
    switch (source.kind) {
        case ir::SlotKind::kValue: return makeValue(source, word);
        case ir::SlotKind::kConstant:
            return Py_NewRef(static_cast<PyObject*>(const_cast<void*>(region_.objects[source.constant])));
        case ir::SlotKind::kNumber: {
            int64_t number = *next_++;
            bool borrowed = (word & 1) != 0;
            auto* box = reinterpret_cast<PyObject*>(word & ~int64_t{1});
            return box == nullptr ? makeValue(source.parts[0], number) : !borrowed && moves(source) ? box : Py_NewRef(box);
        }
        case ir::SlotKind::kAny: return makeAny(source, word, *next_++);
        case ir::SlotKind::kNull: case ir::SlotKind::kHome: return nullptr;
        case ir::SlotKind::kScalar: return shared(source, boxScalar(classOf(source), parts(source)[0]));
        case ir::SlotKind::kComplex: {
            ShortVector<int64_t, 8> bits = parts(source);
            return shared(source, makeComplex(classOf(source), std::bit_cast<double>(bits[0]), std::bit_cast<double>(bits[1])));
        }
        case ir::SlotKind::kView: return shared(source, makeViewOf(source));
        case ir::SlotKind::kTuple: return shared(source, makeTuple(source));
        case ir::SlotKind::kSlice: return shared(source, makeSlice(source));
        case ir::SlotKind::kInstance: return shared(source, makeInstanceOf(source));
        case ir::SlotKind::kList: return shared(source, makeList(source));
        case ir::SlotKind::kKeywords: return shared(source, makeKeywords(source));
        case ir::SlotKind::kMethod: return shared(source, makeMethod(source));
        case ir::SlotKind::kRange: return shared(source, makeRange(parts(source)));
        case ir::SlotKind::kRangeIterator: return restoreRangeIterator(existing(source, word), parts(source));
        case ir::SlotKind::kListIterator: return makeListIterator(source, existing(source, word));
        case ir::SlotKind::kEnumerate: {
            int64_t index = *next_++;
            return restoreEnumerate(existing(source, word), index, make(source.parts[1]));
        }
        case ir::SlotKind::kGenerator: return makeGenerator(source, existing(source, word));
        case ir::SlotKind::kZip: return restoreZip(existing(source, word), objects(source));
    }
    return nullptr;
}

PyObject* SnapshotValues::makeAny(const ir::SlotSource& source, int64_t box, int64_t bits) const {
    if (box == kBareInt || box == kBareFloat) {
        return boxWord(box == kBareInt ? ir::Type::kInt : ir::Type::kFloat, bits);
    }
    auto* object = reinterpret_cast<PyObject*>(box & ~int64_t{1});
    if ((box & 1) != 0 && isScalarClass(reinterpret_cast<PyTypeObject*>(object))) {
        return boxScalar(reinterpret_cast<PyTypeObject*>(object), bits);
    }
    return (box & 1) == 0 && moves(source) ? object : Py_XNewRef(object);
}

PyObject* SnapshotValues::shared(const ir::SlotSource& source, PyObject* made) {
    if (source.identity == 0) {
        return made;
    }
    for (const auto& [identity, object] : shared_) {
        if (identity == source.identity) {
            lent_.push_back(Ref<>::steal(made));  // a box of its parts may be wanted again
            return Py_NewRef(object);
        }
    }
    shared_.push_back({source.identity, made});
    return made;
}

PyObject* SnapshotValues::existing(const ir::SlotSource& source, int64_t word) const {
    auto* object = reinterpret_cast<PyObject*>(word);
    return source.value == ir::kNoId ? nullptr : moves(source) ? object : Py_NewRef(object);
}

PyObject* SnapshotValues::makeValue(const ir::SlotSource& source, int64_t word) {
    ir::Type type = region_.valueTypes[source.value];
    if (type == ir::Type::kObject) {
        auto* object = reinterpret_cast<PyObject*>(word);
        return moves(source) ? object : Py_XNewRef(object);
    }
    for (auto& [value, box] : boxes_) {
        if (value == source.value) {
            return Py_NewRef(box);
        }
    }
    PyObject* box = boxWord(type, word);
    boxes_.push_back({source.value, box});
    return box;
}

ShortVector<PyObject*, 8> SnapshotValues::objects(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> made;
    for (const ir::SlotSource& part : source.parts) {
        made.push_back(make(part));
    }
    return made;
}

ShortVector<int64_t, 8> SnapshotValues::parts(const ir::SlotSource& source) {
    ShortVector<int64_t, 8> words;
    for (size_t part = 0; part < source.parts.size(); part++) {
        words.push_back(*next_++);
    }
    return words;
}

PyTypeObject* SnapshotValues::classOf(const ir::SlotSource& source) const {
    return static_cast<PyTypeObject*>(const_cast<void*>(region_.objects[static_cast<size_t>(source.constant)]));
}

PyObject* SnapshotValues::makeViewOf(const ir::SlotSource& source) {
    lent_.push_back(Ref<>::steal(make(source.parts[0])));
    ShortVector<int64_t, 8> numbers;
    for (size_t part = 1; part < source.parts.size(); part++) {
        numbers.push_back(*next_++);
    }
    auto* dtype = static_cast<PyObject*>(const_cast<void*>(region_.objects[static_cast<size_t>(source.constant)]));
    return makeView(lent_.back().get(), dtype, numbers);
}

PyObject* SnapshotValues::makeTuple(const ir::SlotSource& source) {
    PyObject* tuple = makeSurely([&] { return PyTuple_New(static_cast<Py_ssize_t>(source.parts.size())); });
    for (size_t part = 0; part < source.parts.size(); part++) {
        PyTuple_SET_ITEM(tuple, part, make(source.parts[part]));
    }
    return tuple;
}

PyObject* SnapshotValues::makeSlice(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> bounds = objects(source);
    PyObject* slice = makeSurely([&] { return PySlice_New(bounds[0], bounds[1], bounds[2]); });
    for (PyObject* bound : bounds) {
        Py_DECREF(bound);
    }
    return slice;
}

PyObject* SnapshotValues::makeInstanceOf(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> attributes = objects(source);
    PyObject* instance = makeInstance(classOf(source));
    kiln_fill_instance(instance, attributes.data(), static_cast<Py_ssize_t>(attributes.size()));
    return instance;
}

PyObject* SnapshotValues::makeList(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> items = objects(source);
    PyObject* list = makeSurely([&] { return PyList_New(static_cast<Py_ssize_t>(items.size())); });
    for (size_t index = 0; index < items.size(); index++) {
        PyList_SET_ITEM(list, static_cast<Py_ssize_t>(index), items[index]);
    }
    return list;
}

PyObject* SnapshotValues::makeKeywords(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> parts = objects(source);
    PyObject* dict = kiln::makeKeywords(parts[0], parts.data() + 1);
    for (PyObject* part : parts) {
        Py_DECREF(part);
    }
    return dict;
}

PyObject* SnapshotValues::makeMethod(const ir::SlotSource& source) {
    ShortVector<PyObject*, 8> parts = objects(source);
    PyObject* method = makeSurely([&] { return bindTo(parts[0], parts[1]); });
    Py_DECREF(parts[0]);
    Py_DECREF(parts[1]);
    return method;
}

// Of one that runs the frame is restored later, and the object made then, if there is none.
PyObject* SnapshotValues::makeGenerator(const ir::SlotSource& source, PyObject* existingGenerator) {
    if (source.parts.empty()) {
        return existingGenerator;
    }
    Ref<> function = Ref<>::steal(make(source.parts[0]));
    ShortVector<PyObject*, 16> slots;
    for (size_t part = 1; part < source.parts.size(); part++) {
        slots.push_back(make(source.parts[part]));
    }
    return restoreGenerator(existingGenerator, function.get(), source.unit, slots);
}

PyObject* SnapshotValues::makeListIterator(const ir::SlotSource& source, PyObject* existingIterator) {
    PyObject* sequence = make(source.parts[0]);
    int64_t index = *next_++;
    return restoreListIterator(existingIterator, sequence, index);
}

}  // namespace kiln
