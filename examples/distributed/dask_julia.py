"""Dask: the workers of a LocalCluster run under kiln, because it starts them by sys.executable."""

import sys

from dask.distributed import Client, LocalCluster
from julia import parts, rows

WIDTH, HEIGHT, DEPTH = 400, int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 500

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        futures = [client.submit(rows, first, last, WIDTH, HEIGHT, DEPTH, pure=False) for first, last in parts(HEIGHT, 8)]
        print(sum(client.gather(futures)))
