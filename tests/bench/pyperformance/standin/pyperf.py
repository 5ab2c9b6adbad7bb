"""Stands in for pyperf inside the measured Python: runs one of the benchmarks that a run_benchmark.py hands over, in
this process, as the variables below say, and prints what came of it.

BENCH_NAME    the benchmark, as the script names it
BENCH_LOOPS   the loops of a call
BENCH_CALLS   "COUNT SECONDS": at least so many calls, for at least so long; prints a JSON object. Without it: one call,
              of which nothing is told, since telling takes time

What not every run needs is imported where it is used: the whole process is measured too.
"""

import argparse
import os
import sys

import bench_calls
from bench_calls import CLOCK as perf_counter

PLAIN = (int, float, complex, str, bytes, bool, type(None))
FAR = 8  # levels of containers


def python_implementation():
    """As pyperf's."""
    import platform
    return platform.python_implementation().lower()


def plain_text(value, depth=FAR):
    """Returns the repr of numbers, strings and what contains them, and of other objects the class alone: addresses
    differ from process to process."""
    import tempfile
    if isinstance(value, str) and value.startswith(tempfile.gettempdir()):
        return "temporary"
    if isinstance(value, PLAIN):
        return repr(value)
    if depth and isinstance(value, (list, tuple)):
        return "%s(%s)" % (type(value).__name__, ",".join(plain_text(item, depth - 1) for item in value))
    if depth and isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (plain_text(key, depth - 1), plain_text(item, depth - 1))
                                 for key, item in value.items())
    return type(value).__name__


def digest(text):
    """Returns a short text that changes with a long one."""
    import hashlib
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def state_text():
    """Returns what the benchmark's own module holds in plain globals: many benchmarks return nothing but their time."""
    names = vars(sys.modules["__main__"])
    return ";".join("%s=%s" % (name, plain_text(names[name])) for name in sorted(names) if not name.startswith("__"))


class Runner:
    """What the benchmarks use of pyperf.Runner."""

    def __init__(self, values=None, processes=None, loops=None, warmups=None, add_cmdline_args=None, **others):
        self.argparser = argparse.ArgumentParser()
        self.metadata = {}
        self.args = None

    def parse_args(self, args=None):
        self.args = self.args or self.argparser.parse_args(args)
        return self.args

    def measure(self, name, call, inner_loops=None):
        """Runs the benchmark if it is the one asked for. `call` takes the loops and returns (seconds, value)."""
        self.parse_args()
        if name != os.environ["BENCH_NAME"]:
            return
        loops = int(os.environ["BENCH_LOOPS"])
        if "BENCH_CALLS" not in os.environ:
            call(loops)
            print("done")
            return
        fingerprints = []

        def sample():
            seconds, value = call(loops)
            if fingerprints:
                return seconds / loops, None  # what later calls leave behind depends on how many there were
            fingerprints.append("%s %s" % (digest(plain_text(value)), digest(state_text())))
            return seconds / loops, fingerprints[0]

        import json
        count, seconds = os.environ["BENCH_CALLS"].split()
        times, result = bench_calls.repeat(sample, int(count), float(seconds))
        print(json.dumps({"times": times, "result": result}))

    def bench_func(self, name, func, *args, inner_loops=None, metadata=None):
        def call(loops):
            rounds = range(loops)
            start = perf_counter()
            for _ in rounds:
                value = func(*args)
            return perf_counter() - start, value
        self.measure(name, call)

    def bench_time_func(self, name, time_func, *args, inner_loops=None, metadata=None):
        self.measure(name, lambda loops: (time_func(loops, *args), None))

    def bench_async_func(self, name, func, *args, inner_loops=None, metadata=None, loop_factory=None):
        import asyncio

        async def timed(loops):
            rounds = range(loops)
            start = perf_counter()
            for _ in rounds:
                value = await func(*args)
            return perf_counter() - start, value
        self.measure(name, lambda loops: asyncio.run(timed(loops)))
