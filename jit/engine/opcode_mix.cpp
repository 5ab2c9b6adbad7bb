#include "jit/engine/opcode_mix.h"

#include <opcode.h>

#include <algorithm>

namespace kiln {
namespace {

bool isOfNumbers(int specialised) {
    switch (specialised) {
        case BINARY_OP_ADD_FLOAT: case BINARY_OP_ADD_INT: case BINARY_OP_MULTIPLY_FLOAT: case BINARY_OP_MULTIPLY_INT:
        case BINARY_OP_SUBTRACT_FLOAT: case BINARY_OP_SUBTRACT_INT: case COMPARE_OP_FLOAT: case COMPARE_OP_INT:
        case BINARY_SUBSCR_LIST_INT: case BINARY_SUBSCR_TUPLE_INT: case STORE_SUBSCR_LIST_INT: case FOR_ITER_RANGE:
            return true;
        default: return false;
    }
}

// Their specialised forms are native in compiled code, but for these.
bool isHandedOver(int specialised) {
    switch (specialised) {
        case BINARY_SUBSCR_DICT: case BINARY_SUBSCR_GETITEM: case STORE_SUBSCR_DICT: case COMPARE_OP_STR: 
        case CALL_BUILTIN_CLASS: case CALL_BUILTIN_FAST_WITH_KEYWORDS: case CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS:
        case CALL_NO_KW_BUILTIN_FAST: case CALL_NO_KW_METHOD_DESCRIPTOR_FAST: case CALL_NO_KW_METHOD_DESCRIPTOR_NOARGS:
        case CALL_NO_KW_METHOD_DESCRIPTOR_O: case CALL_NO_KW_STR_1: case CALL_NO_KW_TUPLE_1: case LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN:
        case LOAD_ATTR_WITH_HINT: case STORE_ATTR_WITH_HINT:
            return true;
        default: return false;
    }
}

// Where the interpreter has specialised the instruction at all, it has seen one class only. `//`, `%` and `/` have no such form.
bool isGeneral(int opcode, int specialised) {
    switch (opcode) {
        case CONTAINS_OP: case BUILD_MAP: case BUILD_SET: case BUILD_STRING: case FORMAT_VALUE: case LIST_EXTEND: case CALL_FUNCTION_EX:
        case MAKE_FUNCTION: case LOAD_SUPER_ATTR: case IMPORT_NAME: case BEFORE_WITH: case RAISE_VARARGS:
            return true;
        case CALL: case LOAD_ATTR: case STORE_ATTR: case BINARY_SUBSCR: case STORE_SUBSCR: case COMPARE_OP: case FOR_ITER:
            return specialised == opcode;
        default: return false;
    }
}

PyCodeObject* asGeneratorExpression(PyObject* constant) {
    auto* code = reinterpret_cast<PyCodeObject*>(constant);
    bool isGenerator = PyCode_Check(constant) && (code->co_flags & CO_GENERATOR) != 0;
    return isGenerator && PyUnicode_CompareWithASCIIString(code->co_name, "<genexpr>") == 0 ? code : nullptr;
}

}  // namespace

PyCodeObject* generatorExpression(PyCodeObject* code, const BytecodeInstruction& in) {
    return in.opcode == LOAD_CONST ? asGeneratorExpression(PyTuple_GET_ITEM(code->co_consts, in.oparg)) : nullptr;
}

bool makesGenerator(PyCodeObject* code) {
    PyObject* const* constants = &PyTuple_GET_ITEM(code->co_consts, 0);
    return std::any_of(constants, constants + PyTuple_GET_SIZE(code->co_consts), asGeneratorExpression);
}

OpcodeMix mixOf(PyCodeObject* code, const Bytecode& bytecode, int first, int end) {
    OpcodeMix mix;
    for (const BytecodeInstruction& in : bytecode.instructions()) {
        if (in.unit < first || in.unit >= end) {
            continue;
        }
        if (PyCodeObject* inner = generatorExpression(code, in)) {
            OpcodeMix more = mixOf(inner, Bytecode(inner), 0, static_cast<int>(Py_SIZE(inner)));
            mix.all += more.all;
            mix.numbers += more.numbers;
            mix.others += more.others - 2;  // to make and to call it
        }
        int specialised = _PyCode_CODE(code)[in.unit].op.code;
        mix.all++;
        mix.numbers += isOfNumbers(specialised) ? 1 : 0;
        mix.others += isHandedOver(specialised) || isGeneral(in.opcode, specialised) ? 1 : 0;
    }
    return mix;
}

}  // namespace kiln
