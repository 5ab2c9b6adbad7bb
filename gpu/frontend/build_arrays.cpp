// Loops over the elements of arrays, and views of them.
#include "gpu/frontend/build_arrays.h"

#include <algorithm>
#include <set>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_elementwise.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"

namespace kiln::gpu {
namespace {

// A loop of the kernel's; `body` gets the number of the pass.
void forRange(FunctionBuilder& build, const Value& count, const std::function<void(const Value&)>& body) {
    Instruction loop = build.control(Op::kFor);
    loop.index = build.slotFor("index_" + std::to_string(build.function().variables.size()), int64Type());
    loop.operands.push_back(build.use(Value::integer(0)));
    loop.operands.push_back(build.use(count));
    loop.operands.push_back(build.use(Value::integer(1)));
    loop.blocks.push_back(build.inBlock([&] { body(build.emit(Op::kGet, int64Type(), {}, loop.index)); }));
    build.insert(std::move(loop));
}

// For each element of the target: body(its indices, what the value has for it).
void forElementsOf(FunctionBuilder& build, const Node& node, const Value& target, const Value& value,
                   const std::function<void(const std::vector<Value>&, const Value&)>& body) {
    if (!value.isArray()) {
        forElements(build, target, [&](const std::vector<Value>& at) { body(at, value); });
        return;
    }
    build.module().module->movesParts = true;
    Stretches stretches = stretchesOf(build, node, target, value);
    forElements(build, target, [&](const std::vector<Value>& at) { body(at, loadStretched(build, value, stretches, at)); });
}

// NumPy would refuse to store such a result in place.
bool losesInElements(const Value& result, const Type* element) {
    const Type* type = result.type;
    return result.isScalar() &&
           ((type->isFloat() && element->isInteger()) || (type->isComplex() && !element->isComplex()) ||
            (type->isInteger() && element->isUnsigned() && type->isSigned()));
}

}  // namespace

bool mayFill(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    bool fits = value.isScalar() || value.isRecord() || (target.type->element->isText && isText(value)) || (value.isArray() && value.type->ndim <= target.type->ndim);
    if (!fits || target.type->readonly) {
        build.fail(node, target.type->readonly ? "this array is read-only"
                                               : describe(value) + " cannot be assigned to " + describe(target));
        return false;
    }
    return true;
}

Stretches stretchesOf(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    Stretches counts;
    int fewer = target.type->ndim - value.type->ndim;
    for (int axis = 0; axis < value.type->ndim; axis++) {
        Value size = dimensionOf(build, value, axis);
        Value isOne = compare(build, node, Op::kEqual, size, Value::integer(1));
        Value differs = compare(build, node, Op::kNotEqual, size, dimensionOf(build, target, axis + fewer));
        Value isLong = unary(build, node, UnaryOperator::kNot, isOne);
        Ref<> arguments = Ref<>::steal(Py_BuildValue("(s)", "operands could not be broadcast together"));
        raiseIf(build, arithmetic(build, Op::kAnd, differs, isLong), node,
                {Ref<>::borrow(PyExc_ValueError), std::move(arguments), "", 0}, {});
        counts.push_back(convert(build, isLong, int64Type()));
    }
    return counts;
}

Value loadStretched(FunctionBuilder& build, const Value& value, const Stretches& stretches, const std::vector<Value>& at) {
    std::vector<Value> place(at.end() - value.type->ndim, at.end());
    for (size_t axis = 0; axis < stretches.size(); axis++) {
        place[axis] = arithmetic(build, Op::kMultiply, place[axis], stretches[axis]);
    }
    return loadAt(build, value, place);
}

void forElements(FunctionBuilder& build, const Value& array,
                 const std::function<void(const std::vector<Value>&)>& body) {
    std::vector<Value> indices;
    std::function<void()> descend = [&] {
        int axis = static_cast<int>(indices.size());
        if (axis == array.type->ndim) {
            body(indices);
            return;
        }
        forRange(build, dimensionOf(build, array, axis), [&](const Value& index) {
            indices.push_back(index);
            descend();
            indices.pop_back();
        });
    };
    descend();
}

Value loadAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices) {
    std::vector<ValueId> operands = {build.use(array)};
    for (const Value& index : indices) {
        operands.push_back(build.use(index));
    }
    return loadElement(build, array, operands);
}

void storeAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices, const Value& value) {
    std::vector<ValueId> operands = {build.use(array)};
    for (const Value& index : indices) {
        operands.push_back(build.use(index));
    }
    storeElement(build, build.statement(), array, std::move(operands), value);
}

uint32_t accumulator(FunctionBuilder& build, const Value& first) {
    uint32_t slot = build.slotFor("result_" + std::to_string(build.function().variables.size()), first.type);
    build.emitRaw(Op::kSet, nullptr, {build.use(first)}, slot);
    return slot;
}

Value getVariable(FunctionBuilder& build, uint32_t slot) {
    return build.emit(Op::kGet, build.function().variables[slot].type, {}, slot);
}

void setVariable(FunctionBuilder& build, uint32_t slot, const Value& value) {
    build.emitRaw(Op::kSet, nullptr, {build.use(convert(build, value, build.function().variables[slot].type))}, slot);
}

