// Loops over the elements of arrays, and views of them.
#include "gpu/frontend/function_builder.h"

#include <algorithm>
#include <set>

namespace kiln::gpu {
namespace {

const Type* int64() {
    return scalarType(Scalar::kInt64);
}

bool mentions(const Node& node, const std::string& name) {
    if (node.kind == NodeKind::kName && node.text == name) {
        return true;
    }
    return std::ranges::any_of(node.fields, [&](const auto& field) {
        return std::ranges::any_of(field, [&](const auto& part) { return part != nullptr && mentions(*part, name); });
    });
}

// A name of one is in the other, too: they may be parts of one array.
bool sharesName(const Node& one, const Node& other) {
    if (one.kind == NodeKind::kName && mentions(other, one.text)) {
        return true;
    }
    return (one.kind == NodeKind::kSubscript || one.kind == NodeKind::kAttribute) && sharesName(*one.child(0), other);
}

}  // namespace

// A loop of the kernel's; `body` gets the number of the pass.
void FunctionBuilder::forRange(const Value& count, const std::function<void(const Value&)>& body) {
    Instruction loop;
    loop.op = Op::kFor;
    loop.line = line_;
    loop.index = slotFor("index_" + std::to_string(function().variables.size()), int64());
    loop.operands.push_back(use(Value::integer(0)));
    loop.operands.push_back(use(count));
    loop.operands.push_back(use(Value::integer(1)));
    loop.blocks.push_back(inBlock([&] { body(emit(Op::kGet, int64(), {}, loop.index)); }));
    block_->code.push_back(std::move(loop));
}

// Calls body(indices) for all elements, the last index fastest.
void FunctionBuilder::forElements(const Value& array, const std::function<void(const std::vector<Value>&)>& body) {
    std::vector<Value> indices;
    std::function<void()> descend = [&] {
        int axis = static_cast<int>(indices.size());
        if (axis == array.type->ndim) {
            body(indices);
            return;
        }
        forRange(dimension(array, axis), [&](const Value& index) {
            indices.push_back(index);
            descend();
            indices.pop_back();
        });
    };
    descend();
}

Value FunctionBuilder::loadAt(const Value& array, const std::vector<Value>& indices) {
    std::vector<ValueId> operands = {use(array)};
    for (const Value& index : indices) {
        operands.push_back(use(index));
    }
    return loadElement(array, operands);
}

void FunctionBuilder::storeAt(const Value& array, const std::vector<Value>& indices, const Value& value) {
    std::vector<ValueId> operands = {use(array)};
    for (const Value& index : indices) {
        operands.push_back(use(index));
    }
    storeElement(*statement_, array, std::move(operands), value);
}

// A variable of the front end's own, with a first value.
uint32_t FunctionBuilder::accumulator(const Value& first) {
    uint32_t slot = slotFor("result_" + std::to_string(function().variables.size()), first.type);
    emitRaw(Op::kSet, nullptr, {use(first)}, slot);
    return slot;
}

Value FunctionBuilder::get(uint32_t slot) {
    return emit(Op::kGet, function().variables[slot].type, {}, slot);
}

void FunctionBuilder::set(uint32_t slot, const Value& value) {
    emitRaw(Op::kSet, nullptr, {use(convert(value, function().variables[slot].type))}, slot);
}

// The real or imaginary parts of an array of complex numbers.
Value FunctionBuilder::partsOf(const Value& array, bool imaginary) {
    const Type* part = partType(array.type->element);
    std::vector<Value> starts;
    std::vector<Value> shape;
    std::vector<Value> strides;
    for (int axis = 0; axis < array.type->ndim; axis++) {
        starts.push_back(Value::integer(0));
        shape.push_back(dimension(array, axis));
        strides.push_back(stride(array, axis));
    }
    const Type* type = arrayType(part, array.type->ndim, Layout::kA, array.type->space, array.type->readonly);
    return makeView(array, type, starts, shape, strides, imaginary ? part->bytes() : 0);
}

// reshape(sizes), one of which may be the constant -1. Contiguous arrays only.
Value FunctionBuilder::reshaped(const Node& node, const Value& array, const std::vector<Value>& sizes) {
    if (array.type->layout != Layout::kC) {
        return fail(node, "reshape needs a contiguous array in kernels, and this is " + describe(array),
                    "UnsupportedError");
    }
    if (sizes.size() > kMaxDimensions) {
        return fail(node, "arrays have at most 8 dimensions in kernels");
    }
    Value all = arrayAttribute(array, "size", node);
    Value known = Value::integer(1);
    for (const Value& size : sizes) {
        if (!size.isScalar() || !size.type->isInteger()) {
            return fail(node, "a dimension is an integer, and this is " + describe(size));
        }
        if (!size.isConstant || size.bits != -1) {
            known = arithmetic(Op::kMultiply, known, convert(size, int64()));
        }
    }
    std::vector<Value> shape;
    for (const Value& size : sizes) {
        bool isOpen = size.isConstant && size.bits == -1;
        shape.push_back(isOpen ? arithmetic(Op::kFloorDivide, all, known) : convert(size, int64()));
    }
    std::vector<Value> strides(sizes.size());
    Value step = Value::integer(array.type->element->bytes());
    for (size_t i = sizes.size(); i-- > 0;) {
        strides[i] = step;
        step = arithmetic(Op::kMultiply, step, shape[i]);
    }
    if (module_.debug) {
        Value product = Value::integer(1);
        for (const Value& size : shape) {
            product = arithmetic(Op::kMultiply, product, size);
        }
        raiseIf(compare(node, Op::kNotEqual, product, all), node,
                {Ref<>::borrow(PyExc_ValueError),
                 Ref<>::steal(Py_BuildValue("(s)", "total size of new array must be unchanged")), "", 0},
                {});
    }
    std::vector<Value> starts(static_cast<size_t>(array.type->ndim), Value::integer(0));
    const Type* type = arrayType(array.type->element, static_cast<int>(sizes.size()), Layout::kC, array.type->space,
                                 array.type->readonly);
    return makeView(array, type, starts, shape, strides);
}

// What is assigned to an array, or joined to it: a value, or an array with as many axes or fewer.
bool FunctionBuilder::mayFill(const Node& node, const Value& target, const Value& value) {
    bool fits = value.isScalar() || value.isRecord() || (value.isArray() && value.type->ndim <= target.type->ndim);
    if (!fits || target.type->readonly) {
        fail(node, target.type->readonly ? "this array is read-only"
                                         : describe(value) + " cannot be assigned to " + describe(target));
        return false;
    }
    return true;
}

// For each element of the target: body(its indices, what the value has for it). Loops of the program's have the shapes checked, and an
// axis of one element stretched; kernels have neither.
void FunctionBuilder::forElementsOf(const Node& node, const Value& target, const Value& value,
                                    const std::function<void(const std::vector<Value>&, const Value&)>& body) {
    int fewer = value.isArray() ? target.type->ndim - value.type->ndim : 0;
    std::vector<Value> counts;  // by axis of the value: 0 where it has one element for all, else 1
    for (int axis = 0; module_.isLoop && value.isArray() && axis < value.type->ndim; axis++) {
        Value size = dimension(value, axis);
        Value isOne = compare(node, Op::kEqual, size, Value::integer(1));
        Value differs = compare(node, Op::kNotEqual, size, dimension(target, axis + fewer));
        Value isWrong = arithmetic(Op::kAnd, differs, unary(node, UnaryOperator::kNot, isOne));
        raiseIf(isWrong, node, {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", "operands could not be broadcast together")), "", 0}, {});
        counts.push_back(convert(unary(node, UnaryOperator::kNot, isOne), int64()));
    }
    forElements(target, [&](const std::vector<Value>& at) {
        if (!value.isArray()) {
            body(at, value);
            return;
        }
        std::vector<Value> place(at.begin() + fewer, at.end());
        for (size_t axis = 0; axis < counts.size(); axis++) {
            place[axis] = arithmetic(Op::kMultiply, place[axis], counts[axis]);
        }
        body(at, loadAt(value, place));
    });
}

// All elements of the target become the value, or those of an array of the same shape, or of one with fewer axes.
bool FunctionBuilder::assignElements(const Node& node, const Value& target, const Value& value) {
    if (mayFill(node, target, value)) {
        forElementsOf(node, target, value, [&](const std::vector<Value>& at, const Value& element) { storeAt(target, at, element); });
    }
    return !failed();
}

// target += value and its kin, in the target's memory. Only what its elements can hold as they are asked to by NumPy.
void FunctionBuilder::augmentElements(const Node& node, const Value& target, const Value& value) {
    const std::string& name = node.child(1)->text;
    static const std::set<std::string> kPlain = {"Add", "Sub", "Mult", "BitAnd", "BitOr", "BitXor"};
    const Type* element = target.type->element;
    if (!kPlain.contains(name) || element->isBool() || element->isRecord() || (value.isArray() && sharesName(*node.child(0), *node.child(2)))) {
        fail(node, "this is not done to whole arrays in a loop over prange");
    }
    if (failed() || !mayFill(node, target, value)) {
        return;
    }
    forElementsOf(node, target, value, [&](const std::vector<Value>& at, const Value& other) {
        Value result = buildBinary(node, name, loadAt(target, at), other);
        bool loses = result.isScalar() && ((result.type->isFloat() && element->isInteger()) || (result.type->isComplex() && !element->isComplex()) ||
                                           (result.type->isInteger() && element->isUnsigned() && result.type->isSigned()));
        if (loses) {
            fail(node, "elements of " + describe(target) + " cannot hold " + describe(result));
        }
        storeAt(target, at, result);
    });
}

}  // namespace kiln::gpu
