/* The entries of code objects: in chunks that never move and are never freed, so that any thread may look. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <stdlib.h>

static KilnCodeEntry no_entries[KILN_ENTRIES_OF_CHUNK];
KilnCodeEntry* kiln_entry_chunks[KILN_ENTRY_CHUNKS] = {[0 ... KILN_ENTRY_CHUNKS - 1] = no_entries};

static uint32_t next_number = 1; /* 0 is what most code objects have without being given one */
static KilnCodeEntry* free_entries; /* chained by `record`; `calls_left` is the number */
static const KilnCodeEntry empty = {.calls_from_c_left = KILN_NEVER, .loop = {.unit = KILN_NO_LOOP}};

static KilnCodeEntry* unused_entry(uint32_t* number) {
    if (free_entries != NULL) {
        KilnCodeEntry* entry = free_entries;
        free_entries = (KilnCodeEntry*)(void*)entry->record;
        *number = entry->calls_left;
        return entry;
    }
    uint32_t chunk = next_number / KILN_ENTRIES_OF_CHUNK;
    if (chunk >= KILN_ENTRY_CHUNKS) {
        return NULL;
    }
    if (kiln_entry_chunks[chunk] == no_entries) {
        KilnCodeEntry* fresh = calloc(KILN_ENTRIES_OF_CHUNK, sizeof(KilnCodeEntry));
        if (fresh == NULL) {
            return NULL;
        }
        kiln_entry_chunks[chunk] = fresh;
    }
    *number = next_number++;
    return &kiln_entry_chunks[chunk][*number % KILN_ENTRIES_OF_CHUNK];
}

KilnCodeEntry* kiln_take_code_entry(PyCodeObject* code, KilnCodeRecord* record) {
    uint32_t number = 0;
    KilnCodeEntry* entry = unused_entry(&number);
    if (entry != NULL) {
        *entry = empty;
        entry->record = record;
        *kiln_entry_number(code) = number;
        entry->code = code;
    }
    return entry;
}

void kiln_give_code_entry_back(KilnCodeEntry* entry) {
    uint32_t number = *kiln_entry_number(entry->code);
    entry->code = NULL;
    entry->calls_left = number;
    entry->record = (KilnCodeRecord*)(void*)free_entries;
    free_entries = entry;
}
