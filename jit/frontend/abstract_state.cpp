#include "jit/frontend/abstract_state.h"

#include <algorithm>

#include "interp/buffers.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/numpy_flat.h"
#include "interp/numpy_types.h"
#include "interp/numpy_views.h"
#include "profiler/code_profile.h"

namespace kiln {
namespace {

// The identities met so far, in order: what counts is which entries are the same object.
using Identities = std::vector<int>;

void add(StateKey& key, const AbstractValue& value, Identities& identities) {
    unsigned flags = value.owned + 2 * value.home + 4 * (value.value != ir::kNoId) + 8 * value.unitStep + 16 * (value.box != ir::kNoId) +
                     32 * value.mayLackBox + 64 * value.held;
    key.add(static_cast<uint64_t>(value.kind) | flags << 8 | static_cast<uint64_t>(value.parts.size()) << 16);
    if (value.kind == Kind::kObject || value.kind == Kind::kInstance || value.isVirtualNumber()) {
        key.add(value.cls);
    }
    if (value.array.isKnown()) {
        key.add(static_cast<uint64_t>(packed(value.array)) << 8 | static_cast<uint64_t>(value.array.element));
    }
    if (value.kind == Kind::kConstant) {
        key.add(value.constant);
    }
    if (value.kind == Kind::kGenerator) {
        key.add(value.callee);
        key.add(static_cast<uint64_t>(value.unit));
    }
    if (value.isVirtualObject()) {
        auto known = std::find(identities.begin(), identities.end(), value.identity);
        key.add(static_cast<uint64_t>(known - identities.begin()));
        if (known == identities.end()) {
            identities.push_back(value.identity);
        }
    }
    for (const AbstractValue& part : value.parts) {
        add(key, part, identities);
    }
}

// What an iterator of elements runs over; nullptr for all other objects.
PyObject* arrayOfIterator(PyObject* object) {
    PyObject* array = kiln_sequence_iterator_sequence(object);
    bool isArray = array != nullptr && isArrayClass(Py_TYPE(array));
    std::optional<ArrayLayout> layout = isArray ? NumPyTypes::known()->layoutOf(array) : std::nullopt;
    return layout && makesItems(*layout) ? array : nullptr;
}

// An iterator that only its holder knows, in its virtual form; of kind kObject when it has none.
AbstractValue kindOfInner(PyObject* iterator) {
    AbstractValue value = kindOf(iterator);
    return value.isVirtual() && value.kind != Kind::kGenerator && Py_REFCNT(iterator) == 1 ? value : AbstractValue::object(ir::kNoId, nullptr, false);
}

AbstractValue kindOfEnumerate(PyObject* iterator) {
    AbstractValue inner = kindOfInner(iterator);
    if (inner.isVirtual()) {
        return {.kind = Kind::kEnumerate, .parts = {AbstractValue::number(Kind::kInt, ir::kNoId), inner}};
    }
    return inner;
}

AbstractValue kindOfZip(PyObject* iterators) {
    AbstractValue zip{.kind = Kind::kZip};
    if (PyTuple_GET_SIZE(iterators) > kMostZipped) {
        return AbstractValue::object(ir::kNoId, nullptr, false);
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(iterators); index++) {
        zip.parts.push_back(kindOfInner(PyTuple_GET_ITEM(iterators, index)));
        if (!zip.parts.back().isVirtual()) {
            return zip.parts.back();
        }
    }
    return zip;
}

// Its function is borrowed: who enters it asks what that runs.
AbstractValue kindOfGenerator(PyObject* generator, KilnFrame* frame) {
    AbstractValue value{.kind = Kind::kGenerator, .unit = kiln_frame_last_unit(frame)};
    value.constant = kiln_frame_function(frame);
    value.parts.push_back(AbstractValue::object(ir::kNoId, &PyFunction_Type, true));
    PyObject** slots = kiln_frame_slots(frame);
    for (int slot = 0; slot < kiln_frame_stacktop(frame); slot++) {
        bool isForgotten = slot == 0 && kiln_generator_doubles_iterator(frame);
        value.parts.push_back(isForgotten ? AbstractValue::null() : kindOf(slots[slot]));
    }
    return kiln_generator_is_private(generator) ? value : AbstractValue::object(ir::kNoId, nullptr, false);
}

}  // namespace

AbstractValue kindOf(PyObject* object) {
    AbstractValue value;
    if (object == nullptr) {
        return value;
    }
    value.kind = Kind::kObject;
    if (object == Py_None) {
        value.kind = Kind::kNone;
    } else if (PyFloat_CheckExact(object)) {
        value.kind = Kind::kFloat;
    } else if (PyBool_Check(object)) {
        value.kind = Kind::kBool;
    } else if (PyLong_CheckExact(object)) {
        if (isBigInt(object)) {
            value.cls = &PyLong_Type;
        } else {
            value.kind = Kind::kInt;
        }
    } else if (PyList_CheckExact(object) || PyTuple_CheckExact(object) || PyDict_CheckExact(object) || PyUnicode_CheckExact(object) ||
               isBufferClass(Py_TYPE(object)) || PyAnySet_CheckExact(object) || PyComplex_CheckExact(object)) {
        value.cls = Py_TYPE(object);
    } else if (isArrayClass(Py_TYPE(object)) || isScalarClass(Py_TYPE(object))) {
        value.cls = Py_TYPE(object);
        value.array = isArrayClass(value.cls) ? NumPyTypes::known()->layoutOf(object).value_or(ArrayLayout{}) : ArrayLayout{};
    } else if (kiln_is_dict_iterator(Py_TYPE(object)) || kiln_is_set_iterator(Py_TYPE(object)) || kiln_is_text_iterator(Py_TYPE(object))) {
        value.cls = Py_TYPE(object);
    } else if (Py_IS_TYPE(object, &PyRangeIter_Type)) {
        value.kind = Kind::kRangeIter;
        value.nonNegative = kiln_range_iterator_start(object) >= 0;
        value.parts.resize(kiln_range_iterator_step(object) == 1 ? 2 : 3, AbstractValue::number(Kind::kInt, ir::kNoId));
    } else if (PyObject* sequence = kiln_list_iterator_sequence(object)) {
        value.kind = PyList_CheckExact(sequence) ? Kind::kListIter : Kind::kTupleIter;
        value.parts.resize(2);
    } else if (PyObject* array = arrayOfIterator(object)) {
        value.kind = Kind::kArrayIter;
        value.parts = {kindOf(array), AbstractValue::number(Kind::kInt, ir::kNoId)};
        value.array = value.parts[0].array;
    } else if (PyObject* buffer = bufferOfIterator(object); buffer != nullptr && bufferLayout(buffer).isKnown()) {
        value.kind = Kind::kBufferIter;
        value.parts = {AbstractValue::object(ir::kNoId, Py_TYPE(buffer), false), AbstractValue::number(Kind::kInt, ir::kNoId)};
        value.array = bufferLayout(buffer);
        value.array.writable = false;
    } else if (PyObject* iterator = kiln_enumerate_iterator(object)) {
        return kindOfEnumerate(iterator);
    } else if (KilnFrame* frame = kiln_generator_frame(object)) {
        return kindOfGenerator(object, frame);
    } else if (PyObject* iterators = kiln_zip_iterators(object); iterators != nullptr && PyTuple_GET_SIZE(iterators) > 0) {
        return kindOfZip(iterators);
    }
    return value;
}

PyTypeObject* AbstractValue::knownClass() const {
    switch (kind) {
        case Kind::kInt: return &PyLong_Type;
        case Kind::kFloat: return &PyFloat_Type;
        case Kind::kBool: return &PyBool_Type;
        case Kind::kNone: return Py_TYPE(Py_None);
        case Kind::kObject: case Kind::kInstance: case Kind::kScalar: case Kind::kComplex: return cls;
        case Kind::kConstant: return Py_TYPE(constant);
        case Kind::kTuple: return &PyTuple_Type;
        case Kind::kSlice: return &PySlice_Type;
        case Kind::kMethod: return &PyMethod_Type;
        case Kind::kList: return &PyList_Type;
        case Kind::kKeywords: return &PyDict_Type;
        case Kind::kFlat: return numpyFlatClass();
        case Kind::kRange: return &PyRange_Type;
        case Kind::kView: return NumPyTypes::known()->array();
        default: return nullptr;
    }
}

AbstractFrames& AbstractFrames::operator=(const AbstractFrames& other) {
    if (this == &other) {
        return *this;
    }
    bool keepsRoom = !frames_.empty() && !other.empty() && frames_.back().use_count() == 1;
    std::shared_ptr<AbstractFrame> innermost = keepsRoom ? std::move(frames_.back()) : nullptr;
    frames_ = other.frames_;
    if (keepsRoom) {
        *innermost = *frames_.back();
        frames_.back() = std::move(innermost);
    } else {
        ownInnermost();
    }
    return *this;
}

AbstractFrame& AbstractFrames::change(size_t index) {
    std::shared_ptr<AbstractFrame>& frame = frames_[index];
    if (frame.use_count() > 1) {
        frame = std::make_shared<AbstractFrame>(*frame);
    }
    return changed(*frame);
}

void AbstractFrames::push_back(AbstractFrame frame) {
    frames_.push_back(std::make_shared<AbstractFrame>(std::move(frame)));
    changed(*frames_.back());
    if (frames_.size() > 1) {
        changed(*frames_[frames_.size() - 2]);
    }
}

AbstractFrame AbstractFrames::take() {
    AbstractFrame frame = std::move(*frames_.back());
    pop_back();
    return frame;
}

void AbstractFrames::pop_back() {
    frames_.pop_back();
    ownInnermost();
}

StateKey placeKey(const AbstractState& state) {
    StateKey key;
    for (size_t index = 0; index < state.frames.size(); index++) {
        const AbstractFrame& frame = state.frames[index];
        key.add(frame.code);
        key.add(frame.text);
        key.add(static_cast<uint64_t>(frame.unit));
    }
    return key;
}

StateKey entryKey(const AbstractValue& value) {
    StateKey key;
    Identities identities;
    add(key, value, identities);
    return key;
}

StateKey stateKey(const AbstractState& state, const std::vector<const AbstractValue*>& bare) {
    static const AbstractValue any{.kind = Kind::kAny};
    StateKey key;
    Identities identities;
    auto next = bare.begin();
    for (size_t index = 0; index < state.frames.size(); index++) {
        const AbstractFrame& frame = state.frames[index];
        key.add(frame.code);
        key.add(frame.text);
        add(key, frame.callee, identities);
        uint64_t role = static_cast<uint64_t>(frame.consumer) << 6 | static_cast<uint64_t>(frame.use) << 1 | (frame.exhausted >= 0);
        key.add(static_cast<uint64_t>(frame.unit) << 12 | role);
        key.add(frame.slots.size());
        for (const AbstractValue& slot : frame.slots) {
            bool isBare = next != bare.end() && *next == &slot;
            add(key, isBare ? any : slot, identities);
            next += isBare;
        }
    }
    for (const AbstractName& name : state.names) {
        key.add(static_cast<uint64_t>(name.name) << 2 | static_cast<uint64_t>(name.dirty + 2 * name.dictHoldsObject));
        add(key, name.value, identities);
    }
    return key;
}

}  // namespace kiln
