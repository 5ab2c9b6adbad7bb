#include "jit/engine/code_shape.h"

#include <opcode.h>

#include "interp/cpython/cpython_shim.h"
#include "jit/engine/opcode_mix.h"

namespace kiln {
namespace {

// Calls `visit(opcode, argument, unit)` for each instruction, with `argument` as it is without an EXTENDED_ARG.
template <typename Visit>
void forEachInstruction(PyCodeObject* code, const Visit& visit) {
    const _Py_CODEUNIT* units = _PyCode_CODE(code);
    for (int unit = 0, next = 0; unit < Py_SIZE(code); unit = next) {
        int opcode = kiln_code_opcode(code, unit, &next);
        visit(opcode, units[unit].op.arg, unit);
    }
}

bool isOperation(int opcode) {
    return opcode == BINARY_OP || opcode == COMPARE_OP || opcode == BINARY_SUBSCR || opcode == UNARY_NEGATIVE || opcode == UNARY_INVERT;
}

int countOperations(PyCodeObject* code) {
    int operations = 0;
    forEachInstruction(code, [&](int opcode, int, int) { operations += isOperation(opcode); });
    return operations;
}

// By a variable or a method of its own name: what it does once is done many times then. Another class's method may be meant.
bool callsItself(PyCodeObject* code) {
    bool found = false;
    auto isOwn = [code](PyObject* names, int index) { return index < PyTuple_GET_SIZE(names) && PyTuple_GET_ITEM(names, index) == code->co_name; };
    forEachInstruction(code, [&](int opcode, int argument, int) {
        const bool isMethod = opcode == LOAD_ATTR && (argument & 1) != 0;
        found = found || ((opcode == LOAD_GLOBAL || isMethod) && isOwn(code->co_names, argument >> 1)) ||
                (opcode == LOAD_DEREF && isOwn(code->co_localsplusnames, argument));
    });
    return found;
}

}  // namespace

bool hasLoop(PyCodeObject* code) {
    bool found = false;
    forEachInstruction(code, [&](int opcode, int, int) { found = found || opcode == JUMP_BACKWARD; });
    return found;
}

bool hasLoopWithoutYield(PyCodeObject* code) {
    int lastYield = -1;
    int distance = 0;
    bool found = false;
    forEachInstruction(code, [&](int opcode, int argument, int unit) {
        distance = (distance << 8) | argument;
        found = found || (opcode == JUMP_BACKWARD && unit + 1 - distance > lastYield);
        lastYield = opcode == YIELD_VALUE ? unit : lastYield;
        distance = opcode == EXTENDED_ARG ? distance : 0;
    });
    return found;
}

bool doesLittle(PyCodeObject* code) {
    constexpr int kFewOperations = 2;
    return countOperations(code) < kFewOperations && !hasLoop(code) && !callsItself(code) && !makesGenerator(code);
}

}  // namespace kiln
