"""`kiln -m kiln config`: the knob table."""

import textwrap

import _kiln

ORIGINS = {"default": "default", "environment": "from the environment", "option": "from -X"}
WIDTH = 100
INDENT = " " * 4
INDEPENDENT = ("KILN", "KILN_PYTHON", "KILN_CACHE_DIR")  # those that KILN=0 leaves their meaning


def print_knobs() -> int:
    """Prints each knob: its value, where that comes from, the values allowed and the reason for it."""
    rows = _kiln.config_rows()
    off = next(row[6] for row in rows if row[1] == "KILN") == "0"
    for _, variable, kind, _, unit, reason, value, origin in rows:
        effect = "; off by KILN=0" if off and variable not in INDEPENDENT else ""
        print(f"{variable}={value}  ({ORIGINS[origin]}{effect})")
        allowed = f"number ({unit})" if kind == "count" else unit
        print(textwrap.fill(f"{allowed}: {reason}", WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    print()
    print("Each knob is an environment variable, and an option: KILN_JIT=off is -X kiln-jit=off.")
    print("python's -E and -I make kiln ignore the variables.")
    return 0
