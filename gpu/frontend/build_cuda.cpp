// What cuda has for kernels: positions, barriers, arrays, atomics.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* int32() { return scalarType(Scalar::kInt32); }
const Type* int64() { return scalarType(Scalar::kInt64); }

}  // namespace

// The thread's place in the grid along an axis, or the grid's width: int64, unlike threadIdx and its kin.
Value FunctionBuilder::gridPosition(int axis, bool size) {
    uint32_t index = static_cast<uint32_t>(axis);
    Value width = convert(emit(Op::kBlockDim, int32(), {}, index), int64());
    Value outer = convert(emit(size ? Op::kGridDim : Op::kBlockIndex, int32(), {}, index), int64());
    Value product = arithmetic(Op::kMultiply, outer, width);
    return size ? product : arithmetic(Op::kAdd, product, convert(emit(Op::kThreadIndex, int32(), {}, index), int64()));
}

Value FunctionBuilder::callGrid(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1)) {
        return {};
    }
    const Value& count = arguments[0];
    if (!count.isScalar() || !count.isConstant || count.bits < 1 || count.bits > 3) {
        return fail(node, callee_ + " takes the constant 1, 2 or 3");
    }
    bool size = callee_ == "cuda.gridsize";
    if (count.bits == 1) {
        return gridPosition(0, size);
    }
    Value tuple = Value::tuple({});
    for (int axis = 0; axis < count.bits; axis++) {
        tuple.items.push_back(gridPosition(axis, size));
    }
    return tuple;
}

Value FunctionBuilder::callSyncthreads(const Node& node, std::vector<Value>& arguments) {
    if (callee_ == "cuda.syncthreads") {
        if (expect(node, arguments, 0, 0)) {
            emitRaw(Op::kBarrier, nullptr, {});
        }
        return Value::none();
    }
    if (!expect(node, arguments, 1, 1)) {
        return {};
    }
    Value predicate = truth(arguments[0], node);
    BarrierKind kind = callee_ == "cuda.syncthreads_count" ? BarrierKind::kCount
                       : callee_ == "cuda.syncthreads_and" ? BarrierKind::kAnd : BarrierKind::kOr;
    return predicate.isPoison() ? predicate
                                : emit(Op::kBarrierReduce, int32(), {use(predicate)}, static_cast<uint32_t>(kind));
}

Value FunctionBuilder::callFence(const Node& node, std::vector<Value>& arguments) {
    FenceKind kind = callee_ == "cuda.threadfence_block" ? FenceKind::kBlock
                     : callee_ == "cuda.threadfence" ? FenceKind::kDevice : FenceKind::kSystem;
    if (expect(node, arguments, 0, 0)) {
        emitRaw(Op::kFence, nullptr, {}, static_cast<uint32_t>(kind));
    }
    return Value::none();
}

bool FunctionBuilder::constantShape(const Node& node, const Value& value, std::vector<int64_t>& shape) {
    std::vector<Value> sizes = value.kind == ValueKind::kTuple ? value.items : std::vector<Value>{value};
    for (const Value& size : sizes) {
        if (!size.isScalar() || !size.isConstant || !size.type->isInteger() || size.bits < 0) {
            fail(node, "the shape of " + callee_ + " must be known at compile time: a literal, a global or a name that only "
                 "ever holds one; this is " + describe(value));
            return false;
        }
        shape.push_back(size.bits);
    }
    return true;
}

Value FunctionBuilder::callArray(const Node& node, std::vector<Value>& arguments) {
    for (const char* name : {"shape", "dtype"}) {
        if (const Node* given = keyword(node, name)) {
            arguments.push_back(buildExpression(*given));
        }
    }
    if (!expect(node, arguments, 2, 3)) {
        return {};
    }
    StaticArray array;
    const Type* element = typeNamedBy(arguments[1]);
    if (element == nullptr) {
        return fail(node, "the dtype of " + callee_ + " must be a type of numba's or NumPy's, and this is " +
                    describe(arguments[1]), "TypeError");
    }
    if (!constantShape(node, arguments[0], array.shape)) {
        return {};
    }
    bool isShared = callee_ == "cuda.shared.array";
    array.type = arrayType(element, static_cast<int>(array.shape.size()), Layout::kC, isShared ? Space::kShared : Space::kLocal);
    if (isShared && array.elements() == 0) {
        return emit(Op::kDynamicArray, array.type, {});
    }
    uint32_t index = static_cast<uint32_t>(function().arrays.size());
    function().arrays.push_back(array);
    return emit(isShared ? Op::kSharedArray : Op::kLocalArray, array.type, {}, index);
}

