"""Ray: the workers of a local cluster run under kiln, because it starts them by sys.executable."""

import os
import sys
import time

import ray
from julia import parts, rows
from ray.util import ActorPool

WIDTH, HEIGHT, DEPTH = 400, int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 500


@ray.remote
class Worker:
    """A process that computes rows."""

    def rows(self, first: int, last: int) -> int:
        """The sum over some rows."""
        return rows(first, last, WIDTH, HEIGHT, DEPTH)

    def process(self) -> int:
        """Its number."""
        return os.getpid()


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)
    workers = [Worker.remote() for _ in range(2)]
    print(sum(ActorPool(workers).map_unordered(lambda worker, part: worker.rows.remote(*part), parts(HEIGHT, 8))))
    # shutdown() would kill the workers; so they are asked to end by themselves, and leave their reports.
    processes = ray.get([worker.process.remote() for worker in workers])
    ray.wait([worker.__ray_terminate__.remote() for worker in workers], num_returns=len(workers))
    while any(os.path.exists(f"/proc/{process}") for process in processes):
        time.sleep(0.1)
    ray.shutdown()
