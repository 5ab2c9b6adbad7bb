// Python packages that live in the executable: kiln and kiln's own numba.
//
// They are found behind everything else that an import finds: the class PathFinder keeps its place and its name in
// sys.meta_path, and only when nothing else finds a module are the packages here looked at. So sys.path,
// sys.meta_path and sys.path_hooks are python's, and a package of the same name that is installed or the user's own
// goes first.
#pragma once

#include <Python.h>

#include <string_view>

namespace kiln {

// One module. A table ends with a row whose name is nullptr; the build makes it (interp/python/embed_packages.py).
struct EmbeddedSource {
    const char* name;           // dotted
    const char* origin;         // what tracebacks call its file
    const unsigned char* code;  // marshalled code object of this CPython
    Py_ssize_t size;
    bool package;
};

// Who may import a package.
enum class PackageAudience {
    kEveryone,
    kEveryoneFirst,  // and before an installed package of that name
    kPrograms,       // importers outside the standard library and site-packages
    kNobody,
};

// Serves `table`, which must live for ever, in the main interpreter; `audience` tells who may import a package of the
// given name, submodules follow their package. After the initialisation of CPython, with the GIL, once. False with an
// exception.
[[nodiscard]] bool installEmbeddedPackages(const EmbeddedSource* table,
                                           PackageAudience (*audience)(std::string_view package));

}  // namespace kiln
