// bin/kiln of a wheel: goes on as PREFIX/lib/kiln/bin/kiln.
//
// pip makes no links, and the launcher finds its standard library and its compiler from its own place. By the name that it is
// called by, which stays, it knows the environment, as it does when it is called through a link.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interp/support/executable_path.h"

#define BEHIND_PREFIX "/lib/kiln/bin/kiln"

int main(int argc, char** argv) {
    char path[PATH_MAX + sizeof BEHIND_PREFIX];
    strcpy(path, kiln_executable_path());
    for (int folder = 0; folder < 2; folder++) {  // PREFIX/bin/kiln: two up
        char* slash = strrchr(path, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    strcat(path, BEHIND_PREFIX);
    execv(path, argv);
    fprintf(stderr, "kiln: error: %s cannot be run: %s; install the wheel of kiln again\n", path, strerror(errno));
    return 126;
}