namespace {

// The first byte of an array's elements, and the one behind the last, as int64s; of an array without elements nothing that is between others.
std::pair<Value, Value> extentOf(FunctionBuilder& build, const Value& array) {
    Value low = convert(build, build.emit(Op::kAddress, intType(64, false), {build.use(array)}), int64Type());
    Value high = arithmetic(build, Op::kAdd, low, Value::integer(array.type->element->bytes()));
    for (int axis = 0; axis < array.type->ndim; axis++) {
        Value last = arithmetic(build, Op::kSubtract, dimensionOf(build, array, axis), Value::integer(1));
        Value reach = arithmetic(build, Op::kMultiply, last, strideOf(build, array, axis));
        low = arithmetic(build, Op::kAdd, low, arithmetic(build, Op::kMinimum, reach, Value::integer(0)));
        high = arithmetic(build, Op::kAdd, high, arithmetic(build, Op::kMaximum, reach, Value::integer(0)));
    }
    return {low, high};
}

// Whether two arrays have an axis along which they go through memory in different ways, or one whose elements lie between those of the next.
Value hasOtherOrder(FunctionBuilder& build, const Value& one, const Value& other) {
    Value differs = Value::constant(scalarType(Scalar::kBool), one.type->ndim != other.type->ndim);
    for (int axis = 0; axis < one.type->ndim && one.type->ndim == other.type->ndim; axis++) {
        Value here = compared(build, Op::kNotEqual, strideOf(build, one, axis), strideOf(build, other, axis));
        differs = axis == 0 ? here : arithmetic(build, Op::kOr, differs, here);
        if (one.type->ndim > 1) {  // one that is stretched is read again when some of it has been stored to
            differs = arithmetic(build, Op::kOr, differs, compared(build, Op::kNotEqual, dimensionOf(build, one, axis), dimensionOf(build, other, axis)));
        }
        if (axis > 0) {
            auto far = [&](const Value& distance) { return build.emit(Op::kAbsolute, int64Type(), {build.use(distance)}); };
            Value last = arithmetic(build, Op::kSubtract, dimensionOf(build, one, axis), Value::integer(1));
            Value reach = far(arithmetic(build, Op::kMultiply, last, strideOf(build, one, axis)));
            differs = arithmetic(build, Op::kOr, differs, compared(build, Op::kGreaterEqual, reach, far(strideOf(build, one, axis - 1))));
        }
    }
    return differs;
}

// As if the whole were copied first: from the end where the target lies behind. Parts that overlap and lie differently are an error.
void moveElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    Stretches stretches = stretchesOf(build, node, target, value);
    auto [low, high] = extentOf(build, target);
    auto [first, last] = extentOf(build, value);
    Value meets = arithmetic(build, Op::kAnd, compared(build, Op::kLess, low, last), compared(build, Op::kLess, first, high));
    const char* message = "the array and what is assigned to it overlap, and lie differently in memory: assign elements in a loop";
    raiseIf(build, arithmetic(build, Op::kAnd, meets, hasOtherOrder(build, target, value)), node,
            {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", message)), "", 0}, {});
    // Along axes with negative strides, too, what is behind in memory is behind in order where the whole is turned.
    Value isBehind = compared(build, Op::kGreater, low, first);
    forElements(build, target, [&](const std::vector<Value>& at) {
        std::vector<Value> place = at;
        for (size_t axis = 0; axis < at.size(); axis++) {
            auto number = static_cast<int>(axis);
            Value last = arithmetic(build, Op::kSubtract, dimensionOf(build, target, number), Value::integer(1));
            Value isDown = compared(build, Op::kLess, strideOf(build, target, number), Value::integer(0));
            Value isTurned = compared(build, Op::kNotEqual, isBehind, isDown);
            place[axis] = select(build, isTurned, arithmetic(build, Op::kSubtract, last, at[axis]), at[axis]);
        }
        storeAt(build, target, place, loadStretched(build, value, stretches, place));
    });
}

}  // namespace

bool assignElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    if (!mayFill(build, node, target, value)) {
        return false;
    }
    // Of a loop of the program's the arrays are looked at before it runs (movesParts).
    bool mayMeet = value.isArray() && value.type->space == target.type->space && !build.module().isLoop;
    if (mayMeet && !value.type->element->isRecord() && !target.type->element->isRecord()) {
        moveElements(build, node, target, value);
    } else {
        forElementsOf(build, node, target, value, [&](const std::vector<Value>& at, const Value& element) { storeAt(build, target, at, element); });
    }
    return !build.failed();
}

void augmentElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    const std::string& name = node.child(1)->text;
    static const std::set<std::string> kPlain = {"Add", "Sub", "Mult", "BitAnd", "BitOr", "BitXor"};
    const Type* element = target.type->element;
    bool overlaps = value.isArray() && mayOverlap(*node.child(0), *node.child(2), value.type->ndim == target.type->ndim);
    if (!kPlain.contains(name) || element->isBool() || element->isRecord() || overlaps) {
        build.fail(node, "this is not done to whole arrays in a loop over prange");
    }
    if (build.failed() || !mayFill(build, node, target, value)) {
        return;
    }
    forElementsOf(build, node, target, value, [&](const std::vector<Value>& at, const Value& other) {
        Value result = buildBinary(build, node, name, loadAt(build, target, at), other);
        if (losesInElements(result, element)) {
            build.fail(node, "elements of " + describe(target) + " cannot hold " + describe(result));
        }
        storeAt(build, target, at, result);
    });
}

}  // namespace kiln::gpu
