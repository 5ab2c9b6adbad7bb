"""Compares random programs under plain CPython and under kiln in several modes.

Usage: run.py --python PYTHON --kiln KILN [--asan] [--seeds A-B] [--modes always,default,deopt] [--features NAME,… | --arrays] [--save FOLDER]
       run.py --python PYTHON --kiln KILN --minimise PROGRAM [--modes MODE]

Seeds A to B, both included, run in batches: one process runs several programs. A program whose output differs is run
alone, saved with the smallest version that still differs, and named with the command that repeats it; exit status 1.
--features names those of features.py that every program is to have, also such as are off. --arrays runs the programs of
arrays.py instead, which need NumPy in --site; exit status 77 without it.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

import arrays  # noqa: E402
import minimise  # noqa: E402
import run_program  # noqa: E402
from generate import generate  # noqa: E402

# In mode default compiled code must arrive while a short program still runs.
# In mode deopt LLVM generates code fast; in mode exits, exits are forced in what it has optimised.
MODES = run_program.MODES | {
    "default": {"KILN_THRESHOLD": "200"},
    "exits": run_program.MODES["deopt"] | {"KILN_TIER": "thorough"},
}
BATCH_SIZE = 10
ARRAYS_BATCH_SIZE = 25  # each process imports NumPy
SECONDS_PER_PROGRAM = 20


@dataclasses.dataclass
class Mismatch:
    """A batch or program whose outcome under kiln is not python's."""

    mode: str
    stress_seed: int
    seeds: list[int]  # more than one only when no program of a batch differs when run alone
    difference: str


def program(options: argparse.Namespace, seed: int) -> str:
    """Returns the program of a seed, of the kind that was asked for."""
    return arrays.generate(seed) if options.arrays else generate(seed, options.features)


def execute(
    options: argparse.Namespace, interpreter: str, files: list[pathlib.Path], mode: str, seed: int, seconds: float
) -> run_program.Outcome:
    """Runs the files in one process of the interpreter."""
    # What copies whole stacks, as greenlet does, reads what AddressSanitizer has poisoned there.
    site = {"PYTHONPATH": options.site} if options.site and (options.arrays or not options.asan) else {}
    environment = run_program.clean_environment(MODES[mode] | {"KILN_SEED": str(seed)} | site)
    command = [interpreter, str(HERE / "batch.py"), *map(str, files)]
    runner = run_program.run_asan if options.asan and interpreter == options.kiln else run_program.run
    return runner(command, environment, "", seconds * len(files), str(files[0].parent))


def compare(options: argparse.Namespace, files: list[pathlib.Path], mode: str, seed: int) -> str:
    """Returns the difference between python's and kiln's outcome in a mode, empty when there is none."""
    expected = execute(options, options.python, files, "off", seed, SECONDS_PER_PROGRAM)
    if "no end" in expected.ending or "\nSyntaxError" in expected.stdout:
        raise RuntimeError(f"the generator made an unfit program in {[f.name for f in files]}: {expected.ending}")
    found = execute(options, options.kiln, files, mode, seed, SECONDS_PER_PROGRAM)
    return run_program.show_difference(f"mode {mode}", expected, found)


def search(options: argparse.Namespace, first: int, last: int, folder: pathlib.Path) -> list[Mismatch]:
    """Runs the seeds in batches, then the programs of each differing batch alone; tells of and returns all mismatches."""
    mismatches = []
    size = ARRAYS_BATCH_SIZE if options.arrays else BATCH_SIZE
    for start in range(first, last + 1, size):
        seeds = list(range(start, min(start + size, last + 1)))
        files = {seed: folder / f"seed{seed}.py" for seed in seeds}
        for seed, file in files.items():
            file.write_text(program(options, seed))
        expected = execute(options, options.python, list(files.values()), "off", start, SECONDS_PER_PROGRAM)
        stress = start if options.stress_seed is None else options.stress_seed
        for mode in options.modes:
            found = execute(options, options.kiln, list(files.values()), mode, stress, SECONDS_PER_PROGRAM)
            difference = run_program.show_difference(f"mode {mode}", expected, found)
            if not difference:
                continue
            alone = [Mismatch(mode, stress, [s], d) for s in seeds if (d := compare(options, [files[s]], mode, stress))]
            for mismatch in alone or [Mismatch(mode, stress, seeds, difference)]:
                print(f"seeds {mismatch.seeds}: {save(options, mismatch)}", flush=True)
                mismatches.append(mismatch)
    return mismatches


