"""Repeats a call inside the Python that is measured. Everything here must run under Python 3.9 too."""

import os
import time

# What times a call: thread_time leaves out what other processes and kiln's compiler thread do meanwhile.
CLOCK = getattr(time, os.environ.get("BENCH_CLOCK", "perf_counter"))
MOST_CALLS = 1000


def repeat(sample, count, seconds):
    """Calls `sample` at least `count` times, and more until `seconds` have passed. It returns the seconds that a call
    took and the text of its result, or None where it has none to compare. Returns (times, text of the first result);
    RuntimeError if a later one differs."""
    clock = time.perf_counter
    times = []
    result = None
    end = clock() + seconds
    while len(times) < count or (clock() < end and len(times) < MOST_CALLS):
        taken, text = sample()
        times.append(taken)
        if result is None:
            result = text
        if text is not None and text != result:
            raise RuntimeError("call %d gives %s, the first gave %s" % (len(times), text, result))
    return times, result


def timed(call, spell):
    """Returns a sample for `repeat` that times one call from outside; `spell` makes a text of its result."""
    clock = CLOCK

    def sample():
        start = clock()
        value = call()
        return clock() - start, spell(value)
    return sample
