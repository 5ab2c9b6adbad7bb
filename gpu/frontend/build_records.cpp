// Records: a value of one is where it lies, so that a field that is assigned changes the array.
#include <algorithm>

#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* byteType() {
    return scalarType(Scalar::kUInt8);
}

bool isAligned(const Type* record, const Field& field) {
    int alignment = field.type->isComplex() ? field.type->bytes() / 2 : field.type->alignment;
    return record->alignment % alignment == 0 && field.offset % alignment == 0;
}

// A scalar's bits as an unsigned integer, which is put together from bytes.
Value loadBytes(FunctionBuilder& build, const Value& bytes, const Type* type) {
    const Type* word = intType(type->bits, false);
    Value sum = Value::constant(word, 0);
    for (int i = 0; i < type->bytes(); i++) {
        Value byte = build.convert(build.loadAt(bytes, {Value::integer(i)}), word);
        Value moved = build.arithmetic(Op::kShiftLeft, byte, Value::constant(word, 8 * i));
        sum = build.arithmetic(Op::kOr, sum, moved);
    }
    return sum;
}

}  // namespace

const Field* FunctionBuilder::findField(const Type* record, const Value& key) {
    const std::vector<Field>& fields = record->fields;
    if (key.isScalar() && key.isConstant && key.type->isInteger()) {
        bool isThere = key.bits >= 0 && static_cast<size_t>(key.bits) < fields.size();
        return isThere ? &fields[static_cast<size_t>(key.bits)] : nullptr;
    }
    auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == key.text; });
    return key.kind == ValueKind::kText && found != fields.end() ? &*found : nullptr;
}

// Of a record, or, as an array of the same shape, of all records of an array.
Value FunctionBuilder::viewOfField(const Value& base, const Field& field) {
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < base.type->ndim; axis++) {
        starts.push_back(Value::integer(0));
        shape.push_back(dimension(base, axis));
        strides.push_back(stride(base, axis));
    }
    int64_t step = field.type->bytes();
    std::vector<Value> inner(field.shape.size());
    for (size_t i = field.shape.size(); i-- > 0;) {
        inner[i] = Value::integer(step);
        step *= field.shape[i];
    }
    for (size_t i = 0; i < field.shape.size(); i++) {
        shape.push_back(Value::integer(field.shape[i]));
        strides.push_back(inner[i]);
    }
    auto ndim = static_cast<int>(shape.size());
    Layout layout = base.type->ndim == 0 ? Layout::kC : Layout::kA;
    const Type* type = arrayType(field.type, ndim, layout, base.type->space, base.type->readonly);
    return makeView(base, type, starts, shape, strides, field.offset);
}

// Of a record's field.
Place FunctionBuilder::fieldPlace(const Node& node, const Value& record, const Field& field) {
    Place place;
    place.node = &node;
    place.isItem = true;
    place.index = Value::tuple({});
    if (field.shape.empty() && field.type->isScalar() && !isAligned(record.type->element, field)) {
        const Type* bytes = arrayType(byteType(), 1, Layout::kC, record.type->space, record.type->readonly);
        place.unaligned = field.type;
        place.base = makeView(record, bytes, {}, {Value::integer(field.type->bytes())}, {Value::integer(1)}, field.offset);
        return place;
    }
    if (!isAligned(record.type->element, field) && !field.shape.empty()) {
        fail(node, "field '" + field.name + "' is an array that is not aligned to its elements; NumPy's align=True makes such records",
             "UnsupportedError");
    }
    place.base = viewOfField(record, field);
    if (place.base.isArray() && place.base.type->ndim == 0) {
        place.element = {use(place.base)};
    }
    return place;
}

Value FunctionBuilder::loadUnaligned(const Value& bytes, const Type* type) {
    if (type->isComplex()) {
        const Type* part = partType(type);
        std::vector<Value> start = {Value::integer(part->bytes())};
        Value rest = makeView(bytes, bytes.type, start, {Value::integer(part->bytes())}, {Value::integer(1)});
        Value real = loadUnaligned(bytes, part);
        return makeComplex(real, loadUnaligned(rest, part), type);
    }
    Value bits = loadBytes(*this, bytes, type);
    if (type->isTime()) {
        return timeOf(convert(bits, scalarType(Scalar::kInt64)), type);
    }
    if (type->isBrain()) {
        return emit(Op::kConvert, type, {use(bits)});
    }
    return type->isFloat() ? emit(Op::kBitcast, type, {use(bits)}) : convert(bits, type);
}

void FunctionBuilder::storeUnaligned(const Value& bytes, const Type* type, const Value& value) {
    Value given = convert(value, type);
    if (type->isComplex()) {
        const Type* part = partType(type);
        std::vector<Value> start = {Value::integer(part->bytes())};
        Value rest = makeView(bytes, bytes.type, start, {Value::integer(part->bytes())}, {Value::integer(1)});
        storeUnaligned(bytes, part, realPart(given));
        storeUnaligned(rest, part, imaginaryPart(given));
        return;
    }
    const Type* word = intType(type->bits, false);
    given = type->isTime() ? timeBits(given) : given;
    Value bits = type->isFloat()   ? emit(Op::kBitcast, word, {use(given)})
                 : type->isBrain() ? emit(Op::kConvert, word, {use(given)})
                                   : convert(given, word);
    for (int i = 0; i < type->bytes(); i++) {
        Value moved = arithmetic(Op::kShiftRight, bits, Value::constant(word, 8 * i));
        storeAt(bytes, {Value::integer(i)}, convert(moved, byteType()));
    }
}

// Field by field, by their names.
void FunctionBuilder::copyRecord(const Node& node, const Value& to, const Value& from) {
    if (!from.isRecord() || to.type->readonly) {
        fail(node, from.isRecord() ? "this record is read-only" : describe(from) + " cannot be assigned to " + describe(to));
        return;
    }
    for (const Field& field : to.type->element->fields) {
        Value name = Value::ofKind(ValueKind::kText);
        name.text = field.name;
        const Field* other = findField(from.type->element, name);
        if (other == nullptr || other->shape != field.shape) {
            fail(node, describe(from) + " has no field '" + field.name + "' like that of " + describe(to));
            return;
        }
        Value value = load(fieldPlace(node, from, *other));
        store(fieldPlace(node, to, field), value);
    }
}

Value callGetattr(FunctionBuilder& build, Call& call) {
    bool isName = call[1].kind == ValueKind::kText;
    return isName ? build.attribute(call.node, call[0], call[1].text)
                  : build.fail(call.node, "getattr takes a constant string in kernels, and this is " + describe(call[1]));
}

}  // namespace kiln::gpu
