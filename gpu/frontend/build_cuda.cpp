// What cuda has for kernels: positions, barriers, arrays, atomics.
#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_index.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_structure.h"
#include "gpu/frontend/dtype.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/typing_rules.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

// The thread's place in the grid along an axis, or the grid's width: int64, unlike threadIdx and its kin.
Value gridPosition(FunctionBuilder& build, int axis, bool isWidth) {
    uint32_t index = static_cast<uint32_t>(axis);
    auto geometry = [&](Op op) { return convert(build, build.emit(op, int32Type(), {}, index), int64Type()); };
    Value width = geometry(Op::kBlockDim);
    Value product = arithmetic(build, Op::kMultiply, geometry(isWidth ? Op::kGridDim : Op::kBlockIndex), width);
    return isWidth ? product : arithmetic(build, Op::kAdd, product, geometry(Op::kThreadIndex));
}

bool constantShape(FunctionBuilder& build, const Call& call, std::vector<int64_t>& shape) {
    const Value& value = call[0];
    std::vector<Value> sizes = value.kind == ValueKind::kTuple ? value.items : std::vector<Value>{value};
    for (const Value& size : sizes) {
        if (!size.isScalar() || !size.isConstant || !size.type->isInteger() || size.bits < 0) {
            build.fail(call.node,
                       "the shape of " + call.name() +
                           " must be known at compile time: a literal, a global or a name that "
                           "only ever holds one; this is " +
                           describe(value),
                       "RequireLiteralValue");
            return false;
        }
        shape.push_back(size.bits);
    }
    return true;
}

// 0: that of the elements.
bool constantAlignment(FunctionBuilder& build, const Call& call, int64_t& alignment) {
    constexpr int64_t kMost = 256;
    if (!call.has(2) || call[2].isNone()) {
        return true;
    }
    const Value& value = call[2];
    if (!value.isScalar() || !value.isConstant || !value.type->isInteger()) {
        build.fail(call.node, "RequireLiteralValue: alignment must be a constant integer, and this is " + describe(value),
                   "RequireLiteralValue");
        return false;
    }
    alignment = value.bits;
    std::string problem = alignment <= 0                       ? "Alignment must be positive"
                          : (alignment & (alignment - 1)) != 0 ? "Alignment must be a power of 2"
                          : alignment > kMost                  ? "Alignment must not be above " + std::to_string(kMost)
                                                               : "";
    if (!problem.empty()) {
        build.fail(call.node, problem + ", and that of " + call.name() + " is " + std::to_string(alignment), "ValueError");
    }
    return problem.empty();
}

// Values follow the array and the index.
Value atomic(FunctionBuilder& build, const Call& call, AtomicOp op, const Value& index, size_t firstValue) {
    const Value& array = call[0];
    if (!array.isArray() || array.type->readonly) {
        return build.fail(call.node, call.name() + " changes an array, and this is " + describe(array));
    }
    std::vector<ValueId> operands = {build.use(array)};
    if (!elementIndices(build, call.node, array, index, operands)) {
        return build.fail(call.node, call.name() + " needs the index of one element of " + describe(array));
    }
    const Type* element = array.type->element;
    bool onBits = op >= AtomicOp::kAnd && op <= AtomicOp::kXor;
    bool counts = op == AtomicOp::kIncrement || op == AtomicOp::kDecrement;
    bool isMove = op == AtomicOp::kExchange || op == AtomicOp::kCompareSwap;
    if (element->bits < 32 || element->isRecord() || element->isComplex() || element->isTime() ||
        (element->isFloat() && (onBits || counts || isMove)) || (counts && !element->isUnsigned())) {
        return build.fail(call.node, call.name() + " does not work on elements of type " + element->name);
    }
    for (size_t i = firstValue; i < call.size(); i++) {
        if (!call[i].isScalar()) {
            return build.fail(call.node, call.name() + " takes numbers, and this is " + describe(call[i]));
        }
        operands.push_back(build.use(convert(build, call[i], element)));
    }
    return build.emit(Op::kAtomic, element, operands, static_cast<uint32_t>(op));
}

}  // namespace

Value callGrid(FunctionBuilder& build, Call& call) {
    const Value& count = call[0];
    if (!count.isScalar() || !count.isConstant || count.bits < 1 || count.bits > 3) {
        return build.fail(call.node, "RequireLiteralValue: " + call.name() + " takes the constant 1, 2 or 3", "RequireLiteralValue");
    }
    bool isWidth = call.payload<GridPayload>() == kWidth;
    if (count.bits == 1) {
        return gridPosition(build, 0, isWidth);
    }
    Value tuple = Value::tuple({});
    for (int axis = 0; axis < count.bits; axis++) {
        tuple.items.push_back(gridPosition(build, axis, isWidth));
    }
    return tuple;
}

Value callSyncthreads(FunctionBuilder& build, Call&) {
    build.emitRaw(Op::kBarrier, nullptr, {});
    return Value::none();
}

