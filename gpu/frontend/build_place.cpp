// Places: what is assigned to. A target's parts are evaluated once, also where it is read first, as in `a[f()] += 1`.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Names are read and bound by load() and store(); what else there is, is known from here on.
Place FunctionBuilder::placeOf(const Node& target) {
    Place place;
    place.node = &target;
    if (target.kind == NodeKind::kSubscript) {
        Value base = buildExpression(*target.child(0));
        return placeIn(target, base, buildExpression(*target.child(1)));
    }
    if (target.kind == NodeKind::kAttribute) {
        place.base = buildExpression(*target.child(0));
        Value name = Value::ofKind(ValueKind::kText);
        name.text = target.text;
        const Field* field = place.base.isRecord() ? findField(place.base.type->element, name) : nullptr;
        return field != nullptr ? fieldPlace(target, place.base, *field) : place;
    }
    return place;
}

// base[index]
Place FunctionBuilder::placeIn(const Node& node, const Value& base, const Value& index) {
    Place place;
    place.node = &node;
    place.base = base;
    place.index = index;
    place.isItem = true;
    if (failed() || base.isPoison() || index.isPoison()) {
        return place;
    }
    bool hasFields = base.isRecord() || (base.isArray() && base.type->element->isRecord() && index.kind == ValueKind::kText);
    const Field* field = hasFields ? findField(base.type->element, index) : nullptr;
    if (field != nullptr && base.isRecord()) {
        return fieldPlace(node, base, *field);
    }
    if (field != nullptr) {
        place.base = viewOfField(base, *field);
        place.index = Value::tuple({});
    } else if (hasFields && !(index.kind == ValueKind::kTuple && index.items.empty())) {
        fail(node, describe(base) + " has no such field");
    } else if (base.isArray()) {
        resolveIndex(place);
    }
    return place;
}

void FunctionBuilder::resolveIndex(Place& place) {
    std::vector<ValueId> operands = {use(place.base)};
    if (elementIndices(*place.node, place.base, place.index, operands)) {
        place.element = std::move(operands);
    } else if (!failed()) {
        indices(*place.node, place.base, place.index, place.parts);
    }
}

Value FunctionBuilder::load(const Place& place) {
    const Node& node = *place.node;
    if (!place.isItem) {
        return node.kind == NodeKind::kAttribute ? attribute(node, place.base, node.text) : buildExpression(node);
    }
    if (failed() || place.base.isPoison() || place.index.isPoison()) {
        return {};
    }
    if (place.unaligned != nullptr) {
        return loadUnaligned(place.base, place.unaligned);
    }
    if (place.base.isRecord()) {
        return place.base;
    }
    if (place.base.kind == ValueKind::kTuple) {
        return subscriptTuple(node, place.base, place.index);
    }
    if (!place.base.isArray()) {
        return fail(node, describe(place.base) + " cannot be indexed");
    }
    return place.element.empty() ? view(node, place.base, place.parts) : loadElement(place.base, place.element);
}

Value FunctionBuilder::item(const Node& node, const Value& base, const Value& index) {
    return load(placeIn(node, base, index));
}

void FunctionBuilder::store(const Place& place, const Value& value) {
    const Node& node = *place.node;
    if (place.isItem) {
        storeElements(place, value);
    } else if (node.kind == NodeKind::kName) {
        assignName(node.text, value, node);
    } else {
        fail(node, "this cannot be assigned to in a kernel");
    }
}

void FunctionBuilder::storeElements(const Place& place, const Value& value) {
    const Value& base = place.base;
    const Node& node = *place.node;
    if (failed() || base.isPoison() || place.index.isPoison() || value.isPoison()) {
        return;
    }
    if (base.isRecord()) {
        copyRecord(node, base, value);
        return;
    }
    if (!base.isArray() || base.type->readonly) {
        fail(node, base.isArray() ? "this array is read-only" : describe(base) + " cannot be assigned to by index");
        return;
    }
    if (place.unaligned != nullptr) {
        value.isScalar() ? storeUnaligned(base, place.unaligned, value) : void(fail(node, "a field cannot be " + describe(value)));
    } else if (place.element.empty()) {
        assignElements(node, view(node, base, place.parts), value);
    } else {
        storeElement(node, base, place.element, value);
    }
}

Value callSetItem(FunctionBuilder& build, Call& call) {
    build.store(build.placeIn(call.node, call[0], call[1]), call[2]);
    return Value::none();
}

// `operands`: the array, and the indices of an element.
Value FunctionBuilder::loadElement(const Value& array, const std::vector<ValueId>& operands) {
    const Type* element = array.type->element;
    return element->isRecord() ? emit(Op::kView, arrayType(element, 0, Layout::kC, array.type->space, array.type->readonly), operands)
                               : emit(Op::kLoad, element, operands);
}

void FunctionBuilder::storeElement(const Node& node, const Value& array, std::vector<ValueId> operands, const Value& value) {
    const Type* element = array.type->element;
    if (element->isRecord()) {
        copyRecord(node, loadElement(array, operands), value);
        return;
    }
    if (!value.isScalar()) {
        fail(node, "an element of " + array.type->name + " cannot be " + describe(value));
        return;
    }
    operands.push_back(use(convert(value, element)));
    emitRaw(Op::kStore, nullptr, std::move(operands));
}

void FunctionBuilder::assign(const Node& target, const Value& value) {
    if (target.kind == NodeKind::kTuple || target.kind == NodeKind::kList) {
        assignSequence(target, value);
    } else {
        store(placeOf(target), value);
    }
}

void FunctionBuilder::assignSequence(const Node& target, const Value& value) {
    if (value.isPoison()) {
        return;
    }
    if (value.kind != ValueKind::kTuple || value.items.size() != target.list(0).size()) {
        fail(target, describe(value) + " cannot be unpacked into " + std::to_string(target.list(0).size()) + " names");
        return;
    }
    for (size_t i = 0; i < value.items.size(); i++) {
        assign(*target.list(0)[i], value.items[i]);
    }
}

}  // namespace kiln::gpu
