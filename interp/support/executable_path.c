#define _GNU_SOURCE
#include "interp/support/executable_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static char found[PATH_MAX];

/* A script that names this executable in its first line is none. */
static bool is_program(const char* path) {
    char start[4] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_elf =
        file >= 0 && read(file, start, sizeof start) == sizeof start && memcmp(start, "\177ELF", sizeof start) == 0;
    if (file >= 0) {
        close(file);
    }
    return is_elf;
}

static bool resolve(const char* path) {
    return path != NULL && strchr(path, '/') != NULL && is_program(path) && realpath(path, found) != NULL;
}

const char* kiln_executable_path(void) {
    if (found[0] != '\0') {
        return found;
    }
    ssize_t length = readlink("/proc/self/exe", found, sizeof found - 1);
    if (length > 0) {
        found[length] = '\0';
        return found;
    }
    /* No /proc, as in a chroot. The kernel also hands over what it was asked to run: this, or a script, which has the name of
       its interpreter put before its own. */
    if (!resolve((const char*)getauxval(AT_EXECFN)) && !resolve(program_invocation_name)) {
        found[0] = '\0';
    }
    return found;
}
