"""Runs one program under plain CPython and under kiln in several modes, and compares all that a user could see.

Usage: run_program.py --python PYTHON --kiln KILN [--asan] [--modes always,default,deopt] [--seed N] PROGRAM

Compared are stdout, stderr (tracebacks included) and the way the process ended (exit code, or the signal that killed
it). Exit status: 0 when all modes agree, 1 with a diff when one does not, 2 when the program itself is unfit (its run
under plain CPython ends otherwise than its header says, or is not repeatable), 77 when a module it needs is missing, or
when its header says why it can't run with --asan.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import difflib
import functools
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable

SKIPPED = 77
# Programs of a second: all code is to be hot as soon as code that works on numbers is by default.
HOT = {"KILN_THRESHOLD": "1000"}
MODES = {
    "always": {"KILN_JIT": "always"},
    "quick": {"KILN_JIT": "always", "KILN_TIER": "quick"},
    "thorough": {"KILN_JIT": "always", "KILN_TIER": "thorough"},
    "default": HOT,
    "deopt": {"KILN_STRESS": "deopt"} | HOT,
    "gc": {"KILN_STRESS": "gc", "KILN_JIT": "always"},
    "off": {"KILN_JIT": "off"},
}
DEFAULT_MODES = ("always", "quick", "default", "deopt")
# Here all that runs goes through LLVM. What a program imports would take longer than what it is about, anew for each program.
LIBRARIES_APART = ("always", "thorough", "deopt", "gc")
MAX_DIFF_LINES = 60
HEADER_MARK = "# kiln-test:"
ASAN_SLOWNESS = 4
# How many times its processor time a run may take by the clock: whatever else the machine does is no failure, to wait for ever is.
SHARE = 5
NO_MEMORY = "WARNING: AddressSanitizer failed to allocate"  # a MemoryError, no fault


@dataclasses.dataclass
class Header:
    """What a program asks of its runner, from its `# kiln-test: key=value …` comment lines (shell quoting)."""

    stdin: str = ""  # text for standard input, with \\n and the other escapes of a Python string
    args: str = ""  # arguments after the program's name
    flags: str = ""  # interpreter options before it
    run: str = "script"  # how it is started, any of script,command,module,stdin
    modes: str = ",".join(DEFAULT_MODES)
    env: str = ""  # NAME=value …
    needs: str = ""  # modules without which the test is skipped
    libraries: str = ""  # compiled: the standard library's code in every mode, and NumPy's own where the program needs it
    exit: str = "0"  # how the run under plain CPython must end: exit code, or -N for signal N
    timeout: str = "180"  # seconds of processor time for each run
    asan: str = ""  # why the program can't be compared where kiln is built with AddressSanitizer

    @classmethod
    def read(cls, source: str) -> Header:
        """Parses the header comments of `source`; an unknown key raises ValueError."""
        header = cls()
        known = {field.name for field in dataclasses.fields(cls)}
        for line in source.splitlines():
            if not line.startswith(HEADER_MARK):
                continue
            for item in shlex.split(line[len(HEADER_MARK) :]):
                key, separator, value = item.partition("=")
                if key not in known or not separator:
                    raise ValueError(f"unknown header item {item!r}; known keys: {', '.join(sorted(known))}")
                setattr(header, key, value)
        return header


@dataclasses.dataclass
class Outcome:
    """How one run went: what it printed and how it ended."""

    ending: str
    stdout: str
    stderr: str
    faults: str = ""  # AddressSanitizer's reports, from whichever process


def clean_environment(extra: dict[str, str]) -> dict[str, str]:
    """Returns the environment all runs share: none of the caller's PYTHON* and KILN_* settings, a fixed hash seed.

    Nor an active virtual environment: kiln would belong to it, and the python that it is compared with does not.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "KILN")) and name != "VIRTUAL_ENV"
    }
    environment |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return environment | extra