// cuda.cg.this_grid().sync(): 0, as CUDA's own.
Value callGridSync(FunctionBuilder& build, Call&) {
    build.emitRaw(Op::kBarrier, nullptr, {}, static_cast<uint32_t>(BarrierScope::kGrid));
    return Value::constant(int32Type(), 0);
}

Value callNanosleep(FunctionBuilder& build, Call& call) {
    if (requireScalars(build, call)) {
        build.emitRaw(Op::kSleep, nullptr, {build.use(convert(build, call[0], scalarType(Scalar::kUInt32)))});
    }
    return Value::none();
}

Value callSyncthreadsReduce(FunctionBuilder& build, Call& call) {
    Value predicate = truth(build, call[0], call.node);
    return predicate.isPoison()
               ? predicate
               : build.emit(Op::kBarrierReduce, int32Type(), {build.use(predicate)}, call.payload<uint32_t>());
}

Value callFence(FunctionBuilder& build, Call& call) {
    build.emitRaw(Op::kFence, nullptr, {}, call.payload<uint32_t>());
    return Value::none();
}

Value callArray(FunctionBuilder& build, Call& call) {
    StaticArray array;
    const Type* element = typeNamedBy(call[1]);
    element = element != nullptr ? element : structureNamedBy(build, call.node, call[1]);
    if (element == nullptr && call[1].kind == ValueKind::kText) {
        Ref<> numpy = Ref<>::steal(PyImport_ImportModule("numpy"));
        Ref<> dtype = Ref<>::steal(numpy ? PyObject_CallMethod(numpy.get(), "dtype", "s", call[1].text.c_str()) : nullptr);
        element = dtype ? typeOfDtype(dtype.get()) : nullptr;
        PyErr_Clear();
    }
    if (element == nullptr) {
        return build.fail(call.node,
                          call[1].kind == ValueKind::kText
                              ? "Invalid NumPy dtype specified: '" + call[1].text + "'"
                              : "the dtype of " + call.name() + " must be a type of numba's or NumPy's, and this is " + describe(call[1]));
    }
    if (!constantShape(build, call, array.shape) || !constantAlignment(build, call, array.alignment)) {
        return {};
    }
    bool isShared = call.payload<Space>() == Space::kShared;
    array.type = arrayType(element, static_cast<int>(array.shape.size()), Layout::kC, call.payload<Space>());
    if (isShared && array.elements() == 0) {
        return build.emit(Op::kDynamicArray, array.type, {});
    }
    uint32_t index = static_cast<uint32_t>(build.function().arrays.size());
    build.function().arrays.push_back(array);
    return build.emit(isShared ? Op::kSharedArray : Op::kLocalArray, array.type, {}, index);
}

// numpy.zeros and numpy.empty in a loop over prange: the same memory in each iteration, which therefore has one name only.
Value callScratch(FunctionBuilder& build, Call& call) {
    if (!build.module().isLoop) {
        return failCall(build, *call.node.child(0), call.callee.object.get());
    }
    StaticArray array;
    const Type* element = call.has(1) ? typeNamedBy(call[1]) : scalarType(Scalar::kFloat64);
    if (element == nullptr || !element->isScalar()) {
        return build.fail(call.node, "the elements of " + call.name() + " are numbers here");
    }
    if (!constantShape(build, call, array.shape)) {
        return {};
    }
    array.type = arrayType(element, static_cast<int>(array.shape.size()), Layout::kC, Space::kLocal);
    auto index = static_cast<uint32_t>(build.function().arrays.size());
    build.function().arrays.push_back(array);
    Value made = build.emit(Op::kLocalArray, array.type, {}, index);
    if (call.payload<int>() != 0) {
        assignElements(build, call.node, made, convert(build, Value::integer(0), element));
    }
    build.module().scratch = made.id;
    return made;
}

// Arrays of the program's are constants already.
Value callArrayLike(FunctionBuilder& build, Call& call) {
    bool isConstant = call[0].isArray() && call[0].type->readonly;
    return isConstant ? call[0]
                      : build.fail(call.node,
                                   call.name() + " takes a global array or one of an enclosing function, and this is " +
                                       describe(call[0]));
}

Value callAtomic(FunctionBuilder& build, Call& call) {
    return atomic(build, call, call.payload<AtomicOp>(), call[1], 2);
}

// Of the first element of a one-dimensional array.
Value callCompareAndSwap(FunctionBuilder& build, Call& call) {
    return atomic(build, call, AtomicOp::kCompareSwap, Value::integer(0), 1);
}

Value callSelp(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    ValueId condition = build.use(truth(build, call[0], call.node));
    const Type* type = unifyScalars(call[1].type, call[2].type);
    if (type == nullptr) {
        return build.fail(call.node, call.name() + " takes values of one type, and these are " + describe(call[1]) + " and " + describe(call[2]));
    }
    ValueId then = build.use(convert(build, call[1], type));
    return build.emit(Op::kSelect, type, {condition, then, build.use(convert(build, call[2], type))});
}

}  // namespace kiln::gpu
