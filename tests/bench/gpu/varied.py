"""The varied kernels under kiln, numba-cuda, and in CUDA C++ (by CuPy), by turns."""

import tempfile

from gpu.peers import Peer
from progress import Progress

WORKER = "worker_varied.py"
LANGUAGES = {"kiln": "cuda", "numba-cuda": "cuda", "cupy": "c++"}


def compare(name: str, checks: dict, sums: dict) -> list[str]:
    """What differs from the sums that earlier peers had."""
    problems = []
    for kernel, value in checks.items():
        expected = sums.setdefault(kernel, value)
        if not abs(value - expected) <= 1e-4 * abs(expected):
            problems.append(f"{name}: {kernel} gives {value}, and not {expected}")
    return problems


def measure_varied(peers: list[Peer], rounds: int, size: int) -> tuple[dict[str, list], list[str]]:
    """Each peer's times of each round, and the problems."""
    peers = [peer for peer in peers if peer.name in LANGUAGES]
    runs = {peer.name: [] for peer in peers}
    problems, sums = [], {}
    progress = Progress(rounds * len(peers))
    with tempfile.TemporaryDirectory() as cache:
        for number in range(rounds):
            for peer in peers:
                progress.step(f"kernels, round {number + 1} of {rounds}: {peer.name}")
                answer = peer.run(LANGUAGES[peer.name], cache, size, worker=WORKER)
                if "problem" in answer:
                    problems.append(answer["problem"])
                    continue
                runs[peer.name].append(answer["figures"])
                problems += compare(peer.name, answer["checks"], sums)
    progress.finish()
    return runs, problems
