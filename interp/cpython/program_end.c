/* The end of the program: between its last atexit function and the end of the interpreter, and that end. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#include <stdbool.h>
#include <unistd.h>

static void (*at_end)(void);

void kiln_at_program_end(void (*callback)(void)) {
    at_end = callback;
}

/* The linker sends CPython's calls of _PyAtExit_Call() here (--wrap). Py_FinalizeEx() and Py_EndInterpreter() make them. */
void __real__PyAtExit_Call(PyInterpreterState* interpreter);
void __wrap__PyAtExit_Call(PyInterpreterState* interpreter);

void __wrap__PyAtExit_Call(PyInterpreterState* interpreter) {
    __real__PyAtExit_Call(interpreter);
    if (interpreter == _PyRuntime.interpreters.main && at_end != NULL) {
        at_end();
    }
}

int kiln_at_interpreter_end(void (*callback)(void*), void* data) {
    return _Py_AtExit(PyInterpreterState_Get(), callback, data);
}

/* CPython ends a thread that asks for the GIL after the interpreter's end by pthread_exit(), which unwinds it: the destructors
 * of C++ frames below would let go of objects without the GIL, beside the teardown. Such a thread stays where it is instead, as
 * under CPython 3.14, and ends with the process. take_gil() is the one caller (--wrap). */
void __wrap_PyThread_exit_thread(void);

void __wrap_PyThread_exit_thread(void) {
    while (true) {
        pause();
    }
}
