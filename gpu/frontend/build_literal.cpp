// Expressions of literals, which Python computes.
#include "gpu/frontend/build_literal.h"

namespace kiln::gpu {

Ref<> literalValue(const Node& node) {
    if (node.kind == NodeKind::kConstant) {
        PyObject* value = node.constant.get();
        return PyLong_Check(value) || PyFloat_Check(value) ? node.constant : Ref<>();
    }
    if (node.kind == NodeKind::kUnaryOp) {
        Ref<> operand = literalValue(*node.child(1));
        const std::string& op = node.child(0)->text;
        auto* compute = op == "USub"     ? PyNumber_Negative
                        : op == "UAdd"   ? PyNumber_Positive
                        : op == "Invert" ? PyNumber_Invert
                                         : nullptr;
        Ref<> value = operand && compute != nullptr ? Ref<>::steal(compute(operand.get())) : Ref<>();
        PyErr_Clear();
        return value;
    }
    if (node.kind != NodeKind::kBinOp) {
        return {};
    }
    static const std::map<std::string, PyObject* (*)(PyObject*, PyObject*)> kCompute = {
        {"Add", PyNumber_Add},
        {"Sub", PyNumber_Subtract},
        {"Mult", PyNumber_Multiply},
        {"Div", PyNumber_TrueDivide},
        {"FloorDiv", PyNumber_FloorDivide},
        {"Mod", PyNumber_Remainder},
        {"LShift", PyNumber_Lshift},
        {"RShift", PyNumber_Rshift},
        {"BitAnd", PyNumber_And},
        {"BitOr", PyNumber_Or},
        {"BitXor", PyNumber_Xor},
        {"Pow", [](PyObject* base, PyObject* exponent) { return PyNumber_Power(base, exponent, Py_None); }}};
    auto found = kCompute.find(node.child(1)->text);
    Ref<> left = literalValue(*node.child(0));
    Ref<> right = left ? literalValue(*node.child(2)) : Ref<>();
    if (!left || !right || found == kCompute.end()) {
        return {};
    }
    bool grows = found->first == "Pow" || found->first == "LShift";
    constexpr double kMostExponent = 128;
    if (grows && (PyFloat_AsDouble(left.get()) > 1e19 || PyFloat_AsDouble(right.get()) > kMostExponent)) {
        return {};
    }
    Ref<> value = Ref<>::steal(found->second(left.get(), right.get()));
    PyErr_Clear();
    return value;
}

}  // namespace kiln::gpu
