"""The names of numba.cuda's public interface: tier 0 whole, and what there is of tier 1. Each is found; most are used."""

import asyncio
import os
import threading
import unittest
import warnings

from support import main  # before NumPy: skips the tests where there is none

import numba
import numpy as np
from numba import cuda, float32, float64, int32, int64, types, uint32, uint64
from numba.cuda import random
from numba.cuda.cudadrv.devicearray import DeviceNDArray

ON_GPU = os.environ.get("KILN_OFFLOAD") == "gpu"

# Group -> names; dotted ones are attributes of cuda's names.
TIER_0 = {
    "decorator": "jit CUDADispatcher",
    "indexing": "threadIdx blockIdx blockDim gridDim grid gridsize",
    "memory in kernels": "shared.array local.array",
    "barriers": "syncthreads",
    "atomics": "atomic.add",
    "device memory": "to_device device_array device_array_like",
    "devices": "synchronize",
    "types": "void boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64",
}
TIER_1 = {
    "indexing": "laneid warpsize",
    "memory in kernels": "const.array_like",
    "barriers": "syncthreads_count syncthreads_and syncthreads_or syncwarp threadfence threadfence_block threadfence_system",
    "atomics": "atomic.sub atomic.max atomic.min atomic.exch atomic.cas atomic.compare_and_swap atomic.and_ atomic.or_ atomic.xor "
               "atomic.inc atomic.dec atomic.nanmax atomic.nanmin",
    "warps": "shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync all_sync any_sync eq_sync ballot_sync match_any_sync "
             "match_all_sync activemask lanemask_lt",
    "bits": "popc brev clz ffs fma cbrt selp nanosleep",
    "device memory": "pinned_array pinned_array_like pinned mapped_array mapped_array_like mapped managed_array as_cuda_array "
                     "is_cuda_array from_cuda_array_interface defer_cleanup In Out InOut",
    "streams": "stream default_stream legacy_default_stream per_thread_default_stream external_stream event event_elapsed_time",
    "devices": "is_available gpus select_device current_context get_current_device list_devices detect close cuda_error "
               "is_supported_version require_context",
    "functions of arrays": "vectorize guvectorize reduce Reduce",
    "compilation": "compile_ptx compile_ptx_for_current_device",
    "profiling": "profile_start profile_stop profiling",
    "errors": "CudaAPIError CudaSupportError errors.KernelRuntimeError cudadrv.driver.LinkerError cudadrv.error.CudaDriverError cudadrv.driver.CudaAPIError "
              "cudadrv.error.CudaSupportError cudadrv.devicearray.DeviceNDArray",
}
DISPATCHER = (
    "signatures overloads specialize specialized forall configure compile inspect_asm inspect_llvm inspect_types inspect_source "
    "py_func get_regs_per_thread get_shared_mem_per_block get_max_threads_per_block get_const_mem_size get_local_mem_per_thread "
    "inspect_sass inspect_sass_cfg inspect_lto_ptx stats recompile extensions mark_launch_config_sensitive"
)
ARRAY = (
    "shape strides dtype ndim size nbytes flags T itemsize reshape ravel transpose view squeeze split bind is_c_contiguous "
    "is_f_contiguous copy_to_host copy_to_device __dlpack__ __dlpack_device__ __array__ __len__ __getitem__ __setitem__ alloc_size"
)
DEVICE = (
    "name id uuid compute_capability MULTIPROCESSOR_COUNT MAX_THREADS_PER_BLOCK MAX_BLOCK_DIM_X MAX_BLOCK_DIM_Y MAX_BLOCK_DIM_Z "
    "MAX_GRID_DIM_X MAX_GRID_DIM_Y MAX_GRID_DIM_Z MAX_SHARED_MEMORY_PER_BLOCK WARP_SIZE TOTAL_CONSTANT_MEMORY CLOCK_RATE "
    "ASYNC_ENGINE_COUNT MAX_REGISTERS_PER_BLOCK MAX_THREADS_PER_MULTI_PROCESSOR L2_CACHE_SIZE reset"
)
NUMBA = (
    "cuda jit njit vectorize guvectorize prange typeof from_dtype void boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 "
    "float64 complex64 complex128 types config errors core.errors.NumbaPerformanceWarning core.errors.TypingError "
    "core.errors.LoweringError core.errors.UnsupportedError core.errors.NumbaInvalidConfigWarning"
)


