"""`kiln -m kiln explain CODE`: what a code of a report means, and what to do about it."""

import difflib
import sys
import textwrap

from kiln.reasons import REASONS, Reason

WIDTH = 100


def print_reason(reason: Reason) -> None:
    """Prints one reason: title, cause, and the rewrite as lines of code."""
    print(f"{reason.code}  {reason.title}")
    print()
    print(textwrap.fill(reason.cause, WIDTH))
    if reason.rewrite:
        print()
        print("What helps:")
        print(textwrap.indent(textwrap.dedent(reason.rewrite).strip("\n"), "    "))


def code_ranges() -> list[str]:
    """First and last code of each letter, as words."""
    ranges: dict[str, list[str]] = {}
    for code in REASONS:
        ranges.setdefault(code[0], []).append(code)
    return [f"{min(codes)} to {max(codes)}" for codes in ranges.values()]


def print_codes(codes: list[str]) -> int:
    """Explains codes, or lists all. Exit status 1 with a message for one that does not exist."""
    for reason in REASONS.values() if not codes else ():
        print(f"{reason.code}  {reason.title}")
    status = 0
    for number, code in enumerate(codes):
        print("\n" if number > 0 else "", end="")
        status |= print_code(code)
    return status


def print_code(code: str) -> int:
    """Explains one; the exit status."""
    reason = REASONS.get(code.upper())
    if reason is None:
        near = difflib.get_close_matches(code.upper(), REASONS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(code_ranges())};"
        print(f"kiln: {code or repr(code)} is no code of kiln's; {hint} `kiln -m kiln explain` lists all", file=sys.stderr)
        return 1
    print_reason(reason)
    return 0
