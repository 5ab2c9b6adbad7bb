/* The chunks of memory that hold the frames of threads and greenlets: which one is in use, and when one is gone for good. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>

/* One that was given back, for the next: else calls and returns at the end of a chunk map and unmap memory each time. Of the main
 * interpreter's, guarded by its GIL. */
static void* spare;
static size_t spare_size;
/* Chunks are mostly 16 KiB, arenas are 1 MiB. */
enum { kMostSpare = 64 << 10 };

static PyObjectArenaAllocator plain;
static void (*on_gone)(void* chunk);
static void (*on_free)(const void* memory, size_t size);

void* kiln_first_stack_chunk(PyThreadState* tstate) {
    void* room = _PyThreadState_PushFrame(tstate, 1);
    if (room == NULL) {
        return NULL;
    }
    _PyThreadState_PopFrame(tstate, room); /* the chunk stays */
    return tstate->datastack_chunk;
}

/* CPython frees chunks through the arena allocator, and so does greenlet. By then the thread has the chunk below for its own if
 * the last frame in this one has returned. Memory of other kinds passes by here too, and is no chunk of anybody's. */
static void give_back(void* context, void* memory, size_t size) {
    if (on_free != NULL && ((_PyStackChunk*)memory)->previous == NULL) {
        on_free(memory, size);
    }
    PyThreadState* tstate = _PyThreadState_GET();
    if (tstate != NULL && _Py_IsMainInterpreter(tstate->interp)) {
        _PyStackChunk* below = ((_PyStackChunk*)memory)->previous;
        if (below == NULL || below != tstate->datastack_chunk) {
            on_gone(memory);
        }
        if (size <= kMostSpare) {
            void* kept = spare;
            size_t kept_size = spare_size;
            spare = memory;
            spare_size = size;
            memory = kept;
            size = kept_size;
        }
    }
    if (memory != NULL) {
        plain.free(plain.ctx, memory, size);
    }
}

static void* allocate(void* context, size_t size) {
    PyThreadState* tstate = _PyThreadState_GET();
    if (spare != NULL && size == spare_size && tstate != NULL && _Py_IsMainInterpreter(tstate->interp)) {
        void* memory = spare;
        spare = NULL;
        return memory;
    }
    return plain.alloc(plain.ctx, size);
}

void kiln_watch_stack_chunks(void (*callback)(void* chunk)) {
    if (on_gone == NULL) {
        PyObject_GetArenaAllocator(&plain);
        PyObjectArenaAllocator watching = {NULL, allocate, give_back};
        on_gone = callback;
        PyObject_SetArenaAllocator(&watching);
    }
}

bool kiln_watch_root_chunks(void (*callback)(const void* memory, size_t size)) {
    if (on_gone != NULL) {
        on_free = callback;
    }
    return on_gone != NULL;
}

void kiln_root_chunk(PyThreadState* tstate, const void** from, size_t* size) {
    _PyStackChunk* chunk = tstate->datastack_chunk;
    while (chunk != NULL && chunk->previous != NULL) {
        chunk = chunk->previous;
    }
    *from = chunk;
    *size = chunk != NULL ? chunk->size : 0;
}
