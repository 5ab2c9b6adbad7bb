"""How the workers measure: a launch's cost to the host, and times by events. Runs under every peer's Python."""

import statistics
import time

LAUNCHES = 256  # before a wait: with more of them the device's queue is full, and its speed is measured
ROUNDS = 60
REPEATS = 20
BETWEEN = 4  # launches between two events


def launch_us(launch, wait, *arguments) -> float:
    """The best round's microseconds for one launch, without waiting for the kernels."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            launch(*arguments)
        best = min(best, (time.perf_counter() - start) / LAUNCHES * 1e6)
        wait()
    return best


def call_ms(function, wait) -> float:
    """Milliseconds of one call, with what it launches."""
    start = time.perf_counter()
    function()
    wait()
    return (time.perf_counter() - start) * 1e3


def kernel_ms(function, make_event, elapsed) -> float:
    """The median milliseconds of a launch's kernel by events. They lie around some launches, which go in while an earlier one still runs:
    the time that the host takes for a launch is not in it."""
    times = []
    for repeat in range(REPEATS + 2):
        start, end = make_event(), make_event()
        function()
        start.record()
        for _ in range(BETWEEN):
            function()
        end.record()
        end.synchronize()
        if repeat >= 2:
            times.append(elapsed(start, end) / BETWEEN)
    return statistics.median(times)
