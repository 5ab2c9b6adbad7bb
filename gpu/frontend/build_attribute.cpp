// Attributes: of arrays, records, numbers, named tuples, modules and other objects, and those that programs register.
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_device_call.h"
#include "gpu/frontend/build_flat.h"
#include "gpu/frontend/build_iterables.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_records.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// threadIdx and its kin, by the names of the objects.
const std::map<std::string, Op>& geometries() {
    static const std::map<std::string, Op> kOps = {{"cuda.threadIdx", Op::kThreadIndex},
                                                   {"cuda.blockIdx", Op::kBlockIndex},
                                                   {"cuda.blockDim", Op::kBlockDim},
                                                   {"cuda.gridDim", Op::kGridDim}};
    return kOps;
}

Value registeredAttribute(FunctionBuilder& build, const Node& node, const Value& base, const std::string& name) {
    Ref<> registered = base.isHeld() || base.kind == ValueKind::kTuple ? memberOf(build, base, name, nullptr) : Ref<>();
    if (registered) {
        return callDevice(build, node, registered.get(), {base});
    }
    return build.failed() ? Value() : build.fail(node, describe(base) + " has no attribute '" + name + "' in kernels");
}

// The position of a named tuple's field; -1 where there is none.
int fieldOfTuple(const Value& tuple, const std::string& name) {
    Ref<> fields = Ref<>::steal(tuple.object ? PyObject_GetAttrString(tuple.object.get(), "_fields") : nullptr);
    PyErr_Clear();
    for (Py_ssize_t i = 0; fields && PyTuple_Check(fields.get()) && i < PyTuple_GET_SIZE(fields.get()); i++) {
        if (textOrEmpty(PyTuple_GET_ITEM(fields.get(), i)) == name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

Value objectAttribute(FunctionBuilder& build, const Node& node, const Value& base, const std::string& name) {
    if (isGeometry(base) && name.size() == 1 && name >= "x" && name <= "z") {
        return geometryPart(build, base, static_cast<uint32_t>(name[0] - 'x'));
    }
    Ref<> attribute = Ref<>::steal(PyObject_GetAttrString(base.object.get(), name.c_str()));
    if (!attribute) {
        return build.fail(node, takeMessage());
    }
    bool isModule = PyModule_Check(base.object.get());
    if (build.module().isLoop && !isModule && !PyType_Check(base.object.get())) {
        return build.fail(node, "attributes of " + describe(base) + " may change, and a parallel loop cannot see it",
                          "UnsupportedError");
    }
    if (isModule) {
        Ref<> key = Ref<>::steal(PyUnicode_InternFromString(name.c_str()));
        PyObject* names = PyModule_GetDict(base.object.get());
        build.module().note(names, key.get(), PyDict_GetItemWithError(names, key.get()));
    }
    if (intrinsicName(attribute.get()) == "cuda.laneid") {
        return build.emit(Op::kLane, scalarType(Scalar::kInt32), {});
    }
    return valueOfObject(build, std::move(attribute), node);
}

Value shapeOf(FunctionBuilder& build, const Value& array) {
    Value shape = Value::tuple({});
    for (int axis = 0; axis < array.type->ndim; axis++) {
        shape.items.push_back(dimensionOf(build, array, axis));
    }
    return shape;
}

// Rows of a table give poison, without an error, for arrays that have no such attribute.
using AttributeBuilder = Value (*)(FunctionBuilder&, const Node&, const Value& array);

Value dimensionsOf(FunctionBuilder&, const Node&, const Value& array) {
    return Value::integer(array.type->ndim);
}

Value itemSize(FunctionBuilder&, const Node&, const Value& array) {
    return Value::integer(array.type->element->bytes());
}

Value byteCount(FunctionBuilder& build, const Node&, const Value& array) {
    return arithmetic(build, Op::kMultiply, sizeOf(build, array), Value::integer(array.type->element->bytes()));
}

Value stridesOf(FunctionBuilder& build, const Node&, const Value& array) {
    return Value::tuple(axesOf(build, array).strides);
}

Value elementName(FunctionBuilder&, const Node&, const Value& array) {
    return Value::ofText(array.type->element->name);
}

Value realParts(FunctionBuilder& build, const Node&, const Value& array) {
    return array.type->element->isComplex() ? partsOf(build, array, false) : array;
}

Value imaginaryParts(FunctionBuilder& build, const Node&, const Value& array) {
    return array.type->element->isComplex() ? partsOf(build, array, true) : Value();
}

// As numba has it, only .data can be taken of it.
Value ctypesOf(FunctionBuilder&, const Node&, const Value& array) {
    Value method = Value::ofKind(ValueKind::kMethod);
    method.items = {array};
    method.text = "ctypes";
    return method;
}

const std::map<std::string, AttributeBuilder>& arrayAttributes() {
    static const std::map<std::string, AttributeBuilder> kBuilders = {
        {"T", [](FunctionBuilder& build, const Node&, const Value& array) { return transposed(build, array); }},
        {"ctypes", ctypesOf},
        {"dtype", elementName},
        {"flat", flatOf},
        {"imag", imaginaryParts},
        {"itemsize", itemSize},
        {"nbytes", byteCount},
        {"ndim", dimensionsOf},
        {"real", realParts},
        {"shape", [](FunctionBuilder& build, const Node&, const Value& array) { return shapeOf(build, array); }},
        {"size", [](FunctionBuilder& build, const Node&, const Value& array) { return sizeOf(build, array); }},
        {"strides", stridesOf},
    };
    return kBuilders;
}

Value arrayAttribute(FunctionBuilder& build, const Node& node, const Value& array, const std::string& name) {
    auto row = arrayAttributes().find(name);
    if (row != arrayAttributes().end()) {
        Value value = row->second(build, node, array);
        if (build.failed() || !value.isPoison()) {
            return value;
        }
    }
    bool isRecord = array.type->element->isRecord();
    const Field* field = isRecord ? findField(array.type->element, Value::ofText(name)) : nullptr;
    return field != nullptr ? viewOfField(build, array, *field) : registeredAttribute(build, node, array, name);
}

}  // namespace

bool isGeometry(const Value& value) {
    return value.kind == ValueKind::kObject && geometries().count(intrinsicName(value.object.get())) != 0;
}

Value geometryPart(FunctionBuilder& build, const Value& value, uint32_t axis) {
    return build.emit(geometries().at(intrinsicName(value.object.get())), scalarType(Scalar::kInt32), {}, axis);
}

Value readAttribute(FunctionBuilder& build, const Node& node, const Value& base, const std::string& name) {
    switch (base.kind) {
    case ValueKind::kPoison: return base;
    case ValueKind::kRecord:
        if (const Field* field = findField(base.type->element, Value::ofText(name))) {
            return load(build, fieldPlace(build, node, base, *field));
        }
        break;
    case ValueKind::kArray: return arrayAttribute(build, node, base, name);
    case ValueKind::kScalar:
        if (name == "real" || name == "imag") {
            return name == "real" ? realPart(build, base) : imaginaryPart(build, base);
        }
        break;
    case ValueKind::kMember: return memberAttribute(build, node, base, name);
    case ValueKind::kTuple: {
        int position = fieldOfTuple(base, name);
        if (position >= 0) {
            return base.items[static_cast<size_t>(position)];
        }
        break;
    }
    case ValueKind::kMethod:
        if (base.text == "ctypes" && name == "data") {
            return build.emit(Op::kAddress, intType(64, false), {build.use(base.items[0])});
        }
        break;
    case ValueKind::kSlice:
        if (name == "start" || name == "stop" || name == "step") {
            return base.items[name == "start" ? 0 : name == "stop" ? 1 : 2];
        }
        break;
    case ValueKind::kObject: return objectAttribute(build, node, base, name);
    case ValueKind::kText: {
        const Type* type = name == "type" ? typeNamedBy(base) : nullptr;
        Value object = type != nullptr ? typeObject(type) : Value();
        if (!object.isPoison()) {
            return object;
        }
        break;
    }
    default: break;
    }
    return registeredAttribute(build, node, base, name);
}

Value sizeOf(FunctionBuilder& build, const Value& array) {
    Value size = Value::integer(1);
    for (const Value& dimension : shapeOf(build, array).items) {
        size = arithmetic(build, Op::kMultiply, size, dimension);
    }
    return size;
}

}  // namespace kiln::gpu
