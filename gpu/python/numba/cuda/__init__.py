"""numba.cuda: kernels, on the CPU's cores or on a GPU (KILN_OFFLOAD says where)."""

from numba.cuda import cudadrv, errors
from numba.cuda.arrays import (
    DeviceNDArray,
    as_cuda_array,
    device_array,
    device_array_like,
    from_cuda_array_interface,
    is_cuda_array,
    managed_array,
    mapped,
    mapped_array,
    mapped_array_like,
    pinned,
    pinned_array,
    pinned_array_like,
    to_device,
)
from numba.cuda.compiler import compile_ptx, compile_ptx_for_current_device
from numba.cuda.cudadrv.driver import CudaAPIError
from numba.cuda.cudadrv.error import CudaSupportError
from numba.cuda.device import (
    close,
    cuda_error,
    current_context,
    defer_cleanup,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_supported_version,
    list_devices,
    profile_start,
    profile_stop,
    profiling,
    require_context,
    select_device,
    synchronize,
)
from numba.cuda.dispatcher import CUDADispatcher, In, InOut, Out, jit
from numba.cuda.reduction import Reduce, reduce
from numba.cuda.streams import (
    default_stream,
    event,
    event_elapsed_time,
    external_stream,
    legacy_default_stream,
    per_thread_default_stream,
    stream,
)
from numba.cuda.stubs import *
from numba.types import *
from numba.ufuncs import guvectorize, vectorize

_KIND = "kiln"
# What numba has and kiln has not.
_MISSING = {
    "cg": "cooperative groups", "fp16": "16-bit floats", "bf16": "16-bit floats", "libdevice": "libdevice's own functions",
    "declare_device": "linking of other code", "CUSource": "linking of other code", "PTXSource": "linking of other code",
    "open_ipc_array": "sharing of device memory by processes", "set_memory_manager": "memory managers of the program's",
}


def __getattr__(name: str):
    """AttributeError, which says what is missing."""
    if name in _MISSING:
        raise AttributeError(f"numba.cuda.{name}: kiln has no {_MISSING[name]} yet", name=name)
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}", name=name)
