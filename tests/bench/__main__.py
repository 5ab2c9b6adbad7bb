"""The driver behind scripts/bench: picks the suite that the first argument names."""

import sys

import cpu.command
import everyday.command
import gpu.command
import instructions.command
import packages.command
import pyperformance.command
import sampler.command

# Name of a suite -> (what it measures, a function from its arguments to an exit status).
SUITES = {
    "cpu": ("plain Python programs under python, kiln, PyPy and Numba", cpu.command.main),
    "everyday": ("everyday programs over the standard library under python, kiln and PyPy", everyday.command.main),
    "packages": ("everyday programs over PyPI's packages under python and kiln", packages.command.main),
    "pyperformance": ("PyPI's pyperformance under python and kiln", pyperformance.command.main),
    "instructions": ("instructions of a call under kiln, its compiler off and on; needs valgrind", instructions.command.main),
    "sampler": ("what the report's samples cost a program under kiln", sampler.command.main),
    "gpu": ("kernels under kiln, numba-cuda, CuPy and PyTorch, or on the CPU beside C++", gpu.command.main),
}


def main() -> int:
    """Runs one suite; 2 is the exit status of a wrong command line."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in SUITES:
        return SUITES[arguments[0]][1](arguments[1:])
    asked = bool(arguments) and arguments[0] in ("-h", "--help")
    stream = sys.stdout if asked else sys.stderr
    if arguments and not asked:
        print(f"scripts/bench: there is no suite named {arguments[0]}", file=stream)
    print("usage: scripts/bench SUITE [OPTIONS]", file=stream)
    for name, (summary, _) in SUITES.items():
        print(f"  {name:15s}{summary}", file=stream)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
