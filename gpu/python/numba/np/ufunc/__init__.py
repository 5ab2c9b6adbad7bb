"""numba.np.ufunc: functions over arrays, and the threads that run them."""

from numba.parallel import get_num_threads, get_thread_id, set_num_threads, threading_layer
from numba.ufuncs import guvectorize, vectorize
