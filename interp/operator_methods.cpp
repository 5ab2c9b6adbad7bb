#include "interp/operator_methods.h"

#include <opcode.h>

#include <string>

#include "interp/cpython/cpython_shim.h"

namespace kiln {
namespace {

constexpr int kOperators = NB_XOR + 1;  // the in-place ones follow in the same order
static_assert(NB_ADD == 0 && NB_INPLACE_ADD == kOperators);

struct Operator {
    const char* name;
    const char* text;
};

constexpr Operator kTable[kOperators] = {
    {"add", "+"},     {"and", "&"},   {"floordiv", "//"}, {"lshift", "<<"}, {"matmul", "@"}, {"mul", "*"},    {"mod", "%"},
    {"or", "|"},      {"pow", "** or pow()"}, {"rshift", ">>"},  {"sub", "-"},     {"truediv", "/"}, {"xor", "^"},
};

PyFunctionObject* functionOf(PyTypeObject* cls, PyObject* name) {
    PyObject* found = kiln_type_lookup(cls, name);
    return found != nullptr && PyFunction_Check(found) ? reinterpret_cast<PyFunctionObject*>(found) : nullptr;
}

enum class Form { kPlain, kReflected, kInplace, kCount };

PyObject* methodName(int operation, Form form) {
    static PyObject* names[static_cast<int>(Form::kCount)][kOperators] = {};
    PyObject*& name = names[static_cast<int>(form)][operation];
    if (name == nullptr) {
        static constexpr const char* kPrefixes[] = {"__", "__r", "__i"};
        name = PyUnicode_InternFromString((std::string(kPrefixes[static_cast<int>(form)]) + kTable[operation].name + "__").c_str());
    }
    return name;
}

}  // namespace

PyFunctionObject* operatorMethod(PyTypeObject* cls, int operation, bool reflected) {
    bool inplace = operation >= kOperators && !reflected;
    if (inplace && kiln_type_lookup(cls, methodName(operation - kOperators, Form::kInplace)) != nullptr) {
        return nullptr;
    }
    return functionOf(cls, operatorMethodName(operation, reflected));
}

PyObject* operatorMethodName(int operation, bool reflected) {
    return methodName(operation % kOperators, reflected ? Form::kReflected : Form::kPlain);
}

PyFunctionObject* specialMethod(PyTypeObject* cls, Special special) {
    return functionOf(cls, specialName(special));
}

Special truthMethod(PyTypeObject* cls) {
    return kiln_type_lookup(cls, specialName(Special::k_bool)) != nullptr ? Special::k_bool : Special::k_len;
}

PyObject* specialName(Special special) {
    static constexpr const char* kNames[] = {
#define KILN_SPECIAL(name) "__" #name "__",
#include "interp/special_names.def"
#undef KILN_SPECIAL
    };
    static PyObject* names[static_cast<int>(Special::kCount)] = {};
    PyObject*& name = names[static_cast<int>(special)];
    if (name == nullptr) {
        name = PyUnicode_InternFromString(kNames[static_cast<int>(special)]);
    }
    return name;
}

const char* operatorText(int operation) {
    return kTable[operation % kOperators].text;
}

}  // namespace kiln
