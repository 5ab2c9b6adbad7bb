/* What the program sees of a code object's instructions while kiln's events are on: code._co_code_adaptive. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"
#include "interp/cpython/superinstructions.h"

#include <internal/pycore_code.h>
#include <internal/pycore_opcode.h>
#include <opcode.h>

int kiln_code_opcode(PyCodeObject* code, int unit, int* next) {
    int opcode = _PyCode_CODE(code)[unit].op.code;
    opcode = opcode < MIN_INSTRUMENTED_OPCODE ? _PyOpcode_Deopt[opcode] : _Py_GetBaseOpcode(code, unit);
    *next = unit + 1 + _PyOpcode_Caches[opcode];
    return opcode;
}

PyObject* kiln_code_plain_units(PyCodeObject* code) {
    PyObject* bytes = PyBytes_FromStringAndSize(code->co_code_adaptive, _PyCode_NBYTES(code));
    if (bytes == NULL || kiln_monitor_others_active(PyThreadState_Get(), code)) {
        return bytes;
    }
    _Py_CODEUNIT* units = (_Py_CODEUNIT*)PyBytes_AS_STRING(bytes);
    for (int unit = 0, next; unit < Py_SIZE(code); unit = next) {
        int opcode = kiln_code_opcode(code, unit, &next);
        if (units[unit].op.code >= MIN_INSTRUMENTED_OPCODE) {
            units[unit].op.code = (uint8_t)opcode;
        }
    }
    kiln_join_superinstructions(code, units);
    return bytes;
}

static PyObject* (*earlier_units)(PyCodeObject* code);

static PyObject* adaptive_units(PyObject* code, void* closure) {
    (void)closure;
    PyObject* earlier = earlier_units((PyCodeObject*)code);
    return earlier != NULL ? Py_NewRef(earlier) : kiln_code_plain_units((PyCodeObject*)code);
}

void kiln_code_hide_events(PyObject* (*earlier)(PyCodeObject* code)) {
    earlier_units = earlier;
    for (PyGetSetDef* row = PyCode_Type.tp_getset; row->name != NULL; row++) {
        if (strcmp(row->name, "_co_code_adaptive") == 0) {
            row->get = adaptive_units;
        }
    }
}
