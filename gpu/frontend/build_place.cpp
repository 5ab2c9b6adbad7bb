// Places: what is assigned to. A target's parts are evaluated once, also where it is read first, as in `a[f()] += 1`.
#include "gpu/frontend/build_place.h"

#include <algorithm>
#include <cstring>

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_flat.h"
#include "gpu/frontend/build_index.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_optional.h"
#include "gpu/frontend/build_records.h"
#include "gpu/frontend/build_structure.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/names.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// NumPy takes it for a mask, and numba for nothing.
bool isBool(const Value& index) {
    return index.isScalar() && index.type->isBool();
}

void resolveIndex(FunctionBuilder& build, Place& place) {
    const std::vector<Value>& parts = place.index.items;
    if (isBool(place.index) || (place.index.kind == ValueKind::kTuple && std::any_of(parts.begin(), parts.end(), isBool))) {
        build.fail(*place.node, "an index is an integer or a slice, and this is bool; int() makes an integer of it");
        return;
    }
    std::vector<ValueId> operands = {build.use(place.base)};
    if (elementIndices(build, *place.node, place.base, place.index, operands)) {
        place.element = std::move(operands);
    } else if (!build.failed()) {
        indicesOf(build, *place.node, place.base, place.index, place.parts);
    }
}

Value recordAt(FunctionBuilder& build, const Value& array, const std::vector<ValueId>& operands) {
    const Type* type = arrayType(array.type->element, 0, Layout::kC, array.type->space, array.type->readonly);
    return build.emit(Op::kView, type, operands);
}

// One of a string, where an empty tuple as index means all of it.
bool isCharacter(const Place& place) {
    return isText(place.base) && !(place.index.kind == ValueKind::kTuple && place.index.items.empty());
}

// A member of an enum by its name; null for anything else.
Ref<> memberOf(const Value& base, const Value& index) {
    bool isNamed = base.kind == ValueKind::kObject && index.kind == ValueKind::kText && isEnum(base.object.get());
    Ref<> name = isNamed ? exactString(index.text) : Ref<>();
    Ref<> member = Ref<>::steal(name ? PyObject_GetItem(base.object.get(), name.get()) : nullptr);
    PyErr_Clear();
    return member;
}

// base[index]
Place placeIn(FunctionBuilder& build, const Node& node, const Value& given, const Value& asked) {
    Value base = plain(given);
    Value index = plain(asked);
    if (base.kind == ValueKind::kFlat && !index.isPoison()) {
        index = flatIndex(build, node, base, index);
        base = base.items[0];
    }
    Place place;
    place.node = &node;
    place.base = base;
    place.index = index;
    place.isItem = true;
    if (build.failed() || base.isPoison() || index.isPoison()) {
        return place;
    }
    if (isCharacter(place)) {
        return place;
    }
    bool isWhole = index.kind == ValueKind::kTuple && index.items.empty();
    bool hasFields = base.isRecord() || (base.isArray() && base.type->element->isRecord() && index.kind == ValueKind::kText);
    const Field* field = hasFields ? findField(base.type->element, index) : nullptr;
    if (field != nullptr && base.isRecord()) {
        return fieldPlace(build, node, base, *field);
    }
    if (field != nullptr) {
        place.base = viewOfField(build, base, *field);
        place.index = Value::tuple({});
    } else if (hasFields && !isWhole) {
        build.fail(node, describe(base) + " has no such field");
    } else if (base.isArray()) {
        resolveIndex(build, place);
    }
    return place;
}

// An element of an array of numbers.
Place hintedPlace(FunctionBuilder& build, const Call& call) {
    Place place = placeIn(build, call.node, call[0], call[1]);
    const Type* element = place.base.isArray() ? place.base.type->element : nullptr;
    bool isNumber = element != nullptr && (element->isInteger() || element->isFloat());
    if (!build.failed() && !call[0].isPoison() && !call[1].isPoison() && (!isNumber || place.element.empty())) {
        build.fail(call.node, call.name() + " requires array of integer or float type, and the index of an element; this is " + describe(call[0]));
    }
    place.hint = call.payload<CacheHint>();
    return place;
}

