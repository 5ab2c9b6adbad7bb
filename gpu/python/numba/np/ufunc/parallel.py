"""numba.np.ufunc.parallel: threads."""

from numba.parallel import (
    get_num_threads, get_parallel_chunksize, get_thread_id, parallel_chunksize, set_num_threads, set_parallel_chunksize, threading_layer,
)
