#include "gpu/frontend/build_enum.h"

#include <algorithm>
#include <cstring>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_object.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_overload.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/compile_kernel.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

Value boolean(bool value) {
    return Value::constant(scalarType(Scalar::kBool), value);
}

bool isFlag(const Value& value) {
    return value.isMember() && PyObject_HasAttrString(value.object.get(), "_flag_mask_") != 0;
}

// The enum has a method of its own for what kernels do by themselves.
bool overrides(const Value& member, const char* method) {
    Ref<> found = Ref<>::steal(PyObject_GetAttrString(member.object.get(), method));
    PyErr_Clear();
    return found && PyFunction_Check(found.get()) && textAttribute(found.get(), "__module__") != "enum";
}

Value failOverridden(FunctionBuilder& build, const Node& node, const Value& member, const char* method) {
    return build.fail(node, describe(member) + " has a method " + method + " of its own, which kernels do not call", "UnsupportedError");
}

// An integer that the enum keeps; 0 where it has none.
int64_t maskOf(const Value& flag, const char* name) {
    Ref<> mask = Ref<>::steal(PyObject_GetAttrString(flag.object.get(), name));
    int64_t bits = mask ? PyLong_AsLongLong(mask.get()) : 0;
    PyErr_Clear();
    return bits;
}

// Flags of this enum may have bits that no member has.
bool keepsUnknownBits(const Value& flag) {
    Ref<> boundary = Ref<>::steal(PyObject_GetAttrString(flag.object.get(), "_boundary_"));
    std::string name = boundary ? textAttribute(boundary.get(), "name") : "";
    PyErr_Clear();
    return name == "KEEP" || name == "EJECT";
}

// == and != where one side, at least, is a member that is no number or text.
Value equalMembers(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    for (const Value* side : {&left, &right}) {
        if (side->isMember() && overrides(*side, "__eq__")) {
            return failOverridden(build, node, *side, "__eq__");
        }
    }
    return areNeverIdentical(left, right) ? boolean(op == Op::kNotEqual)
                                          : compare(build, node, op, left.items[0], right.items[0]);
}

// A flag that has the bits.
Value flagOf(const Value& like, Value bits) {
    return bits.isPoison() ? bits : Value::member(std::move(bits), like.object);
}

Value invertedFlag(FunctionBuilder& build, const Node& node, const Value& flag) {
    Value mask = Value::integer(maskOf(flag, keepsUnknownBits(flag) ? "_all_bits_" : "_singles_mask_"));
    return flagOf(flag, binary(build, node, Op::kXor, binary(build, node, Op::kAnd, flag.items[0], mask), mask));
}

// `in` an enum: one of its members, or a value that one has.
Value enumContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container) {
    if (item.isMember() && item.object.get() == container.object.get()) {
        return boolean(true);
    }
    if (PyObject_HasAttrString(container.object.get(), "_flag_mask_") != 0) {
        return build.fail(node, "kernels do not look for " + describe(item) + " in flags");
    }
    Value members = membersOfEnum(build, container, node);
    for (Value& member : members.items) {
        member = member.items[0];
    }
    return contains(build, node, item, members);
}

}  // namespace

bool isEnum(PyObject* object) {
    return std::strcmp(Py_TYPE(object)->tp_name, "EnumType") == 0;
}

bool isMemberOfEnum(PyObject* object) {
    return isEnum(reinterpret_cast<PyObject*>(Py_TYPE(object)));
}

Value valueOfMember(FunctionBuilder& build, PyObject* member, const Node& node) {
    Ref<> value = Ref<>::steal(PyObject_GetAttrString(member, "_value_"));
    if (!value) {
        return build.fail(node, takeMessage());
    }
    Value known = valueOfObject(build, std::move(value), node);
    auto* enumeration = reinterpret_cast<PyObject*>(Py_TYPE(member));
    return known.isPoison() ? known : Value::member(std::move(known), Ref<>::borrow(enumeration));
}

Value plain(const Value& value) {
    if (value.isMember()) {
        auto* type = reinterpret_cast<PyTypeObject*>(value.object.get());
        bool isBoth = false;
        for (PyTypeObject* base : {&PyLong_Type, &PyFloat_Type, &PyComplex_Type, &PyUnicode_Type}) {
            isBoth = isBoth || PyType_IsSubtype(type, base) != 0;
        }
        return isBoth ? value.items[0] : value;
    }
    Value result = value;
    if (value.kind == ValueKind::kTuple || value.kind == ValueKind::kSlice) {
        makePlain(result.items);
    }
    return result;
}