void storeElements(FunctionBuilder& build, const Place& place, const Value& value) {
    const Value& base = place.base;
    const Node& node = *place.node;
    if (build.failed() || base.isPoison() || place.index.isPoison() || value.isPoison()) {
        return;
    }
    if (base.isRecord() && !isCharacter(place)) {
        copyRecord(build, node, base, value);
        return;
    }
    if (!base.isArray() || base.type->readonly) {
        build.fail(node,
                   base.isArray() ? "this array is read-only" : describe(base) + " cannot be assigned to by index");
        return;
    }
    if (place.unaligned != nullptr) {
        value.isScalar() ? storeUnaligned(build, base, place.unaligned, value)
                         : void(build.fail(node, "a field cannot be " + describe(value)));
    } else if (place.element.empty()) {
        assignElements(build, node, viewOf(build, node, base, place.parts), value);
    } else {
        storeElement(build, node, base, place.element, value, place.hint);
    }
}

// The elements of an array of one dimension, the rows of others, as many as there are names: a tuple. Debug runs check that no more are there.
Value itemsOf(FunctionBuilder& build, const Node& target, const Value& array, size_t count) {
    auto length = static_cast<int64_t>(count);
    Value isOther = compared(build, Op::kNotEqual, dimensionOf(build, array, 0), Value::integer(length));
    if (build.module().debug || build.module().checksBounds) {
        std::string message = "the array has not as many items as there are names, " + std::to_string(count);
        raiseIf(build, isOther, target, {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", message.c_str())), "", 0}, {});
    }
    Value items = Value::tuple({});
    for (int64_t i = 0; i < length && !build.failed(); i++) {
        items.items.push_back(subscript(build, target, array, Value::integer(i)));
    }
    return items;
}

void assignSequence(FunctionBuilder& build, const Node& target, const Value& given) {
    if (given.isPoison()) {
        return;
    }
    auto isStarred = [](const auto& name) { return name->kind == NodeKind::kStarred; };
    bool isArray = given.isArray() && given.type->ndim > 0 && std::none_of(target.list(0).begin(), target.list(0).end(), isStarred);
    Value value = isArray ? itemsOf(build, target, given, target.list(0).size()) : given;
    const auto& names = target.list(0);
    auto starred = std::find_if(names.begin(), names.end(), isStarred);
    auto before = static_cast<size_t>(starred - names.begin());
    bool hasRest = starred != names.end();
    bool fits = value.kind == ValueKind::kTuple &&
                (hasRest ? value.items.size() + 1 >= names.size() : value.items.size() == names.size());
    if (!fits) {
        std::string count = hasRest ? std::to_string(names.size() - 1) + " or more" : std::to_string(names.size());
        build.fail(target, describe(value) + " cannot be unpacked into " + count + " names");
        return;
    }
    size_t rest = value.items.size() + 1 - names.size();  // what the name with a star gets, a tuple
    for (size_t i = 0; i < names.size(); i++) {
        if (hasRest && i == before) {
            auto first = value.items.begin() + static_cast<std::ptrdiff_t>(before);
            assign(build, *names[i]->child(0), Value::tuple({first, first + static_cast<std::ptrdiff_t>(rest)}));
            continue;
        }
        assign(build, *names[i], value.items[hasRest && i > before ? i + rest - 1 : i]);
    }
}

}  // namespace

Place placeOf(FunctionBuilder& build, const Node& target) {
    Place place;
    place.node = &target;
    if (target.kind == NodeKind::kSubscript) {
        Value base = buildExpression(build, *target.child(0));
        return placeIn(build, target, base, buildExpression(build, *target.child(1)));
    }
    if (target.kind == NodeKind::kAttribute) {
        place.base = buildExpression(build, *target.child(0));
        Value name = Value::ofText(target.text);
        const Field* field = place.base.isRecord() ? findField(place.base.type->element, name) : nullptr;
        return field != nullptr ? fieldPlace(build, target, place.base, *field) : place;
    }
    return place;
}

Value load(FunctionBuilder& build, const Place& place) {
    const Node& node = *place.node;
    if (!place.isItem) {
        return node.kind == NodeKind::kAttribute ? readAttribute(build, node, place.base, node.text)
                                                 : buildExpression(build, node);
    }
    if (build.failed() || place.base.isPoison() || place.index.isPoison()) {
        return {};
    }
    if (place.unaligned != nullptr) {
        return loadUnaligned(build, place.base, place.unaligned);
    }
    if (isCharacter(place)) {
        return textItem(build, node, place.base, place.index);
    }
    if (place.base.isRecord()) {
        return place.base;
    }
    if (place.base.kind == ValueKind::kTuple) {
        return subscriptTuple(build, node, place.base, place.index);
    }
    if (Ref<> member = memberOf(place.base, place.index)) {
        return valueOfObject(build, std::move(member), node);
    }
    if (!place.base.isArray()) {
        return build.fail(node, describe(place.base) + " cannot be indexed");
    }
    return place.element.empty() ? viewOf(build, node, place.base, place.parts)
                                 : loadElement(build, place.base, place.element, place.hint);
}

Value subscript(FunctionBuilder& build, const Node& node, const Value& base, const Value& index) {
    return load(build, placeIn(build, node, base, index));
}

void store(FunctionBuilder& build, const Place& place, const Value& value) {
    const Node& node = *place.node;
    if (place.isItem) {
        storeElements(build, place, plain(value));
    } else if (node.kind == NodeKind::kName) {
        assignName(build, node.text, value, node);
    } else {
        build.fail(node, "this cannot be assigned to in a kernel");
    }
}

Value callHintedLoad(FunctionBuilder& build, Call& call) {
    return load(build, hintedPlace(build, call));
}

Value callHintedStore(FunctionBuilder& build, Call& call) {
    store(build, hintedPlace(build, call), call[2]);
    return Value::none();
}

Value callSetItem(FunctionBuilder& build, Call& call) {
    store(build, placeIn(build, call.node, call[0], call[1]), call[2]);
    return Value::none();
}

Value loadElement(FunctionBuilder& build, const Value& array, const std::vector<ValueId>& operands, CacheHint hint) {
    const Type* element = array.type->element;
    if (!element->isRecord()) {
        return build.emit(Op::kLoad, element, operands, 0, static_cast<int64_t>(hint));
    }
    Value record = recordAt(build, array, operands);
    return element->isStructure ? loadStructure(build, build.statement(), record) : record;
}

void storeElement(FunctionBuilder& build, const Node& node, const Value& array, std::vector<ValueId> operands,
                  const Value& value, CacheHint hint) {
    const Type* element = array.type->element;
    if (element->isRecord()) {
        copyRecord(build, node, recordAt(build, array, operands), value);
        return;
    }
    if (!value.isScalar()) {
        build.fail(node, "an element of " + array.type->name + " cannot be " + describe(value));
        return;
    }
    operands.push_back(build.use(convert(build, value, element)));
    build.emitRaw(Op::kStore, nullptr, std::move(operands), 0, static_cast<int64_t>(hint));
}

void assign(FunctionBuilder& build, const Node& target, const Value& value) {
    if (target.kind != NodeKind::kName && value.kind == ValueKind::kOptional) {
        assign(build, target, present(build, target, value));
    } else if (target.kind == NodeKind::kTuple || target.kind == NodeKind::kList) {
        assignSequence(build, target, value);
    } else {
        store(build, placeOf(build, target), value);
    }
}

}  // namespace kiln::gpu
