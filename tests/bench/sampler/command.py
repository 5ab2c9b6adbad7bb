"""The command line of the sampler's suite."""

import argparse
import json
import pathlib
import statistics
import sys

from child import run_child
from cpu.program import load_programs
from machine import describe_machine, machine_text
from progress import Progress
from suite.peers import BUILD
from text_table import text_table

DESCRIPTION = """
What the report's samples cost a running program: calls by turns without and within kiln.measure(), in one process that has compiled
what is hot. Prints the difference of the medians, by the clock and in processor time, which includes the sampler's own thread.
"""
WORKER = pathlib.Path(__file__).parent / "worker.py"
CHOSEN = ("mandelbrot", "nbody", "fannkuch", "bank", "json_records", "word_count", "shortest_paths", "pipeline")
BAR = 0.03
LIMIT = 600.0


def added(times: dict, index: int) -> float:
    """The part of its time that a call takes longer when it is sampled."""
    plain, sampled = (statistics.median(pair[index] for pair in times[kind]) for kind in ("plain", "sampled"))
    return sampled / plain - 1.0


def main(arguments: list[str]) -> int:
    """Runs the suite; 0 if every program ran. A missed bar is only printed."""
    parser = argparse.ArgumentParser(prog="scripts/bench sampler", description=DESCRIPTION)
    parser.add_argument("--pairs", type=int, default=15, help="calls of each kind (default 15)")
    parser.add_argument("--kiln", metavar="PATH", default=str(BUILD / "bin" / "kiln"), help="another launcher")
    options = parser.parse_args(arguments)
    programs = [program for program in load_programs() if program.name in CHOSEN]
    progress = Progress(len(programs))
    rows, problems, all_added = [["", "time", "processor time"]], [], ([], [])
    for program in programs:
        progress.step(program.name)
        done = run_child([options.kiln, "-B", str(WORKER), str(program.path), str(program.size), str(options.pairs)], LIMIT)
        if done.failure():
            problems.append(f"{program.name}: {done.failure()}")
            continue
        both = [added(json.loads(done.output.splitlines()[-1]), index) for index in (0, 1)]
        for values, value in zip(all_added, both):
            values.append(value)
        rows.append([program.name, *(f"{value:+.1%}" for value in both)])
    progress.finish()
    if all_added[0]:
        medians = [statistics.median(values) for values in all_added]
        rows.append(["median", *(f"{value:+.1%}" for value in medians)])
        verdict = "reached" if max(medians) <= BAR else "missed"
        print(f"{machine_text(describe_machine())}\n\n{text_table(rows)}\n{verdict}: at most {BAR:.0%}")
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    return 1 if problems else 0