def attribute(start, dotted: str):
    """The attribute of an attribute."""
    for name in dotted.split("."):
        start = getattr(start, name)
    return start


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


class Names(unittest.TestCase):
    def check(self, start, names: str) -> None:
        missing = [name for name in names.split() if not self.has(start, name)]
        self.assertEqual(missing, [])

    def has(self, start, name: str) -> bool:
        try:
            attribute(start, name)
        except AttributeError:
            return False
        return True

    def test_module(self) -> None:
        for group, names in [*TIER_0.items(), *TIER_1.items()]:
            with self.subTest(group):
                self.check(cuda, names)

    def test_objects(self) -> None:
        self.check(add_one, DISPATCHER)
        self.check(cuda.to_device(np.ones(3)), ARRAY)
        self.check(cuda.get_current_device(), DEVICE)
        self.check(numba, NUMBA)
        self.check(cuda.stream(), "synchronize auto_synchronize add_callback async_done")
        self.check(cuda.event(), "record wait query synchronize elapsed_time")
        self.check(cuda.current_context(), "get_memory_info reset push pop synchronize device")
        self.check(random, " ".join(random.__all__))


class DeviceMemory(unittest.TestCase):
    def test_arrays_of_the_host(self) -> None:
        """In is not copied back, Out and InOut are."""
        for wrap, expected in [(cuda.In, 0), (cuda.Out, 1), (cuda.InOut, 1)]:
            x = np.zeros(5)
            add_one[1, 32](wrap(x))
            self.assertEqual(x.tolist(), [expected] * 5)
            device = cuda.to_device(x)
            add_one[1, 32](wrap(device))
            self.assertEqual(device.copy_to_host().tolist(), [expected + 1] * 5)
        for make in cuda.pinned_array, cuda.mapped_array, cuda.managed_array:
            x = make((2, 3), np.float32)
            x[:] = 4
            self.assertEqual((x.shape, x.dtype, float(x.sum())), ((2, 3), np.float32, 24.0))
        for like in cuda.pinned_array_like, cuda.mapped_array_like:
            self.assertEqual(like(np.zeros((2, 3), np.int8, order="F")).strides, (1, 2))
        x = np.zeros(4)
        with cuda.pinned(x), cuda.defer_cleanup():
            add_one[1, 32](x)
        with cuda.mapped(x) as mapped:
            add_one[1, 32](mapped)
        cuda.synchronize()
        self.assertEqual(x.tolist(), [2.0] * 4)
        kept = cuda.pinned_array(3)[1:]  # a view keeps the memory
        kept[:] = 1
        add_one[1, 32](kept)
        self.assertEqual(kept.tolist(), [2.0, 2.0])

    def test_layouts_and_types(self) -> None:
        one_row = DeviceNDArray((1, 10), (800, 8), np.float64)  # of a dimension of length 1, strides say nothing
        self.assertEqual(one_row.flags, {"C_CONTIGUOUS": True, "F_CONTIGUOUS": True})
        d = cuda.to_device(np.zeros((3, 4), np.float32))
        self.assertEqual(d._numba_type_, types.Array(types.float32, 2, "C"))
        self.assertEqual(d.T._numba_type_, types.Array(types.float32, 2, "F"))
        d.setitem((1, 2), 5, stream=cuda.stream())
        self.assertEqual(d.getitem((1, 2), stream=0), 5)
        with self.assertRaisesRegex(ValueError, "copy=False"):
            np.array(d, copy=False)
        for shape in 1.5, np.float64(2), np.array(1.5):
            with self.assertRaises(TypeError):
                cuda.device_array(shape)
        self.assertEqual(cuda.device_array(np.array([2, 3])).shape, (2, 3))

    def test_views(self) -> None:
        a = np.arange(24.0).reshape(2, 3, 4)
        d = cuda.to_device(a)
        for view, expected in [(d.T, a.T), (d.transpose((1, 0, 2)), a.transpose(1, 0, 2)), (d.reshape(6, 4), a.reshape(6, 4)), (d.ravel(), a.ravel()),
                               (d[0], a[0]), (d[:, 1:, ::2], a[:, 1:, ::2]), (d[1:].squeeze(), a[1:].squeeze()), (d.view(np.int64), a.view(np.int64)),
                               (d[..., -1], a[..., -1])]:
            np.testing.assert_array_equal(view.copy_to_host(), expected)
        self.assertEqual([part.copy_to_host().tolist() for part in d.ravel().split(10)], [list(range(10)), list(range(10, 20)), list(range(20, 24))])
        self.assertEqual((d.bind().shape, len(d), d.itemsize, d.nbytes, d.alloc_size), ((2, 3, 4), 2, 8, 192, 192))
        self.assertEqual((d.flags["C_CONTIGUOUS"], d.T.flags["F_CONTIGUOUS"], d.is_c_contiguous(), d.T.is_f_contiguous()), (True,) * 4)
        d[1, 2] = np.arange(4.0)
        d[0, 0, 0] = 100
        self.assertEqual((d[1, 2].copy_to_host().tolist(), d[0, 0, 0]), ([0, 1, 2, 3], 100))
        other = cuda.device_array_like(d)
        other.copy_to_device(d)
        np.testing.assert_array_equal(other.copy_to_host(), d.copy_to_host())
        np.testing.assert_array_equal(cuda.to_device(d[:, 1]).copy_to_host(), d.copy_to_host()[:, 1])

    def test_interfaces(self) -> None:
        """Objects with __cuda_array_interface__, and with DLPack's methods."""

        class Described:
            def __init__(self, array) -> None:
                self.array = array

            @property
            def __cuda_array_interface__(self) -> dict:
                place = self.array._address if ON_GPU else self.array.__array_interface__["data"][0]
                return {"shape": self.array.shape, "strides": self.array.strides, "typestr": self.array.dtype.str, "data": (place, False), "version": 3}

        x = np.arange(10.0)
        owner = cuda.to_device(x) if ON_GPU else x
        described = Described(owner[::2])
        self.assertTrue(cuda.is_cuda_array(described))
        add_one[1, 32](described)
        array = cuda.as_cuda_array(described)
        add_one[1, 32](array)
        cuda.synchronize()
        self.assertEqual(array.copy_to_host().tolist(), [2.0, 4.0, 6.0, 8.0, 10.0])
        self.assertEqual(array[1:3].copy_to_host().tolist(), [4.0, 6.0])
        with self.assertRaises(TypeError):
            cuda.as_cuda_array(x)

    def test_dlpack(self) -> None:
        class Wrapped:
            def __init__(self, array) -> None:
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        for dtype in "f2", "f4", "f8", "i1", "i4", "i8", "u2", "u8", "c8", "c16":
            x = np.zeros((6, 4), dtype)
            wrapped = Wrapped(x[::2, 1:].T)

            @cuda.jit
            def number(a):
                i, j = cuda.grid(2)
                if i < a.shape[0] and j < a.shape[1]:
                    a[i, j] = 10 * i + j

            number[1, (8, 8)](wrapped)
            expected = np.zeros((6, 4), dtype)
            expected[::2, 1:] = [[10 * i + j for i in range(3)] for j in range(3)]
            np.testing.assert_array_equal(x, expected)
        with self.assertRaises(TypeError) as caught:
            add_one[1, 1](Wrapped(np.zeros((1,) * 9)))
        device = cuda.to_device(np.arange(12.0).reshape(3, 4))
        self.assertEqual(device.__dlpack_device__(), (2 if ON_GPU else 1, 0))
        add_one[1, 32](Wrapped(device.ravel()))
        self.assertEqual(device[2, 3], 12.0)
        if not ON_GPU:
            taken = np.from_dlpack(device[:, 1:].T)
            del device
            self.assertEqual(taken.tolist(), (np.arange(12.0).reshape(3, 4)[:, 1:].T + 1).tolist())
        self.assertIn("DLPack", str(caught.exception))


