#include "jit/frontend/array_index.h"

#include <algorithm>

#include "jit/frontend/build_container.h"
#include "jit/frontend/build_load_store.h"

namespace kiln {
namespace {

// Of a tuple that exists: an int for each dimension of the array. Leaves where it has something else.
std::vector<AbstractValue> itemsOf(RegionBuilder& b, Id tuple, int dimensions) {
    guardLength(b, tuple, dimensions, ExitReason::k_plain);
    std::vector<AbstractValue> items;
    for (int dimension = 0; dimension < dimensions; dimension++) {
        Id item = b.emit(ir::Op::k_tuple_item, {tuple, b.constInt(dimension)});
        b.guardClass(item, &PyLong_Type, ExitReason::k_plain);
        Id number = b.emitExiting(ir::Op::k_unbox_int, {item}, ExitReason::k_plain);
        items.push_back(AbstractValue::part(Kind::kInt, number));
    }
    return items;
}

std::vector<AbstractValue> partsOf(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& index,
                                   int dimensions) {
    if (index.kind == Kind::kObject && index.cls == &PyTuple_Type && !b.siteOf(in).generic) {
        return itemsOf(b, index.value, dimensions);
    }
    if (index.kind != Kind::kConstant || !PyTuple_CheckExact(index.constant)) {
        return index.kind == Kind::kTuple ? index.parts : std::vector{index};
    }
    std::vector<AbstractValue> parts;
    for (Py_ssize_t item = 0; item < PyTuple_GET_SIZE(index.constant); item++) {
        parts.push_back(constantValue(b, PyTuple_GET_ITEM(index.constant, item)));
    }
    return parts;
}

bool isEllipsis(const AbstractValue& part) {
    return part.kind == Kind::kConstant && part.constant == Py_Ellipsis;
}

// A bound that is left out is kNoId. False where it is no int.
bool boundOf(RegionBuilder& b, const AbstractValue& value, Id& bound) {
    bound = value.kind == Kind::kNone ? ir::kNoId : indexOf(b, value);
    return bound != ir::kNoId || value.kind == Kind::kNone;
}

// Leaves where a step that is not known now is 0, or goes too far; not where that is frequent.
bool setStep(RegionBuilder& b, const AbstractValue& value, bool mayLeave, Selection& slice) {
    Id step = value.kind != Kind::kNone ? indexOf(b, value) : b.constInt(1);
    if (step == ir::kNoId) {
        return false;
    }
    if (std::optional<int64_t> known = b.knownInt(step)) {
        slice.step = *known;
        return slice.step != 0 && -Selection::kMostStep < slice.step && slice.step < Selection::kMostStep;
    }
    if (!mayLeave) {
        return false;
    }
    Id fromLeast = b.emit(ir::Op::k_int_add_wrap, {step, b.constInt(Selection::kMostStep)});
    Id isFit = b.emit(ir::Op::k_int_below, {fromLeast, b.constInt(2 * Selection::kMostStep)});
    Id isAny = b.emit(ir::Op::k_int_ne, {step, b.constInt(0)});
    b.emitExiting(ir::Op::k_guard_true, {b.emit(ir::Op::k_bool_and, {isFit, isAny})}, ExitReason::k_plain);
    slice.anyStep = step;
    return true;
}

std::optional<Selection> selectionOf(RegionBuilder& b, const AbstractValue& part, bool mayLeave) {
    if (part.kind == Kind::kNone) {
        return Selection::newAxis();
    }
    if (part.kind != Kind::kSlice) {
        Id position = indexOf(b, part);
        return position != ir::kNoId ? std::optional(Selection::at(position)) : std::nullopt;
    }
    Selection slice = Selection::slice(ir::kNoId, ir::kNoId);
    bool isKnown = boundOf(b, part.parts[0], slice.start) && boundOf(b, part.parts[1], slice.stop) &&
                   setStep(b, part.parts[2], mayLeave, slice);
    return isKnown ? std::optional(slice) : std::nullopt;
}

// The dimensions that the selections are of.
int takenBy(const std::vector<Selection>& selections) {
    auto takes = [](const Selection& selection) { return selection.kind != Selection::Kind::kNewAxis; };
    return static_cast<int>(std::ranges::count_if(selections, takes));
}

// The positions that Python's indices mean.
void normalize(RegionBuilder& b, const KnownArray& array, std::vector<Selection>& selections) {
    int dimension = 0;
    for (Selection& selection : selections) {
        if (selection.kind == Selection::Kind::kAt) {
            selection.position = normalizedIndex(b, selection.position, arrayLength(b, array, dimension));
        }
        dimension += selection.kind != Selection::Kind::kNewAxis;
    }
}

}  // namespace

std::optional<ArrayIndex> arrayIndex(RegionBuilder& b, const BytecodeInstruction& in, const AbstractValue& index,
                                     const KnownArray& array) {
    const std::vector<AbstractValue> parts = partsOf(b, in, index, array.layout.dimensions);
    if (std::ranges::count_if(parts, isEllipsis) > 1) {
        return std::nullopt;
    }
    ArrayIndex found;
    auto rest = parts.size();  // where the dimensions stand that `...` is for
    for (const AbstractValue& part : parts) {
        if (isEllipsis(part)) {
            rest = found.selections.size();
            continue;
        }
        std::optional<Selection> selection = selectionOf(b, part, !b.siteOf(in).generic);
        if (!selection) {
            return std::nullopt;
        }
        found.selections.push_back(*selection);
    }
    int left = array.layout.dimensions - takenBy(found.selections);
    auto isPosition = [](const Selection& selection) { return selection.kind == Selection::Kind::kAt; };
    auto positions = static_cast<int>(std::ranges::count_if(found.selections, isPosition));
    bool hasRest = rest < parts.size();
    found.isElement = left == 0 && !hasRest && positions == array.layout.dimensions &&
                      found.selections.size() == static_cast<size_t>(positions);
    int dimensions = static_cast<int>(found.selections.size()) - positions + left;
    if (left < 0 || (!found.isElement && (dimensions < 1 || dimensions > kMostDimensions))) {
        return std::nullopt;
    }
    if (hasRest) {
        auto place = found.selections.begin() + static_cast<std::ptrdiff_t>(rest);
        found.selections.insert(place, static_cast<size_t>(left), Selection::slice(ir::kNoId, ir::kNoId));
    }
    normalize(b, array, found.selections);
    return found;
}

std::optional<ArrayIndex> arraySlice(RegionBuilder& b, const AbstractValue& start, const AbstractValue& stop) {
    Selection slice = Selection::slice(ir::kNoId, ir::kNoId);
    bool isKnown = boundOf(b, start, slice.start) && boundOf(b, stop, slice.stop);
    return isKnown ? std::optional(ArrayIndex{{slice}}) : std::nullopt;
}

std::vector<Id> positionsOf(const ArrayIndex& index) {
    std::vector<Id> positions;
    std::ranges::transform(index.selections, std::back_inserter(positions), &Selection::position);
    return positions;
}

}  // namespace kiln
