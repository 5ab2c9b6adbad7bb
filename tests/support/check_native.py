"""Checks that the marked loops of a program run in compiled code under kiln, and that the check can tell when not.

Usage: check_native.py --python PYTHON --kiln KILN [--site FOLDER] [--asan] PROGRAM…
       check_native.py --python PYTHON --kiln KILN [--site FOLDER] --survey FOLDER

A program fails unless, recorded after as many iterations as by default, KILN_REPORT shows for every line marked `# kiln-native`: at least 99 %
of its iterations (calls, for a function) in compiled code, measured against their true number; at most 3 compiles;
exits in at most 1 % of the iterations; no opaque operation on its lines. The same check must fail under KILN_JIT=off,
and what the program prints must be what CPython prints. Whether a loop is worth compiling is decided by counting alone, for
times differ from run to run. --survey checks a whole folder against its enabled.txt.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import sys
import tempfile

import native_report
import run_program

THRESHOLD = "1000"  # the built-in one
ROUNDS = {"default": 300, "off": 3}
TIMEOUT_SECONDS = 120
COUNTER = pathlib.Path(__file__).with_name("count_iterations.py")


def modules(options: argparse.Namespace, program: pathlib.Path) -> dict[str, str]:
    """Returns the variables by which the program finds the modules that its `# kiln-test: needs=` names."""
    needs = run_program.Header.read(program.read_text()).needs
    return {"PYTHONPATH": options.site} if needs and options.site else {}


def count(options: argparse.Namespace, program: pathlib.Path, rounds: int, scratch: str) -> tuple[dict, str]:
    """Runs the program under plain CPython with monitoring; returns its counts and what it printed."""
    output = f"{scratch}/counts{rounds}.json"
    command = [options.python, str(COUNTER), output, str(program), str(rounds)]
    outcome = run_program.run(command, run_program.clean_environment(modules(options, program)), "", TIMEOUT_SECONDS, scratch)
    if outcome.ending != "exit code 0":
        raise ValueError(f"unfit program: under python {outcome.ending}\n{outcome.stderr}")
    return json.loads(pathlib.Path(output).read_text()), outcome.stdout


def run_kiln(options: argparse.Namespace, program: pathlib.Path, mode: str, rounds: int, scratch: str) -> tuple[dict | None, str]:
    """Runs the program under kiln; returns its report (None when it wrote none) and an error text, empty when fine."""
    path = pathlib.Path(scratch, f"{mode}.json")
    environment = run_program.clean_environment(modules(options, program) | run_program.MODES[mode] | {"KILN_REPORT": str(path), "KILN_THRESHOLD": THRESHOLD})
    runner = run_program.run_asan if options.asan else run_program.run
    outcome = runner([options.kiln, str(program), str(rounds)], environment, "", TIMEOUT_SECONDS, scratch)
    if outcome.ending != "exit code 0" or outcome.stderr or outcome.faults:
        return None, f"mode {mode}: {outcome.ending}\n{outcome.stderr}{outcome.faults}"
    pathlib.Path(scratch, f"{mode}.out").write_text(outcome.stdout)
    try:
        return json.loads(path.read_text()), ""
    except FileNotFoundError:
        return None, ""
    except json.JSONDecodeError as error:
        return None, f"mode {mode}: the report is not JSON: {error}"


def check(options: argparse.Namespace, program: pathlib.Path) -> list[str]:
    """Returns everything wrong with one program's run; an empty list means that it passes."""
    errors = []
    with tempfile.TemporaryDirectory() as scratch:
        few, printed = count(options, program, 1, scratch)
        more, again = count(options, program, 2, scratch)
        if printed != again:
            return ["unfit program: what it prints depends on the number of rounds"]
        for mode, rounds in ROUNDS.items():
            marked = native_report.find_marked(program)
            native_report.measure(marked, few, more, rounds)
            report, error = run_kiln(options, program, mode, rounds, scratch)
            if error:
                errors.append(error)
                continue
            if pathlib.Path(scratch, f"{mode}.out").read_text() != printed:
                errors.append(f"mode {mode}: prints something else than python")
            problems = native_report.judge(report, program, marked) if report else None
            if mode == "default":
                errors += [p.text for p in problems] if problems is not None else ["no report was written"]
            elif problems is not None and not any(p.code in ("share", "missing") for p in problems):
                errors.append("passes with KILN_JIT=off too: the report counts what never ran as native")
    return errors


def read_enabled(folder: pathlib.Path) -> list[str]:
    """Returns the names in enabled.txt; a name without a program, or one out of order, raises ValueError."""
    names = [n for line in (folder / "enabled.txt").read_text().splitlines() if (n := line.partition("#")[0].strip())]
    unknown = [name for name in names if not (folder / f"{name}.py").exists()]
    if unknown or names != sorted(set(names)):
        raise ValueError(f"enabled.txt: unknown names {unknown}" if unknown else "enabled.txt: sort its lines")
    return names


def survey(options: argparse.Namespace, folder: pathlib.Path) -> int:
    """Checks all programs of the folder; prints which pass and which of those are not enabled yet."""
    enabled = set(read_enabled(folder))
    programs = sorted(p for p in folder.glob("[a-z]*.py"))
    passing = set()
    for program in programs:
        errors = check(options, program)
        if not errors:
            passing.add(program.stem)
        print(f"{'pass' if not errors else 'fail'} {program.stem}: {errors[0].splitlines()[0] if errors else 'native'}")
    print(f"{len(passing)} of {len(programs)} pass, {len(enabled)} are enabled")
    print("could be enabled:", " ".join(sorted(passing - enabled)) or "none")
    print("enabled but failing:", " ".join(sorted(enabled - passing)) or "none")
    return 1 if enabled - passing else 0


def report_enabled(folder: pathlib.Path) -> int:
    """Prints how many programs of the folder are enabled; fails when the list names one that does not exist."""
    enabled = read_enabled(folder)
    total = len(list(folder.glob("[a-z]*.py")))
    print(f"{len(enabled)} of {total} constructs are enabled in enabled.txt")
    return 0


def main() -> int:
    """Runs what the command line asks for; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python")
    parser.add_argument("--kiln")
    parser.add_argument("--site", default="", help="folder with the modules that some programs need, such as numpy")
    parser.add_argument("--asan", action="store_true", help="kiln is built with AddressSanitizer")
    parser.add_argument("--survey", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--list", type=pathlib.Path, metavar="FOLDER", help="only say how many programs are enabled")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.list:
        return report_enabled(options.list)
    if not options.python or not options.kiln:
        parser.error("--python and --kiln are needed")
    options.kiln = os.path.abspath(options.kiln)
    if options.survey:
        return survey(options, options.survey.resolve())
    status = 0
    for program in options.programs:
        errors = check(options, program.resolve())
        print(f"{program.stem}: {'native' if not errors else 'not as it must be'}")
        print("".join(f"  {line}\n" for error in errors for line in error.splitlines()), end="")
        status |= bool(errors)
    return status


if __name__ == "__main__":
    sys.exit(main())
