// Records: a value of one is where it lies, so that a field that is assigned changes the array.
#include <algorithm>

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_records.h"
#include "gpu/frontend/build_structure.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

const Type* byteType() {
    return scalarType(Scalar::kUInt8);
}

bool isAligned(const Type* record, const Field& field) {
    int alignment = field.type->isComplex() ? field.type->bytes() / 2 : field.type->alignment;
    return record->alignment % alignment == 0 && field.offset % alignment == 0;
}

Value bytesOf(FunctionBuilder& build, const Value& record) {
    const Type* type = arrayType(byteType(), 1, Layout::kC, record.type->space, record.type->readonly);
    return makeView(build, record, type, {{}, {Value::integer(record.type->element->bytes())}, {Value::integer(1)}});
}

// The second half of a complex number's bytes.
Value imaginaryBytes(FunctionBuilder& build, const Value& bytes, const Type* part) {
    Value size = Value::integer(part->bytes());
    return makeView(build, bytes, bytes.type, {{size}, {size}, {Value::integer(1)}});
}

// A scalar's bits as an unsigned integer, which is put together from bytes.
Value loadBytes(FunctionBuilder& build, const Value& bytes, const Type* type) {
    const Type* word = intType(type->bits, false);
    Value sum = Value::constant(word, 0);
    for (int i = 0; i < type->bytes(); i++) {
        Value byte = convert(build, loadAt(build, bytes, {Value::integer(i)}), word);
        Value moved = arithmetic(build, Op::kShiftLeft, byte, Value::constant(word, 8 * i));
        sum = arithmetic(build, Op::kOr, sum, moved);
    }
    return sum;
}

}  // namespace

const Field* findField(const Type* record, const Value& key) {
    const std::vector<Field>& fields = record->fields;
    if (key.isScalar() && key.isConstant && key.type->isInteger()) {
        bool isThere = key.bits >= 0 && static_cast<size_t>(key.bits) < fields.size();
        return isThere ? &fields[static_cast<size_t>(key.bits)] : nullptr;
    }
    auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == key.text; });
    return key.kind == ValueKind::kText && found != fields.end() ? &*found : nullptr;
}

Value viewOfField(FunctionBuilder& build, const Value& base, const Field& field) {
    Axes axes = axesOf(build, base);
    int64_t step = field.type->bytes();
    std::vector<Value> inner(field.shape.size());
    for (size_t i = field.shape.size(); i-- > 0;) {
        inner[i] = Value::integer(step);
        step *= field.shape[i];
    }
    for (size_t i = 0; i < field.shape.size(); i++) {
        axes.shape.push_back(Value::integer(field.shape[i]));
        axes.strides.push_back(inner[i]);
    }
    auto ndim = static_cast<int>(axes.shape.size());
    Layout layout = base.type->ndim == 0 ? Layout::kC : Layout::kA;
    const Type* type = arrayType(field.type, ndim, layout, base.type->space, base.type->readonly);
    return makeView(build, base, type, axes, field.offset);
}

Place fieldPlace(FunctionBuilder& build, const Node& node, const Value& record, const Field& field) {
    Place place;
    place.node = &node;
    place.isItem = true;
    place.index = Value::tuple({});
    if (field.shape.empty() && field.type->isScalar() && !isAligned(record.type->element, field)) {
        const Type* bytes = arrayType(byteType(), 1, Layout::kC, record.type->space, record.type->readonly);
        place.unaligned = field.type;
        place.base = makeView(build, record, bytes, {{}, {Value::integer(field.type->bytes())}, {Value::integer(1)}},
                              field.offset);
        return place;
    }
    if (!isAligned(record.type->element, field)) {
        build.fail(node,
                   "field '" + field.name + "' is " + (field.shape.empty() ? "a " + field.type->name : "an array") +
                       " that is not aligned to its elements; NumPy's align=True makes such records",
                   "UnsupportedError");
    }
    place.base = viewOfField(build, record, field);
    if (place.base.isArray() && place.base.type->ndim == 0) {
        place.element = {build.use(place.base)};
    }
    return place;
}

Value loadUnaligned(FunctionBuilder& build, const Value& bytes, const Type* type) {
    if (type->isComplex()) {
        const Type* part = partType(type);
        Value rest = imaginaryBytes(build, bytes, part);
        Value real = loadUnaligned(build, bytes, part);
        return makeComplex(build, real, loadUnaligned(build, rest, part), type);
    }
    Value bits = loadBytes(build, bytes, type);
    if (type->isTime()) {
        return timeOf(build, convert(build, bits, scalarType(Scalar::kInt64)), type);
    }
    if (type->isBrain()) {
        return build.emit(Op::kConvert, type, {build.use(bits)});
    }
    return type->isFloat() ? build.emit(Op::kBitcast, type, {build.use(bits)}) : convert(build, bits, type);
}

void storeUnaligned(FunctionBuilder& build, const Value& bytes, const Type* type, const Value& value) {
    Value given = convert(build, value, type);
    if (type->isComplex()) {
        const Type* part = partType(type);
        Value rest = imaginaryBytes(build, bytes, part);
        storeUnaligned(build, bytes, part, realPart(build, given));
        storeUnaligned(build, rest, part, imaginaryPart(build, given));
        return;
    }
    const Type* word = intType(type->bits, false);
    given = type->isTime() ? timeBits(build, given) : given;
    Value bits = type->isFloat()   ? build.emit(Op::kBitcast, word, {build.use(given)})
                 : type->isBrain() ? build.emit(Op::kConvert, word, {build.use(given)})
                                   : convert(build, given, word);
    for (int i = 0; i < type->bytes(); i++) {
        Value moved = arithmetic(build, Op::kShiftRight, bits, Value::constant(word, 8 * i));
        storeAt(build, bytes, {Value::integer(i)}, convert(build, moved, byteType()));
    }
}

void copyRecord(FunctionBuilder& build, const Node& node, const Value& to, const Value& from) {
    if (to.type->element->isStructure) {
        storeStructure(build, node, to, from);
        return;
    }
    bool fits = from.isRecord() || (to.type->element->isText && isText(from));
    if (!fits || to.type->readonly) {
        build.fail(node, fits ? "this record is read-only" : describe(from) + " cannot be assigned to " + describe(to));
        return;
    }
    if (to.type->element->isText) {
        assignText(build, node, to, from);
        return;
    }
    const Type* type = to.type->element;
    auto isApart = [&](const Field& field) { return !isAligned(type, field); };
    if (type == from.type->element && std::any_of(type->fields.begin(), type->fields.end(), isApart)) {
        assignElements(build, node, bytesOf(build, to), bytesOf(build, from));
        return;
    }
    for (const Field& field : type->fields) {
        Value name = Value::ofText(field.name);
        const Field* other = findField(from.type->element, name);
        if (other == nullptr || other->shape != field.shape) {
            build.fail(node, describe(from) + " has no field '" + field.name + "' like that of " + describe(to));
            return;
        }
        Value value = load(build, fieldPlace(build, node, from, *other));
        store(build, fieldPlace(build, node, to, field), value);
    }
}

}  // namespace kiln::gpu
