// Conversions to a type, and to a condition.
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_enum.h"
#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/build_times.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

Value convert(FunctionBuilder& build, const Value& value, const Type* type) {
    if (!value.isScalar() || value.type == type) {
        return value;
    }
    if (type->isTime() || value.type->isTime()) {
        return convertTime(build, value, type);
    }
    if (type->isBrain() || value.type->isBrain()) {
        return convertBrain(build, value, type);
    }
    if (type->isComplex()) {
        return toComplex(build, value, type);
    }
    if (value.type->isComplex() && !type->isBool()) {
        return build.fail(build.statement(),
                          value.type->name + " cannot become " + type->name + "; take its .real, or abs()");
    }
    if (value.isConstant && type->isFloat()) {
        return Value::constant(type, bitsOf(nearestOf(value.bits, value.type), type));
    }
    if (value.isConstant && !value.type->isFloat() && type->isInteger() && type->bits == 64) {
        return Value::constant(type, value.bits);
    }
    return build.emit(Op::kConvert, type, {build.use(value)});
}

Value truth(FunctionBuilder& build, const Value& value, const Node& node) {
    if (isText(value)) {
        Value length = textLength(build, node, value);
        return length.isPoison() ? length : compare(build, node, Op::kNotEqual, length, Value::integer(0));
    }
    switch (value.kind) {
    case ValueKind::kMember: return memberTruth(build, value, node);
    case ValueKind::kOptional: return arithmetic(build, Op::kAnd, value.items[0], truth(build, value.items[1], node));
    case ValueKind::kPoison: return value;
    case ValueKind::kNone: return Value::constant(scalarType(Scalar::kBool), 0);
    case ValueKind::kTuple: return Value::constant(scalarType(Scalar::kBool), !value.items.empty());
    case ValueKind::kScalar:
        if (value.isConstant) {
            return Value::constant(scalarType(Scalar::kBool), nearestOf(value.bits, value.type) != 0);
        }
        if (value.type->isComplex()) {
            return unary(build, node, UnaryOperator::kNot,
                         complexBinary(build, Op::kEqual, value, convert(build, Value::integer(0), value.type)));
        }
        return convert(build, value, scalarType(Scalar::kBool));
    default: return build.fail(node, describe(value) + " cannot be a condition");
    }
}

}  // namespace kiln::gpu
