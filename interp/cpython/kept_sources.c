/* The texts of programs that have no file: -c, standard input, exec, the prompt, cells.
 *
 * The launcher is linked with --wrap for the parser's two entries and for the two functions that it reads lines with, so
 * that every text passes through here. Kept are only texts that may define a kernel. */
#include "interp/cpython/kept_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kMostTexts = 2048, kMostBytes = 4 << 20 /* of all texts */ };

typedef struct {
    char* name; /* of the file, as code objects have it */
    char* text;
    size_t bytes;
} KeptSource;

static KeptSource kept[kMostTexts]; /* a ring: `next` is the oldest, once it is full */
static size_t next = 0;
static size_t count = 0;
static size_t kept_bytes = 0;

/* What is being read from a FILE line by line. */
static char* reading = NULL;
static size_t reading_bytes = 0;
static int is_reading = 0;

static int may_define_kernel(const char* text) {
    return strstr(text, "def ") != NULL || strstr(text, "lambda") != NULL;
}

static void drop(KeptSource* place) {
    kept_bytes -= place->bytes;
    free(place->name);
    free(place->text);
    *place = (KeptSource){NULL, NULL, 0};
}

static int is_file(const char* name) {
    return name[0] != '<' && access(name, F_OK) == 0;
}

/* The same text again adds nothing, whoever compiles it: the search for a kernel's source does too. */
static int is_kept(const char* name, const char* text, size_t bytes) {
    for (size_t i = 0; i < count; i++) {
        const KeptSource* place = &kept[i];
        if (place->text != NULL && place->bytes == bytes && memcmp(place->text, text, bytes) == 0 && strcmp(place->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Takes a copy of both. Without memory nothing is kept. */
static void keep(PyObject* filename, const char* text) {
    const char* name = PyUnicode_Check(filename) ? PyUnicode_AsUTF8(filename) : NULL;
    if (name == NULL) {
        PyErr_Clear();
        return;
    }
    size_t bytes = strlen(text);
    if (!may_define_kernel(text) || bytes > kMostBytes || is_file(name) || is_kept(name, text, bytes)) {
        return;
    }
    KeptSource* place = &kept[next];
    drop(place);
    for (size_t i = 1; i < kMostTexts && kept_bytes + bytes > kMostBytes; i++) {
        drop(&kept[(next + i) % kMostTexts]); /* the oldest first */
    }
    place->name = strdup(name);
    place->text = strdup(text);
    place->bytes = bytes;
    if (place->name == NULL || place->text == NULL) {
        place->bytes = 0;
        drop(place);
        return;
    }
    kept_bytes += bytes;
    next = (next + 1) % kMostTexts;
    count += count < kMostTexts;
}

static void append_line(const char* line) {
    size_t bytes = strlen(line);
    if (!is_reading || reading_bytes + bytes > kMostBytes) {
        return;
    }
    char* longer = realloc(reading, reading_bytes + bytes + 1);
    if (longer != NULL) {
        reading = longer;
        memcpy(reading + reading_bytes, line, bytes + 1);
        reading_bytes += bytes;
    }
}

struct _mod;
struct _mod* __real__PyParser_ASTFromString(const char*, PyObject*, int, PyCompilerFlags*, void*);
struct _mod* __real__PyParser_ASTFromFile(FILE*, PyObject*, const char*, int, const char*, const char*, PyCompilerFlags*, int*,
                                          void*);
char* __real__Py_UniversalNewlineFgetsWithSize(char*, int, FILE*, PyObject*, size_t*);
char* __real_PyOS_Readline(FILE*, FILE*, const char*);

struct _mod* __wrap__PyParser_ASTFromString(const char* text, PyObject* filename, int mode, PyCompilerFlags* flags, void* arena) {
    keep(filename, text);
    return __real__PyParser_ASTFromString(text, filename, mode, flags, arena);
}

struct _mod* __wrap__PyParser_ASTFromFile(FILE* file, PyObject* filename, const char* encoding, int mode, const char* first_prompt,
                                          const char* prompt, PyCompilerFlags* flags, int* error, void* arena) {
    int outer = is_reading;
    is_reading = file == stdin;
    reading_bytes = 0;
    struct _mod* tree = __real__PyParser_ASTFromFile(file, filename, encoding, mode, first_prompt, prompt, flags, error, arena);
    if (is_reading && tree != NULL && reading_bytes > 0) {
        keep(filename, reading);
    }
    is_reading = outer;
    return tree;
}

char* __wrap__Py_UniversalNewlineFgetsWithSize(char* buffer, int size, FILE* stream, PyObject* file, size_t* length) {
    char* line = __real__Py_UniversalNewlineFgetsWithSize(buffer, size, stream, file, length);
    if (line != NULL && stream == stdin) {
        append_line(line);
    }
    return line;
}

char* __wrap_PyOS_Readline(FILE* in, FILE* out, const char* prompt) {
    char* line = __real_PyOS_Readline(in, out, prompt);
    if (line != NULL) {
        append_line(line);
    }
    return line;
}

const char* kiln_kept_source(PyObject* filename, size_t index) {
    for (size_t age = 0; age < count; age++) {
        KeptSource* place = &kept[(next + kMostTexts - 1 - age) % kMostTexts];
        if (place->name == NULL || place->text == NULL || PyUnicode_CompareWithASCIIString(filename, place->name) != 0) {
            continue;
        }
        if (index-- == 0) {
            return place->text;
        }
    }
    return NULL;
}
