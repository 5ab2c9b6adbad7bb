// Python's functions of what can be gone through, and what is asked of types.
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_loop.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"
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

bool isSameObject(const Value& first, const Value& second) {
    const Type* type = typeNamedBy(first);
    return first.object.get() == second.object.get() || (type != nullptr && type == typeNamedBy(second));
}

Value contains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container) {
    const Type* boolean = scalarType(Scalar::kBool);
    if (item.kind == ValueKind::kOptional && container.kind != ValueKind::kTuple) {
        Value found = contains(build, node, item.items[1], container);
        return found.isPoison() ? found : arithmetic(build, Op::kAnd, item.items[0], found);
    }
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

Value repeatedTuple(FunctionBuilder& build, const Node& node, const Value& tuple, const Value& count) {
    if (!count.isScalar() || !count.isConstant || !count.type->isInteger()) {
        return build.fail(node, "a tuple is repeated by a constant integer in kernels, and this is " + describe(count));
    }
    Value repeated = Value::tuple({});
    for (int64_t i = 0; i < count.bits; i++) {
        repeated.items.insert(repeated.items.end(), tuple.items.begin(), tuple.items.end());
    }
    return repeated;
}

Value callTupleMethod(FunctionBuilder& build, const Node& node, const Value& tuple, const std::string& name, const Value& item) {
    bool isIndex = name == "index";
    Value found = Value::integer(isIndex ? -1 : 0);
    for (size_t i = tuple.items.size(); i-- > 0 && !build.failed();) {
        Value isHere = compare(build, node, Op::kEqual, tuple.items[i], item);
        if (isHere.isPoison()) {
            return isHere;
        }
        found = !isIndex ? arithmetic(build, Op::kAdd, found, convert(build, isHere, found.type))
                : isHere.isConstant ? (isHere.bits != 0 ? Value::integer(static_cast<int64_t>(i)) : found)
                                    : select(build, isHere, Value::integer(static_cast<int64_t>(i)), found);
    }
    if (isIndex && (build.module().debug || build.module().isLoop)) {
        raiseIf(build, compare(build, node, Op::kLess, found, Value::integer(0)), node,
                {Ref<>::borrow(PyExc_ValueError), Ref<>::steal(Py_BuildValue("(s)", "tuple.index(x): x not in tuple")), "", 0}, {});
    }
    return found;
}

Value isSameArray(FunctionBuilder& build, const Value& first, const Value& second) {
    if (!first.isArray() || !second.isArray()) {
        return {};
    }
    const Type* boolean = scalarType(Scalar::kBool);
    if (first.type->element != second.type->element || first.type->ndim != second.type->ndim) {
        return Value::constant(boolean, 0);
    }
    const Type* address = intType(64, false);
    Value isSame = compared(build, Op::kEqual, build.emit(Op::kAddress, address, {build.use(first)}), build.emit(Op::kAddress, address, {build.use(second)}));
    for (int axis = 0; axis < first.type->ndim; axis++) {
        Value hasSize = compared(build, Op::kEqual, dimensionOf(build, first, axis), dimensionOf(build, second, axis));
        Value hasStride = compared(build, Op::kEqual, strideOf(build, first, axis), strideOf(build, second, axis));
        isSame = arithmetic(build, Op::kAnd, isSame, arithmetic(build, Op::kAnd, hasSize, hasStride));
    }
    return isSame;
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

// hasattr(object, constant name), which is known when a kernel is compiled.
Value callHasattr(FunctionBuilder& build, Call& call) {
    const Value& object = call[0];
    Ref<> name = call[1].kind == ValueKind::kText ? exactString(call[1].text) : Ref<>();
    PyErr_Clear();
    if (!name) {
        return build.fail(call.node, "hasattr takes a constant string as name in kernels, and this is " + describe(call[1]), "RequireLiteralValue");
    }
    auto answer = [](bool found) { return Value::constant(scalarType(Scalar::kBool), found); };
    const std::string& text = call[1].text;
    if (isText(object)) {
        return answer(PyObject_HasAttr(reinterpret_cast<PyObject*>(&PyUnicode_Type), name.get()) != 0);
    }
    bool isMethod = (object.isArray() && findIntrinsic("array." + text) != nullptr) ||
                    (object.isScalar() && (text == "conjugate" || text == "conj" || text == "item")) || hasMethod(build, object, text);
    if (build.failed() || isMethod) {
        return answer(isMethod);
    }
    Value found;
    build.inBlock([&] { found = readAttribute(build, call.node, object, text); });  // read for its type alone
    build.module().error = {};
    return answer(!found.isPoison());
}

Value callGetattr(FunctionBuilder& build, Call& call) {
    bool isName = call[1].kind == ValueKind::kText;
    if (isName && call.size() > 2) {
        Call asked = {call.node, call.row, call.callee, {call[0], call[1]}, {}};
        Value isThere = callHasattr(build, asked);
        if (isThere.isPoison() || isThere.bits == 0) {
            return isThere.isPoison() ? isThere : call[2];
        }
    }
    return isName
               ? readAttribute(build, call.node, call[0], call[1].text)
               : build.fail(call.node, "getattr takes a constant string in kernels, and this is " + describe(call[1]));
}

// A ufunc of numbers that the package has written in Python.
Value callWrittenUfunc(FunctionBuilder& build, Call& call) {
    Ref<> written = overloadOf(build, call.callee, call.arguments);
    if (!written) {
        return build.failed() ? Value() : build.fail(call.node, call.name() + " does not take " + describe(call.arguments[0]) + " in kernels");
    }
    build.module().kept.push_back(written);
    return callDevice(build, call.node, written.get(), call.arguments);
}

// numpy.shape, numpy.size, numpy.real, numpy.imag: the attribute of that name.
Value callAttribute(FunctionBuilder& build, Call& call) {
    return readAttribute(build, call.node, call[0], call.name().substr(call.name().rfind('.') + 1));
}

// numpy.asarray: of an array, itself.
Value callAsArray(FunctionBuilder& build, Call& call) {
    return call[0].isArray() ? call[0] : build.fail(call.node, "numpy.asarray of " + describe(call[0]) + " makes an array, which kernels cannot", "UnsupportedError");
}

// What a call of constants gives: numpy.iinfo, numpy.finfo, numpy.dtype.
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
