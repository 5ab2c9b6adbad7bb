"""The spellings of cuda.jit, launches, device arrays, streams, events, devices."""

import gc
import os
import pickle
import subprocess
import sys
import unittest
import warnings
import weakref

from support import made, main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, float32, float64, from_dtype, int32, int64, types, void
from numba.core.errors import NumbaInvalidConfigWarning


@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


class Decorator(unittest.TestCase):
    def check(self, kernel) -> None:
        x = np.arange(10, dtype=np.float32)
        kernel[1, 32](x, 3)
        self.assertEqual(x.tolist(), [3.0 * i for i in range(10)])

    def test_spellings(self) -> None:
        def body(x, factor):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= factor

        for decorated in [
            cuda.jit(body), cuda.jit()(body), cuda.jit("void(float32[:], int32)")(body), cuda.jit("(float32[::1], int64)")(body),
            cuda.jit(void(float32[:], int32))(body), cuda.jit((float32[:], int64))(body), cuda.jit([void(float32[:], int32), void(float64[:], int32)])(body),
            cuda.jit(fastmath=True, cache=True, lineinfo=True, max_registers=32, launch_bounds=128, inline="always")(body),
            cuda.jit(debug=True, opt=False)(body),
        ]:
            self.check(decorated)
        from kiln import kernel

        self.check(kernel(body))

    def test_attributes(self) -> None:
        self.assertEqual(scale.__name__, "scale")
        self.assertTrue(callable(scale.py_func))
        scale[1, 1](np.zeros(1), 2.0)
        self.assertIn((types.Array(float64, 1, "C"), float64), scale.signatures)
        self.assertIn('extern "C" __global__ void scale(', scale.inspect_source())
        self.assertIs(pickle.loads(pickle.dumps(cuda.threadIdx)).__class__, cuda.threadIdx.__class__)
        self.assertEqual(pickle.loads(pickle.dumps(scale)).__name__, "scale")

    def test_options_that_do_not_go_together(self) -> None:
        """numba's warnings and errors."""
        for options, words in [({"debug": True, "opt": True}, "debug=True with opt=True"),
                               ({"debug": True, "opt": False, "lineinfo": True}, "debug and lineinfo are mutually exclusive")]:
            with self.assertWarnsRegex(NumbaInvalidConfigWarning, words):
                cuda.jit(**options)
        with self.assertRaisesRegex(ValueError, "link keyword invalid for device function"):
            cuda.jit(device=True, link=["a.ptx"])

    def test_source_of_text(self) -> None:
        program = (
            "import numpy as np\nfrom numba import cuda\n@cuda.jit\ndef k(x):\n    x[cuda.grid(1)] = 7\n"
            "x = np.zeros(4)\nk[1, 4](x)\nprint(x.tolist())\n"
        )
        executed = f"source = {program!r}\nexec(source)\n"
        for arguments, text in [(["-c", program], None), (["-"], program), ([], program), (["-c", executed], None)]:
            result = subprocess.run([sys.executable, *arguments], input=text, capture_output=True, text=True, timeout=60)
            self.assertEqual((result.stdout, result.stderr), ("[7.0, 7.0, 7.0, 7.0]\n", ""), arguments)


class Collection(unittest.TestCase):
    def test_kernels_are_collected(self) -> None:
        def make():
            @cuda.jit
            def local(x):
                x[0] = 1

            local[1, 1](np.zeros(1))
            return weakref.ref(local)

        reference = make()
        made.pop()  # from the test support's list
        gc.collect()
        self.assertIsNone(reference())

    def test_module_is_collected(self) -> None:
        """Kernels, what they name, and their module hold each other."""
        text = (
            "from numba import cuda\nimport numpy as np\nclass Problem(Exception): pass\narray = cuda.to_device(np.ones(3))\n"
            "@cuda.jit(device=True)\ndef helper(x):\n    return x + 1\n"
            "@cuda.jit(debug=True, opt=False)\ndef local(x):\n    if x[0] > 5:\n        raise Problem('large')\n    x[0] = helper(array[1])\n"
            "local[1, 1](np.zeros(1))\n"
        )
        scope = {}
        count = len(made)
        exec(compile(text, "<collected>", "exec"), scope)
        del made[count:]
        references = [weakref.ref(scope["local"]), weakref.ref(scope["helper"]), weakref.ref(scope["Problem"]), weakref.ref(scope["array"])]
        del scope
        gc.collect()
        self.assertEqual([reference() for reference in references], [None] * 4)


