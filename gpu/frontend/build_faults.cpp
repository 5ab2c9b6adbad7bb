// What ends a thread with an exception: raise, assert, and the checks of debug kernels.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

// The array that an access names, for messages.
std::string arrayName(const Node& node) {
    const Node* array = nullptr;
    if (node.kind == NodeKind::kSubscript) {
        array = node.child(0);
    } else if (node.kind == NodeKind::kCall && !node.list(1).empty()) {
        array = node.list(1)[0].get();
    }
    return array != nullptr && array->kind == NodeKind::kName ? "array '" + array->text + "'" : "an array";
}

}  // namespace

// The Python object of a value that is known at compile time; null for another.
Ref<> FunctionBuilder::constantObject(const Value& value) {
    switch (value.kind) {
    case ValueKind::kNone: return Ref<>::borrow(Py_None);
    case ValueKind::kText: return Ref<>::steal(PyUnicode_FromString(value.text.c_str()));
    case ValueKind::kObject: return value.object;
    case ValueKind::kTuple: {
        Ref<> tuple = Ref<>::steal(PyTuple_New(static_cast<Py_ssize_t>(value.items.size())));
        for (size_t i = 0; tuple && i < value.items.size(); i++) {
            Ref<> item = constantObject(value.items[i]);
            if (!item) {
                return {};
            }
            PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), item.release());
        }
        return tuple;
    }
    case ValueKind::kScalar: break;
    default: return {};
    }
    if (!value.isConstant) {
        return {};
    }
    if (value.type->isFloat()) {
        return Ref<>::steal(PyFloat_FromDouble(floatOf(value.bits, value.type)));
    }
    if (value.type->isBool()) {
        return Ref<>::borrow(value.bits != 0 ? Py_True : Py_False);
    }
    return Ref<>::steal(value.type->isUnsigned() ? PyLong_FromUnsignedLongLong(static_cast<uint64_t>(value.bits))
                                                 : PyLong_FromLongLong(value.bits));
}

// The thread ends here with the exception.
void FunctionBuilder::emitRaise(const Node& node, Exception exception, const std::vector<ValueId>& operands) {
    auto& faults = module_.module->faults;
    auto row = static_cast<uint32_t>(faults.size());
    std::string name = reinterpret_cast<PyTypeObject*>(exception.type.get())->tp_name;
    faults.push_back({name + (exception.array.empty() ? "" : " of " + exception.array), function().pythonName,
                      source_->file, node.line});
    module_.exceptions.push_back(std::move(exception));
    emitRaw(Op::kRaise, nullptr, operands, row);
}

void FunctionBuilder::raiseIf(const Value& condition, const Node& node, const Exception& exception,
                              const std::vector<ValueId>& operands) {
    if (condition.isPoison() || (condition.isConstant && condition.bits == 0)) {
        return;
    }
    Instruction check;
    check.op = Op::kIf;
    check.operands = {use(condition)};
    check.line = line_;
    check.blocks.push_back(inBlock([&] { emitRaise(node, exception, operands); }));
    check.blocks.push_back(std::make_unique<Block>());
    block_->code.push_back(std::move(check));
}

// Of a divisor, in debug kernels and loops: numba's messages.
void FunctionBuilder::checkDivisor(const Node& node, const Value& divisor, const char* message) {
    if (!module_.checksDivision || !divisor.isScalar()) {
        return;
    }
    raiseIf(unary(node, UnaryOperator::kNot, divisor), node,
            {Ref<>::borrow(PyExc_ZeroDivisionError), Ref<>::steal(Py_BuildValue("(s)", message)), "", 0}, {});
}

// Under KILN_DEBUG and in loops: `position` is the index with what wraparound does to it.
void FunctionBuilder::checkIndex(const Node& node, const Value& array, int axis, const Value& index,
                                 const Value& position) {
    if (!module_.checksBounds) {
        return;
    }
    const Type* wide = scalarType(Scalar::kUInt64);
    Value size = dimension(array, axis);
    ValueId first = use(convert(position, wide));
    Value outside = emit(Op::kGreaterEqual, scalarType(Scalar::kBool), {first, use(convert(size, wide))});
    ValueId given = use(convert(index, scalarType(Scalar::kInt64)));
    raiseIf(outside, node, {Ref<>::borrow(PyExc_IndexError), {}, arrayName(node), axis}, {given, use(size)});
}

// `raise Class`, `raise Class(constants)`: false after an error.
bool FunctionBuilder::exceptionOf(const Node& node, Exception& out) {
    bool isCall = node.kind == NodeKind::kCall;
    Value type = buildExpression(isCall ? *node.child(0) : node);
    if (failed() || type.isPoison()) {
        return false;
    }
    if (type.kind != ValueKind::kObject || !PyExceptionClass_Check(type.object.get())) {
        fail(node, "raise takes an exception class, with or without constant arguments, and this is " + describe(type));
        return false;
    }
    std::vector<Value> arguments;
    if (isCall && (!collectArguments(node, arguments) || !node.list(2).empty())) {
        fail(node, "exceptions take no keyword arguments in kernels");
        return false;
    }
    out = {type.object, constantObject(Value::tuple(arguments)), "", 0};
    if (!out.arguments) {
        PyErr_Clear();
        fail(node, "the arguments of an exception must be constants in kernels");
        return false;
    }
    return true;
}

// They do something in debug kernels only, as in numba: elsewhere raise ends the thread, and assert is nothing.
void FunctionBuilder::buildRaise(const Node& node) {
    if (!module_.debug) {
        if (!function().isKernel) {
            fail(node, "raise in a device function needs a kernel with debug=True", "UnsupportedError");
            return;
        }
        append({Op::kReturn});
        dead_ = true;
        return;
    }
    Exception exception;
    if (node.child(0) == nullptr || node.child(1) != nullptr) {
        fail(node, "raise takes an exception in kernels, and no cause", "UnsupportedError");
    } else if (exceptionOf(*node.child(0), exception)) {
        emitRaise(node, std::move(exception), {});
        dead_ = true;
    }
}

void FunctionBuilder::buildAssert(const Node& node) {
    if (!module_.debug) {
        return;
    }
    Value condition = truth(buildExpression(*node.child(0)), *node.child(0));
    std::vector<Value> arguments;
    if (node.child(1) != nullptr) {
        arguments.push_back(buildExpression(*node.child(1)));
    }
    Ref<> constants = constantObject(Value::tuple(arguments));
    if (failed() || condition.isPoison()) {
        return;
    }
    if (!constants) {
        PyErr_Clear();
        fail(node, "the message of an assert must be a constant in kernels");
        return;
    }
    raiseIf(unary(node, UnaryOperator::kNot, condition), node,
            {Ref<>::borrow(PyExc_AssertionError), std::move(constants), "", 0}, {});
}

}  // namespace kiln::gpu
