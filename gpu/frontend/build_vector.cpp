// CUDA's vector types: float3(x, y, z) and its kin are tuples with names, made of numbers and of shorter vectors.
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {

Value callVector(FunctionBuilder& build, Call& call) {
    Ref<> fields = Ref<>::steal(PyObject_GetAttrString(call.callee.object.get(), "_fields"));
    Value named = Value::ofKind(ValueKind::kText);
    named.text = textAttribute(call.callee.object.get(), "_base_name");
    const Type* type = typeNamedBy(named);
    std::vector<Value> parts;
    for (const Value& argument : call.arguments) {
        if (argument.kind == ValueKind::kTuple) {
            parts.insert(parts.end(), argument.items.begin(), argument.items.end());
        } else {
            parts.push_back(argument);
        }
    }
    size_t count = fields && PyTuple_Check(fields.get()) ? static_cast<size_t>(PyTuple_GET_SIZE(fields.get())) : 0;
    if (type == nullptr || parts.size() != count) {
        return build.fail(call.node, describe(call.callee) + " takes " + std::to_string(count) + " numbers");
    }
    for (Value& part : parts) {
        if (!part.isScalar() || part.type->isComplex()) {
            return build.fail(call.node, describe(call.callee) + " is made of real numbers, and this is " + describe(part));
        }
        part = convert(build, part, type);
    }
    return Value::tuple(std::move(parts), call.callee.object);
}

}  // namespace kiln::gpu