class Launch(unittest.TestCase):
    def test_configurations(self) -> None:
        @cuda.jit
        def geometry(out):
            x, y = cuda.grid(2)
            out[x, y] = cuda.gridDim.x * 1000 + cuda.blockDim.y * 100 + cuda.blockIdx.x * 10 + cuda.threadIdx.y
            if x == 0 and y == 0:
                width, height = cuda.gridsize(2)
                out[0, 0] = width + height * 100

        expected = np.array([[2 * 1000 + 3 * 100 + x // 2 * 10 + y % 3 for y in range(6)] for x in range(4)])
        expected[0, 0] = 4 + 600
        for grid, block in [((2, 2), (2, 3)), ([2, 2], [2, 3]), ((np.int32(2), 2), (2, np.int64(3))), ((2, 2, 1), (2, 3, 1))]:
            out = np.zeros((4, 6), np.int64)
            geometry[grid, block](out)
            np.testing.assert_array_equal(out, expected)
        ready = geometry[(2, 2), (2, 3)]
        self.assertIs(ready, geometry[(2, 2), (2, 3)])
        self.assertIs(ready, geometry[(2, 2), (2, 3), 0])
        self.assertIs(ready, geometry[(2, 2), (2, 3), 0, 0])
        shared = geometry[(2, 2), (2, 3), 0, 64]
        self.assertIs(shared, geometry[(2, 2), (2, 3), 0, 64])
        self.assertEqual((shared.sharedmem, ready.sharedmem), (64, 0))
        self.assertIs(ready, geometry[(2, 2), (2, 3)])
        with self.assertRaises(TypeError):  # equal to one that there is, and yet none
            geometry[(2.0, 2), (2, 3)]
        for wrong in (2, (2,), (1, 2, 3, 4, 5)):
            with self.assertRaisesRegex(ValueError, "must specify at least the griddim and blockdim"):
                geometry[wrong]
        for _ in range(3):
            out = np.zeros((4, 6), np.int64)
            ready(out)
            np.testing.assert_array_equal(out, expected)

    def test_forall(self) -> None:
        for n in 0, 1, 300:
            x = np.ones(n)
            scale.forall(n)(x, 2.0)
            scale.forall(n, tpb=64)(x, 2.0)
            self.assertEqual(x.tolist(), [4.0] * n)
        with self.assertRaises(ValueError):
            scale.forall(-1)

    def test_argument_types(self) -> None:
        @cuda.jit
        def kernel(out, x, pair, nothing, flag):
            out[0] = x
            out[1] = pair[0] + pair[1][0] + pair[1][1]
            if nothing is None:
                out[2] = 1
            out[3] = flag

        for x in 5, 2.5, np.float32(0.5), np.int8(-3), np.uint64(2**60), True, np.bool_(True):
            out = np.zeros(4)
            kernel[1, 1](out, x, (1, (2, 3.5)), None, False)
            self.assertEqual(out.tolist(), [float(x), 6.5, 1.0, 0.0])

    def test_big_grid(self) -> None:
        x = np.ones(1 << 20, np.float32)
        scale[(1 << 20) // 256, 256](x, 3.0)
        self.assertTrue((x == 3).all())


class DeviceArrays(unittest.TestCase):
    def test_round_trips(self) -> None:
        for array in [np.arange(12.0), np.arange(12).reshape(3, 4), np.asfortranarray(np.arange(12.0).reshape(3, 4)),
                      np.arange(24.0)[::2], np.array(5.0), np.zeros((0, 3)), np.arange(5) > 2]:
            device = cuda.to_device(array)
            self.assertEqual((device.shape, device.dtype, device.ndim, device.size), (array.shape, array.dtype, array.ndim, array.size))
            np.testing.assert_array_equal(device.copy_to_host(), array)
            target = np.empty_like(array)
            self.assertIs(device.copy_to_host(target), target)
            np.testing.assert_array_equal(target, array)

    def test_launch(self) -> None:
        device = cuda.to_device(np.ones(100))
        scale[1, 128](device, 2.0)
        scale[1, 128](device[10:20], 10.0)
        scale[1, 128](device[50:90:2], 5.0)
        expected = np.full(100, 2.0)
        expected[10:20] *= 10
        expected[50:90:2] *= 5
        cuda.synchronize()
        np.testing.assert_array_equal(device.copy_to_host(), expected)
        self.assertEqual(device[15], 20.0)
        device[3] = 7
        device[4:6] = np.array([1.0, 2.0])
        self.assertEqual(device[3:6].copy_to_host().tolist(), [7.0, 1.0, 2.0])

    def test_making(self) -> None:
        a = cuda.device_array((3, 4), np.float32)
        self.assertEqual((a.shape, a.dtype, a.nbytes, a.strides), ((3, 4), np.float32, 48, (16, 4)))
        self.assertEqual(cuda.device_array(5).dtype, np.float64)
        like = cuda.device_array_like(np.zeros((2, 3), np.int8, order="F"))
        self.assertEqual((like.shape, like.strides, like.is_f_contiguous()), ((2, 3), (1, 2), True))
        a.copy_to_device(np.arange(12, dtype=np.float32).reshape(3, 4))
        self.assertEqual(a.reshape(4, 3)[1].copy_to_host().tolist(), [3, 4, 5])
        self.assertEqual(a.T.copy_to_host().tolist(), np.arange(12).reshape(3, 4).T.tolist())
        self.assertEqual(a.ravel().shape, (12,))
        self.assertEqual(len(a), 3)
        self.assertEqual(np.asarray(a).sum(), 66)
        self.assertTrue(cuda.is_cuda_array(a))
        self.assertFalse(cuda.is_cuda_array(np.zeros(1)))
        with self.assertRaises(TypeError):
            a.copy_to_device(np.zeros((3, 4)))
        with self.assertRaises(ValueError):
            a.copy_to_device(np.zeros((4, 4), np.float32))
        self.assertEqual(cuda.pinned_array(3, np.int32).shape, (3,))
        self.assertEqual(cuda.mapped_array((2, 2)).shape, (2, 2))

    def test_names_of_streams(self) -> None:
        named = {cuda.default_stream(): "<Default CUDA stream>", cuda.legacy_default_stream(): "<Legacy default CUDA stream>",
                 cuda.per_thread_default_stream(): "<Per-thread default CUDA stream>", cuda.external_stream(1234): "<External CUDA stream 1234>"}
        for stream, name in named.items():
            self.assertEqual((repr(stream), stream.external), (name, name.startswith("<External")))
        own = cuda.stream()
        self.assertEqual((repr(own), own.external), (f"<CUDA stream {int(own)}>", False))

    def test_streams_and_events(self) -> None:
        stream = cuda.stream()
        device = cuda.to_device(np.ones(10), stream=stream)
        start, end = cuda.event(), cuda.event()
        start.record(stream)
        scale[1, 32, stream](device, 4.0)
        end.record(stream)
        end.synchronize()
        self.assertGreaterEqual(cuda.event_elapsed_time(start, end), 0)
        with stream.auto_synchronize():
            result = device.copy_to_host(stream=stream)
        self.assertEqual(result.tolist(), [4.0] * 10)

    def test_devices(self) -> None:
        self.assertTrue(cuda.is_available())
        self.assertGreaterEqual(len(cuda.gpus), 1)
        cuda.select_device(0)
        device = cuda.get_current_device()
        self.assertEqual(device.WARP_SIZE, 32)
        self.assertGreaterEqual(device.MULTIPROCESSOR_COUNT, 1)
        self.assertEqual(len(device.compute_capability), 2)
        free, total = cuda.current_context().get_memory_info()
        self.assertLessEqual(free, total)
        cuda.close()

    def test_types(self) -> None:
        self.assertEqual(from_dtype(np.dtype("f4")), float32)
        self.assertIs(types.int32, int32)

    @staticmethod
    def launch_in_child(x) -> bool:
        """On the CPU it works; a GPU that the parent has used cannot be used, and kiln says so."""
        try:
            scale[256, 256](x, 2.0)
        except cuda.CudaSupportError as error:
            return os.environ.get("KILN_OFFLOAD") == "gpu" and "forked" in str(error)
        return bool((x == 4.0).all())

    def test_fork(self) -> None:
        x = np.ones(1 << 16)
        scale[256, 256](x, 2.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the GPU's driver has threads
            child = os.fork()
        if child == 0:
            os._exit(0 if self.launch_in_child(x) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    main()
