"""worker.py SWITCH PROGRAM SIZE WARM: run by kiln under callgrind; calls run(SIZE) WARM times, and once more while instructions count."""

import ctypes
import importlib.util
import sys
import time

COMPILING_SECONDS = 3.0  # what is being compiled after the last warm call is adopted by then


def main() -> None:
    """Prints nothing: callgrind writes what it counted."""
    switch = ctypes.CDLL(sys.argv[1])
    spec = importlib.util.spec_from_file_location("program", sys.argv[2])
    program = importlib.util.module_from_spec(spec)
    sys.modules["program"] = program
    spec.loader.exec_module(program)
    size = int(sys.argv[3])
    for _ in range(int(sys.argv[4])):
        program.run(size)
    time.sleep(COMPILING_SECONDS)
    switch.start()
    program.run(size)
    switch.stop()


if __name__ == "__main__":
    main()
