"""Runs several programs, one after another, in this process: what the fuzz runner starts under each interpreter.

Usage: batch.py FILE…    Each program gets a line that names it, and fresh globals. Nothing is imported but sys: in mode
always imports are compiled too, and a fault there would hide the programs' own.
"""

import sys

for path in sys.argv[1:]:
    with open(path) as file:
        source = file.read()
    print("=== program", path.rpartition("/")[2])
    try:
        exec(compile(source, path, "exec"), {"__name__": "__main__"})
    except BaseException as error:
        place = error.__traceback__
        while place is not None:
            print("  at", place.tb_frame.f_code.co_name, place.tb_lineno)
            place = place.tb_next
        print(type(error).__name__, error)
    sys.stdout.flush()
