"""Every GPU of this machine takes a part of a picture: by a thread for each, and by a Dask worker for each.

gpus_julia.py [ROWS]: prints a table of times; those of Dask only where it is installed. The status is 1 when results differ. With
one GPU, or none, two threads or workers share it.
"""

import importlib.util
import logging
import os
import sys
import threading
import time

import numpy as np
from julia import parts
from numba import cuda

WIDTH, DEPTH, BLOCK = 4096, 500, 128
HAS_DASK = importlib.util.find_spec("distributed") is not None


@cuda.jit
def escapes(totals, first, width, height, depth):
    """totals[i] becomes the sum over row first + i: a block of threads for each row."""
    zx = 2.0 * (first + cuda.blockIdx.x) / height - 1.0
    own = 0
    for x in range(cuda.threadIdx.x, width, cuda.blockDim.x):
        zr, zi, step = 3.0 * x / width - 1.5, zx, 0
        while step < depth and zr * zr + zi * zi <= 4.0:
            zr, zi = zr * zr - zi * zi - 0.8, 2.0 * zr * zi + 0.156
            step += 1
        own += step
    cuda.atomic.add(totals, cuda.blockIdx.x, own)


def rows(first: int, last: int, height: int) -> int:
    """The sum over some rows, on the current GPU."""
    totals = cuda.to_device(np.zeros(last - first, np.int64))
    escapes[last - first, BLOCK](totals, first, WIDTH, height, DEPTH)
    return int(totals.copy_to_host().sum())


def by_threads(gpus: list[int], height: int) -> int:
    """A thread for each part, on the GPU of that number."""
    own_parts, sums = parts(height, len(gpus)), [0] * len(gpus)

    def work(index: int) -> None:
        with cuda.gpus[gpus[index]]:
            sums[index] = rows(*own_parts[index], height)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(gpus))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(sums)


def by_workers(client, workers: list[str], height: int) -> int:
    """A Dask worker for each part."""
    work = zip(parts(height, len(workers)), workers)
    return sum(client.gather([client.submit(rows, *part, height, workers=[worker], pure=False) for part, worker in work]))


def visible(gpu: int) -> str:
    """CUDA_VISIBLE_DEVICES for a process that shall see one GPU of those that this process sees."""
    own = os.environ.get("CUDA_VISIBLE_DEVICES")
    return own.split(",")[gpu] if own else str(gpu)


def timed(what: str, compute, *arguments) -> int:
    """Prints a line of the table; the result. The last argument is the height. The call before the timed one compiles."""
    compute(*arguments[:-1], 2 * BLOCK)
    start = time.perf_counter()
    result = compute(*arguments)
    print(f"{what:16} {time.perf_counter() - start:8.3f} s  {result}", flush=True)
    return result


def with_dask(gpus: list[int], height: int) -> int:
    """The same by a cluster with a worker for each of `gpus`."""
    from dask.distributed import Client, Nanny, Scheduler, SpecCluster

    common = {"host": "127.0.0.1", "nthreads": 1, "silence_logs": logging.WARNING}
    workers = [{"cls": Nanny, "options": {**common, "env": {"CUDA_VISIBLE_DEVICES": visible(gpu)}}} for gpu in gpus]
    scheduler = {"cls": Scheduler, "options": {"host": "127.0.0.1", "dashboard": False}}
    with SpecCluster(dict(enumerate(workers)), scheduler, silence_logs=logging.WARNING) as cluster, Client(cluster) as client:
        client.wait_for_workers(len(gpus))
        addresses = list(client.scheduler_info(n_workers=-1)["workers"])
        return timed(f"{len(gpus)} Dask workers", by_workers, client, addresses, height)


def main() -> int:
    """Prints the table; the exit status."""
    gpus = list(range(len(cuda.gpus)))
    on_cpu = "CPU" in str(cuda.gpus[0].name)
    height = int(sys.argv[1]) if len(sys.argv) > 1 else 1024 if on_cpu else 1 << 19
    shared = gpus if len(gpus) > 1 else gpus * 2
    print(f"{height} rows on {'the CPU' if on_cpu else f'{len(gpus)} x {cuda.gpus[0].name}'}")
    results = {timed("1 thread", by_threads, gpus[:1], height), timed(f"{len(shared)} threads", by_threads, shared, height)}
    if HAS_DASK:
        results.add(with_dask(shared, height))
    return int(len(results) != 1)


if __name__ == "__main__":
    sys.exit(main())