def describe_ending(code: int) -> str:
    """Spells the exit status that subprocess gave as `exit code N` or `killed by SIGNAME`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def processor_seconds(session: int) -> float:
    """Returns what the processes of a session have used so far, those that they waited for included."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def run(command: list[str], environment: dict[str, str], stdin: str, timeout: float, cwd: str) -> Outcome:
    """Runs `command` in a session of its own and waits. After `timeout` seconds of processor time, or SHARE times as many by the
    clock, its whole process group is killed."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=cwd,
        start_new_session=True,
    )
    end = time.monotonic() + SHARE * timeout
    while True:
        try:
            out, err = process.communicate(stdin.encode(), timeout=min(timeout, 5))
            ending = describe_ending(process.returncode)
            break
        except subprocess.TimeoutExpired:
            if time.monotonic() < end and processor_seconds(process.pid) < timeout:
                continue
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        ending = f"no end within {timeout:g} s"
        break
    return Outcome(ending, out.decode("utf-8", "backslashreplace"), err.decode("utf-8", "backslashreplace"))


def run_asan(command: list[str], environment: dict[str, str], stdin: str, timeout: float, cwd: str) -> Outcome:
    """As run(), for a kiln built with AddressSanitizer. Python's objects come from malloc, which it watches."""
    with tempfile.TemporaryDirectory() as folder:
        own = f"{os.environ.get('ASAN_OPTIONS', '')}:log_path={folder}/report".removeprefix(":")
        environment = environment | {"PYTHONMALLOC": "malloc", "ASAN_OPTIONS": own}
        outcome = run(command, environment, stdin, timeout * ASAN_SLOWNESS, cwd)
        reports = "".join(path.read_text(errors="replace") for path in sorted(pathlib.Path(folder).iterdir()))
        outcome.faults = "".join(line for line in reports.splitlines(keepends=True) if NO_MEMORY not in line)
    return outcome


def build_invocation(program: pathlib.Path, header: Header, how: str) -> tuple[list[str], str]:
    """Returns the arguments after the interpreter's name, and the text for stdin, for one way to start `program`."""
    flags, arguments = shlex.split(header.flags), shlex.split(header.args)
    stdin = header.stdin.encode().decode("unicode_escape")
    match how:
        case "script":
            return [*flags, str(program), *arguments], stdin
        case "command":
            return [*flags, "-c", program.read_text(), *arguments], stdin
        case "module":
            return [*flags, "-m", program.stem, *arguments], stdin
        case "stdin":
            return [*flags, "-", *arguments], program.read_text()
    raise ValueError(f"unknown way to run: {how!r}")


@functools.cache
def libraries_of(python: str, site: str) -> str:
    """Returns, for KILN_EXCLUDE, where the standard library of the interpreter `python` and the modules of `site` lie."""
    command = [python, "-c", "import os; print(os.path.dirname(os.__file__))"]
    folder = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return ",".join(f"{each}/" for each in (folder, site) if each)


def show_difference(label: str, expected: Outcome, found: Outcome) -> str:
    """Returns a diff of two outcomes for a human, or an empty string when they are equal."""
    parts = []
    if expected.ending != found.ending:
        parts.append(f"  python: {expected.ending}\n  kiln:   {found.ending}\n")
    for stream in ("stdout", "stderr", "faults"):
        want, got = getattr(expected, stream), getattr(found, stream)
        if want == got:
            continue
        lines = list(
            difflib.unified_diff(
                want.splitlines(), got.splitlines(), f"python {stream}", f"kiln {stream}", "", "", 2, ""
            )
        )
        if not lines:
            lines = [f"{stream} differs in line ends only: {want[-80:]!r} against {got[-80:]!r}"]
        hidden = len(lines) - MAX_DIFF_LINES
        parts += [f"  {line}\n" for line in lines[:MAX_DIFF_LINES]]
        if hidden > 0:
            parts.append(f"  … {hidden} more lines\n")
    return f"{label}: differs from python\n{''.join(parts)}" if parts else ""