void makePlain(std::vector<Value>& values) {
    std::transform(values.begin(), values.end(), values.begin(), plain);
}

Value callEnum(FunctionBuilder& build, const Node& node, const Value& callee, const std::vector<Value>& arguments) {
    Ref<> known = arguments.size() == 1 && node.list(2).empty() ? constantObject(arguments[0]) : Ref<>();
    if (!known) {
        return build.fail(node, describe(callee) + " takes one constant in kernels", "RequireLiteralValue");
    }
    Ref<> member = Ref<>::steal(PyObject_CallOneArg(callee.object.get(), known.get()));
    return member ? valueOfObject(build, std::move(member), node) : build.fail(node, takeMessage());
}

Value membersOfEnum(FunctionBuilder& build, const Value& value, const Node& node) {
    if (value.kind != ValueKind::kObject || !isEnum(value.object.get())) {
        return value;
    }
    Ref<> members = Ref<>::steal(PySequence_Tuple(value.object.get()));
    return members ? valueOfObject(build, std::move(members), node) : build.fail(node, takeMessage());
}

Value memberAttribute(FunctionBuilder& build, const Node& node, const Value& member, const std::string& name) {
    if (name == "value" || name == "_value_") {
        return member.items[0];
    }
    if (Ref<> known = constantObject(member)) {
        Ref<> found = Ref<>::steal(PyObject_GetAttrString(known.get(), name.c_str()));
        return found ? valueOfObject(build, std::move(found), node) : build.fail(node, takeMessage());
    }
    PyErr_Clear();
    Value number = plain(member);
    bool isKnown = name == "name" || name == "_name_";
    return !number.isMember() && !isKnown ? readAttribute(build, node, number, name)
           : isKnown ? build.fail(node, "the name of " + describe(member) + " is known in kernels only where the member is a constant")
                     : build.fail(node, describe(member) + " has no attribute '" + name + "' that kernels know");
}

Value memberTruth(FunctionBuilder& build, const Value& member, const Node& node) {
    if (overrides(member, "__bool__")) {
        return failOverridden(build, node, member, "__bool__");
    }
    Value number = isFlag(member) ? member.items[0] : plain(member);
    return number.isMember() ? boolean(true) : truth(build, number, node);
}

bool areNeverIdentical(const Value& left, const Value& right) {
    if (left.isPoison() || right.isPoison()) {
        return false;
    }
    if (left.isMember() || right.isMember()) {
        return left.kind != right.kind || left.object.get() != right.object.get();
    }
    return left.isScalar() && right.isScalar() && left.type->isBool() != right.type->isBool();
}

Value memberUnary(FunctionBuilder& build, const Node& node, UnaryOperator op, const Value& operand) {
    if (!operand.isMember()) {
        return {};
    }
    if (isFlag(operand) && op == UnaryOperator::kInverse) {
        return invertedFlag(build, node, operand);
    }
    Value known = plain(operand);
    return known.isMember() ? Value() : unary(build, node, op, known);
}

Value memberBinary(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    if (!left.isMember() && !right.isMember()) {
        return {};
    }
    bool areFlags = isFlag(left) && isFlag(right) && left.object.get() == right.object.get();
    if (areFlags && (op == Op::kAnd || op == Op::kOr || op == Op::kXor)) {
        return flagOf(left, binary(build, node, op, left.items[0], right.items[0]));
    }
    bool arePlain = !plain(left).isMember() && !plain(right).isMember();
    return arePlain ? binary(build, node, op, plain(left), plain(right)) : Value();
}

Value compareMembers(FunctionBuilder& build, const Node& node, Op op, const Value& left, const Value& right) {
    if (!left.isMember() && !right.isMember()) {
        return {};
    }
    if (!plain(left).isMember() && !plain(right).isMember()) {
        return compare(build, node, op, plain(left), plain(right));
    }
    return op == Op::kEqual || op == Op::kNotEqual ? equalMembers(build, node, op, left, right) : Value();
}

Value memberContains(FunctionBuilder& build, const Node& node, const Value& item, const Value& container) {
    if (container.kind == ValueKind::kObject && isEnum(container.object.get())) {
        return enumContains(build, node, item, container);
    }
    if (!isFlag(container) || !isFlag(item) || item.object.get() != container.object.get()) {
        return {};
    }
    Value common = binary(build, node, Op::kAnd, item.items[0], container.items[0]);
    return compare(build, node, Op::kEqual, common, item.items[0]);
}

}  // namespace kiln::gpu