class Streams(unittest.TestCase):
    def test_all(self) -> None:
        called = []
        device = cuda.to_device(np.zeros(5))
        for stream in cuda.stream(), cuda.default_stream(), cuda.legacy_default_stream(), cuda.per_thread_default_stream():
            add_one[1, 32, stream](device)
            stream.add_callback(lambda *arguments: called.append(arguments), "argument")
            self.assertIs(asyncio.run(stream.async_done()), stream)
            self.assertEqual(called.pop(), (stream, 0, "argument"))
        self.assertEqual(device.copy_to_host().tolist(), [4.0] * 5)
        own = cuda.stream()
        add_one[1, 32, cuda.external_stream(own.handle)](device)
        start, end = cuda.event(), cuda.event(timing=True)
        start.record(own)
        end.record(own)
        end.wait(own)
        end.synchronize()
        self.assertTrue(end.query())
        self.assertGreaterEqual(start.elapsed_time(end), 0)
        with self.assertRaises(ValueError):
            cuda.event_elapsed_time(cuda.event(), end)


    def test_callbacks(self) -> None:
        """They do not hold up the caller, come in order, and are waited for by synchronize(), not by one that waits itself."""
        goes_on, called, stream = threading.Event(), [], cuda.stream()

        def callback(of, status, number):
            goes_on.wait(60)
            called.append((number, of is stream, status))
            if number == 1:
                stream.synchronize()
            if number == 2:
                raise ValueError("no")

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for number in range(4):
                add_one[1, 32, stream](cuda.to_device(np.zeros(5)))
                stream.add_callback(callback, number)
            self.assertEqual(called, [])
            goes_on.set()
            stream.synchronize()
        self.assertEqual(called, [(number, True, 0) for number in range(4)])
        self.assertIn("Exception in stream callback: no", [str(warning.message) for warning in caught])
        stream.add_callback(callback, 4)
        cuda.synchronize()
        self.assertEqual(len(called), 5)


