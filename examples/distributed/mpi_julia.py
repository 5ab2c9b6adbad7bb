"""mpi4py: mpiexec -n 2 kiln mpi_julia.py. Each process takes every so-manyth part; the first one adds up."""

import sys

from julia import parts, rows
from mpi4py import MPI

WIDTH, HEIGHT, DEPTH = 400, int(sys.argv[1]) if len(sys.argv) > 1 else 4000, 500

if __name__ == "__main__":
    world = MPI.COMM_WORLD
    own = parts(HEIGHT, 8)[world.rank :: world.size]
    total = world.reduce(sum(rows(first, last, WIDTH, HEIGHT, DEPTH) for first, last in own))
    if world.rank == 0:
        print(total)
