// Python's functions of what can be gone through, and what is asked of types.
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/unsupported.h"

namespace kiln::gpu {
namespace {

// Of an array of one dimension: as the package has it written in Python.
Value callWritten(FunctionBuilder& build, const Call& call, const std::vector<Value>& arguments) {
    Ref<> written = overloadOf(build, call.callee, arguments);
    if (!written) {
        return build.failed() ? Value() : build.fail(call.node, call.name() + " does not go through " + describe(arguments[0]) + " in kernels");
    }
    build.module().kept.push_back(written);
    return callDevice(build, call.node, written.get(), arguments);
}

// Whether a value is one of the class, as Python's or NumPy's classes stand for types in kernels.
bool isInstance(FunctionBuilder& build, const Call& call, const Value& value, const Value& known) {
    PyObject* object = known.object.get();
    auto isNamed = [&](PyTypeObject& type) { return object == reinterpret_cast<PyObject*>(&type); };
    if (known.kind == ValueKind::kObject && PyType_Check(object) && value.object) {  // a named tuple or a member
        return PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(value.object.get()), reinterpret_cast<PyTypeObject*>(object)) != 0;
    }
    if (known.kind != ValueKind::kObject || (!PyType_Check(object) && typeNamedBy(known) == nullptr)) {
        build.fail(call.node, "isinstance takes a class, and this is " + describe(known));
        return false;
    }
    if (isNamed(PyTuple_Type) || isNamed(PyUnicode_Type)) {
        return isNamed(PyTuple_Type) ? value.kind == ValueKind::kTuple : isText(value);
    }
    if (!value.isScalar()) {
        return false;
    }
    return isNamed(PyLong_Type)      ? value.type->isInteger()
           : isNamed(PyFloat_Type)   ? value.type->isFloat()
           : isNamed(PyComplex_Type) ? value.type->isComplex()
                                     : value.type == typeNamedBy(known);
}

// `item in range(...)`
Value rangeContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& range) {
    const Value& step = range.items[2];
    if (!step.isConstant || step.bits == 0) {
        return build.fail(node, "'in' works on ranges of a constant step in kernels");
    }
    bool isUp = step.bits > 0;
    Value found = compare(build, node, isUp ? Op::kGreaterEqual : Op::kLessEqual, item, range.items[0]);
    Value below = compare(build, node, isUp ? Op::kLess : Op::kGreater, item, range.items[1]);
    if (found.isPoison() || below.isPoison()) {
        return {};
    }
    found = arithmetic(build, Op::kAnd, found, below);
    Value distance = binary(build, node, Op::kSubtract, item, range.items[0]);
    Value rest = distance.isPoison() ? distance : binary(build, node, Op::kModulo, distance, step);
    Value isWhole = rest.isPoison() ? rest : compare(build, node, Op::kEqual, rest, Value::integer(0));
    return isWhole.isPoison() ? isWhole : arithmetic(build, Op::kAnd, found, isWhole);
}

// sum(range(...)): as many times as there are, the mean of the first and the last.
Value sumOfRange(FunctionBuilder& build, const Node& node, const Value& range) {
    Value count = convert(build, lengthOf(build, range), scalarType(Scalar::kInt64));
    Value first = convert(build, range.items[0], count.type);
    Value way = binary(build, node, Op::kMultiply, binary(build, node, Op::kSubtract, count, Value::integer(1)), range.items[2]);
    Value ends = binary(build, node, Op::kAdd, binary(build, node, Op::kMultiply, first, Value::integer(2)), way);
    return binary(build, node, Op::kFloorDivide, binary(build, node, Op::kMultiply, count, ends), Value::integer(2));
}

}  // namespace

Value typeObject(const Type* type) {
    Value value = Value::ofKind(ValueKind::kObject);
    Ref<> types = Ref<>::steal(type->isTime() ? nullptr : PyImport_ImportModule("numba.types"));
    const std::string& name = type->name;
    value.object = Ref<>::steal(types ? PyObject_GetAttrString(types.get(), name == "bool" ? "boolean" : name.c_str()) : nullptr);
    PyErr_Clear();
    return value.object ? value : Value();
}

Value contains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container) {
    const Type* boolean = scalarType(Scalar::kBool);
    if (Value found = memberContains(build, node, item, container); !found.isPoison() || build.failed()) {
        return found;
    }
    if (isText(plain(container)) && !item.isPoison()) {
        return textContains(build, node, plain(item), plain(container));
    }
    if (container.kind == ValueKind::kRange && item.isScalar()) {
        return rangeContains(build, node, item, container);
    }
    if (container.kind != ValueKind::kTuple) {
        return build.fail(node, "'in' works on tuples, ranges and strings in kernels, and this is " + describe(container));
    }
    Value found = Value::constant(boolean, 0);
    for (const Value& candidate : container.items) {
        Value same = compare(build, node, Op::kEqual, item, candidate);
        if (same.isPoison()) {
            return same;
        }
        found = found.isConstant && found.bits == 0 ? same : arithmetic(build, Op::kOr, found, same);
    }
    return found;
}

Value callExtremumOfArray(FunctionBuilder& build, const Call& call) {
    return callWritten(build, call, call.arguments);
}

// sum(values, start)
Value callSum(FunctionBuilder& build, Call& call) {
    Value total = call.has(1) ? call[1] : Value::integer(0);
    if (call[0].kind == ValueKind::kRange) {
        return binary(build, call.node, Op::kAdd, total, sumOfRange(build, call.node, call[0]));
    }
    if (call[0].kind != ValueKind::kTuple) {
        return callWritten(build, call, {call[0], total});
    }
    for (const Value& item : call[0].items) {
        total = total.isPoison() ? total : binary(build, call.node, Op::kAdd, total, item);
    }
    return total;
}

// isinstance(value, class or a tuple of classes), which is known when a kernel is compiled.
Value callIsinstance(FunctionBuilder& build, Call& call) {
    std::vector<Value> classes = call[1].kind == ValueKind::kTuple ? call[1].items : std::vector<Value>{call[1]};
    bool found = false;
    for (const Value& known : classes) {
        found = isInstance(build, call, call[0], known) || found;
    }
    return build.failed() ? Value() : Value::constant(scalarType(Scalar::kBool), found);
}

// numpy.shape, numpy.size, numpy.real, numpy.imag: the attribute of that name.
Value callAttribute(FunctionBuilder& build, Call& call) {
    return readAttribute(build, call.node, call[0], call.name().substr(call.name().rfind('.') + 1));
}

// What a call of constants gives: numpy.iinfo, numpy.finfo.
Value callOfConstants(FunctionBuilder& build, Call& call) {
    bool isType = call[0].kind == ValueKind::kObject;
    Ref<> argument = isType ? call[0].object : constantObject(call[0]);
    PyErr_Clear();
    Ref<> made = Ref<>::steal(argument ? PyObject_CallOneArg(call.callee.object.get(), argument.get()) : nullptr);
    if (!made) {
        return build.fail(call.node, argument ? takeMessage() : call.name() + " takes a type in kernels");
    }
    build.module().kept.push_back(made);
    return valueOfObject(build, std::move(made), call.node);
}

}  // namespace kiln::gpu