class Devices(unittest.TestCase):
    def test_all(self) -> None:
        self.assertTrue(cuda.is_available() and cuda.is_supported_version())
        self.assertIsNone(cuda.cuda_error())
        self.assertEqual(cuda.list_devices()[0].id, 0)
        device = cuda.get_current_device()
        self.assertEqual((device.id, device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK, device.MAX_GRID_DIM_Y), (0, 32, 1024, 65535))
        self.assertEqual(cuda.current_context(0).device, device)
        self.assertEqual(cuda.select_device(0).device.uuid, device.uuid)
        with self.assertRaises(IndexError):
            cuda.select_device(100)
        with self.assertRaises(AttributeError):
            device.NO_SUCH_ATTRIBUTE
        with cuda.gpus[0], cuda.profiling():
            self.assertEqual(cuda.gpus.current.id, 0)

        @cuda.require_context
        def function() -> int:
            return 5

        self.assertEqual(function(), 5)
        cuda.current_context().push()
        cuda.current_context().pop()
        device.reset()


class Compilation(unittest.TestCase):
    def test_inspection(self) -> None:
        @cuda.jit("void(float32[:])")
        def kernel(x):
            s = cuda.shared.array(64, float32)
            s[cuda.threadIdx.x] = x[cuda.threadIdx.x]
            cuda.syncthreads()
            x[cuda.threadIdx.x] = s[63 - cuda.threadIdx.x]

        kernel[1, 64](np.zeros(64, np.float32))
        self.assertEqual(kernel.get_shared_mem_per_block("void(float32[:])"), 256)
        self.assertEqual(kernel.get_shared_mem_per_block(), 256)
        self.assertEqual(kernel.get_regs_per_thread("void(float32[:])") > 0, ON_GPU)
        self.assertEqual(kernel.get_max_threads_per_block((float32[:],)), 1024)
        self.assertEqual((kernel.get_const_mem_size((float32[:],)), kernel.get_local_mem_per_thread((float32[:],))), (0, 0))
        self.assertIn("__shared__", kernel.inspect_source("void(float32[:])"))

    def test_assembly(self) -> None:
        """PTX of the device, or on the CPU of the compute capability that it claims."""
        @cuda.jit
        def kernel(x):
            x[cuda.grid(1)] = 1

        kernel[1, 3](np.zeros(3))
        try:
            text = kernel.inspect_asm((types.Array(float64, 1, "C"),))
        except cuda.CudaSupportError as error:
            self.skipTest(str(error).splitlines()[0])
        major, minor = cuda.get_current_device().compute_capability
        self.assertIn(f".target sm_{major}{minor}", text)
        self.assertRegex(text, r"\.visible \.entry kernel")
        self.assertEqual({(types.Array(float64, 1, "C"),): text}, kernel.inspect_asm())
        self.assertNotIn("\0", text)

    def test_ptx(self) -> None:
        def kernel(x):
            x[cuda.grid(1)] = 1

        try:
            text, result = cuda.compile_ptx(kernel, (float32[:],), cc=(8, 0))
        except cuda.CudaSupportError as error:
            self.skipTest(str(error).splitlines()[0])
        self.assertIn(".target sm_80", text)
        self.assertEqual(result, types.void)
        self.assertIn(".target sm_", cuda.compile_ptx_for_current_device(kernel, "void(float32[:])")[0])

    def test_device_ptx(self) -> None:
        def double(x):
            return x + x

        def both(x, n):
            return x / n, n

        try:
            text, result = cuda.compile_ptx(double, (float32,), device=True, cc=(8, 0))
        except cuda.CudaSupportError as error:
            self.skipTest(str(error).splitlines()[0])
        self.assertRegex(text, r"\.visible \.func .*double")
        self.assertEqual(result, float32)
        text, result = cuda.compile_ptx(both, "(float64, int32)", device=True)
        self.assertIn(".target sm_75", text)
        self.assertEqual(result, types.Tuple(float64, int32))
        self.assertEqual(cuda.compile_ptx_for_current_device(cuda.jit(double), "f8(f8)", device=True)[1], float64)
        self.assertEqual(cuda.compile_ptx(lambda x: None, (float32,), device=True)[1], types.void)


