// What ends a thread with an exception: raise, assert, and the checks of debug kernels.
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
namespace {

constexpr int kMostName = 60;  // characters

// The array of an access as the program writes it, `name` or `records[i].values`, for messages.
std::string arrayName(FunctionBuilder& build, const Node& node) {
    const Node* array = nullptr;
    if (node.kind == NodeKind::kSubscript) {
        array = node.child(0);
    } else if (node.kind == NodeKind::kCall && !node.list(1).empty()) {
        array = node.list(1)[0].get();
    }
    if (array == nullptr || array->kind == NodeKind::kName) {
        return array != nullptr ? "array '" + array->text + "'" : "an array";
    }
    // A definition that is no text of a file may have other lines, or none.
    const std::vector<std::string>& lines = build.source().lines;
    bool isThere = array->line == array->endLine && array->line >= 1 && static_cast<size_t>(array->line) <= lines.size();
    std::string line = isThere ? lines[static_cast<size_t>(array->line) - 1] : "";
    int width = array->endColumn - array->column;
    bool isShown = array->column >= 0 && width > 0 && width <= kMostName && static_cast<size_t>(array->endColumn) <= line.size();
    return isShown ? "array '" + line.substr(static_cast<size_t>(array->column), static_cast<size_t>(width)) + "'" : "an array";
}

// The thread ends here with the exception.
void emitRaise(FunctionBuilder& build, const Node& node, Exception exception, const std::vector<ValueId>& operands) {
    auto& faults = build.module().module->faults;
    auto row = static_cast<uint32_t>(faults.size());
    std::string name = reinterpret_cast<PyTypeObject*>(exception.type.get())->tp_name;
    faults.push_back({name + (exception.array.empty() ? "" : " of " + exception.array), build.function().pythonName,
                      build.source().file, node.line});
    build.module().exceptions.push_back(std::move(exception));
    build.emitRaw(Op::kRaise, nullptr, operands, row);
}

// `raise Class`, `raise Class(constants)`: false after an error.
bool exceptionOf(FunctionBuilder& build, const Node& node, Exception& out) {
    bool isCall = node.kind == NodeKind::kCall;
    Value type = buildExpression(build, isCall ? *node.child(0) : node);
    if (build.failed() || type.isPoison()) {
        return false;
    }
    if (type.kind != ValueKind::kObject || !PyExceptionClass_Check(type.object.get())) {
        build.fail(node,
                   "raise takes an exception class, with or without constant arguments, and this is " + describe(type));
        return false;
    }
    std::vector<Value> arguments;
    if (isCall && (!collectArguments(build, node, arguments) || !node.list(2).empty())) {
        build.fail(node, "exceptions take no keyword arguments in kernels");
        return false;
    }
    out = {type.object, constantObject(Value::tuple(arguments)), "", 0};
    if (!out.arguments) {
        PyErr_Clear();
        build.fail(node, "the arguments of an exception must be constants in kernels");
        return false;
    }
    return true;
}

}  // namespace

void raiseIf(FunctionBuilder& build, const Value& condition, const Node& node, const Exception& exception,
             const std::vector<ValueId>& operands) {
    if (condition.isPoison() || (condition.isConstant && condition.bits == 0)) {
        return;
    }
    Instruction check = build.control(Op::kIf, {build.use(condition)});
    check.blocks.push_back(build.inBlock([&] { emitRaise(build, node, exception, operands); }));
    check.blocks.push_back(std::make_unique<Block>());
    build.insert(std::move(check));
}

Value raiseUnassigned(FunctionBuilder& build, const Node& name) {
    std::string message = "cannot access local variable '" + name.text + "' where it is not associated with a value";
    raiseIf(build, Value::constant(scalarType(Scalar::kBool), 1), name,
            {Ref<>::borrow(PyExc_UnboundLocalError), Ref<>::steal(Py_BuildValue("(s)", message.c_str())), "", 0}, {});
    return {};
}

void checkDivisor(FunctionBuilder& build, const Node& node, const Value& divisor, const char* message) {
    if (!build.module().checksDivision || !divisor.isScalar()) {
        return;
    }
    raiseIf(build, unary(build, node, UnaryOperator::kNot, divisor), node,
            {Ref<>::borrow(PyExc_ZeroDivisionError), Ref<>::steal(Py_BuildValue("(s)", message)), "", 0}, {});
}

void checkIndex(FunctionBuilder& build, const Node& node, const Value& array, int axis, const Value& index,
                const Value& position) {
    if (!build.module().checksBounds) {
        return;
    }
    const Type* wide = scalarType(Scalar::kUInt64);
    Value size = dimensionOf(build, array, axis);
    ValueId first = build.use(convert(build, position, wide));
    Value outside =
        build.emit(Op::kGreaterEqual, scalarType(Scalar::kBool), {first, build.use(convert(build, size, wide))});
    ValueId given = build.use(convert(build, index, scalarType(Scalar::kInt64)));
    raiseIf(build, outside, node, {Ref<>::borrow(PyExc_IndexError), {}, arrayName(build, node), axis},
            {given, build.use(size)});
}

void buildRaise(FunctionBuilder& build, const Node& node) {
    if (!build.module().debug) {
        if (!build.function().isKernel) {
            build.fail(node, "raise in a device function needs a kernel with debug=True", "UnsupportedError");
            return;
        }
        build.append({Op::kReturn});
        build.setDead(true);
        return;
    }
    Exception exception;
    if (node.child(0) == nullptr || node.child(1) != nullptr) {
        build.fail(node, "raise takes an exception in kernels, and no cause", "UnsupportedError");
    } else if (exceptionOf(build, *node.child(0), exception)) {
        emitRaise(build, node, std::move(exception), {});
        build.setDead(true);
    }
}

void buildAssert(FunctionBuilder& build, const Node& node) {
    if (!build.module().debug) {
        return;
    }
    Value condition = truth(build, buildMaybe(build, *node.child(0)), *node.child(0));
    std::vector<Value> arguments;
    if (node.child(1) != nullptr) {
        arguments.push_back(buildExpression(build, *node.child(1)));
    }
    Ref<> constants = constantObject(Value::tuple(arguments));
    if (build.failed() || condition.isPoison()) {
        return;
    }
    if (!constants) {
        PyErr_Clear();
        build.fail(node, "the message of an assert must be a constant in kernels");
        return;
    }
    raiseIf(build, unary(build, node, UnaryOperator::kNot, condition), node,
            {Ref<>::borrow(PyExc_AssertionError), std::move(constants), "", 0}, {});
}

}  // namespace kiln::gpu
