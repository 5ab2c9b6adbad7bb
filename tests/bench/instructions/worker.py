"""worker.py SWITCH PROGRAM SIZE WARM: run by kiln under callgrind; calls the program WARM times, and once more while instructions count."""

import ctypes
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "suite" / "measured"))
from worker import prepare  # what the suites of programs call them by

COMPILING_SECONDS = 3.0  # what is being compiled after the last warm call is adopted by then


def main() -> None:
    """Prints nothing: callgrind writes what it counted."""
    switch = ctypes.CDLL(sys.argv[1])
    warm = int(sys.argv[4])
    call, _ = prepare(sys.argv[2], int(sys.argv[3]), [])
    for _ in range(warm):
        call()
    time.sleep(COMPILING_SECONDS)
    switch.start()
    call()
    switch.stop()


if __name__ == "__main__":
    main()
