"""The command line of the suites of whole programs."""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable

from machine import describe_machine, machine_text
from suite.bars import Bar, judge
from suite.native import gather_native
from suite.peers import Finder, NotInstalled, Unavailable, find_peers
from suite.program import Program
from suite.report import report_json, report_text
from suite.rounds import STEADY_SECONDS, check, measure

MORE = """
Prints medians and ratios for the steady state (repeated calls in one process, second half), the first call, the whole
process and its processor time, a short process, peak memory, the bars that kiln is to reach, and how soon its native code
is there. A missed bar is only printed; the exit status is 1 if a result differs or a program fails, 2 if the suite can't
start, and 77 if its packages can't be installed.
"""

CLOCKS = {"wall": "perf_counter", "thread": "thread_time"}  # of the module time


@dataclasses.dataclass(frozen=True)
class Suite:
    """What one suite runs, under whom, and its bars."""

    name: str
    description: str
    load: Callable[[], list[Program]]
    finders: dict[str, Finder]  # in the order of the columns
    default_peers: tuple[str, ...]
    bars: list[Bar]


def name_list(known: list[str], kind: str):
    """Returns an argparse type for names with commas between them."""
    def parse(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {kind} named {name!r}; known: {', '.join(known)}")
        return names
    return parse


def parse_options(suite: Suite, arguments: list[str], programs: list[Program]) -> argparse.Namespace:
    """Reads the command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog=f"scripts/bench {suite.name}", description=suite.description + MORE)
    parser.add_argument("--only", metavar="NAME,...", type=name_list([program.name for program in programs], "program"),
                        help="these programs instead of all")
    parser.add_argument("--list", action="store_true", help="print the names of the programs and run nothing")
    parser.add_argument("--peers", metavar="NAME,...", type=name_list(list(suite.finders), "peer"),
                        help=f"these of {','.join(suite.finders)} (default {','.join(suite.default_peers)})")
    parser.add_argument("--rounds", type=int, help="how often everything is repeated (default 5)")
    parser.add_argument("--quick", action="store_true", help="two rounds, unless --rounds says otherwise")
    parser.add_argument("--seconds", type=float, default=STEADY_SECONDS,
                        help=f"least seconds of repeated calls in one process (default {STEADY_SECONDS:g})")
    parser.add_argument("--clock", choices=list(CLOCKS), default="wall",
                        help="what calls are timed by: thread is the calling thread's processor time, for a busy machine")
    parser.add_argument("--core", type=int, metavar="N", help="run everything on this core alone")
    parser.add_argument("--json", metavar="FILE", help="write every figure there too")
    parser.add_argument("--check", action="store_true",
                        help="compare the results at small sizes and measure nothing (under python and kiln)")
    parser.add_argument("--kiln", metavar="PATH", help="another launcher than build/release/bin/kiln")
    parser.add_argument("--python", metavar="PATH", help="another python 3.12 than the one that kiln was built on")
    options = parser.parse_args(arguments)
    if options.rounds is None:
        options.rounds = 2 if options.quick else 5
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if options.core is not None and options.core not in os.sched_getaffinity(0):
        parser.error(f"--core must be one of {', '.join(map(str, sorted(os.sched_getaffinity(0))))}")
    if options.peers is None:
        options.peers = ["python", "kiln"] if options.check else list(suite.default_peers)
    return options


def run_suite(suite: Suite, options: argparse.Namespace, programs: list[Program]) -> list[str]:
    """Measures or checks as asked and prints; returns the problems. Unavailable if a needed peer can't be run."""
    machine = describe_machine()
    peers, absent = find_peers(options.peers, suite.finders, options)
    for line in absent:
        print(f"bench: {line}", file=sys.stderr)
    if not peers:
        raise Unavailable("none of the peers asked for is there")
    if options.check:
        problems = check(programs, peers).problems
        print(f"{len(programs)} programs under {', '.join(peer.name for peer in peers)}: "
              + (f"{len(problems)} problems" if problems else "equal results"))
        return problems
    print(machine_text(machine))
    for peer in peers:
        print(f"  {peer.name:8s}{peer.version}")
    where = "" if options.core is None else f", all on core {options.core}"
    where += ", calls timed by the thread's processor time" if options.clock == "thread" else ""
    print(f"rounds: {options.rounds}{where}\n", flush=True)
    measurement = measure(programs, peers, options.rounds, options.seconds)
    gather_native(measurement, programs, peers)
    bars = suite.bars if options.core is None else [bar.on_one_core() for bar in suite.bars]
    verdicts = judge(measurement, programs, bars) if "kiln" in options.peers else []
    print(report_text(measurement, programs, peers, verdicts))
    if options.json:
        answer = report_json(suite.name, measurement, programs, peers, verdicts, machine, options.rounds)
        with open(options.json, "w") as file:
            json.dump(answer, file, indent=1)
            file.write("\n")
    return measurement.problems


def run_command(suite: Suite, arguments: list[str]) -> int:
    """Runs a suite: 0 if all results are right, 1 if not, 2 if it could not start, 77 without its packages, 130 if
    interrupted."""
    programs = suite.load()
    options = parse_options(suite, arguments, programs)
    if options.only:
        programs = [program for program in programs if program.name in options.only]
    if options.list:
        print("\n".join(program.name for program in programs))
        return 0
    os.environ["BENCH_CLOCK"] = CLOCKS[options.clock]  # read by bench_calls.py
    if options.core is not None:
        os.sched_setaffinity(0, {options.core})  # every child inherits it
    try:
        problems = run_suite(suite, options, programs)
    except Unavailable as reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 77 if isinstance(reason, NotInstalled) else 2
    except KeyboardInterrupt:
        print("\nbench: interrupted", file=sys.stderr)
        return 130
    for problem in problems:
        print(f"WRONG  {problem}")
    return 1 if problems else 0