def save(options: argparse.Namespace, mismatch: Mismatch) -> str:
    """Saves the mismatch's programs, minimised when it is a single one; returns the text for the user."""
    options.save.mkdir(parents=True, exist_ok=True)
    files = []
    for seed in mismatch.seeds:
        files.append(options.save / f"seed{seed}.py")
        files[-1].write_text(program(options, seed))
    text = mismatch.difference
    seeds = f"{mismatch.seeds[0]}-{mismatch.seeds[-1]}"
    again = [options.python, __file__, "--python", options.python, "--kiln", options.kiln, "--modes", mismatch.mode]
    again += ["--stress-seed", str(mismatch.stress_seed), "--seeds", seeds]
    again += ["--site", options.site] if options.site else []
    again += ["--asan"] if options.asan else []
    again += ["--features", ",".join(options.features)] if options.features else []
    again += ["--arrays"] if options.arrays else []
    if len(files) == 1:
        smaller = files[0].with_name(f"seed{mismatch.seeds[0]}_{mismatch.mode}_minimal.py")
        smaller.write_text(shrink(options, files[0], mismatch.mode, mismatch.stress_seed))
        knobs = MODES[mismatch.mode] | {"KILN_SEED": str(mismatch.stress_seed)}
        assignments = [f"{name}={value}" for name, value in knobs.items()]
        command = shlex.join([options.kiln, str(HERE / "batch.py"), str(smaller)])
        text += f"  smallest version: {smaller}\n  run it: {' '.join(assignments)} {command}\n"
    return f"{text}  again: {shlex.join(again)}\n"


def shrink(options: argparse.Namespace, program: pathlib.Path, mode: str, seed: int) -> str:
    """Returns the smallest version of the program that still differs in the mode."""
    with tempfile.TemporaryDirectory() as folder:
        candidate = pathlib.Path(folder, "candidate.py")

        def differs(text: str) -> bool:
            candidate.write_text(text)
            expected = execute(options, options.python, [candidate], "off", seed, 3)
            # Names that lost their definition, and addresses of objects, are not the failure that is looked for.
            told = expected.stdout + expected.stderr
            unfit = "NameError" in told or " at 0x" in told
            if unfit or expected.ending != run_program.describe_ending(0):
                return False
            return bool(run_program.show_difference("", expected, execute(options, options.kiln, [candidate], mode, seed, 10)))

        return minimise.minimise(program.read_text(), differs, options.minimise_seconds)


def parse_arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--asan", action="store_true", help="kiln is built with AddressSanitizer")
    parser.add_argument("--seeds", default="1-200", metavar="A-B")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(run_program.DEFAULT_MODES))
    parser.add_argument(
        "--stress-seed", type=int, help="KILN_SEED for mode deopt; default: the first seed of the batch"
    )
    parser.add_argument("--features", type=lambda text: text.split(","), help="default: those that the seed gives")
    parser.add_argument("--arrays", action="store_true", help="programs of loops over NumPy arrays")
    parser.add_argument("--site", default="", help="folder with the modules that some features need, such as greenlet")
    parser.add_argument("--save", type=pathlib.Path, default=pathlib.Path("fuzz_failures"))
    parser.add_argument("--minimise", type=pathlib.Path, metavar="PROGRAM")
    parser.add_argument("--minimise-seconds", type=float, default=60.0, help="stop shrinking a program after so long")
    options = parser.parse_args()
    options.kiln = os.path.abspath(options.kiln)
    options.save = options.save.resolve()
    return options


def main() -> int:
    """Searches the seeds, or shrinks one program; returns the exit status."""
    options = parse_arguments()
    if options.minimise:
        sys.stdout.write(shrink(options, options.minimise.resolve(), options.modes[0], options.stress_seed or 1))
        return 0
    if options.arrays and not pathlib.Path(options.site, "numpy").exists():
        print(f"skipped: no NumPy in {options.site or 'no --site'}")
        return run_program.SKIPPED
    first, _, last = options.seeds.partition("-")
    with tempfile.TemporaryDirectory() as folder:
        mismatches = search(options, int(first), int(last or first), pathlib.Path(folder))
    print(f"seeds {options.seeds}, modes {','.join(options.modes)}: {len(mismatches)} mismatches")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
