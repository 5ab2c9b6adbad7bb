"""The command line of the GPU suite."""

import argparse
import json
import sys
import tempfile

from gpu.on_cpu import NoCompiler, measure_cpu
from gpu.peers import DRIVER, NAMES, Peer, find_peers, has_gpu
from gpu.tables import cpu_table, gpu_table, medians, varied_table
from gpu.varied import measure_varied
from machine import describe_machine, machine_text
from progress import Progress

DESCRIPTION = """
Runs kernels under kiln, numba-cuda, CuPy (RawKernel) and PyTorch, and launches in C++, in turns: what a launch costs the host, the first call of a
small kernel with and without the cache on disk, the import of numba.cuda when NumPy is loaded, and kernel times by events, of 40 kernels too.
Without a GPU: kernels on the CPU beside the same loop nest in C++. The table comes last; a missed bar is only printed.
"""
VARIED_SIZE, SMALL_VARIED_SIZE = 1 << 25, 1 << 16
SIZES = {"add": 1 << 28, "matmul": 2048, "mandelbrot": 4096}
SMALL_SIZES = {"add": 1 << 20, "matmul": 256, "mandelbrot": 256}


def parse_options(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line; exits with status 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="scripts/bench gpu", description=DESCRIPTION)
    parser.add_argument("--kiln", metavar="PATH", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--peers", metavar="NAME,...", default=",".join(NAMES), help=f"these instead of {','.join(NAMES)}")
    parser.add_argument("--python", metavar="PATH", help="the Python that has numba-cuda, CuPy and PyTorch")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is repeated (default 3)")
    parser.add_argument("--small", action="store_true", help="small arrays, to see whether all runs")
    parser.add_argument("--cpu", action="store_true", help="measure the CPU backend although there is a GPU")
    parser.add_argument("--json", metavar="FILE", help="write every figure there too")
    options = parser.parse_args(arguments)
    options.peers = options.peers.split(",")
    unknown = set(options.peers) - set(NAMES)
    if unknown or "kiln" not in options.peers or options.rounds < 1:
        parser.error(f"--peers takes some of {','.join(NAMES)}, kiln among them, and --rounds at least 1")
    return options


def measure_peer(peer: Peer, sizes: dict) -> tuple[dict[str, float], dict, list[str]]:
    """One round of one peer: its figures, the sums of its results, and what went wrong."""
    with tempfile.TemporaryDirectory() as cache:
        answer = peer.run("all", cache, sizes)
        if "problem" in answer:
            return {}, {}, [answer["problem"]]
        figures = answer["figures"]
        if peer.name == "numba-cuda":
            peer.run("first", cache, sizes, BENCH_CACHE="1")  # its cache must be asked for, and is filled here
        again = peer.run("first", cache, sizes, BENCH_CACHE="1") if peer.name not in ("torch", DRIVER) else {"figures": {}}
        if "problem" in again:
            return figures, answer["checks"], [again["problem"]]
        for name in "first kernel", "second kernel":
            if name in again["figures"]:
                figures[f"{name}, cached"] = again["figures"][name]
        return figures, answer["checks"], []


def measure_gpu(options: argparse.Namespace) -> tuple[str, dict, list[str]]:
    """Everything on the GPU: the table, all figures, and the problems."""
    sizes = SMALL_SIZES if options.small else SIZES
    peers = find_peers(options.peers, options.kiln, options.python)
    runs = {peer.name: [] for peer in peers}
    checks, problems = {}, []
    progress = Progress(options.rounds * len(peers))
    for number in range(options.rounds):
        for peer in peers:
            progress.step(f"round {number + 1} of {options.rounds}: {peer.name}")
            figures, sums, wrong = measure_peer(peer, sizes)
            runs[peer.name].append(figures)
            problems += wrong
            for name, value in sums.items():
                expected = checks.setdefault(name, value)
                if abs(value - expected) > 1e-4 * abs(expected):
                    problems.append(f"{peer.name}: {name} gives {value}, and not {expected}")
    progress.finish()
    figures = {name: medians(list_of_runs) for name, list_of_runs in runs.items()}
    varied, wrong = measure_varied(peers, options.rounds, SMALL_VARIED_SIZE if options.small else VARIED_SIZE)
    kernels = {name: medians(list_of_runs) for name, list_of_runs in varied.items()}
    table = f"{gpu_table(figures, [peer.name for peer in peers])}\n\n{varied_table(kernels)}"
    return table, {"runs": runs, "medians": figures, "kernels": varied}, problems + wrong


def main(arguments: list[str]) -> int:
    """Runs the suite; 0 if every result was right."""
    options = parse_options(arguments)
    machine = describe_machine()
    problems: list[str] = []
    if options.cpu or not has_gpu(options.kiln):
        title = "kernels on the CPU (there is no GPU that kiln can use)" if not options.cpu else "kernels on the CPU"
        try:
            mine, native, problems = measure_cpu(options.kiln, options.rounds, options.small)
        except NoCompiler as error:
            print(f"bench: {error}", file=sys.stderr)
            return 2
        table, figures = cpu_table(mine, native), {"kiln": mine, "c++": native}
    else:
        title = "kernels on the GPU"
        table, figures, problems = measure_gpu(options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "figures": figures, "problems": problems}, file, indent=2)
    for problem in problems:
        print(f"bench: {problem}", file=sys.stderr)
    print(f"{machine_text(machine)}\n{title}\n\n{table}")
    return 1 if problems else 0
