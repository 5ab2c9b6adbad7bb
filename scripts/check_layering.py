"""Checks the include direction launcher -> gpu -> jit -> profiler -> interp -> CPython, and who may see which outside headers.

Usage: check_layering.py ROOT. Exit status 1 with one line for each fault; 0 when there is none. Before it looks at ROOT it
makes sure that it finds faults planted in a tree of its own.
"""
import os
import re
import sys
import tempfile

from lib.source_tree import C_SUFFIXES, listFiles, readText, stripNoise

# From the floor up: a folder may include itself and what stands before it. The longest matching folder counts.
LAYERS = ["interp", "profiler", "jit", "gpu", "interp/launcher"]

# Outside headers, in words, as a pattern of the included path, and the folders that may see them, even indirectly.
FENCES = [
    ("an LLVM header", re.compile(r"llvm(-c)?/"), ("jit/codegen", "gpu/cpu/codegen", "tests/jit/codegen", "tests/gpu/cpu")),
    ("an internal CPython header", re.compile(r"(.*/)?(internal/)?pycore_\w+\.h$"), ("interp/cpython",)),
    ("a CUDA or NVRTC header", re.compile(r"(cuda|nvrtc|cub/|thrust/|cooperative_groups)"), ("gpu", "tests/gpu")),
]

# Folders that must not see Python.h, even indirectly, so that they can be tested without Python.
WITHOUT_PYTHON = ("jit/ir", "jit/passes")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">\n]+)[">]', re.MULTILINE)


def isInside(path: str, folder: str) -> bool:
    """True for the folder's own files and those of its subfolders."""
    return path.startswith(folder + "/")


def layerOf(path: str) -> int:
    """Index into LAYERS, or -1 for a file outside them, such as a test."""
    inside = [index for index, folder in enumerate(LAYERS) if isInside(path, folder)]
    return max(inside, key=lambda index: len(LAYERS[index]), default=-1)


class Tree:
    """The includes of every C and C++ file below a root."""

    def __init__(self, root: str) -> None:
        self.includes: dict[str, list[tuple[str, int]]] = {}
        self.definesCore: list[tuple[str, int]] = []
        for path in listFiles(root):
            if path.endswith(C_SUFFIXES):
                self._read(root, path)

    def _read(self, root: str, path: str) -> None:
        text = readText(root, path)
        # Literals are blank in `code`, so the name comes from the text and what is a comment from the code.
        code = stripNoise(text)
        self.includes[path] = [
            (match.group(2), text.count("\n", 0, match.start()) + 1)
            for match in INCLUDE.finditer(text)
            if code[match.start() : match.start(1)] == text[match.start() : match.start(1)]
        ]
        for match in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+Py_BUILD_CORE", code, re.MULTILINE):
            self.definesCore.append((path, code.count("\n", 0, match.start()) + 1))

    def findOutside(self, path: str, pattern: re.Pattern) -> tuple[int, str] | None:
        """The line of `path` whose include leads to a matching outside header, and the way there; None without one."""
        for name, line in self.includes[path]:
            way = self._wayTo(name, pattern, {path})
            if way:
                return line, way
        return None

    def _wayTo(self, name: str, pattern: re.Pattern, seen: set[str]) -> str:
        if name not in self.includes:
            return name if pattern.match(name) else ""
        if name in seen:
            return ""
        seen.add(name)
        for further, _ in self.includes[name]:
            way = self._wayTo(further, pattern, seen)
            if way:
                return name + " -> " + way
        return ""


def findFaults(root: str) -> list[str]:
    """Every breach below root, as "path:line: what"."""
    tree = Tree(root)
    faults = []
    for path, includes in tree.includes.items():
        layer = layerOf(path)
        for name, line in includes:
            if layer >= 0 and (layerOf(name) > layer or isInside(name, "tests")):
                faults.append(f"{path}:{line}: {LAYERS[layer]} must not include {name}")
        faults += findFenceFaults(tree, path)
    faults += [
        f"{path}:{line}: Py_BUILD_CORE is defined outside interp/cpython"
        for path, line in tree.definesCore
        if not isInside(path, "interp/cpython")
    ]
    return faults


def findFenceFaults(tree: Tree, path: str) -> list[str]:
    """Breaches of FENCES and WITHOUT_PYTHON by one file."""
    rules = [(what, pattern) for what, pattern, homes in FENCES if not any(isInside(path, home) for home in homes)]
    if any(isInside(path, folder) for folder in WITHOUT_PYTHON):
        rules.append(("Python.h", re.compile(r"(.*/)?Python\.h$")))
    faults = []
    for what, pattern in rules:
        found = tree.findOutside(path, pattern)
        if found:
            faults.append(f"{path}:{found[0]}: must not see {what}: {found[1]}")
    return faults


# A tree that is in order but for the lines marked with the fault that they are.
PLANTED = {
    "interp/frame.h": "#include <Python.h>\n",
    "interp/wrong.h": '#include "profiler/counter.h"  // FAULT\n',
    "interp/cpython/frames.c": "#define Py_BUILD_CORE\n#include <internal/pycore_frame.h>\n",
    "interp/core.c": "#define Py_BUILD_CORE  // FAULT\n#include <internal/pycore_frame.h>  // FAULT\n",
    "interp/commented.cpp": '// #include "jit/engine.h"\n/* #include "jit/engine.h"\n#include "jit/engine.h" */\n',
    "interp/launcher/main.cpp": '#include "gpu/engine.h"\n#include "jit/engine.h"\n',
    "profiler/counter.h": '#include "interp/frame.h"\n',
    "profiler/wrong.cpp": '#include "jit/engine.h"  // FAULT\n',
    "jit/engine.h": '#include "profiler/counter.h"\n',
    "jit/wrong.cpp": '#include "interp/launcher/options.h"  // FAULT\n#include <nvrtc.h>  // FAULT\n',
    "jit/ir/value.h": "#include <vector>\n",
    "jit/ir/wrong.cpp": '#include "jit/ir/value.h"\n#include "interp/frame.h"  // FAULT\n',
    "jit/passes/wrong.cpp": "#include <Python.h>  // FAULT\n",
    "jit/codegen/lower.h": "#include <llvm/IR/Module.h>\n",
    "jit/leak.cpp": '#include "jit/codegen/lower.h"  // FAULT\n',
    "gpu/engine.h": '#include "jit/engine.h"\n',
    "gpu/driver/context.cpp": '#include <cuda.h>\n#include "gpu/engine.h"\n',
    "tests/jit/engine_test.cpp": '#include "jit/engine.h"\n',
    "tests/interp/wrong_test.cpp": "  #  include <internal/pycore_code.h>  // FAULT\n",
}


def checkPlantedFaults() -> None:
    """Ends the program when a fault planted in PLANTED is not found, or something else is taken for one."""
    planted = {
        f"{path}:{line}"
        for path, text in PLANTED.items()
        for line, content in enumerate(text.splitlines(), 1)
        if content.endswith("// FAULT")
    }
    with tempfile.TemporaryDirectory() as root:
        for path, text in PLANTED.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        found = {":".join(fault.split(":")[:2]) for fault in findFaults(root)}
    if found != planted:
        sys.exit(f"the check itself is wrong: not found {sorted(planted - found)}, no fault {sorted(found - planted)}")


def main() -> int:
    """Returns the exit status."""
    checkPlantedFaults()
    faults = findFaults(sys.argv[1])
    print("\n".join(faults) or "include directions are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
