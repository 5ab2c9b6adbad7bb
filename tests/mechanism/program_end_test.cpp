// The mechanism behind releasing everything in time: being called between the program's last function and the teardown.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "interp/cpython/cpython_shim.h"
#include "tests/mechanism/embedded_python.h"

namespace kiln::mechanism {
namespace {

int output = -1;

void onEnd() {
    // A module that is torn down has lost its names.
    Ref names(PyImport_ImportModule("mechanism_end"));
    Ref alive(names ? PyObject_GetAttrString(names.get(), "alive") : nullptr);
    if (write(output, alive ? "end" : "late", alive ? 3 : 4) < 0) {
        _exit(2);
    }
}

// What the end of a child process writes, that ran `source` with `fd` naming a pipe.
std::string writtenAtEnd(const char* source) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        PyOS_AfterFork_Child();
        output = ends[1];
        kiln_at_program_end(onEnd);
        Ref names(PyImport_AddModule("mechanism_end"));
        Py_INCREF(names.get());
        PyDict_SetItemString(PyModule_GetDict(names.get()), "fd", Ref(PyLong_FromLong(output)).get());
        bool ran = runIn(PyModule_GetDict(names.get()), source);
        _exit(ran && Py_FinalizeEx() == 0 ? 0 : 1);
    }
    close(ends[1]);
    std::string written;
    char part[64];
    for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) {
        written.append(part, static_cast<size_t>(got));
    }
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return written;
}

// Row: release everything before the interpreter ends. After the atexit functions, even when those were cleared, and once.
TEST(Mechanism, SeesTheProgramsEnd) {
    EXPECT_EQ(writtenAtEnd("import atexit, os\n"
                           "alive = True\n"
                           "atexit.register(os.write, fd, b'program ')\n"),
              "program end");
    EXPECT_EQ(writtenAtEnd("import atexit, os\n"
                           "alive = True\n"
                           "atexit.register(os.write, fd, b'program ')\n"
                           "atexit._run_exitfuncs()\n"
                           "os.write(fd, b'%d ' % atexit._ncallbacks())\n"
                           "atexit._clear()\n"),
              "program 0 end");
}

}  // namespace
}  // namespace kiln::mechanism
