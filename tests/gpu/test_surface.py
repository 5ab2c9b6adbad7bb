"""What programs of numba.cuda's documentation and of courses use beside the core."""

import io
import math
import os
import unittest
import warnings
from contextlib import redirect_stdout

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float64, types, vectorize
from numba.core.errors import TypingError, UnsupportedError
from numba.cuda import libdevice

ON_HOST = not hasattr(cuda.device_array(1), "__cuda_array_interface__")


class Foreign:
    """Stands for CuPy's array: it has a buffer, which it refuses to give, and tells where it is."""

    def __init__(self, array, **more) -> None:
        self.array = array
        self.more = more

    def __buffer__(self, flags):
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    @property
    def __cuda_array_interface__(self) -> dict:
        address, readonly = self.array.__array_interface__["data"]
        return {"shape": self.array.shape, "typestr": self.array.dtype.str, "data": (address, readonly), "strides": self.array.strides,
                "version": 3, **self.more}


@unittest.skipUnless(ON_HOST, "stands in for a GPU's arrays with the host's")
class ForeignArrays(unittest.TestCase):
    def test_refusing_buffers(self) -> None:
        @cuda.jit
        def double(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= 2

        for array in np.arange(5.0), np.arange(10, dtype=np.float32)[::2], np.zeros(0):
            expected = array * 2
            double[1, 8](Foreign(array))
            np.testing.assert_array_equal(array, expected)
        double[1, 8](Foreign(np.zeros(0), data=(0, False)))
        with self.assertRaisesRegex(NotImplementedError, "Masked"):
            double[1, 8](Foreign(np.arange(3.0), mask=Foreign(np.zeros(3, bool))))
        view = cuda.as_cuda_array(Foreign(np.arange(4.0)))
        self.assertEqual(view.copy_to_host().tolist(), [0, 1, 2, 3])

    def test_records(self) -> None:
        dtype = np.dtype([("a", np.int32), ("b", np.float64)], align=True)

        @cuda.jit
        def fill(x):
            x[0].b = 2.5

        array = np.zeros(2, dtype)
        fill[1, 1](Foreign(array, descr=dtype.descr))
        self.assertEqual(array["b"].tolist(), [2.5, 0])


class Streams(unittest.TestCase):
    def test_of_other_libraries(self) -> None:
        handle = int(cuda.stream().handle) if ON_HOST else 0
        kinds = [type("CuPy", (), {"ptr": handle})(), type("Torch", (), {"cuda_stream": handle})(),
                 type("Core", (), {"__cuda_stream__": lambda self: (0, handle)})()]

        @cuda.jit
        def one(x):
            x[0] += 1

        x = np.zeros(1)
        for stream in kinds:
            one[1, 1, stream](x)
        cuda.synchronize()
        self.assertEqual(x[0], 3)
        with self.assertRaises(TypeError):
            one[1, 1, "a stream"](x)


class Vectors(unittest.TestCase):
    def test_parts(self) -> None:
        @cuda.jit(device=True)
        def dot(a, b):
            return a.x * b.x + a.y * b.y + a.z * b.z

        @cuda.jit
        def kernel(out, whole):
            a = cuda.float32x3(1, 2, 3.5)
            b = cuda.float3(cuda.float2(2, 2), 2)
            c = cuda.uint8x4(255, 256, 1, -1)
            out[0] = dot(a, b)
            out[1] = c.x + c.y + c.z + c.w
            d = a if out[0] > 0 else b
            out[2] = d.z
            whole[0] = cuda.int2(3, 4).y

        out, whole = np.zeros(3), np.zeros(1, np.int32)
        kernel[1, 1](out, whole)
        self.assertEqual((out.tolist(), whole[0]), ([13.0, 255 + 0 + 1 + 255, 3.5], 4))
        self.assertIs(cuda.float4, cuda.float32x4)

        @cuda.jit
        def wrong():
            cuda.float3(1, 2)

        self.assertRaises(TypingError, wrong[1, 1])


class Cooperative(unittest.TestCase):
    def test_rows_in_order(self) -> None:
        """The documentation's example: each row needs the one before it, which other blocks write."""

        @cuda.jit("void(int32[:,::1])")
        def sequential_rows(m):
            column = cuda.grid(1)
            grid = cuda.cg.this_grid()
            opposite = m.shape[1] - column - 1
            for row in range(1, m.shape[0]):
                m[row, column] = m[row - 1, opposite] + 1
                grid.sync()

        m = np.zeros((64, 512), np.int32)
        m[0] = np.arange(512)
        expected = m.copy()
        for row in range(1, 64):
            expected[row] = expected[row - 1, ::-1] + 1
        form = sequential_rows.overloads[(types.Array(types.int32, 2, "C"),)]
        self.assertGreaterEqual(form.max_cooperative_grid_blocks(32), 16)
        device = cuda.to_device(m)
        sequential_rows[16, 32](device)
        np.testing.assert_array_equal(device.copy_to_host(), expected)

    def test_shared_memory_is_each_blocks_own(self) -> None:
        @cuda.jit
        def kernel(x, sums, out):
            part = cuda.shared.array(64, float64)
            i, t = cuda.grid(1), cuda.threadIdx.x
            part[t] = x[i]
            cuda.syncthreads()
            if t == 0:
                total = 0.0
                for k in range(64):
                    total += part[k]
                sums[cuda.blockIdx.x] = total
            cuda.cg.this_grid().sync()
            total = 0.0
            for k in range(cuda.gridDim.x):
                total += sums[k]
            out[i] = part[t] / total

        x, sums, out = np.arange(512.0), np.zeros(8), np.zeros(512)
        kernel[8, 64](x, sums, out)
        np.testing.assert_allclose(out, x / x.sum())

    def test_ended_blocks_are_not_waited_for(self) -> None:
        @cuda.jit
        def kernel(out):
            if cuda.blockIdx.x % 2 == 1:
                out[cuda.grid(1)] = 1

        kernel[4, 32](out := np.zeros(128))
        self.assertEqual(out.sum(), 64)

    @unittest.skipUnless(ON_HOST, "the limit of the CPU backend")
    def test_too_many(self) -> None:
        @cuda.jit
        def kernel():
            cuda.cg.this_grid().sync()

        kernel[1024, 1]()
        with self.assertRaisesRegex(cuda.cudadrv.driver.CudaAPIError, "too large"):
            kernel[1025, 1]()


class LibDevice(unittest.TestCase):
    def test_values(self) -> None:
        @cuda.jit
        def kernel(x, out):
            out[0] = libdevice.sinf(x[0])
            out[1] = libdevice.rsqrt(x[0])
            out[2] = libdevice.fmaf_rn(x[0], x[1], 1.0)
            out[3] = libdevice.float2int_rd(x[1]) + libdevice.popc(255)
            s, c = libdevice.sincos(x[0])
            out[4] = s * s + c * c
            out[5] = libdevice.umulhi(2**31, 6)

        x, out = np.array([0.75, -2.5]), np.zeros(6)
        kernel[1, 1](x, out)
        np.testing.assert_allclose(out, [np.sin(np.float32(0.75)), 1 / math.sqrt(0.75), -0.875, -3 + 8, 1.0, 3], rtol=1e-6)
        self.assertRaises(AttributeError, lambda: libdevice.no_such_function)


class HostArrays(unittest.TestCase):
    def test_mapped_and_managed(self) -> None:
        @cuda.jit
        def fill(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] += i

        for make in cuda.mapped_array, cuda.managed_array, cuda.pinned_array:
            x = make(6, np.float32)
            x[:] = 1
            fill[1, 8](x)
            fill[1, 8](x[2:4])
            cuda.synchronize()
            self.assertEqual(x.tolist(), [1, 2, 3, 5, 5, 6])
        plain = np.zeros(5)
        with cuda.mapped(plain) as array:
            fill[1, 8](array)
            cuda.synchronize()
        self.assertEqual(plain.tolist(), [0, 1, 2, 3, 4])

    def test_hints(self) -> None:
        @cuda.jit
        def add(a, b, c):
            i = cuda.grid(1)
            if i < c.size:
                c[i] = a[i] + b[i]
                a[i] = -1

        a, b, c = np.arange(3.0), np.ones(3), np.zeros(3)
        add[1, 4](cuda.In(a), cuda.InOut(b), cuda.Out(c))
        self.assertEqual((a.tolist(), c.tolist()), ([0, 1, 2], [1, 2, 3]))


class Types(unittest.TestCase):
    def test_short_names(self) -> None:
        from numba import cuda as again
        from numba.cuda import types as kernel_types

        for name in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split():
            self.assertIs(getattr(kernel_types, name), getattr(types, name), name)

        @again.jit("void(f4[:], i8, u1[:, ::1], b1, c16, Tuple((i4, f8)), UniTuple(i4, 2))")
        def kernel(x, n, m, flag, z, pair, both):
            x[0] = n + m[1, 0] + flag + z.imag + pair[0] + pair[1] + both[1]

        x = np.zeros(1, np.float32)
        kernel[1, 1](x, 1, np.full((2, 2), 2, np.uint8), True, 3j, (4, 0.5), (0, 100))
        self.assertEqual(x[0], 111.5)

    def test_names_of_numba_cuda(self) -> None:
        """numba-cuda's public names are there, or say that kiln has them not."""
        names = (
            "In InOut Out Reduce declare_device CUSource PTXSource Cubin Fatbin Archive Object LTOIR LinkableCode activemask all_sync any_sync as_cuda_array atomic ballot_sync blockDim blockIdx boolean brev cbrt cg close clz "
            "compile compile_all compile_for_current_device compile_ptx compile_ptx_for_current_device complex128 complex64 config const "
            "cuda_error cudadrv current_context default_stream defer_cleanup detect device_array device_array_like errors event "
            "event_elapsed_time extending external_stream ffs float1 float2 float3 float4 float32x2 float64x4 fma fp16 from_cuda_array_interface "
            "get_current_device gpus grid gridDim gridsize guvectorize implementation is_available is_bfloat16_supported is_cuda_array "
            "is_float16_supported is_fp8_supported is_supported_version jit laneid lanemask_lt ldca ldcg ldcs ldcv ldlu legacy_default_stream "
            "libdevice list_devices literal_unroll local managed_array mapped mapped_array mapped_array_like match_all_sync match_any_sync "
            "nanosleep per_thread_default_stream pinned pinned_array pinned_array_like popc profile_start profile_stop profiling reduce "
            "require_context select_device selp shared shfl_down_sync shfl_sync shfl_up_sync shfl_xor_sync stcg stcs stream stwb stwt "
            "synchronize syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp threadIdx threadfence threadfence_block "
            "threadfence_system to_device types uchar4 uint16x3 ulonglong2 vectorize void warpsize CudaSupportError KernelRuntimeError open_ipc_array set_memory_manager BaseCUDAMemoryManager "
            "bfloat16 dim3 grid_group Dim3 GridGroup HostOnlyCUDAMemoryManager GetIpcHandleMixin MemoryPointer MappedMemory PinnedMemory IpcHandle runtime"
        )
        for name in names.split():
            self.assertTrue(hasattr(cuda, name), name)
        with self.assertRaisesRegex(AttributeError, "kiln has no"):
            cuda.nvvm

    def test_modules_of_the_compiler(self) -> None:
        """Those of numba-cuda's compiler are imported, and say what they are when something is asked of them."""
        import importlib
        import numba.cuda.core.rewrites.static_getitem
        from numba.cuda import launchconfig

        for use in (lambda: launchconfig.current_launch_config(), lambda: cuda.codegen.typing_registry, lambda: cuda.codegen.ExternalCodeLibrary,
                    lambda: exec("from numba.cuda.target import CUDATarget"), lambda: numba.cuda.core.rewrites.static_getitem.RewriteConstGetitems):
            with self.assertRaisesRegex(NotImplementedError, "is a part of numba's compiler, which kiln does not have"):
                use()
        for name in ("numba.cuda.no_such_module", "numba.cuda.core.no_such_module"):
            with self.assertRaises(ModuleNotFoundError):
                importlib.import_module(name)
        self.assertFalse(hasattr(launchconfig, "__path__"))

    def test_modules_inside(self) -> None:
        """Modules of numba-cuda's that are not documented, and that programs import all the same."""
        from numba.cuda import cuda_paths, vector_types
        from numba.cuda.cudadrv import libs, nvvm
        from numba.cuda.kernels.reduction import Reduce
        from numba.cuda.kernels.transpose import transpose

        self.assertIs(Reduce, cuda.Reduce)
        self.assertIs(vector_types.vector_types["float32x3"], cuda.float3)
        self.assertEqual(len(vector_types.vector_types), 40)
        self.assertFalse(nvvm.is_available())
        with self.assertRaises(nvvm.NvvmSupportError):
            nvvm.NVVM()
        paths = cuda_paths.get_cuda_paths()
        self.assertEqual(set(paths), {"nvrtc", "nvvm", "libdevice", "cudalib_dir", "static_cudalib_dir", "include_dir"})
        self.assertIn("libnvrtc.so", libs.get_cudalib("nvrtc"))
        self.assertEqual(os.path.basename(libs.get_cudalib("no_such_library", static=True)), "libno_such_library.a")
        with redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(libs.test(), paths["nvrtc"].info is not None)
        self.assertIn("NVRTC", printed.getvalue())
        for shape in (3, 70), (33, 1), (0, 4):
            for dtype in np.float32, np.int64:
                matrix = np.arange(shape[0] * shape[1]).reshape(shape).astype(dtype)
                self.assertTrue((transpose(cuda.to_device(matrix)).copy_to_host() == matrix.T).all())
        out = cuda.device_array((70, 3))
        self.assertIs(transpose(cuda.to_device(np.ones((3, 70))), out), out)
        self.assertTrue((out.copy_to_host() == 1).all())


class Compiling(unittest.TestCase):
    def test_api(self) -> None:
        def add(x, y):
            return x + y

        try:
            code, returned = cuda.compile(add, (types.float32, types.float32))
        except cuda.CudaSupportError as error:  # no NVRTC here
            self.skipTest(str(error).splitlines()[0])
        self.assertIn(".visible .func", code)
        self.assertEqual(returned, types.float32)
        self.assertEqual(cuda.compile_all(add, (types.int32, types.int32))[0][0], cuda.compile(add, (types.int32, types.int32))[0])
        self.assertEqual(cuda.compile_for_current_device(add, (types.int8, types.int8))[1], types.int64)


class MachineCode(unittest.TestCase):
    def test_sass(self) -> None:
        @cuda.jit("void(float32[:])")
        def kernel(x):
            x[cuda.grid(1)] = 1

        try:
            found = kernel.inspect_sass()
        except (cuda.CudaSupportError, RuntimeError) as error:  # no NVRTC here, or no nvdisasm
            self.skipTest(str(error).splitlines()[0])
        ((types_of_form, text),) = found.items()
        self.assertEqual(types_of_form, (types.float32[:],))
        self.assertIn("EXIT", text)
        self.assertEqual(kernel.inspect_sass((types.float32[:],)), text)
        self.assertIn("digraph", kernel.inspect_sass_cfg("void(float32[:])"))


class Ufuncs(unittest.TestCase):
    def test_numbers_match_all_types(self) -> None:
        @vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"], target="cuda")
        def blend(x, a, b):
            return x * a + b

        for dtype in np.float32, np.float64:
            x = np.arange(2000, dtype=dtype)
            result = blend(x, 2.5, 1)
            self.assertEqual(result.dtype, dtype)
            np.testing.assert_array_equal(result, x * dtype(2.5) + dtype(1))
            np.testing.assert_array_equal(blend(x[:10], 2.5, 1), result[:10])
            on_device = blend(cuda.to_device(x), 2.5, 1)
            self.assertEqual((on_device.dtype, on_device.copy_to_host()[3]), (dtype, 8.5))
        self.assertEqual(blend.types, ["fff->f", "ddd->d"])
        with self.assertRaises(TypeError):
            blend(np.zeros(2000, complex), 1, 1)


class UfuncsInKernels(unittest.TestCase):
    def test_of_arrays(self) -> None:
        @cuda.jit
        def kernel(a, b, out, small):
            np.sin(a, out[0])
            np.add(a, b, out=out[1])
            np.maximum(a, 1.5, out[2])
            np.multiply(a, small, out[3])
            np.greater(a, b, out[4])
            np.add(a[0], b[0], out[5])

        a, b, small = np.arange(12.0).reshape(3, 4), np.linspace(3, 4, 12).reshape(3, 4), np.array([[2.0], [3.0], [4.0]])
        out = np.zeros((6, 3, 4))
        kernel[1, 1](a, b, out, small)
        expected = [np.sin(a), a + b, np.maximum(a, 1.5), a * small, a > b, np.broadcast_to(a[0] + b[0], (3, 4))]
        np.testing.assert_allclose(out, expected, rtol=1e-14)

        @cuda.jit
        def makes(a):
            np.sin(a)

        self.assertRaises(UnsupportedError, makes[1, 1], a)


class Random(unittest.TestCase):
    def test_states_are_records(self) -> None:
        from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_dtype, xoroshiro128p_uniform_float32

        states = create_xoroshiro128p_states(4, seed=1)
        self.assertEqual((states.dtype, states.shape), (xoroshiro128p_dtype, (4,)))
        host = states.copy_to_host()
        self.assertEqual(sorted(host.dtype.names), ["s0", "s1"])

        @cuda.jit
        def draw(states, out):
            i = cuda.grid(1)
            out[i] = xoroshiro128p_uniform_float32(states, i)

        out = np.zeros(4, np.float32)
        draw[1, 4](states, out)
        mine = np.zeros(4, np.float32)
        draw[1, 4](host, mine)
        np.testing.assert_array_equal(out, mine)
        self.assertTrue(((0 <= out) & (out < 1)).all())


class Options(unittest.TestCase):
    def test_extensions(self) -> None:
        """Each extension sees each argument, the last one first; what they append to retr is called after the launch."""
        seen = []

        class Wrapped:
            def __init__(self, array) -> None:
                self.array = array

        class Unwrap:
            def prepare_args(self, ty, val, stream, retr):
                if isinstance(val, Wrapped):
                    retr.append(lambda: seen.append(val.array.copy_to_host().tolist()))
                    return types.float64[::1], val.array
                return ty, val

        class Note:
            def prepare_args(self, ty, val, stream, retr):
                seen.append((str(ty), stream))
                return ty, val

        @cuda.jit(extensions=[Unwrap(), Note()])
        def add(x, n):
            x[cuda.grid(1)] += n

        device = cuda.to_device(np.zeros(3))
        add[1, 3](Wrapped(device), 2)
        self.assertEqual(seen, [("None", 0), ("int64", 0), [2.0, 2.0, 2.0]])
        add[1, 3](Wrapped(device), n=1.0)
        self.assertEqual((len(seen), seen[-1]), (6, [3.0, 3.0, 3.0]))
        self.assertEqual((len(add.extensions), cuda.jit(link=[], extensions=[])(lambda x: None).extensions), (2, []))

    def test_callbacks_before_launches(self) -> None:
        """They are called before each launch, and one that raises keeps it from happening."""
        @cuda.jit
        def add(x):
            x[cuda.grid(1)] += 1

        seen = []
        device = cuda.to_device(np.zeros(2))
        launcher = add[1, 2]
        self.assertEqual(launcher.pre_launch_callbacks, [])
        launcher.pre_launch_callbacks.append(lambda kernel, config: seen.append((kernel is add, config.griddim, config.blockdim, config.sharedmem)))
        launcher(device)
        launcher(device)
        self.assertEqual(seen, [(True, (1, 1, 1), (2, 1, 1), 0)] * 2)
        launcher.pre_launch_callbacks.append(lambda kernel, config: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            launcher(device)
        launcher.pre_launch_callbacks.clear()
        self.assertEqual(device.copy_to_host().tolist(), [2.0, 2.0])

    def test_other_names(self) -> None:
        """Modules under numba-cuda's own names are numba's."""
        import numba.cuda.core.config
        from numba.core import config, errors
        from numba.cuda.api import to_device
        from numba.cuda.core import errors as same
        from numba.cuda.core.errors import TypingError
        from numba.cuda.cudadrv.devices import get_context, gpus, require_context
        from numba.cuda.cudadrv.linkable_code import CUSource
        from numba.cuda.np.numpy_support import as_dtype, from_dtype

        self.assertIs(numba.cuda.core.config, config)
        driver = cuda.cudadrv.driver
        self.assertIsInstance(cuda.stream(), driver.Stream)
        self.assertIsInstance(cuda.event(), driver.Event)
        self.assertIsInstance(cuda.current_context(), driver.Context)
        self.assertIsInstance(cuda.get_current_device(), driver.Device)
        self.assertIsInstance(cuda.current_context().get_memory_info(), cuda.MemoryInfo)
        self.assertIs(numba.cuda.core.config.CUDA_LOW_OCCUPANCY_WARNINGS, config.CUDA_LOW_OCCUPANCY_WARNINGS)
        self.assertTrue(same is errors and TypingError is errors.TypingError)
        self.assertEqual((to_device, CUSource, gpus, require_context), (cuda.to_device, cuda.CUSource, cuda.gpus, cuda.require_context))
        self.assertEqual((get_context().device.id, from_dtype(np.dtype("f4")), as_dtype(types.int8)), (0, types.float32, np.dtype("i1")))

    @unittest.skipUnless(ON_HOST, "a GPU has something to warn of")
    def test_quiet_on_the_cpu(self) -> None:
        @cuda.jit
        def nothing(x):
            pass

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nothing[1, 1](np.zeros(1))
        self.assertEqual(len(caught), 0)


main()
