"""Checks that the compiler's shared object shows nothing but kiln's entry points and GDB's two names, and needs the system only.

Usage: check_exports.py LIBRARY. Exit status 1 with one line for each fault; 0 when there is none. Before it looks at
LIBRARY it makes sure that it finds faults in planted lists.
"""
import re
import sys

from lib.elf_files import SYSTEM_LIBRARIES, neededBy, runTool

EXPORTED = re.compile(r"kiln_\w+$|__jit_debug_(register_code|descriptor)$")


def findFaults(symbols: list[str], needed: list[str]) -> list[str]:
    """What is wrong with an object that exports the symbols and needs the libraries."""
    faults = [f"exports {name}" for name in symbols if not EXPORTED.match(name)]
    if not any(name.startswith("kiln_") for name in symbols):
        faults.append("exports no entry point of kiln's")
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
