"""`kiln -m kiln bisect -- PROGRAM [ARGS...]`: which functions make a program go wrong when they are compiled.

The program is run as python would run it, then compiled, and then with fewer and fewer functions compiled for as long as it
still goes wrong (delta debugging). What is left is taken out of compilation, and the search goes on until the program is right.
"""

import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

from kiln.annotate import printable
from kiln.report_file import say
from kiln.wording import counted

QUIET = {"KILN_LOG", "KILN_DUMP", "KILN_EXCLUDE", "KILN_REPORT", "_KILN_REPORT"}


class Outcome(NamedTuple):
    """What a run shows. `stdout` is left out where two runs of python differ in it."""

    status: int | None  # None: not over in time
    stdout: bytes | None


class Program:
    """The command line, and what a right run of it looks like."""

    def __init__(self, command: list[str], seconds: float, folder: str) -> None:
        self.command = command
        self.seconds = seconds
        self.folder = folder
        self.runs = 0
        right = self.run(KILN_JIT="off"), self.run(KILN_JIT="off")
        self.compares_output = right[0].stdout == right[1].stdout
        self.is_steady = right[0].status == right[1].status
        self.right = self.seen(right[0])

    def seen(self, outcome: Outcome) -> Outcome:
        """What of an outcome is compared."""
        return outcome if self.compares_output else outcome._replace(stdout=None)

    def run(self, **variables: str) -> Outcome:
        """Runs it once; its input is empty, its messages are not shown."""
        self.runs += 1
        kept = {name: value for name, value in os.environ.items() if name not in QUIET}
        try:
            done = subprocess.run(
                [sys.executable, *self.command],
                env={**kept, **variables},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(None, None)
        return Outcome(done.returncode, done.stdout)

    def last_words(self) -> str:
        """The last line that a run without the compiler writes to stderr."""
        command = [sys.executable, *self.command]
        try:
            done = subprocess.run(
                command, env={**os.environ, "KILN_JIT": "off", "KILN_REPORT": "0"}, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=self.seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return ""
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        return printable(lines[-1]) if lines else ""

    def goes_wrong(self, excluded: list[str], **variables: str) -> bool:
        """Whether a run that doesn't compile these functions differs from python's."""
        path = os.path.join(self.folder, "excluded")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write("".join(entry + "\n" for entry in excluded))
        return self.seen(self.run(KILN_EXCLUDE="@" + path, **variables)) != self.right

    def candidates(self) -> list[str]:
        """The functions that may be compiled, as KILN_EXCLUDE names them, the busiest first. Empty when a run leaves no report."""
        path = os.path.join(self.folder, "report.json")
        for mode in ({}, {"KILN_JIT": "off"}):  # a crash leaves none
            self.run(KILN_REPORT=path, **mode)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    functions = json.load(file)["functions"]
                return [f"{function['file']}:{function['first_line']}" for function in functions]
        return []


def smallest(program: Program, suspects: list[str], others: list[str]) -> list[str]:
    """A smallest part of `suspects` with which alone compiled the program goes wrong; `others` are not compiled."""
    parts = 2
    while len(suspects) > 1:
        size = -(-len(suspects) // parts)
        chunks = [suspects[at : at + size] for at in range(0, len(suspects), size)]
        tries = chunks + ([[s for s in suspects if s not in chunk] for chunk in chunks] if len(chunks) > 2 else [])
        for kept in tries:
            left_out = [suspect for suspect in suspects if suspect not in kept]
            if program.goes_wrong(others + left_out):
                parts = 2 if len(kept) <= size else max(parts - 1, 2)
                others = others + left_out
                suspects = kept
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(suspects))
    return suspects


def culprits_of(program: Program) -> list[str]:
    """The functions that must not be compiled, for the program to be right."""
    suspects = program.candidates()
    culprits: list[str] = []
    while suspects and program.goes_wrong(culprits):
        found = smallest(program, suspects, culprits)
        print(f"  {' and '.join(found)} (after {counted(program.runs, 'run')})", flush=True)
        culprits += found
        suspects = [suspect for suspect in suspects if suspect not in found]
    return culprits


def ending(program: Program) -> str:
    """How a program ended, unless it was well."""
    status = program.right.status
    if not status:
        return ""
    end = f": it ends with status {status}" if status > 0 else f": signal {-status} ends it"
    words = program.last_words()
    return f"{end}, after: {words}" if words else end


def search(command: list[str], seconds: float) -> int:
    """Prints what must not be compiled. Exit status 0 when the program is right anyway or the search succeeds."""
    if not 0 < seconds < 1e6:
        return say("--timeout is a number of seconds, at most a million")
    with tempfile.TemporaryDirectory(prefix="kiln-bisect-") as folder:
        program = Program(command, seconds, folder)
        if not program.is_steady:
            return say("two runs without the compiler end differently: there is nothing to compare with")
        if program.right.status is None:
            return say(f"without the compiler the program is not over after {seconds:g} s; --timeout gives it more")
        if not program.compares_output:
            print("two runs without the compiler print different things: only exit statuses are compared")
        if not program.goes_wrong([]):
            print(f"the program does the same with and without the compiler{ending(program)}")
            return 0
        print("the program goes wrong when it is compiled; searching")
        culprits = culprits_of(program)
        if not culprits or program.goes_wrong(culprits):
            return say("it goes wrong without any of its functions compiled, too")
    print(f"right when these are not compiled: {len(culprits)} (found in {counted(program.runs, 'run')})")
    for culprit in culprits:
        print(f"  {culprit}")
    print(f"until that is mended: KILN_EXCLUDE={','.join(culprits)}")
    return 0
