/* os.fork() warns of other threads in the process, and counts them by what the kernel says. kiln's own are none of the program's. */
#include "interp/cpython/cpython_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreadsField = 20, kMostText = 1024 };

static int (*own_threads)(void);

void kiln_uncount_threads(int (*count)(void)) {
    own_threads = count;
}

/* Where a field of the text begins, counted from 1 as CPython does; NULL when there are not so many. */
static const char* find_field(const char* text, int number) {
    for (; text != NULL && number > 1; number--) {
        text = strchr(text, ' ');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

static FILE* without_own_threads(FILE* file) {
    char text[kMostText];
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    rewind(file);
    const char* field = find_field(text, kThreadsField);
    int own = own_threads();
    int threads = field != NULL ? atoi(field) - own : 0;
    FILE* changed = own > 0 && threads > 0 ? fmemopen(NULL, kMostText, "w+") : NULL;
    if (changed == NULL) {
        return file;
    }
    fprintf(changed, "%.*s%d%s", (int)(field - text), text, threads, field + strspn(field, "0123456789"));
    rewind(changed);
    fclose(file);
    return changed;
}

/* The linker sends CPython's calls of fopen() here (--wrap). */
FILE* __real_fopen64(const char* path, const char* mode);
FILE* __wrap_fopen64(const char* path, const char* mode);

FILE* __wrap_fopen64(const char* path, const char* mode) {
    FILE* file = __real_fopen64(path, mode);
    return file != NULL && own_threads != NULL && strcmp(path, "/proc/self/stat") == 0 ? without_own_threads(file) : file;
}
