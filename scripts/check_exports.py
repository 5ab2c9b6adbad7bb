"""Checks that the compiler's shared object shows kiln's entry points, GDB's two names and nothing else, and needs the system only.

Usage: check_exports.py LIBRARY. Exit status 1 with one line for each fault; 0 when there is none. Before it looks at
LIBRARY it makes sure that it finds faults in planted lists.
"""
import re
import sys

from lib.elf_files import SYSTEM_LIBRARIES, neededBy, runTool

ENTRY_POINT = re.compile(r"kiln_\w+$")
GDB_NAMES = ["__jit_debug_descriptor", "__jit_debug_register_code"]  # by these gdb finds the code that was compiled


def findFaults(symbols: list[str], needed: list[str]) -> list[str]:
    """What is wrong with an object that exports the symbols and needs the libraries."""
    faults = [f"exports {name}" for name in symbols if not ENTRY_POINT.match(name) and name not in GDB_NAMES]
    if not any(ENTRY_POINT.match(name) for name in symbols):
        faults.append("exports no entry point of kiln's")
    faults += [f"does not export {name}" for name in GDB_NAMES if name not in symbols]
    return faults + [f"needs {name}" for name in needed if name not in SYSTEM_LIBRARIES]


def checkPlantedFaults() -> None:
    """Ends the program when a planted fault is not found, or something in order is taken for one."""
    right = ["kiln_compile", "__jit_debug_register_code", "__jit_debug_descriptor"]
    expected = [
        ((right, ["libc.so.6", "libstdc++.so.6"]), []),
        ((right + ["LLVMContextCreate"], []), ["exports LLVMContextCreate"]),
        ((right + ["_ZN4kiln7compileEv"], []), ["exports _ZN4kiln7compileEv"]),
        ((right, ["libzstd.so.1"]), ["needs libzstd.so.1"]),
        ((right[1:], []), ["exports no entry point of kiln's"]),
        ((right[:2], []), ["does not export __jit_debug_descriptor"]),
        ((right[:1] + right[2:], []), ["does not export __jit_debug_register_code"]),
    ]
    for given, faults in expected:
        if findFaults(*given) != faults:
            sys.exit(f"the check itself is wrong: {given} gives {findFaults(*given)}")


def main() -> int:
    """Returns the exit status."""
    checkPlantedFaults()
    library = sys.argv[1]
    symbols = [line.split()[-1].split("@")[0] for line in runTool("nm", "-D", "--defined-only", library).splitlines()]
    faults = findFaults(symbols, neededBy(library))
    print("\n".join(f"{library} {fault}" for fault in faults) or f"{len(symbols)} exported names are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