def compare_way(
    options: argparse.Namespace, program: pathlib.Path, header: Header, how: str, seconds: collections.Counter[str]
) -> tuple[int, str]:
    """Runs `program`, started in one way, under python and all modes; returns the exit status and the text to print.

    What each mode takes is added to `seconds`.
    """
    arguments, stdin = build_invocation(program, header, how)
    extra = dict(item.split("=", 1) for item in shlex.split(header.env))
    if header.needs and options.site:
        extra["PYTHONPATH"] = options.site
    timeout = float(header.timeout)

    def execute(runner: Callable[..., Outcome], interpreter: str, knobs: dict[str, str]) -> Outcome:
        with tempfile.TemporaryDirectory() as scratch:
            cwd = str(program.parent) if how == "module" else scratch
            environment = clean_environment(extra | knobs | {"TMPDIR": scratch})
            outcome = runner([interpreter, *arguments], environment, stdin, timeout, cwd)
            outcome.stdout = outcome.stdout.replace(scratch, "SCRATCH")
            outcome.stderr = outcome.stderr.replace(scratch, "SCRATCH")
            return outcome

    expected = execute(run, options.python, {})
    if expected.ending != describe_ending(int(header.exit)):
        complaint = f"under python {expected.ending}, the header says {header.exit}"
        return 2, f"{how}: unfit program: {complaint}\n{expected.stderr}"
    if not expected.stdout and not expected.stderr:
        return 2, f"{how}: unfit program: it prints nothing\n"
    report = ""
    for mode in options.modes or header.modes.split(","):
        knobs = MODES[mode] | {"KILN_SEED": str(options.seed)}
        if header.libraries != "compiled" and (mode in LIBRARIES_APART or "numpy" in header.needs):
            knobs["KILN_EXCLUDE"] = libraries_of(options.python, options.site)
        begun = time.monotonic()
        found = execute(run_asan if options.asan else run, options.kiln, knobs)
        seconds[mode] += time.monotonic() - begun
        difference = show_difference(f"{how}, mode {mode}", expected, found)
        if difference:
            again = ["--python", options.python, "--kiln", options.kiln, "--modes", mode, "--seed", str(options.seed)]
            again += ["--asan"] if options.asan else []
            again += ["--site", options.site] if options.site else []
            command = shlex.join([options.python, __file__, *again, str(program)])
            report += f"{difference}  again: {command}\n"
    if report and show_difference("", expected, execute(run, options.python, {})):
        return 2, f"{how}: unfit program: two runs under python differ\n{report}"
    return (1, report) if report else (0, "")


def parse_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--asan", action="store_true", help="kiln is built with AddressSanitizer")
    parser.add_argument(
        "--modes", type=lambda text: text.split(","), help=f"any of {','.join(MODES)}; default: the header's"
    )
    parser.add_argument("--seed", type=int, help="seed for the forced exits of mode deopt; default: from the name")
    parser.add_argument("--site", default="", help="folder with the modules that some programs need, such as numpy")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    options.kiln = shutil.which(options.kiln) or parser.error(f"no kiln at {options.kiln}")
    options.kiln = os.path.abspath(options.kiln)
    if options.seed is None:
        options.seed = zlib.crc32(options.program.stem.encode()) % 1000
    return options


def main() -> int:
    """Compares the program in every way its header names; returns the exit status."""
    options = parse_arguments()
    program = options.program.resolve()
    header = Header.read(program.read_text())
    if options.asan and header.asan:
        print(f"skipped: with AddressSanitizer {header.asan}")
        return SKIPPED
    for module in header.needs.split():
        command = [options.python, "-c", f"import {module}"]
        found = run(command, clean_environment({"PYTHONPATH": options.site}), "", 60, str(program.parent))
        if found.ending != describe_ending(0):
            print(f"skipped: no module {module}")
            return SKIPPED
    status = 0
    seconds = collections.Counter[str]()
    for how in header.run.split(","):
        code, text = compare_way(options, program, header, how, seconds)
        sys.stdout.write(text)
        status = max(status, code)
    if status == 0:
        modes = ", ".join(f"{mode} ({taken:.1f} s)" for mode, taken in seconds.items())
        print(f"{program.stem}: same as python in modes {modes}")
    return status


if __name__ == "__main__":
    sys.exit(main())
