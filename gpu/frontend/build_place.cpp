// Places: what is assigned to. A target's parts are evaluated once, also where it is read first, as in `a[f()] += 1`.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {

// Names are read and bound by load() and store(); of a subscript, array and index are known from here on.
Place FunctionBuilder::placeOf(const Node& target) {
    Place place;
    place.node = &target;
    if (target.kind != NodeKind::kSubscript) {
        return place;
    }
    Value base = buildExpression(*target.child(0));
    return placeIn(target, base, buildExpression(*target.child(1)));
}

// base[index]
Place FunctionBuilder::placeIn(const Node& node, const Value& base, const Value& index) {
    Place place;
    place.node = &node;
    place.base = base;
    place.index = index;
    place.isItem = true;
    bool isKnown = !failed() && !place.base.isPoison() && !place.index.isPoison();
    if (isKnown && place.base.isArray()) {
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
        return buildExpression(node);
    }
    if (failed() || place.base.isPoison() || place.index.isPoison()) {
        return {};
    }
    if (place.base.kind == ValueKind::kTuple) {
        return subscriptTuple(node, place.base, place.index);
    }
    if (!place.base.isArray()) {
        return fail(node, describe(place.base) + " cannot be indexed");
    }
    return place.element.empty() ? view(node, place.base, place.parts)
                                 : emit(Op::kLoad, place.base.type->element, place.element);
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
    if (failed() || base.isPoison() || place.index.isPoison() || value.isPoison()) {
        return;
    }
    if (!base.isArray() || base.type->readonly) {
        fail(*place.node,
             base.isArray() ? "this array is read-only" : describe(base) + " cannot be assigned to by index");
        return;
    }
    if (place.element.empty()) {
        assignElements(*place.node, view(*place.node, base, place.parts), value);
        return;
    }
    if (!value.isScalar()) {
        fail(*place.node, "an element of " + base.type->name + " cannot be " + describe(value));
        return;
    }
    std::vector<ValueId> operands = place.element;
    operands.push_back(use(convert(value, base.type->element)));
    emitRaw(Op::kStore, nullptr, operands);
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
