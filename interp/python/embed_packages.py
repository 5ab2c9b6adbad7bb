"""Compiles Python packages into a C++ table that the launcher serves them from.

Usage: embed_packages.py OUTPUT.cpp PACKAGE_FOLDER...

Runs under the CPython that kiln embeds: the marshalled code is of that very version. Each folder is one top-level
package, named like the folder.
"""

import marshal
import os
import sys

HEADER = """// Made by interp/python/embed_packages.py; do not edit.
#include "interp/embedded_packages.h"

namespace kiln {
namespace {

"""


def find_modules(folder: str) -> list[tuple[str, str, bool]]:
    """The modules of the package in `folder`, parents first, as (dotted name, path, whether a package)."""
    root = os.path.dirname(os.path.abspath(folder))
    modules = []
    for parent, folders, files in os.walk(os.path.abspath(folder)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for file in sorted(files):
            if file.endswith(".py"):
                path = os.path.join(parent, file)
                name = os.path.relpath(path, root)[: -len(".py")].replace(os.sep, ".")
                modules.append((name.removesuffix(".__init__"), path, file == "__init__.py"))
    return sorted(modules)


def compile_module(path: str, origin: str) -> bytes:
    """The marshalled code object of a source file whose tracebacks are to name `origin`."""
    with open(path, encoding="utf-8") as file:
        return marshal.dumps(compile(file.read(), origin, "exec", dont_inherit=True, optimize=0))


def write_array(out, index: int, data: bytes) -> None:
    """One C++ array with the bytes of one module."""
    out.write(f"const unsigned char kCode{index}[] = {{")
    for start in range(0, len(data), 32):
        out.write("\n" + ",".join(map(str, data[start : start + 32])) + ",")
    out.write("};\n")


def main(output: str, folders: list[str]) -> None:
    """Writes the table of all modules in `folders` to `output`."""
    rows = []
    with open(output, "w", encoding="utf-8") as out:
        out.write(HEADER)
        for folder in folders:
            root = os.path.dirname(os.path.abspath(folder))
            for name, path, is_package in find_modules(folder):
                origin = f"<kiln {os.path.relpath(path, root)}>"
                data = compile_module(path, origin)
                write_array(out, len(rows), data)
                flag = "true" if is_package else "false"
                rows.append(f'    {{"{name}", "{origin}", kCode{len(rows)}, {len(data)}, {flag}}},\n')
        out.write("\n}  // namespace\n\nextern const EmbeddedSource kEmbeddedPackages[];\n")
        out.write("const EmbeddedSource kEmbeddedPackages[] = {\n" + "".join(rows))
        out.write("    {nullptr, nullptr, nullptr, 0, false},\n};\n\n}  // namespace kiln\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
