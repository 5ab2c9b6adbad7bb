#define Py_BUILD_CORE
#include "interp/cpython/superinstructions.h"

#include <internal/pycore_code.h>
#include <internal/pycore_opcode.h>
#include <opcode.h>

enum { kNotJoined = 0 };

/* As _PyCode_Quicken() joins two: it would start the counters of specialised instructions anew, too. */
static uint8_t joined(int first, int second) {
    switch (first) {
        case LOAD_CONST: return second == LOAD_FAST ? LOAD_CONST__LOAD_FAST : kNotJoined;
        case LOAD_FAST: return second == LOAD_FAST ? LOAD_FAST__LOAD_FAST : second == LOAD_CONST ? LOAD_FAST__LOAD_CONST : kNotJoined;
        case STORE_FAST: return second == LOAD_FAST ? STORE_FAST__LOAD_FAST : second == STORE_FAST ? STORE_FAST__STORE_FAST : kNotJoined;
        default: return kNotJoined;
    }
}

void kiln_join_superinstructions(PyCodeObject* code, _Py_CODEUNIT* units) {
    int count = (int)Py_SIZE(code);
    for (int unit = 0; unit + 1 < count;) {
        int plain = _Py_GetBaseOpcode(code, unit);
        int opcode = units[unit].op.code;
        int next = units[unit + 1].op.code; /* a cache's word where the instruction has one: then it is not joined */
        if (opcode < MIN_INSTRUMENTED_OPCODE && next < MIN_INSTRUMENTED_OPCODE) {
            uint8_t both = joined(plain, _PyOpcode_Deopt[next]);
            units[unit].op.code = both != kNotJoined ? both : (uint8_t)opcode;
        }
        unit += 1 + _PyOpcode_Caches[plain];
    }
}