class Limits(unittest.TestCase):
    def test_shared_memory(self) -> None:
        @cuda.jit
        def kernel(x):
            s = cuda.shared.array((100, 100), float64)
            s[0, cuda.threadIdx.x] = x[0]
            x[0] = s[0, 1]

        with self.assertRaises(cuda.cudadrv.driver.LinkerError) as caught:
            kernel[1, 32](np.zeros(3))
        self.assertIn("80000 bytes a block, and at most 49152 fit", str(caught.exception))

    def test_launches(self) -> None:
        for configuration, message in [
            ((1, 1025), "block's x dimension is 1025; it must be 1 to 1024"), ((1, (1, 1, 65)), "block's z dimension is 65"),
            ((1, (32, 32, 2)), "2048 threads is too large: at most 1024"), (((1, 65536), 1), "grid's y dimension is 65536"),
            ((0, 1), "grid's x dimension is 0; it must be 1 to 2147483647"),
        ]:
            with self.assertRaises(cuda.CudaAPIError) as caught:
                add_one[configuration](np.zeros(3))
            self.assertIn(message, str(caught.exception))
            self.assertEqual(caught.exception.code, 1)  # CUDA_ERROR_INVALID_VALUE
            self.assertIsNone(caught.exception.__context__)


class Reductions(unittest.TestCase):
    def test_sizes(self) -> None:
        total, biggest = cuda.reduce(lambda a, b: a + b), cuda.Reduce(lambda a, b: max(a, b))
        for n in 1, 2, 3, 255, 256, 257, 511, 65535, 65537, 200001:
            x = np.arange(n)[::-1].copy()
            self.assertEqual((total(x), biggest(x)), (x.sum(), n - 1), n)
        x = np.arange(100, dtype=np.float32)
        self.assertEqual((total(x), total(x, size=10), total(x, init=5), total(x[:0]), total(x[:0], init=3)), (4950, 45, 4955, 0, 3))
        result = cuda.device_array(1, np.float32)
        total(cuda.to_device(x), res=result)
        self.assertEqual(result[0], 4950)
        with self.assertRaises(ValueError):
            total(x, size=101)
        with self.assertRaises(TypeError):
            total(x.reshape(10, 10))


if __name__ == "__main__":
    main()
