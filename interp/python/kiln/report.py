"""`kiln -m kiln report FILE.json`: the table of a report that was written to a file."""

import sys

import _kiln


def print_file(path: str) -> int:
    """Prints the report in `path` as the table that KILN_REPORT=1 prints. Exit status 1 when it cannot."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        print(f"kiln: cannot read {path}: {error.strerror}", file=sys.stderr)
        return 1
    except UnicodeDecodeError:
        print(f"kiln: cannot show {path}: not JSON: not UTF-8 text", file=sys.stderr)
        return 1
    if not hasattr(_kiln, "render_report"):
        print("kiln: this build of kiln cannot print reports", file=sys.stderr)
        return 1
    try:
        print(_kiln.render_report(text), end="")
    except ValueError as error:
        print(f"kiln: cannot show {path}: {error}", file=sys.stderr)
        return 1
    return 0
