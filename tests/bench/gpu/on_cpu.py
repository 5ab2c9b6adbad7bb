"""kiln's CPU backend beside the same loop nests in C++."""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from gpu.peers import LIMIT, Peer
from progress import Progress

SIZES = [1 << 26, 1024, 4096, 2048, 8192]  # of vector add, matmul, stencil, mandelbrot and n-body
SMALL_SIZES = [1 << 20, 256, 256, 256, 512]
HERE = pathlib.Path(__file__).parent
COMPILERS = ("clang++", "clang++-19", "clang++-18", "clang++-14", "g++")


class NoCompiler(Exception):
    """There is nothing to compare with."""


def build_reference(folder: str) -> str:
    """Compiles reference.cpp; the program's path. NoCompiler when there is no compiler."""
    for compiler in COMPILERS:
        if shutil.which(compiler):
            program = os.path.join(folder, "reference")
            subprocess.run([compiler, "-std=c++20", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-pthread", "-o", program,
                            str(HERE / "reference.cpp")], check=True)
            return program
    raise NoCompiler(f"none of {', '.join(COMPILERS)} was found to compare with")


def measure_cpu(kiln: str, rounds: int, small: bool) -> tuple[dict[str, float], dict[str, float], list[str]]:
    """Medians of kiln's and of C++'s milliseconds by kernel, and the problems."""
    sizes = [str(size) for size in (SMALL_SIZES if small else SIZES)]
    times = {"kiln": {}, "c++": {}}
    problems, sums = [], {}
    with tempfile.TemporaryDirectory() as folder:
        reference = build_reference(folder)
        environment = {**Peer("kiln", kiln).environment(folder), "KILN_OFFLOAD": "cpu"}
        progress = Progress(2 * rounds)
        for number in range(rounds):
            for name, command in [("kiln", [kiln, "-B", str(HERE / "worker_cpu.py"), *sizes]), ("c++", [reference, *sizes])]:
                progress.step(f"round {number + 1} of {rounds}: {name}")
                result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)
                if result.returncode != 0:
                    problems.append(f"{name}: {(result.stderr.strip().splitlines() or ['failed'])[-1]}")
                    continue
                answer = json.loads(result.stdout.splitlines()[-1])
                for kernel, milliseconds in answer["figures"].items():
                    times[name].setdefault(kernel, []).append(milliseconds)
                if sums.setdefault("checks", answer["checks"]) != answer["checks"]:
                    problems.append(f"{name}: the results are {answer['checks']}, and not {sums['checks']}")
        progress.finish()
    mine, native = ({kernel: statistics.median(values) for kernel, values in times[name].items()} for name in ("kiln", "c++"))
    return mine, native, problems
