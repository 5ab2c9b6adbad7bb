/* How another process asks this one for something, which costs nothing until it does: it finds the struct below by its name in the
 * executable's table of dynamic symbols, writes into it as a debugger would, and sets the evaluation breaker. Python's own thread
 * serves it, where it looks at the breaker. interp/python/kiln/watched_process.py is the other side, and knows the layout. */
#ifndef KILN_CPYTHON_OUTSIDE_REQUEST_H
#define KILN_CPYTHON_OUTSIDE_REQUEST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KILN_REQUEST_MAGIC "kiln-request-1"

typedef struct {
    char magic[16];
    int32_t* breaker; /* the evaluation breaker of the main interpreter; NULL: nobody serves requests */
    /* Written from outside, `asked` last. */
    uint32_t asker;    /* its process */
    uint32_t lease_ms; /* what was begun for it ends when it has not asked for so long */
    uint32_t asked;    /* number of the request, not 0 */
    /* Written by this process, `answered` last. */
    uint32_t answered;   /* number of the request that the answer is for */
    const char* answer;  /* stays until the next request */
    uint64_t answer_size;
} KilnOutsideRequest;

extern __attribute__((visibility("default"))) KilnOutsideRequest kiln_outside_request;

/* From now on requests are served: `server` is called, GIL held, in the main interpreter, at each look at the breaker once somebody
 * has asked, or from the start if `always`. It runs no Python code. NULL: not any more. GIL held. */
void kiln_serve_outside(void (*server)(void), int always);

#ifdef __cplusplus
}
#endif
#endif