// Arrays of the program's are constants already.
Value FunctionBuilder::callArrayLike(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1)) {
        return {};
    }
    bool isConstant = arguments[0].isArray() && arguments[0].type->readonly;
    return isConstant ? arguments[0] : fail(node, callee_ + " takes a global array or one of an enclosing function, and this is " +
                                            describe(arguments[0]));
}

// array, index, values: the operands of an atomic op.
bool FunctionBuilder::atomicOperands(const Node& node, std::vector<Value>& arguments, size_t values,
                                     std::vector<ValueId>& operands) {
    if (!expect(node, arguments, 2 + values, 2 + values)) {
        return false;
    }
    const Value& array = arguments[0];
    if (!array.isArray() || array.type->readonly) {
        fail(node, callee_ + " changes an array, and this is " + describe(array));
        return false;
    }
    operands.push_back(use(array));
    if (!elementIndices(node, array, arguments[1], operands)) {
        fail(node, callee_ + " needs the index of one element of " + describe(array));
        return false;
    }
    for (size_t i = 2; i < arguments.size(); i++) {
        if (!arguments[i].isScalar()) {
            fail(node, callee_ + " takes numbers, and this is " + describe(arguments[i]));
            return false;
        }
        operands.push_back(use(convert(arguments[i], array.type->element)));
    }
    return true;
}

Value FunctionBuilder::callAtomic(const Node& node, std::vector<Value>& arguments) {
    static const std::map<std::string, AtomicOp> kOps = {
        {"add", AtomicOp::kAdd}, {"sub", AtomicOp::kSubtract}, {"max", AtomicOp::kMaximum}, {"min", AtomicOp::kMinimum},
        {"nanmax", AtomicOp::kNanMaximum}, {"nanmin", AtomicOp::kNanMinimum}, {"and_", AtomicOp::kAnd},
        {"or_", AtomicOp::kOr}, {"xor", AtomicOp::kXor}, {"inc", AtomicOp::kIncrement}, {"dec", AtomicOp::kDecrement},
        {"exch", AtomicOp::kExchange}, {"cas", AtomicOp::kCompareSwap}, {"compare_and_swap", AtomicOp::kCompareSwap}};
    AtomicOp op = kOps.at(callee_.substr(callee_.rfind('.') + 1));
    bool isSwap = op == AtomicOp::kCompareSwap;
    if (callee_ == "cuda.atomic.compare_and_swap") {
        arguments.insert(arguments.begin() + std::min<size_t>(1, arguments.size()), Value::integer(0));
    }
    std::vector<ValueId> operands;
    if (!atomicOperands(node, arguments, isSwap ? 2 : 1, operands)) {
        return {};
    }
    const Type* element = arguments[0].type->element;
    bool onBits = op >= AtomicOp::kAnd && op <= AtomicOp::kXor;
    bool counts = op == AtomicOp::kIncrement || op == AtomicOp::kDecrement;
    if (element->bits < 32 || element->isComplex() || (element->isFloat() && (onBits || counts || isSwap || op == AtomicOp::kExchange)) ||
        (counts && !element->isUnsigned())) {
        return fail(node, callee_ + " does not work on elements of type " + element->name);
    }
    return emit(Op::kAtomic, element, operands, static_cast<uint32_t>(op));
}

Value FunctionBuilder::callFma(const Node& node, std::vector<Value>& arguments) {
    return mathCall(node, MathFunction::kFma, arguments);
}

Value FunctionBuilder::callSelp(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 3, 3) || !scalars(node, arguments)) {
        return {};
    }
    ValueId condition = use(truth(arguments[0], node));
    const Type* type = unifyScalars(arguments[1].type, arguments[2].type);
    ValueId then = use(convert(arguments[1], type));
    return emit(Op::kSelect, type, {condition, then, use(convert(arguments[2], type))});
}

}  // namespace kiln::gpu
