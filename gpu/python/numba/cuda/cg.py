"""numba.cuda.cg: the grid as a group of threads that wait for each other."""

from numba.cuda.stubs import Intrinsic


class GridGroup:
    """All threads of a launch."""

    sync = Intrinsic("cg.sync")


class _ThisGrid(Intrinsic):
    """In kernels: the group."""

    _kiln_result = GridGroup()


this_grid = _ThisGrid("cg.this_grid")
