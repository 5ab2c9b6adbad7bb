"""numba.cuda: kernels, on the CPU's cores or on a GPU (KILN_OFFLOAD says where)."""

from numba.cuda import cg, cudadrv, errors, extending, fp16, internals, types
from numba.cuda.cudadrv import devicearray, devices
from numba.cuda.args import In, InOut, Out
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
from numba.cuda.compiler import (
    compile,
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from numba.cuda.cudadrv.driver import CudaAPIError
from numba.cuda.cudadrv.error import CudaSupportError
from numba.cuda.cudadrv.runtime import runtime
from numba.cuda.device import (
    MemoryInfo,
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
from numba.cuda.dispatcher import CUDADispatcher, jit
from numba.cuda.errors import KernelRuntimeError
from numba.cuda.ipc import IpcHandle, open_ipc_array
from numba.cuda.linking import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource, declare_device
from numba.cuda.memory import (
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    MappedMemory,
    MemoryPointer,
    PinnedMemory,
    set_memory_manager,
)
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
from numba.cuda.types import Dim3, GridGroup, dim3, grid_group
from numba.core import config
from numba.types import *
from numba.types import bfloat16
from numba.typing import literal_unroll
from numba.ufuncs import guvectorize, vectorize

_KIND = implementation = "kiln"
internals.install()
HAS_NUMBA = True
_MODULES = {
    "_internal", "bf16", "cgutils", "core", "cuda_paths", "cudadecl", "cudaimpl", "datamodel", "decorators", "descriptor", "fp8", "kernels", "libdevice", "misc",
    "models", "np", "random", "testing", "typing", "vector_types",
}
# What numba has and kiln has not.
_MISSING = {
    "nvvm": "NVVM",
}


def is_float16_supported() -> bool:
    """Whether kernels know float16."""
    return True


def is_bfloat16_supported() -> bool:
    """Whether kernels know bfloat16."""
    return True


def is_fp8_supported() -> bool:
    """Whether kernels know floats of 8 bits."""
    return True


def __getattr__(name: str):
    """Modules that few programs name, when they are first named; else an AttributeError that says what is missing."""
    if name in _MODULES or internals.is_internal(name):
        import importlib

        return importlib.import_module(f"numba.cuda.{name}")
    if name in _MISSING:
        raise AttributeError(f"numba.cuda.{name}: kiln has no {_MISSING[name]} yet", name=name)
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}", name=name)
