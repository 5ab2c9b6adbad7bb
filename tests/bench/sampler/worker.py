"""worker.py PROGRAM SIZE PAIRS: run by kiln; calls run(SIZE) in turns without and within kiln.measure(), and prints both kinds' times."""

import contextlib
import importlib.util
import json
import sys
import time

import kiln

WARM_SECONDS = 1.0


def timed_call(run, size: int, around) -> tuple[float, float]:
    """Seconds and processor seconds (of all threads, the sampler's among them) of one call, what is around it left out."""
    with around:
        start, processor = time.perf_counter(), time.process_time()
        run(size)
        return time.perf_counter() - start, time.process_time() - processor


path, size, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
spec = importlib.util.spec_from_file_location("measured_program", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
end = time.perf_counter() + WARM_SECONDS
while time.perf_counter() < end:
    module.run(size)
times: dict[str, list[tuple[float, float]]] = {"plain": [], "sampled": []}
for number in range(pairs):
    for kind in ("plain", "sampled") if number % 2 == 0 else ("sampled", "plain"):
        around = kiln.measure() if kind == "sampled" else contextlib.nullcontext()
        times[kind].append(timed_call(module.run, size, around))
print(json.dumps(times))
