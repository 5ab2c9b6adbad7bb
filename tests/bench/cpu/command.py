"""The command line of the CPU suite."""

import argparse
import json
import sys

from cpu.bars import judge
from cpu.peers import FINDERS, Unavailable, find_peers
from cpu.program import Program, load_programs
from cpu.report import report_json, report_text
from cpu.rounds import check, measure
from machine import describe_machine, machine_text

DESCRIPTION = """
Runs a set of programs under python, kiln, PyPy and Numba in turns, and prints medians and ratios for the steady state
(repeated calls in one process, second half), the first call and the whole process, peak memory, and the bars that kiln
is to reach. A missed bar is only printed; the exit status is 1 if a result differs or a program fails.
"""


def name_list(known: list[str], kind: str):
    """Returns an argparse type for names with commas between them."""
    def parse(text: str) -> list[str]:
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {kind} named {name!r}; known: {', '.join(known)}")
        return names
    return parse


def parse_options(arguments: list[str], programs: list[Program]) -> argparse.Namespace:
    """Reads the command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="scripts/bench cpu", description=DESCRIPTION)
    parser.add_argument("--only", metavar="NAME,...", type=name_list([program.name for program in programs], "program"),
                        help="these programs instead of all")
    parser.add_argument("--peers", metavar="NAME,...", type=name_list(list(FINDERS), "peer"),
                        help=f"these peers instead of all of {','.join(FINDERS)}")
    parser.add_argument("--rounds", type=int, default=5, help="how often everything is repeated (default 5)")
    parser.add_argument("--quick", action="store_const", dest="rounds", const=2, help="two rounds")
    parser.add_argument("--json", metavar="FILE", help="write every figure there too")
    parser.add_argument("--check", action="store_true",
                        help="compare the results at small sizes and measure nothing (under python and kiln)")
    parser.add_argument("--kiln", metavar="PATH", help="another launcher than build/release/bin/kiln")
    parser.add_argument("--python", metavar="PATH", help="another python 3.12 than the one that kiln was built on")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if options.peers is None:
        options.peers = ["python", "kiln"] if options.check else list(FINDERS)
    return options


def run_suite(options: argparse.Namespace, programs: list[Program]) -> list[str]:
    """Measures or checks as asked and prints; returns the problems. Unavailable if python or kiln can't be run."""
    machine = describe_machine()
    peers, absent = find_peers(options.peers, options)
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
    print(f"rounds: {options.rounds}\n", flush=True)
    measurement = measure(programs, peers, options.rounds)
    verdicts = judge(measurement, programs) if "kiln" in options.peers else []
    print(report_text(measurement, programs, peers, verdicts))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report_json(measurement, programs, peers, verdicts, machine, options.rounds), file, indent=1)
            file.write("\n")
    return measurement.problems


def main(arguments: list[str]) -> int:
    """Runs the suite: 0 if all results are right, 1 if not, 2 if it could not start, 130 if interrupted."""
    programs = load_programs()
    options = parse_options(arguments, programs)
    if options.only:
        programs = [program for program in programs if program.name in options.only]
    try:
        problems = run_suite(options, programs)
    except Unavailable as reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nbench: interrupted", file=sys.stderr)
        return 130
    for problem in problems:
        print(f"WRONG  {problem}")
    return 1 if problems else 0
