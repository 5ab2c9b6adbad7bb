/* The texts of programs that have no file: -c, standard input, exec, the prompt. Only in the launcher: it is linked so
 * that CPython's parser passes by here (interp/launcher/CMakeLists.txt). */
#ifndef KILN_KEPT_SOURCES_H
#define KILN_KEPT_SOURCES_H

#include <Python.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The texts that were parsed under this file name, the newest at index 0; NULL behind the last one. Only those that may
 * define a kernel are kept. Needs the GIL. The text is valid until the next program is parsed. */
const char* kiln_kept_source(PyObject* filename, size_t index);

#ifdef __cplusplus
}
#endif

#endif
