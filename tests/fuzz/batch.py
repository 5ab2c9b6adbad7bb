"""Runs several programs, one after another, in this process: what the fuzz runner starts under each interpreter.

Usage: batch.py FILE…    Each program gets a line that names it, and fresh globals.
"""

import sys
import traceback

for path in sys.argv[1:]:
    with open(path) as file:
        source = file.read()
    print("=== program", path.rpartition("/")[2])
    try:
        exec(compile(source, path, "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
